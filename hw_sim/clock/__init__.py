"""asyncio loops whose time is a number: virtual, hurried, paced.

A `VirtualLoop` jumps to the next deadline instead of waiting for it. Everything above the
electronics runs on asyncio, so a loop whose clock is a number is all it takes to simulate hours in
seconds, with one seed giving one run:

- The clock is an integer of microseconds that starts at 0 and moves only while nothing is ready.
  Every deadline is rounded to that grid, so deadlines that are meant to be equal are equal.
- Callbacks of one deadline run in the order in which they were asked for. asyncio's own heap
  compares deadlines only and promises no order.
- Threads are refused. The loop would not wait for them: to the simulation an answer from a thread
  takes no time or tens of virtual seconds, as the machine pleases.
- A table on which nothing can happen any more is an error, not a hang; and an exception that no
  task was waiting for ends the run at once instead of becoming a line in a log.

Each error of the loops says how to mend it.

A world runs on a `PacedLoop`, the web server on asyncio's own loop. The server advances the world
as real time passes: it can be paused, stepped and hurried. The world depends only on the commands
that it got and on their virtual times: one session, done again, is the same to the byte.

A `HurriedLoop` is for people who want to watch a match in a minute. Its clock runs ``speed`` times
as fast as real time while the loop waits. While it works the clock moves on by no more than a step
at a time, so on a machine that cannot keep up it runs slower, and sensors miss no samples.

May import: steckbrett.
"""

import asyncio
import gc
import heapq
import selectors
import threading
from asyncio.events import _get_running_loop, _set_running_loop
from asyncio.tasks import _enter_task, _leave_task
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import Context, copy_context
from time import perf_counter
from typing import Any, NoReturn, TypeVar, TypeVarTuple

from steckbrett.clock import ClockError, DeadlockError


class ThreadRefusedError(ClockError):
    """Something wanted a thread or an executor, which virtual time does not wait for."""


class LivelockError(ClockError):
    """Callbacks keep each other busy, and time stands still."""


class TimeLimitError(ClockError):
    """The next deadline lies beyond the limit that was set for this run."""


class UnhandledError(ClockError):
    """A callback or a task failed and nobody was waiting for it; ``__cause__`` is its exception."""


T = TypeVar("T")
Args = TypeVarTuple("Args")

US_PER_S = 1_000_000
"""By definition."""

_SWEEP_FROM = 100
"""Fewest cancelled timers worth a sweep, as in asyncio's own loop."""

_MAX_TURNS = 100_000
"""Rounds of callbacks at one instant that are taken for a livelock; real instants need hundreds."""


class _Handle(asyncio.Handle):
    # asyncio's without its debug bookkeeping: a match makes hundreds of thousands of them.
    __slots__ = ()
    _loop: "VirtualLoop"
    _context: Context
    _callback: Callable[..., object]

    def __init__(
        self,
        callback: Callable[..., object],
        args: tuple[Any, ...],
        loop: "VirtualLoop",
        context: Context | None,
    ) -> None:
        self._context = copy_context() if context is None else context
        self._loop = loop
        self._callback = callback
        self._args = args
        self._cancelled = False
        self._repr = self._source_traceback = None


class _Timer(_Handle, asyncio.TimerHandle):
    __slots__ = ()
    _scheduled: bool  # set by the loop while the timer waits in its heap

    def __init__(
        self,
        when: float,
        callback: Callable[..., object],
        args: tuple[Any, ...],
        loop: "VirtualLoop",
        context: Context | None,
    ) -> None:
        self._context = copy_context() if context is None else context
        self._loop = loop
        self._callback = callback
        self._args = args
        self._cancelled = False
        self._repr = self._source_traceback = None
        self._when = when
        self._scheduled = True

    def cancel(self) -> None:
        if not self._cancelled:
            if self._scheduled:
                self._loop._count_cancelled()
            self._cancelled = True
            self._callback = self._args = None  # type: ignore[assignment]


class VirtualLoop(asyncio.BaseEventLoop):
    """An event loop on virtual time.

    ``limit_us``: a deadline beyond this virtual time raises TimeLimitError; None means no limit.
    """

    # Attributes of asyncio.BaseEventLoop that the type stubs do not name.
    _ready: deque[_Handle]
    _closed: bool
    _timer_cancelled_count: int
    _stopping: bool

    def __init__(self, limit_us: int | None = None) -> None:
        super().__init__()
        self._now_us = 0
        self._limit_us = limit_us
        self._timers: list[tuple[int, int, _Timer]] = []
        self._asked = 0
        self._turns = 0
        self._home_thread = threading.get_ident()
        self._unhandled: dict[str, Any] | None = None
        self.set_exception_handler(VirtualLoop._on_unhandled)

    get_debug = staticmethod(bool)  # False without a Python call: each future asks

    def time(self) -> float:
        """Virtual seconds since the loop was made, on the microsecond grid."""
        return self._now_us / US_PER_S

    @property
    def now_us(self) -> int:
        """Virtual microseconds since the loop was made."""
        return self._now_us

    # The three ways in. They do what asyncio's do, without its debug bookkeeping.

    def call_soon(
        self, callback: Callable[[*Args], object], *args: *Args, context: Context | None = None
    ) -> asyncio.Handle:
        """Run ``callback`` at the present instant, after all that is ready already."""
        if self._closed:
            self._refuse_closed()
        handle = _Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Args], object],
        *args: *Args,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run ``callback`` after ``delay`` seconds, rounded to µs.

        A positive delay is 1 µs at least, so that waiting for a rounding error ends; a negative
        one is none.
        """
        delay_us = round(delay * US_PER_S) or int(delay > 0)
        return self.call_at_us(self._now_us + delay_us, callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[*Args], object],
        *args: *Args,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run ``callback`` at ``when`` seconds, rounded to µs, or now if that has passed."""
        when_us = round(when * US_PER_S)
        if when_us == self._now_us and when > self.time():
            when_us += 1
        return self.call_at_us(when_us, callback, *args, context=context)

    def call_at_us(
        self,
        when_us: int,
        callback: Callable[[*Args], object],
        *args: *Args,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Run ``callback`` at the virtual time ``when_us``, or now if that has passed."""
        if self._closed:
            self._refuse_closed()
        when_us = max(when_us, self._now_us)
        timer = _Timer(when_us / US_PER_S, callback, args, self, context)
        self._asked += 1
        heapq.heappush(self._timers, (when_us, self._asked, timer))
        return timer

    def call_soon_threadsafe(
        self, callback: Callable[[*Args], object], *args: *Args, context: Context | None = None
    ) -> asyncio.Handle:
        """Like call_soon, from the loop's own thread only.

        Raises:
            ThreadRefusedError: from any other thread.
        """
        if threading.get_ident() != self._home_thread:
            raise ThreadRefusedError(
                f"{_name(callback)} was called in from thread {threading.current_thread().name}: "
                "virtual time does not wait for threads, call it from the loop's own"
            )
        return self.call_soon(callback, *args, context=context)

    def run_in_executor(
        self, executor: object, func: Callable[[*Args], object], *args: *Args
    ) -> NoReturn:
        """Refuse: always raises ThreadRefusedError."""
        del executor, args
        raise ThreadRefusedError(
            f"{_name(func)} was given to an executor: virtual time does not wait for threads, "
            "run it inline and let the loop's clock take the time it costs"
        )

    def _run_once(self) -> None:
        """Move the clock to the next deadline if nothing is ready, and do all of that instant."""
        timers, ready = self._timers, self._ready
        while timers and timers[0][2]._cancelled:
            heapq.heappop(timers)[2]._scheduled = False
            self._timer_cancelled_count -= 1
        if not ready and not self._stopping:
            if not timers:
                self._raise_deadlock()
            when_us = timers[0][0]
            if self._limit_us is not None and when_us > self._limit_us:
                raise TimeLimitError(
                    f"still running after {self._limit_us / US_PER_S:g} virtual seconds: "
                    f"{self._pending()}; raise the limit if it needs longer"
                )
            if when_us > self._now_us:
                self._now_us = when_us
                self._turns = 0
        now_us = self._now_us
        while True:
            self._turns += 1
            if self._turns > _MAX_TURNS:
                self._raise_livelock()
            while timers and timers[0][0] <= now_us:
                timer = heapq.heappop(timers)[2]
                timer._scheduled = False
                if timer._cancelled:
                    self._timer_cancelled_count -= 1
                else:
                    ready.append(timer)
            # Only what is ready now: what these callbacks add runs after the timers of this
            # instant.
            for _ in range(len(ready)):
                handle = ready.popleft()
                if not handle._cancelled:
                    try:
                        handle._context.run(handle._callback, *handle._args)
                    except (SystemExit, KeyboardInterrupt):
                        raise
                    except BaseException as problem:
                        message = f"Exception in callback {_name(handle._callback)}"
                        self.call_exception_handler({"message": message, "exception": problem})
            if self._unhandled is not None:
                self._raise_unhandled()
            if not ready or self._stopping:
                return

    def _count_cancelled(self) -> None:
        self._timer_cancelled_count += 1
        if self._timer_cancelled_count > max(_SWEEP_FROM, len(self._timers) // 2):
            # The handle that is being cancelled is marked only after this call: it stays one turn.
            kept = [entry for entry in self._timers if not entry[2]._cancelled]
            heapq.heapify(kept)
            self._timers[:] = kept
            self._timer_cancelled_count = 1

    def _refuse_closed(self) -> NoReturn:
        raise RuntimeError("Event loop is closed")

    def _pending(self) -> str:
        tasks = sorted(f"{task.get_name()} ({_name(task)})" for task in asyncio.all_tasks(self))
        return f"{len(tasks)} unfinished: " + ", ".join(tasks)

    def _raise_deadlock(self) -> NoReturn:
        raise DeadlockError(
            f"nothing will ever happen again at {self.time():g} s of virtual time; "
            f"{self._pending()}; look at what the first of them awaits"
        )

    def _raise_livelock(self) -> NoReturn:
        self._turns = 0
        busy = [_busy(handle) for handle in self._ready if not handle._cancelled]
        busy += [_busy(timer) for _, _, timer in self._timers[:1]]
        raise LivelockError(
            f"time stands still at {self.time():g} s of virtual time: something asks to be called "
            f"again and again without waiting; next is {busy[0]}"
        )

    @staticmethod
    def _on_unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        assert isinstance(loop, VirtualLoop)
        if loop._unhandled is None:
            loop._unhandled = context

    def _raise_unhandled(self) -> None:
        """Raise the first error that the loop's exception handler got, if any."""
        context, self._unhandled = self._unhandled, None
        if context is not None:
            cause = context.get("exception")
            source = context.get("future") or context.get("handle") or "the loop"
            raise UnhandledError(
                f"{context['message']}: {cause!r} in {source} at {self.time():g} s of virtual time"
            ) from cause

    def finish(self) -> None:
        """Cancel every task that is left, let it end, close, and look for lost exceptions.

        Raises:
            UnhandledError: a task or callback failed, and nobody has retrieved its exception.
        """
        try:
            left = _by_age(asyncio.all_tasks(self))
            for task in left:
                task.cancel()
            if left:
                outcomes = self.run_until_complete(asyncio.gather(*left, return_exceptions=True))
                for task, problem in zip(left, outcomes, strict=True):
                    if isinstance(problem, Exception):
                        message = "a task failed while it was being cancelled"
                        self.call_exception_handler(
                            {"message": message, "exception": problem, "future": task}
                        )
            self.run_until_complete(self.shutdown_asyncgens())
            # A failed task that nobody awaited reports itself when it is collected.
            gc.collect()
            self._raise_unhandled()
        finally:
            self.close()


def run(main: Coroutine[Any, Any, T], *, limit_s: float | None = None) -> T:
    """Run ``main`` on a new VirtualLoop from virtual time 0 and return its result.

    Tasks that ``main`` leaves running are cancelled. ``limit_s``: virtual seconds after which a run
    that should have ended is an error; None means no limit.

    Raises what ``main`` raises; DeadlockError, LivelockError, TimeLimitError or ThreadRefusedError
    as their names say; and UnhandledError when a task or a callback fails that nobody awaits.
    """
    loop = VirtualLoop(None if limit_s is None else round(limit_s * US_PER_S))
    try:
        result = loop.run_until_complete(main)
    except BaseException as problem:
        try:
            loop.finish()
        except ClockError as another:
            problem.add_note(f"and while ending the run: {another}")
        raise
    loop.finish()
    return result


def _name(thing: object) -> str:
    if isinstance(thing, asyncio.Task):
        thing = thing.get_coro()
    return getattr(thing, "__qualname__", None) or repr(thing)


def _busy(handle: asyncio.Handle) -> str:
    """Name what a handle calls: its task, where it is a step of one."""
    callback: object = getattr(handle, "_callback", None)
    owner = getattr(callback, "__self__", None)
    return _name(owner if isinstance(owner, asyncio.Task) else callback)


def _by_age(tasks: set[asyncio.Task[Any]]) -> list[asyncio.Task[Any]]:
    """Tasks in the order of their making, as far as their names tell: a set has no order."""
    return sorted(tasks, key=lambda task: (len(task.get_name()), task.get_name()))


END_US = 20_000_000
"""A cancelled task has this virtual time to end before it is cancelled again, chosen …"""
MOST_CANCELS = 5
"""… as is the number of times."""


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
"""Most that one round of the loop's work may take on the hurried clock; chosen."""


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
