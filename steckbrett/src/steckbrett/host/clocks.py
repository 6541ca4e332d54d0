"""``time`` and ``datetime`` in virtual time, and chance that is the same in every run.

The calendar begins at `EPOCH_S` in every run, and the other clocks at `UPTIME_S`, so that two runs
print the same. Asking a clock costs a little time.
"""

import datetime
import os
import random
import time
from collections.abc import Callable
from typing import Any

from ..clock.clock import NS_PER_S
from .baton import active, held
from .patches import Patches

EPOCH_S = 1_767_268_800
"""The calendar's time at the beginning: 2026-01-01, 12:00:00 UTC."""
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


def install(patches: Patches) -> None:
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
