"""A doubt by lifting: light over the cup that is offered."""

DOUBT_AFTER_US = 500_000
"""Light over an offered cup is a doubt only after this long; covering it before takes it back."""


class LiftedDoubt:
    """Light over the offered cup. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.next_timer_us: int | None = None
        """When it is a doubt; None while the cup is closed."""

    def light(self, now_us: int) -> None:
        """Light falls in: it is a doubt `DOUBT_AFTER_US` from now."""
        self.next_timer_us = now_us + DOUBT_AFTER_US

    def dark(self) -> None:
        """Take the doubt back: the cup is closed, or is not offered any more."""
        self.next_timer_us = None

    def tick(self, now_us: int) -> bool:
        """Return True, once, when the light has stood for `DOUBT_AFTER_US`."""
        if self.next_timer_us is None or now_us < self.next_timer_us:
            return False
        self.next_timer_us = None
        return True
