"""A clock that stands until somebody moves it, and calls at times.

`Clock` is its interface to a board; an asyncio loop has it. Errors say how to mend them.

May import: nothing of ours.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any, Final, Protocol

NS_PER_S: Final = 1_000_000_000
"""By definition."""
NEVER_NS: Final = 1 << 62
"""Later than every time; chosen."""


class Due(Protocol):
    """A call that a clock will make."""

    def cancel(self) -> None:
        """Make the call no longer."""


class Clock(Protocol):
    """Time, and calls at times. Times are seconds since any moment."""

    def time(self) -> float:
        """Return the present time in s."""

    def call_soon(self, callback: Callable[..., object], *args: Any) -> Due:
        """Call ``callback(*args)`` at the present time, after the caller has returned."""

    def call_at(self, when: float, callback: Callable[..., object], *args: Any) -> Due:
        """Call ``callback(*args)`` at ``when``, or at once if that has passed."""


class SteppedClock:
    """A clock that stands still until somebody moves it.

    ``now_ns`` is its time; `call_at` rounds times to µs. It needs no asyncio: a program under test
    may have a loop of its own, or none.
    """

    def __init__(self) -> None:
        self.now_ns = 0
        self._due: list[tuple[int, int, _Call]] = []
        self._asked = 0

    def time(self) -> float:
        """Return the present time in s."""
        return self.now_ns / NS_PER_S

    @property
    def now_us(self) -> int:
        """The present time in whole µs."""
        return self.now_ns // 1000

    def call_soon(self, callback: Callable[..., object], *args: Any) -> "_Call":
        """Call ``callback(*args)`` at the next `advance`."""
        return self.call_at_ns(self.now_ns, callback, *args)

    def call_at(self, when: float, callback: Callable[..., object], *args: Any) -> "_Call":
        """Call ``callback(*args)`` at ``when``, or at the next `advance` if that has passed."""
        return self.call_at_ns(round(when * 1e6) * 1000, callback, *args)

    def call_at_ns(self, when_ns: int, callback: Callable[..., object], *args: Any) -> "_Call":
        """As `call_at`, in ns."""
        call = _Call(callback, args)
        self._asked += 1
        heappush(self._due, (max(self.now_ns, when_ns), self._asked, call))
        return call

    @property
    def due_ns(self) -> int:
        """When the next call is due, in ns; `NEVER_NS` if there is none."""
        due = self._due
        while due and due[0][2].cancelled:
            heappop(due)
        return due[0][0] if due else NEVER_NS

    @property
    def due_us(self) -> int | None:
        """When the next call is due, in µs; None if there is none."""
        due_ns = self.due_ns
        return None if due_ns == NEVER_NS else -(-due_ns // 1000)

    def advance(self, until_us: int) -> None:
        """Make all calls that are due up to and at ``until_us``, and leave the clock there."""
        self.advance_ns(until_us * 1000)

    def advance_ns(self, until_ns: int) -> None:
        """As `advance`, in ns."""
        while (due_ns := self.due_ns) <= until_ns:
            self.now_ns = max(self.now_ns, due_ns)
            heappop(self._due)[2].make()
        self.now_ns = max(self.now_ns, until_ns)


class _Call:
    def __init__(self, callback: Callable[..., object], args: tuple[Any, ...]) -> None:
        self._callback, self._args = callback, args
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True

    def make(self) -> None:
        self._callback(*self._args)


class ClockError(RuntimeError):
    """The simulated clock cannot go on: one line that says why and what to do."""


class DeadlockError(ClockError):
    """Nothing is ready and no timer runs, yet the main coroutine has not ended."""
