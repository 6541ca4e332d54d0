"""Real time, hurried, for people who want to watch a match in a minute.

The clock runs ``speed`` times as fast as real time while the loop waits. While it works the clock
moves on by no more than a step at a time, so on a machine that cannot keep up it runs slower,
and sensors miss no samples.
"""

import asyncio
import selectors
from time import perf_counter

BREATH_S = 0.01
"""Most that one round of the loop's work may take on the hurried clock."""


class HurriedLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock runs ``speed`` times as fast as real time, as far as it can."""

    def __init__(self, speed: float) -> None:
        self._hurried = _HurriedSelector(speed)
        super().__init__(self._hurried)

    def time(self) -> float:
        """Seconds on the hurried clock since the loop was made."""
        return self._hurried.now_s


class _HurriedSelector(selectors.DefaultSelector):
    """Waits in real time for what the loop means in hurried time, and keeps the clock."""

    def __init__(self, speed: float) -> None:
        super().__init__()
        self.now_s = 0.0
        self._speed = speed
        self._seen_s = perf_counter()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now_s += min(self._passed_s(), BREATH_S)
        ready = super().select(None if timeout is None else timeout / self._speed)
        waited_s = self._passed_s()
        # A task that wakes late has not missed anything: the clock stood still meanwhile.
        self.now_s += waited_s if timeout is None else min(waited_s, timeout + BREATH_S)
        return ready

    def _passed_s(self) -> float:
        before_s, self._seen_s = self._seen_s, perf_counter()
        return (self._seen_s - before_s) * self._speed
