"""A call at a time of the loop."""

import asyncio
from collections.abc import Callable

from drivers.time import US_PER_S, now_us


class Timer:
    """Calls ``call`` once, at the latest set time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
        self._loop = loop
        self._call = call
        self._handle: asyncio.TimerHandle | None = None
        self._due_us: int | None = None

    def set(self, due_us: int | None) -> None:
        """Call at ``due_us`` (µs of the loop; soon, if passed); this replaces any earlier time.

        None: do not call.
        """
        if due_us == self._due_us:
            return
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self._due_us = due_us
        if due_us is not None:
            due_s = max(due_us, now_us(self._loop)) / US_PER_S
            self._handle = self._loop.call_at(due_s, self._came_due)

    def _came_due(self) -> None:
        self._handle = self._due_us = None
        self._call()
