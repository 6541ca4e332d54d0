"""Waiting for files, sockets and signals in virtual time.

A thread that waits for a socket hands the baton on. Answers from within the program come in virtual
time, those of a peer outside in real time.
"""

import os
import select as real_select
import selectors
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import ModuleType
from typing import Any, Final

from ..clock import NS_PER_S, ClockError
from .baton import Baton, held
from .outside import note_sent
from .patches import Patches

_select = real_select.select
_sleep, _monotonic = time.sleep, time.monotonic
_real_selects = {
    name: kind.select
    for name, kind in vars(selectors).items()
    if isinstance(kind, type) and issubclass(kind, selectors.BaseSelector)
}
_signal, _getsignal, _set_wakeup_fd = signal.signal, signal.getsignal, signal.set_wakeup_fd
_Times = tuple[float, float]
_setitimer: Callable[..., _Times] = getattr(signal, "setitimer", None)  # type: ignore[assignment]
_getitimer: Callable[..., _Times] = getattr(signal, "getitimer", None)  # type: ignore[assignment]
_write = os.write
READ, WRITE = 1, 4
"""The codes POLLIN and POLLOUT of Linux."""
_registered: dict[int, dict[int, int]] = {}
"""By the identity of a poll, the files that it waits for, with events."""
_in_real_time: list[bool] = []
"""Not empty while the thread that works polls in real time."""


def wait_for(
    ready: Callable[[], Any], timeout: float | None, files: Mapping[int, int], door: bool = False
) -> Any:
    """Wait until ``ready()`` returns something, at most ``timeout`` s; return what it returned.

    ``files`` and ``door`` are as of `Baton.wait`.
    """
    baton = held()
    assert baton is not None
    found: list[Any] = [ready()]
    if found[0]:
        return found[0]
    failed: list[BaseException] = []

    def look() -> bool:
        try:
            found[0] = ready()
        except (OSError, ValueError) as problem:
            failed.append(problem)
        return bool(found[0] or failed)

    baton.wait(look, baton.deadline_ns(timeout), files, is_door=door)
    if failed:
        raise failed[0]
    return found[0]


def select(
    rlist: Any, wlist: Any, xlist: Any, timeout: float | None = None, /
) -> tuple[list[Any], list[Any], list[Any]]:
    """As ``select.select``."""
    if held() is None:
        return _select(rlist, wlist, xlist, timeout)

    def ready() -> Any:
        found = _select(rlist, wlist, xlist, 0)
        return found if any(found) else None

    files: dict[int, int] = dict.fromkeys(map(_number, (*rlist, *xlist)), READ)
    for each in map(_number, wlist):
        files[each] = files.get(each, 0) | WRITE
    return wait_for(ready, timeout, files) or ([], [], [])


def _waiting_select(original: Callable[..., Any]) -> Callable[..., Any]:
    def wait(self: Any, timeout: float | None = None) -> Any:
        if held() is None:
            return original(self, timeout)
        files = {
            each.fd: (READ if each.events & selectors.EVENT_READ else 0)
            | (WRITE if each.events & selectors.EVENT_WRITE else 0)
            for each in (self.get_map() or {}).values()
        }
        return wait_for(lambda: _really(original, self, 0), timeout, files)

    return wait


def _waiting_poll(original: Callable[..., Any], unit_s: float) -> Callable[..., Any]:
    """Return ``poll`` of ``select.poll()`` or ``select.epoll()``, whose unit of time is given."""

    def poll(self: Any, timeout: float | None = None, *args: Any, **options: Any) -> Any:
        if held() is None or _in_real_time:
            return original(self, timeout, *args, **options)
        wait_s = None if timeout is None or timeout < 0 else timeout * unit_s
        files = _registered.get(id(self), {})
        return wait_for(lambda: _really(original, self, 0, *args, **options), wait_s, files)

    return poll


def _keeping(original: Callable[..., Any], keeps: bool) -> Callable[..., Any]:
    """Return ``register`` or ``unregister`` of a poll, which keeps in mind what it waits for."""

    def change(self: Any, file: Any, *events: Any, **options: Any) -> Any:
        done = original(self, file, *events, **options)
        files = _registered.setdefault(id(self), {})
        if keeps:
            files[_number(file)] = int(events[0]) if events else READ | WRITE
        else:
            files.pop(_number(file), None)
        return done

    return change


def _number(file: Any) -> int:
    return int(file) if isinstance(file, int) else int(file.fileno())


def _really(original: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Call ``original``; what polls within it is real."""
    _in_real_time.append(True)
    try:
        return original(*args, **options)
    finally:
        _in_real_time.pop()


def refuse_process(*_args: object) -> int:
    """Refuse a second process."""
    raise ClockError(
        "a second process cannot share the virtual time: use threads, or subprocess for a command"
    )


class Signals:
    """Signals of one program: their handlers run in the main thread when it has the baton."""

    def __init__(self, baton: Baton) -> None:
        self._baton = baton
        self._handlers: dict[int, Any] = {}
        self._before: dict[int, Any] = {}
        self._came = 0
        self._timer: Any = None
        self._due_ns = self._interval_ns = 0
        self._wakeup_fd = -1
        self.interrupted = False
        """Whether somebody pressed Ctrl-C."""

    def signal(self, number: int, handler: Any) -> Any:
        """As ``signal.signal``."""
        before = self.getsignal(number)
        if number not in self._before:
            self._before[number] = _getsignal(number)
        self._handlers[number] = handler
        _signal(number, self._arrived if callable(handler) else handler)
        return before

    def getsignal(self, number: int) -> Any:
        """As ``signal.getsignal``."""
        return self._handlers[number] if number in self._handlers else _getsignal(number)

    def set_wakeup_fd(self, fd: int, *, warn_on_full_buffer: bool = True) -> int:
        """As ``signal.set_wakeup_fd``."""
        before, self._wakeup_fd = self._wakeup_fd, fd
        _set_wakeup_fd(fd, warn_on_full_buffer=warn_on_full_buffer)
        return before

    def pause(self) -> None:
        """As ``signal.pause``."""
        came = self._came
        self._baton.wait(lambda: self._came != came)

    def raise_signal(self, number: int) -> None:
        """As ``signal.raise_signal``, for what the main thread does at its time."""
        self._came += 1
        handler = self.getsignal(number)
        if self._wakeup_fd >= 0 and callable(handler):
            _write(self._wakeup_fd, bytes((number,)))
        if callable(handler):
            handler(int(number), None)
        elif handler == signal.SIG_DFL:
            raise SystemExit(128 + number)

    def interrupt(self) -> None:
        """Do what Ctrl-C does."""
        self.raise_signal(signal.SIGINT)

    def setitimer(self, which: int, seconds: float, interval: float = 0.0) -> tuple[float, float]:
        """As ``signal.setitimer`` with ITIMER_REAL."""
        if which != signal.ITIMER_REAL:
            return _setitimer(which, seconds, interval)
        before = self.getitimer(which)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._interval_ns = round(interval * NS_PER_S)
        if seconds:
            self._arm(round(seconds * NS_PER_S))
        return before

    def getitimer(self, which: int) -> tuple[float, float]:
        """As ``signal.getitimer``."""
        if which != signal.ITIMER_REAL:
            return _getitimer(which)
        left_ns = self._due_ns - self._baton.clock.now_ns if self._timer is not None else 0
        return max(0, left_ns) / NS_PER_S, self._interval_ns / NS_PER_S

    def alarm(self, seconds: int) -> int:
        """As ``signal.alarm``."""
        return -int(-self.setitimer(signal.ITIMER_REAL, seconds)[0] // 1)

    def undo(self) -> None:
        """Put the handlers of before back."""
        for number, handler in self._before.items():
            _signal(number, handler)
        if self._wakeup_fd >= 0:
            _set_wakeup_fd(-1)

    def _arm(self, after_ns: int) -> None:
        clock = self._baton.clock
        self._due_ns = clock.now_ns + after_ns
        self._timer = clock.call_at_ns(self._due_ns, self._rang)

    def _rang(self) -> None:
        self._timer = None
        if self._interval_ns:
            self._arm(self._interval_ns)
        self._baton.tell_main(lambda: self.raise_signal(signal.SIGALRM))

    def _arrived(self, number: int, _frame: Any) -> None:
        """Handle a real signal, whoever has the baton."""
        if number == signal.SIGINT:
            if self.interrupted:
                self._baton.give_up("stopped by a second Ctrl-C")
            self.interrupted = True
        if self._baton.main_may_act():
            self.raise_signal(number)
        else:
            self._baton.tell_main(lambda: self.raise_signal(number))


def install(patches: Patches, signals: Signals) -> None:
    """Let the program wait in virtual time."""
    poll, epoll = getattr(real_select, "poll", None), getattr(real_select, "epoll", None)
    for kind, unit_s in ((poll and type(poll()), 0.001), (epoll, 1.0)):
        if kind is not None:
            patches.put_in_type(kind, "poll", _waiting_poll(kind.poll, unit_s))
            for name in ("register", "modify", "unregister"):
                changing = _keeping(getattr(kind, name), name != "unregister")
                patches.put_in_type(kind, name, changing)
    patches.at_undo(_registered.clear)
    for name in ("SelectSelector", "PollSelector", "EpollSelector", "DevpollSelector"):
        kind = getattr(selectors, name, None)
        if kind is not None:
            patches.put(kind, "select", _waiting_select(kind.select))
    patches.swap(real_select, {"select": select})
    patches.swap(
        signal,
        {
            "signal": signals.signal, "getsignal": signals.getsignal, "pause": signals.pause,
            "raise_signal": signals.raise_signal, "setitimer": signals.setitimer,
            "getitimer": signals.getitimer, "alarm": signals.alarm,
            "set_wakeup_fd": signals.set_wakeup_fd,
        },
    )  # fmt: skip
    patches.at_undo(signals.undo)
    patches.swap(os, {"fork": refuse_process})


def let_children_end(patches: Patches, events: ModuleType) -> None:
    """Let the threads of asyncio that wait for children hand the baton on."""
    for name in ("ThreadedChildWatcher", "_ThreadedChildWatcher"):
        watcher = getattr(events, name, None)
        if watcher is not None and "_do_waitpid" in vars(watcher):
            patches.put(watcher, "_do_waitpid", _waiting_watch(watcher._do_waitpid))


def _waiting_watch(original: Callable[..., Any]) -> Callable[..., Any]:
    def watch(self: Any, loop: Any, pid: int, *args: Any) -> Any:
        if held() is not None:
            with suppress(OSError):
                file = os.pidfd_open(pid)
                try:
                    wait_for(lambda: _select([file], [], [], 0)[0], None, {file: READ})
                finally:
                    os.close(file)
        return original(self, loop, pid, *args)

    return watch


def leave_real(subprocess: ModuleType) -> None:
    """Let ``subprocess`` wait for its children in real time: the virtual one stands meanwhile."""
    originals = ModuleType("time")
    vars(originals).update(vars(time), sleep=_sleep, monotonic=_monotonic)
    vars(subprocess).update(time=originals, _time=_monotonic)
    selector = getattr(subprocess, "_PopenSelector", None)
    if selector is not None and selector.__name__ in _real_selects:
        original = _real_selects[selector.__name__]
        really = {"select": lambda self, timeout=None: _really(original, self, timeout)}
        kind = type("RealSelector", (selector,), really)
        vars(subprocess)["_PopenSelector"] = kind


_NAMES: Final = ("accept", "recv", "recv_into", "recvfrom", "recvfrom_into")


def make_wait(patches: Patches, socket: ModuleType) -> None:
    """Let the sockets of the module ``socket`` wait in virtual time."""
    for name in _NAMES:
        patches.put(socket.socket, name, _waiting(getattr(socket.socket, name)))
    patches.put(socket.socket, "sendto", _noting(socket.socket.sendto))


def _waiting(original: Callable[..., Any]) -> Callable[..., Any]:
    def wait(self: Any, *args: Any, **options: Any) -> Any:
        if self.gettimeout() != 0 and held() is not None:
            _wait_for(self)
        return original(self, *args, **options)

    return wait


def _noting(original: Callable[..., Any]) -> Callable[..., Any]:
    def sendto(self: Any, data: Any, *args: Any) -> Any:
        done = original(self, data, *args)
        if args and held() is not None:
            note_sent(self.fileno(), args[-1])
        return done

    return sendto


def _wait_for(socket: Any) -> None:
    """Wait until there is something to read.

    Raises:
        TimeoutError: the socket's time-out has passed.
    """

    def readable() -> bool:
        return socket.fileno() < 0 or bool(_select([socket], [], [], 0)[0])

    timeout = socket.gettimeout()
    if not wait_for(readable, timeout, {socket.fileno(): READ}, door=True):
        raise TimeoutError("timed out")
