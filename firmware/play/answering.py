"""A doubt by lifting: light over the cup that is offered."""

DOUBT_AFTER_US = 500_000
"""Light over an offered cup is a doubt only after this long; covering it before takes it back."""
DOUBT_STEPS = 4
"""The bar of a doubt moves in so many steps, as that of a hold does."""


class LiftedDoubt:
    """Light over the offered cup. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.progress: float | None = None
        """How far the doubt has come: 0, 0.25 … 0.75; None while the cup is closed."""
        self.fell_short = False
        """Whether the last lift was too short for a doubt."""
        self._since_us = 0

    @property
    def next_timer_us(self) -> int | None:
        """When the doubt comes further; None while the cup is closed."""
        if self.progress is None:
            return None
        return self._since_us + round((self.progress * DOUBT_STEPS + 1) * _STEP_US)

    def light(self, now_us: int) -> None:
        """Light falls in: it is a doubt `DOUBT_AFTER_US` from now."""
        self._since_us, self.progress, self.fell_short = now_us, 0.0, False

    def dark(self) -> None:
        """Take the doubt back: the cup is closed."""
        self.fell_short = self.fell_short or self.progress is not None
        self.progress = None

    def end(self) -> None:
        """Forget the last lift: nothing is offered any more, or nobody can tell."""
        self.progress, self.fell_short = None, False

    def tick(self, now_us: int) -> bool:
        """Return True, once, when the light has stood for `DOUBT_AFTER_US`."""
        if self.progress is None:
            return False
        self.progress = (now_us - self._since_us) // _STEP_US / DOUBT_STEPS
        if self.progress < 1.0:
            return False
        self.progress = None
        return True


_STEP_US = DOUBT_AFTER_US // DOUBT_STEPS
