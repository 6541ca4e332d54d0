"""``maexchen doctor``: look at every part, wire and permission, and say what to do."""
