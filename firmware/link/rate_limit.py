"""A limit on incoming messages: a flood costs a bounded time, and drowns only itself."""

from collections.abc import Callable


class PerSecond:
    """Admits a limited number of messages each second.

    Args:
        most: how many.
        now_s: returns the time in seconds, never running back.
    """

    def __init__(self, most: int, now_s: Callable[[], float]) -> None:
        self._most = most
        self._now_s = now_s
        self._second = self._count = 0

    def admits(self) -> bool:
        """Return whether one more message is admitted now."""
        second = int(self._now_s())
        if second != self._second:
            self._second, self._count = second, 0
        self._count += 1
        return self._count <= self._most
