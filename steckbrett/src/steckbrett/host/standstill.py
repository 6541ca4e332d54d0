"""One line for a user whose program no longer lets virtual time pass.

No thread can be taken out of a loop of a library, or from a lock that was made before the bench.
"""

import _thread
import ctypes
import queue
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from .baton import Baton

PATIENCE_S = 10.0
"""Real seconds at one virtual time after which the user is told; computing takes less."""
_WAITS = (threading.__file__, queue.__file__)
_BENCH = str(Path(__file__).parents[1])
_real_lock, _real_start = _thread.allocate_lock, _thread.start_new_thread


class StandstillError(BaseException):
    """The program no longer lets virtual time pass; the text names the place."""


def complain(line: str) -> None:
    """Print a line of the bench for its user."""
    print(f"steckbrett: {line}", file=sys.stderr, flush=True)


def held_for_ever(baton: Baton) -> str | None:
    """Return a line if threads wait for a lock and nothing will ever happen again; else None.

    The end of a program by its time hides that. Waits in ``threading`` and ``queue`` do not count:
    a program may wait so for its end.
    """
    if baton.nothing_due():
        frames = sys._current_frames()
        for runner in baton.runners.values():
            inner, frame = None, frames.get(runner.ident)
            while frame is not None and frame.f_code.co_filename.startswith(_BENCH):
                inner, frame = frame, frame.f_back
            locked = inner is not None and inner.f_code.co_name == "acquire"
            if locked and frame is not None and frame.f_code.co_filename not in _WAITS:
                return (
                    f"{runner.name} waited for ever for a lock, in {frame.f_code.co_filename}, "
                    f"line {frame.f_lineno}"
                )
    return None


class Standstill:
    """Watches a program from a thread of its own, from `begin` to `end`.

    It calls ``tell`` once at most. With ``break_out`` it raises `StandstillError` there instead,
    unless the thread imports something.
    """

    def __init__(
        self,
        baton: Baton,
        tell: Callable[[str], object],
        patience_s: float,
        *,
        break_out: bool = False,
    ) -> None:
        self._baton, self._tell, self._patience_s = baton, tell, patience_s
        self._break_out = break_out
        self._over = _real_lock()
        self._over.acquire()

    def begin(self) -> None:
        """Begin the watch, once all is set up: setting up takes real time at one virtual time."""
        _real_start(self._watch, ())

    def end(self) -> None:
        """End the watch."""
        self._over.release()

    def _watch(self) -> None:
        before_ns = -1
        while not self._over.acquire(timeout=self._patience_s):
            now_ns = self._baton.clock.now_ns
            if now_ns == before_ns and (line := self._line()) is not None:
                if not self._break_out:
                    self._tell(line + "; end it with Ctrl-C")
                    return
                kind = type("StandstillError", (StandstillError,), {"__str__": lambda _: line})
                thread = ctypes.c_ulong(self._baton.holder.ident)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(kind))
            before_ns = now_ns

    def _line(self) -> str | None:
        """Return the line; None while code of the bench runs, as before a program begins."""
        holder = self._baton.holder
        frame = sys._current_frames().get(holder.ident)
        if frame is None or frame.f_code.co_filename.startswith(_BENCH):
            return None
        inner: FrameType | None = frame
        while self._break_out and inner is not None:
            if inner.f_code.co_filename.startswith("<frozen importlib"):
                return None
            inner = inner.f_back
        return (
            f"virtual time stands still at {self._baton.clock.time():g} s: {holder.name} loops or "
            f"waits in {frame.f_code.co_filename}, line {frame.f_lineno}, unseen by the bench"
        )
