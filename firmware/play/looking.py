"""The private look at the covered dice (R-CLASS-4)."""

LOOK_US = 4_000_000
"""A private look ends this long after it began, if not before."""


class PrivateLook:
    """Whether the holder looks at the own dice now. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.next_timer_us: int | None = None
        """When the look ends by itself; None while nobody looks."""
        self._by_pad = False

    @property
    def is_on(self) -> bool:
        """Whether the dice are being looked at."""
        return self.next_timer_us is not None

    def begin(self, now_us: int, *, by_pad: bool = False) -> None:
        """Look for `LOOK_US` from now; ``by_pad``: also only until the finger leaves the pad."""
        self.next_timer_us = now_us + LOOK_US
        self._by_pad = self._by_pad or by_pad

    def release_pad(self) -> None:
        """End a look that the finger on the pad began: it has left. Any other look goes on."""
        if self._by_pad:
            self.end()

    def end(self) -> None:
        """End the look."""
        self.next_timer_us = None
        self._by_pad = False

    def tick(self, now_us: int) -> None:
        """End a look that is over `LOOK_US` old."""
        if self.next_timer_us is not None and self.next_timer_us <= now_us:
            self.next_timer_us = None
