"""Real time, hurried: for people who want to watch a match in a minute."""

import asyncio
import selectors


class HurriedLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock runs ``speed`` times as fast as real time, as far as it can."""

    def __init__(self, speed: float) -> None:
        super().__init__(_HurriedSelector(speed))
        self._speed = speed

    def time(self) -> float:
        """Seconds on the hurried clock."""
        return super().time() * self._speed


class _HurriedSelector(selectors.DefaultSelector):
    """Waits in real time for what the loop means in hurried time."""

    def __init__(self, speed: float) -> None:
        super().__init__()
        self._speed = speed

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return super().select(None if timeout is None else timeout / self._speed)
