"""A budget of events: a number at once, and a number a second in the long run. Pure."""


class Budget:
    """A budget. Times are in µs on the caller's clock.

    Args:
        at_once: the most events at one time.
        per_s: the events of a second, in the long run.
        now_us: the time now.
    """

    def __init__(self, at_once: int, per_s: float, now_us: int) -> None:
        self._most, self._per_us = at_once, per_s / 1e6
        self._left, self._seen_us = float(at_once), now_us

    def take(self, now_us: int, count: int = 1) -> bool:
        """Take so many, if they are there; return whether they were."""
        more = (now_us - self._seen_us) * self._per_us
        self._left, self._seen_us = min(self._most, self._left + more), now_us
        if self._left < count:
            return False
        self._left -= count
        return True
