"""Time that goes on with real time: dealt out by another loop, or hurried.

A world runs on a `PacedLoop`, the web server on asyncio's own loop. The server advances the world
as real time passes: it can be paused, stepped and hurried. The world depends only on the commands
that it got and on their virtual times: one session, done again, is the same to the byte.

A `HurriedLoop` is for people who want to watch a match in a minute. Its clock runs ``speed`` times
as fast as real time while the loop waits. While it works the clock moves on by no more than a step
at a time, so on a machine that cannot keep up it runs slower, and sensors miss no samples.
"""

import asyncio
import heapq
import selectors
from asyncio.events import _get_running_loop, _set_running_loop
from asyncio.tasks import _enter_task, _leave_task
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TypeVar

from steckbrett.clock.clock import ClockError

from hw_sim.clock.virtual import VirtualLoop

T = TypeVar("T")

END_US = 20_000_000
"""A cancelled task has this virtual time to end before it is cancelled again, …"""
MOST_CANCELS = 5
"""… so often."""


class PacedLoop(VirtualLoop):
    """A virtual loop that runs only as far as it is told, from within another loop.

    ``outer`` is that loop; None before it has run, or if there is none.
    """

    outer: asyncio.AbstractEventLoop | None = None

    def inside(self, call: Callable[[], T]) -> T:
        """Call something as if from a callback of this loop; returns and raises what it does."""
        with self._running():
            return call()

    def advance(self, until_us: int, budget_s: float | None = None) -> bool:
        """Run all that is due up to and at a virtual time, and leave the clock there.

        ``budget_s``: time on the outer loop's clock after which to stop on the way; None for no
        limit. Returns whether ``until_us`` was reached. A time that has passed already is reached.

        Raises:
            UnhandledError: a callback failed that nobody was waiting for.
        """
        with self._running():
            outer = self.outer
            stop_s = None if budget_s is None or outer is None else outer.time() + budget_s
            while (due_us := self.due_us) is not None and due_us <= until_us:
                self._run_once()
                if stop_s is not None and outer is not None and outer.time() > stop_s:
                    return False
        self._now_us = max(self._now_us, until_us)
        return True

    @property
    def due_us(self) -> int | None:
        """When something happens next, in virtual µs; None if nothing ever does."""
        if self._ready:
            return self._now_us
        while self._timers and self._timers[0][2].cancelled():
            heapq.heappop(self._timers)[2]._scheduled = False
            self._timer_cancelled_count -= 1
        return self._timers[0][0] if self._timers else None

    def end(self) -> None:
        """Cancel every task, let it end, and close. One that does not end is cancelled again.

        Raises:
            ClockError: a task does not end at all, or one failed.
        """
        for _ in range(MOST_CANCELS):
            tasks = asyncio.all_tasks(self)
            if not tasks:
                break
            for task in tasks:
                task.cancel()
            self.advance(self._now_us + END_US)
        else:
            self.close()
            raise ClockError("a task does not end, however often it is cancelled")
        with _instead_of_the_outer(None):
            self.finish()

    @contextmanager
    def _running(self) -> Iterator[None]:
        self.outer = _get_running_loop()
        with _instead_of_the_outer(self):
            yield


@contextmanager
def _instead_of_the_outer(loop: asyncio.AbstractEventLoop | None) -> Iterator[None]:
    """Let ``loop``, or none, be the one that runs in this thread.

    CPython 3.14 knows one current task a thread, and lets no loop enter another. The context leaves
    the task of the outer loop, from which it is entered, and resumes it at its end.
    """
    outer = _get_running_loop()
    task = None if outer is None else asyncio.current_task(outer)
    if outer is not None and task is not None:
        _leave_task(outer, task)
    _set_running_loop(loop)
    try:
        yield
    finally:
        _set_running_loop(outer)
        if outer is not None and task is not None:
            _enter_task(outer, task)


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
