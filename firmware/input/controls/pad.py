"""The finger on the pad: how far a hold has come, and when an offer may be answered."""

HOLD_US = 800_000
"""The length of a hold; its bar moves in quarters of it."""
HOLD_STEPS = 4
ARMED_AFTER_US = 800_000
"""An offer can be answered once it has stood this long and the pad was free."""


class Pad:
    """The finger, and the offer it may answer. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.pressed_us: int | None = None
        """When the finger that is on the pad came down; None while it is free."""
        self.armed = False
        """Whether the offer on the display can be answered now."""
        self._was_free = True
        self._offer_since_us: int | None = None

    def press(self, now_us: int) -> None:
        """Begin a hold: a finger comes down."""
        self.pressed_us = now_us

    def release(self) -> None:
        """End a hold: the finger leaves, and an offer may be answered from now on."""
        self.pressed_us = None
        self._was_free = True

    def progress(self, now_us: int) -> float | None:
        """Return how far a hold has come: 0, 0.25 … 1; None while the pad is free."""
        if self.pressed_us is None:
            return None
        held_us = min(now_us - self.pressed_us, HOLD_US)
        return held_us * HOLD_STEPS // HOLD_US / HOLD_STEPS

    def next_step_us(self, now_us: int) -> int | None:
        """Return when ``progress`` changes next; None if it will not."""
        if self.pressed_us is None or self.progress(now_us) == 1.0:
            return None
        done = (now_us - self.pressed_us) * HOLD_STEPS // HOLD_US
        return self.pressed_us + -(-(done + 1) * HOLD_US // HOLD_STEPS)

    def begin(self, now_us: int, *, offer: bool) -> None:
        """Begin anew, unarmed: another offer stands on the display (``offer``), or none.

        A finger that is on the pad now has to leave it before the offer can be answered.
        """
        self._offer_since_us = now_us if offer else None
        self.armed = False
        self._was_free = self.pressed_us is None

    def tick(self, now_us: int, *, hidden: bool) -> None:
        """Arm the offer when its time has come; while it is hidden, its time does not run."""
        since_us = self._offer_since_us
        if since_us is None:
            return
        if hidden:
            self._offer_since_us = now_us
            self.armed = False
        elif self._was_free:
            self.armed = self.armed or since_us + ARMED_AFTER_US <= now_us

    @property
    def armed_us(self) -> int | None:
        """When the offer can be answered; None if it can already, or there is none."""
        if self._offer_since_us is None or self.armed or not self._was_free:
            return None
        return self._offer_since_us + ARMED_AFTER_US
