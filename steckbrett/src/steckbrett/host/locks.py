"""Locks that wait in virtual time, and threads that take part in it.

A lock is a real one around which the waiting is replaced: it keeps working for threads that do not
take part, and after the program has ended. It poses as one: `isinstance` takes it for a lock of
Python, and a lock of Python for one of the bench.
"""

import _thread
import gc
import sys
import threading
from collections.abc import Callable
from typing import Any

from ..clock import NEVER_NS
from .baton import Baton, Runner, active, held
from .patches import Patches

_real_lock = _thread.allocate_lock
_real_start: Callable[..., Any] = _thread.start_new_thread


class _Posing(type):
    """The type of classes that stand for one of Python, ``poses_as``."""

    poses_as: type

    def __instancecheck__(cls, instance: object) -> bool:
        return super().__instancecheck__(instance) or isinstance(instance, cls.poses_as)

    def __subclasscheck__(cls, other: type) -> bool:
        return super().__subclasscheck__(other) or issubclass(other, cls.poses_as)


class VirtualLock(metaclass=_Posing):
    """As ``threading.Lock``; who waits for it hands the baton on."""

    __slots__ = ("__weakref__", "_at_fork_reinit", "locked", "release", "take")
    poses_as = type(_real_lock())
    __class__ = property(lambda self: type(self).poses_as)

    def __init__(self) -> None:
        real = _real_lock()
        self.take = real.acquire
        self.release = real.release
        self.locked = real.locked
        self._at_fork_reinit = real._at_fork_reinit  # type: ignore[attr-defined]

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock; ``timeout`` in seconds, -1 for none. Return whether it was taken."""
        if timeout == -1 and self.take(False):
            return True
        deadline_ns = _deadline_ns(blocking, timeout)
        if timeout != -1 and self.take(False):
            return True
        baton = held()
        if baton is None:
            return bool(self.take(blocking, timeout))
        if not blocking:
            baton.ask()
            return bool(self.take(False))
        while baton.wait(self.is_free, deadline_ns):
            if self.take(False):
                return True
        return bool(self.take(False))

    def is_free(self) -> bool:
        """Whether nobody has it."""
        return not self.locked()

    __enter__ = acquire

    def __exit__(self, *_: object) -> None:
        self.release()

    acquire_lock = acquire

    @property
    def release_lock(self) -> Callable[[], None]:
        """The old name of ``release``."""
        return self.release

    def __repr__(self) -> str:
        return f"<{'locked' if self.locked() else 'unlocked'} virtual lock at {id(self):#x}>"


class VirtualRLock(threading._PyRLock, metaclass=_Posing):  # type: ignore[misc,name-defined]
    """As ``threading.RLock``, over a `VirtualLock`.

    A finalizer may ask for the lock that its own thread is about to take: no collection of garbage
    comes between the lock and the note whose it is.
    """

    _owner: int | None
    _count: int
    poses_as = type(threading.RLock())
    __class__ = property(lambda self: type(self).poses_as)

    def __init__(self) -> None:
        super().__init__()
        self._block = VirtualLock()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """As `VirtualLock.acquire`; its owner takes it once more."""
        me = _thread.get_ident()
        if self._owner == me:
            self._count += 1
            return True
        if _without_collection(lambda: self._take(me)):
            return True
        deadline_ns = _deadline_ns(blocking, timeout)
        baton = held()
        if baton is None:
            taken = bool(self._block.take(blocking, timeout))
            if taken:
                self._owner, self._count = me, 1
            return taken
        while baton.wait(self._block.is_free, deadline_ns):
            if _without_collection(lambda: self._take(me)):
                return True
        return False

    __enter__ = acquire

    def release(self) -> None:
        """Give it back once."""
        _without_collection(super().release)

    def _take(self, me: int) -> bool:
        if not self._block.take(False):
            return False
        self._owner, self._count = me, 1
        return True

    def _release_save(self) -> Any:
        return _without_collection(super()._release_save)

    def _acquire_restore(self, state: Any) -> None:
        self.acquire()
        self._count = state[0]


def _without_collection(call: Callable[[], Any]) -> Any:
    enabled = gc.isenabled()
    gc.disable()
    try:
        return call()
    finally:
        if enabled:
            gc.enable()


def _deadline_ns(blocking: bool, timeout: float) -> int:
    """Return when a wait for a lock ends; `NEVER_NS` for never.

    Raises what ``threading.Lock.acquire`` raises for a time-out that cannot be.
    """
    if timeout == -1:
        return NEVER_NS if blocking else 0
    if not blocking:
        raise ValueError("can't specify a timeout for a non-blocking call")
    if timeout < 0:
        raise ValueError("timeout value must be a non-negative number")
    if timeout > threading.TIMEOUT_MAX:
        raise OverflowError("timeout value is too large")
    baton = held()
    return 0 if baton is None else baton.deadline_ns(timeout)


class VirtualHandle:
    """As ``_thread._ThreadHandle`` of Python 3.13: what is known of a thread that was started."""

    def __init__(self) -> None:
        self.runner: Runner | None = None

    @property
    def ident(self) -> int:
        """The identity of the thread; 0 before it runs."""
        return self.runner.ident if self.runner else 0

    def is_done(self) -> bool:
        """Whether the thread has ended."""
        return self.runner is not None and self.runner.done

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end of the thread, at most ``timeout`` seconds; None is for ever."""
        runner = self.runner
        if runner is None:
            raise RuntimeError("thread not started")
        baton = held()
        if baton is None or runner.done:
            return
        if runner.ident == _thread.get_ident():
            raise RuntimeError("Cannot join current thread")
        never = timeout is None or timeout < 0
        baton.wait(lambda: runner.done, baton.deadline_ns(None if never else timeout))

    def _set_done(self) -> None:
        if self.runner is not None:
            self.runner.done = True


def _start_new_thread(
    function: Callable[..., object], args: tuple[Any, ...] = (), kwargs: Any = None
) -> int:
    """As ``_thread.start_new_thread``, in the baton's order."""
    baton = active()
    if baton is None:
        ident: int = _real_start(function, args, kwargs or {})
        return ident
    runner = _start(baton, lambda: function(*args, **(kwargs or {})), function)
    return runner.ident


def _start_joinable_thread(
    function: Callable[[], object], handle: Any = None, daemon: bool = True
) -> Any:
    """As ``_thread.start_joinable_thread`` of Python 3.13, in the baton's order."""
    baton = active()
    if not isinstance(handle, VirtualHandle):
        owner = getattr(function, "__self__", None)
        if baton is None and handle is not None:
            return _real_joinable(function, handle=handle, daemon=daemon)
        handle = VirtualHandle()
        if isinstance(owner, threading.Thread):
            owner._handle = handle  # type: ignore[attr-defined]
    if baton is None:
        runner = handle.runner = Runner("outside")

        def run() -> None:
            runner.ident = _thread.get_ident()
            try:
                function()
            finally:
                runner.done = True

        _real_start(run, ())
    else:
        handle.runner = _start(baton, function, function)
        handle.runner.daemon = daemon
    return handle


_real_joinable: Callable[..., Any] = getattr(_thread, "start_joinable_thread", _real_start)


def begin(run: Callable[[], None]) -> None:
    """Begin a real thread."""
    _real_start(run, ())


def _start(baton: Baton, body: Callable[[], object], function: object) -> Runner:
    owner = getattr(function, "__self__", None)
    name = getattr(owner, "name", None) or getattr(function, "__name__", "thread")
    runner = baton.start(begin, body, str(name))
    runner.daemon = not isinstance(owner, threading.Thread) or owner.daemon
    return runner


class _Sentinel(VirtualLock):
    """Python 3.11 and 3.12: the lock that is free when a thread has ended."""

    __slots__ = ()

    def open(self) -> None:
        """Release it, if a `join` that Ctrl-C ended has not."""
        if self.locked():
            self.release()


def _sentinel() -> _Sentinel:
    """As ``_thread._set_sentinel``: the thread that calls it releases the lock at its end."""
    sentinel = _Sentinel()
    baton = active()
    runner = None if baton is None else baton.runners.get(_thread.get_ident())
    if runner is not None:
        runner.at_end = sentinel.open
    return sentinel


def _getter(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``queue.SimpleQueue.get``: who waits for an item hands the baton on."""

    def get(self: Any, block: bool = True, timeout: float | None = None) -> Any:
        baton = held()
        if baton is None or not block:
            return original(self, block, timeout)
        if timeout is not None and timeout < 0:
            raise ValueError("'timeout' must be a non-negative number")
        deadline_ns = baton.deadline_ns(timeout)
        while self.empty() and baton.wait(lambda: not self.empty(), deadline_ns):
            pass
        return original(self, False)

    return get


def install(patches: Patches, failed: Callable[[Any], object] | None = None) -> None:
    """Let locks and threads that the program makes from now on be virtual.

    ``failed`` gets what ``threading.excepthook`` gets; None: it is printed as usual.
    """
    import queue

    made: dict[str, Any] = {"allocate_lock": VirtualLock, "RLock": VirtualRLock}
    if sys.version_info >= (3, 13):
        started = {
            "start_new_thread": _start_new_thread, "start_joinable_thread": _start_joinable_thread,
            "lock": VirtualLock, "LockType": VirtualLock, "_ThreadHandle": VirtualHandle,
        }  # fmt: skip
    else:
        started = {"start_new_thread": _start_new_thread, "_set_sentinel": _sentinel}
    started["start_new"] = _start_new_thread
    patches.swap(_thread, made | started)
    patches.put_in_type(queue.SimpleQueue, "get", _getter(queue.SimpleQueue.get))
    told = failed or threading.excepthook
    patches.put(
        threading, "excepthook", lambda args: None if args.exc_type is SystemExit else told(args)
    )
    logging = sys.modules.get("logging")
    if logging is not None:
        patches.put(logging, "_lock", threading.RLock())
