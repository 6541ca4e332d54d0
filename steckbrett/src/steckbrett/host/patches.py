"""Put functions in the place of others, everywhere, and back.

A program may have bound ``sleep`` by ``from time import sleep``. `Patches` looks for the originals
in each module that is loaded, by their identity. A type written in C stays: extensions, registries
and pickles keep it. Its methods change within it.

``time`` and ``datetime`` run in virtual time, and chance is the same in every run. The calendar
begins at `EPOCH_S` in every run, and the other clocks at `UPTIME_S`, so that two runs print the
same. Asking a clock costs a little time.
"""

import ctypes
import datetime
import gc
import os
import random
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from ..clock import NS_PER_S
from .baton import active, held

OWN = __name__.rpartition(".")[0].rpartition(".")[0]
"""The package of the bench, under whatever name it is installed."""
LEFT_ALONE = (
    OWN, "_pytest", "pytest", "pluggy", "xdist", "execnet", "pytest_timeout", "hypothesis",
    "slipcover", "coverage", "subprocess",
)  # fmt: skip
"""Modules that measure and wait in real time, whatever the program does."""

_MISSING = object()


class Patches:
    """A list of what was replaced; ``undo`` puts all of it back."""

    def __init__(self) -> None:
        self._done: list[tuple[Any, str, object]] = []
        self._swapped: dict[int, tuple[object, object]] = {}
        self._then: list[Callable[[], object]] = []

    def put(self, owner: Any, name: str, value: object) -> None:
        """Let ``owner`` have ``value`` as ``name``, in place of what it had, if anything."""
        self._done.append((owner, name, vars(owner).get(name, _MISSING)))
        setattr(owner, name, value)

    def swap(self, owner: ModuleType, replacements: Mapping[str, Callable[..., object]]) -> None:
        """Replace functions of a module, there and wherever else they are bound by `rebind`."""
        for name, value in replacements.items():
            original = getattr(owner, name, None)
            if original is None:
                continue
            if isinstance(original, BuiltinFunctionType) and isinstance(value, FunctionType):
                # A class may keep it, as logging.Formatter does with localtime: no method there.
                value = staticmethod(value)
            self._swapped[id(original)] = (original, value)
            self.put(owner, name, value)

    def put_in_type(self, kind: type, name: str, value: object) -> None:
        """Let a type written in C have ``value`` as its attribute ``name``."""
        before = vars(kind).get(name, _MISSING)
        _set_in(kind, name, value)
        self.at_undo(partial(_set_in, kind, name, before))

    def at_undo(self, call: Callable[[], object]) -> None:
        """Let ``undo`` do ``call``, too."""
        self._then.append(call)

    def rebind(self) -> None:
        """Replace what was swapped in every module that has bound it under any name."""
        _rebind({key: value for key, (_, value) in self._swapped.items()})

    def undo(self) -> None:
        """Put everything back, in modules that were loaded since, too."""
        _rebind({id(value): original for original, value in self._swapped.values()})
        while self._done:
            owner, name, before = self._done.pop()
            if before is _MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, before)
        while self._then:
            self._then.pop()()


def _set_in(kind: type, name: str, value: object) -> None:
    """Set an attribute of a type that refuses ``setattr``: in the dictionary below its proxy."""
    space: Any = gc.get_referents(vars(kind))[0]
    if value is _MISSING:
        del space[name]
    else:
        space[name] = value
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def _rebind(by_identity: Mapping[int, object]) -> None:
    # A copy is made at once; a list of items lets finalizers change the dictionary meanwhile.
    for name, module in sys.modules.copy().items():
        if not isinstance(module, ModuleType) or name.startswith(LEFT_ALONE):
            continue
        space = module.__dict__
        for key, value in space.copy().items():
            replacement = by_identity.get(id(value), _MISSING)
            if replacement is not _MISSING:
                space[key] = replacement


EPOCH_S = 1_767_268_800
"""The calendar's time at the beginning, chosen: 2026-01-01, 12:00:00 UTC."""
UPTIME_S = 60
"""The time of ``monotonic`` and ``perf_counter`` at the beginning: the board started before."""

_EPOCH_NS = EPOCH_S * NS_PER_S
_UPTIME_NS = UPTIME_S * NS_PER_S
_sleep = time.sleep
_time_ns = time.time_ns
_monotonic_ns = time.monotonic_ns
_localtime, _gmtime, _ctime, _asctime = time.localtime, time.gmtime, time.ctime, time.asctime
_strftime = time.strftime
_gettime_ns = getattr(time, "clock_gettime_ns", None)
_fromtimestamp = vars(datetime.datetime)["fromtimestamp"]


def _since_ns(origin_ns: int, real_ns: Callable[[], int]) -> int:
    baton = active()
    if baton is None:
        return real_ns()
    baton.ask()
    return origin_ns + baton.clock.now_ns


def sleep(secs: float, /) -> None:
    """As ``time.sleep``."""
    baton = held()
    if baton is None:
        _sleep(secs)
        return
    ns = round(secs * NS_PER_S)
    if ns < 0:
        raise ValueError("sleep length must be non-negative")
    baton.sleep(ns)


def time_ns() -> int:
    """As ``time.time_ns``."""
    return _since_ns(_EPOCH_NS, _time_ns)


def time_s() -> float:
    """As ``time.time``."""
    return _since_ns(_EPOCH_NS, _time_ns) / NS_PER_S


def monotonic_ns() -> int:
    """As ``time.monotonic_ns``."""
    return _since_ns(_UPTIME_NS, _monotonic_ns)


def monotonic() -> float:
    """As ``time.monotonic``."""
    return _since_ns(_UPTIME_NS, _monotonic_ns) / NS_PER_S


def clock_gettime_ns(clk_id: int, /) -> int:
    """As ``time.clock_gettime_ns``: the calendar, or the time since the start."""
    if active() is None and _gettime_ns is not None:
        real: int = _gettime_ns(clk_id)
        return real
    return time_ns() if clk_id == time.CLOCK_REALTIME else monotonic_ns()


def clock_gettime(clk_id: int, /) -> float:
    """As ``time.clock_gettime``."""
    return clock_gettime_ns(clk_id) / NS_PER_S


def localtime(seconds: float | None = None, /) -> time.struct_time:
    """As ``time.localtime``."""
    return _localtime(time_s() if seconds is None else seconds)


def gmtime(seconds: float | None = None, /) -> time.struct_time:
    """As ``time.gmtime``."""
    return _gmtime(time_s() if seconds is None else seconds)


def ctime(seconds: float | None = None, /) -> str:
    """As ``time.ctime``."""
    return _ctime(time_s() if seconds is None else seconds)


def asctime(moment: Any = None, /) -> str:
    """As ``time.asctime``."""
    return _asctime(localtime() if moment is None else moment)


def strftime(pattern: str, moment: Any = None, /) -> str:
    """As ``time.strftime``."""
    return _strftime(pattern, localtime() if moment is None else moment)


def now(cls: Any, tz: Any = None) -> Any:
    """As ``datetime.datetime.now``."""
    return _fromtimestamp.__get__(None, cls)(time_s(), tz)


def utcnow(cls: Any) -> Any:
    """As ``datetime.datetime.utcnow``."""
    return now(cls, datetime.UTC).replace(tzinfo=None)


def today(cls: Any) -> Any:
    """As ``datetime.date.today``, which ``datetime.datetime`` inherits."""
    return cls.fromtimestamp(time_s())


def set_clocks(patches: Patches) -> None:
    """Let the program's clocks be virtual."""
    clocks: dict[str, Callable[..., Any]] = {
        "sleep": sleep, "time": time_s, "time_ns": time_ns,
        "monotonic": monotonic, "monotonic_ns": monotonic_ns,
        "perf_counter": _copy(monotonic), "perf_counter_ns": _copy(monotonic_ns),
        "process_time": _copy(monotonic), "process_time_ns": _copy(monotonic_ns),
        "thread_time": _copy(monotonic), "thread_time_ns": _copy(monotonic_ns),
        "clock_gettime": clock_gettime, "clock_gettime_ns": clock_gettime_ns,
        "localtime": localtime, "gmtime": gmtime, "ctime": ctime, "asctime": asctime,
        "strftime": strftime,
    }  # fmt: skip
    patches.swap(time, clocks)
    patches.put_in_type(datetime.datetime, "now", classmethod(now))
    patches.put_in_type(datetime.datetime, "utcnow", classmethod(utcnow))
    patches.put_in_type(datetime.date, "today", classmethod(today))


def _copy(function: Callable[[], Any]) -> Callable[[], Any]:
    """Return a function of its own, so that each can be put back where it was."""
    return lambda: function()


def seed_chance(patches: Patches, seed: int | str) -> None:
    """Seed the module ``random``, generators that are made without a seed, and ``os.urandom``."""
    source = random.Random(f"steckbrett {seed}")
    seed_as_told = random.Random.seed

    def reseed(self: random.Random, a: Any = None, version: int = 2) -> None:
        seed_as_told(self, source.getrandbits(64) if a is None else a, version)

    def urandom(size: int, /) -> bytes:
        return source.randbytes(size)

    state = random.getstate()
    patches.put(random.Random, "seed", reseed)
    patches.swap(os, {"urandom": urandom})
    patches.at_undo(lambda: random.setstate(state))
    random.seed(source.getrandbits(64))
