"""A doubt by lifting: light falls on the cup that is offered."""

DOUBT_AFTER_US = 500_000
"""A hand that begins to cover an offered cup within this long takes its doubt back."""
COVERED_AFTER_US = 350_000
"""A hand takes up to 0.23 s to cover the cup, and darkness counts after 0.1 s
(``firmware.input.gestures.light``): a doubt waits for this long after its bar is full."""
DOUBT_STEPS = 4
"""The number of steps of a doubt's bar, as of a hold's."""


class LiftedDoubt:
    """Light over the offered cup. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.progress: float | None = None
        """How full the bar of the doubt is: 0, 0.25 … 1; None while the cup is closed."""
        self.fell_short = False
        """Whether the last lift was too short for a doubt."""
        self._since_us = 0

    @property
    def next_timer_us(self) -> int | None:
        """When the doubt's bar moves next; None while the cup is closed."""
        if self.progress is None:
            return None
        if self.progress == 1.0:
            return self._since_us + DOUBT_AFTER_US + COVERED_AFTER_US
        return self._since_us + round((self.progress * DOUBT_STEPS + 1) * _STEP_US)

    def light(self, now_us: int) -> None:
        """Begin to fill the bar: light falls in."""
        self._since_us, self.progress, self.fell_short = now_us, 0.0, False

    def dark(self) -> None:
        """Take the doubt back: the cup is closed."""
        self.fell_short = self.fell_short or self.progress is not None
        self.progress = None

    def end(self) -> None:
        """Forget the last lift: nothing is offered any more, or nobody can tell."""
        self.progress, self.fell_short = None, False

    def tick(self, now_us: int) -> bool:
        """Return True, once, when the lift is a doubt: `COVERED_AFTER_US` after the bar is full."""
        if self.progress is None:
            return False
        lasted_us = now_us - self._since_us
        self.progress = min(lasted_us // _STEP_US / DOUBT_STEPS, 1.0)
        if lasted_us < DOUBT_AFTER_US + COVERED_AFTER_US:
            return False
        self.progress = None
        return True


_STEP_US = DOUBT_AFTER_US // DOUBT_STEPS
