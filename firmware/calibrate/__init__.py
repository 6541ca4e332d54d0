"""``maexchen calibrate``: be shown how one player holds, lifts and shakes one handheld."""
