"""What a browser may send to the table: small JSON objects, checked to the last key.

Whatever is not exactly one of these ends the connection with a reason; see `parse`.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Any

from game.spoken import Language
from hw_sim.hand.control.grip import KEYS
from hw_sim.live.world import commands

MOST_BYTES = 8192
"""No message is longer."""
MESSAGES_PER_S = 150
"""More than so many a second for long is too many …"""
BURST = 300
"""… and so many at once."""
MOST_SAMPLES = 64
MOST_MM = 3000.0
MOST_MPS2 = 160.0
SLOWEST, FASTEST = 0.1, 50.0
TOKEN_LENGTH = 43
VIEWS = ("table", "seat", "bench")

_Check = Callable[[object], Any]


MALFORMED, WRONG_SEAT, TAKEN, TOO_MANY = 4400, 4403, 4409, 4429
"""With which code a connection ends, of those that RFC 6455 (7.4.2) leaves to applications."""


class RefusalError(Exception):
    """Why a connection ends: one of the codes above, and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class ProtocolError(RefusalError):
    """A message that no page of ours sends; the text says what is wrong with it."""

    def __init__(self, reason: str) -> None:
        super().__init__(MALFORMED, reason)


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message: what a page shows, and the seat it wants or has a token for."""

    view: str
    seat: int | None
    token: str | None
    language: Language


@dataclass(frozen=True, slots=True)
class Dragged:
    """Where the picture of a handheld was: (ms of the browser, mm right, mm up) in turn."""

    seat: int
    rows: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Felt:
    """What a phone felt: (ms of the browser, x, y, z in m/s²) in turn."""

    seat: int
    rows: tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """Give a seat up."""

    seat: int


@dataclass(frozen=True, slots=True)
class Again:
    """Play another match: this one is over."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Let time stand still, or go on."""

    on: bool


@dataclass(frozen=True, slots=True)
class SetSpeed:
    """Let time pass ``factor`` times as fast as life."""

    factor: float


@dataclass(frozen=True, slots=True)
class Step:
    """While time stands still, let so much pass; 0 is until something happens."""

    ms: float


@dataclass(frozen=True, slots=True)
class Seek:
    """Look at the match as it was at a virtual time."""

    s: float


@dataclass(frozen=True, slots=True)
class GoLive:
    """Look at the match as it is."""


SeatMessage = Dragged | Felt | Leave | commands.GripCommand
"""What only the holder of a seat may do with it."""
BenchMessage = Pause | SetSpeed | Step | Seek | GoLive | commands.BenchCommand
"""What changes the table for everybody."""
Message = Hello | SeatMessage | Again | BenchMessage


def parse(text: str) -> Message:
    """Make a message of its JSON: an object whose "do" says which it is.

    Raises:
        ProtocolError: it is not exactly one of those known.
    """
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise ProtocolError("no JSON") from None
    if not isinstance(message, dict):
        raise ProtocolError("no object")
    do = message.pop("do", None)
    if not isinstance(do, str) or do not in _SHAPES:
        raise ProtocolError("nothing that can be done here")
    make, shape = _SHAPES[do]
    if message.keys() != shape.keys():
        raise ProtocolError(f"{do} has other keys: {', '.join(shape) or 'none'}")
    made: Message = make(*(check(message[key]) for key, check in shape.items()))
    return made


def _whole(low: int, high: int) -> _Check:
    def check(value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise ProtocolError(f"no whole number from {low} to {high}")
        return value

    return check


def _number(low: float, high: float) -> _Check:
    def check(value: object) -> float:
        if type(value) not in (int, float):
            raise ProtocolError("no number")
        number = float(value)  # type: ignore[arg-type]
        if not isfinite(number) or not low <= number <= high:
            raise ProtocolError(f"no number from {low:g} to {high:g}")
        return number

    return check


def _boolean(value: object) -> bool:
    if type(value) is not bool:
        raise ProtocolError("neither true nor false")
    return value


def _one_of(*known: str) -> _Check:
    def check(value: object) -> str:
        if not isinstance(value, str) or value not in known:
            raise ProtocolError(f"none of {', '.join(known)}")
        return value

    return check


def _or_null(check: _Check) -> _Check:
    return lambda value: None if value is None else check(value)


def _token(value: object) -> str:
    if not isinstance(value, str) or len(value) != TOKEN_LENGTH or not value.isascii():
        raise ProtocolError("no token")
    return value


def _samples(*checks: _Check) -> _Check:
    """A list of rows, whose times (ms, the first column) never run back."""

    def check(value: object) -> tuple[tuple[Any, ...], ...]:
        if not isinstance(value, list) or not 0 < len(value) <= MOST_SAMPLES:
            raise ProtocolError(f"no list of 1 to {MOST_SAMPLES} samples")
        rows: list[tuple[Any, ...]] = []
        for row in value:
            if not isinstance(row, list) or len(row) != len(checks):
                raise ProtocolError(f"a sample has {len(checks)} numbers")
            rows.append(tuple(each(number) for each, number in zip(checks, row)))
        if any(one[0] > other[0] for one, other in pairwise(rows)):
            raise ProtocolError("time runs back")
        return tuple(rows)

    return check


_SEAT = _whole(0, 7)
_TIME_MS = _number(0, 1e13)
_PLACE_MM = _number(-MOST_MM, MOST_MM)
_FELT = _number(-MOST_MPS2, MOST_MPS2)
_SHAPES: Mapping[str, tuple[Callable[..., Message], Mapping[str, _Check]]] = {
    "hello": (
        Hello,
        {
            "view": _one_of(*VIEWS),
            "seat": _or_null(_SEAT),
            "token": _or_null(_token),
            "language": _one_of("de", "en"),
        },
    ),
    "drag": (Dragged, {"seat": _SEAT, "at": _samples(_TIME_MS, _PLACE_MM, _PLACE_MM)}),
    "felt": (Felt, {"seat": _SEAT, "at": _samples(_TIME_MS, _FELT, _FELT, _FELT)}),
    "lift": (commands.Lift, {"seat": _SEAT, "on": _boolean}),
    "touch": (commands.Touch, {"seat": _SEAT, "on": _boolean}),
    "tilt": (commands.Tilt, {"seat": _SEAT, "roll": _number(-70, 70), "pitch": _number(-60, 60)}),
    "key": (commands.PressKey, {"seat": _SEAT, "key": _one_of(*KEYS), "on": _boolean}),
    "drop": (commands.Drop, {"seat": _SEAT}),
    "leave": (Leave, {"seat": _SEAT}),
    "again": (Again, {}),
    "pause": (Pause, {"on": _boolean}),
    "speed": (SetSpeed, {"x": _number(SLOWEST, FASTEST)}),
    "step": (Step, {"ms": _number(0, 10_000)}),
    "lux": (commands.SetLight, {"value": _number(0, 20_000)}),
    "noise": (commands.SetNoise, {"value": _number(0, 10)}),
    "errors": (commands.SetBusErrors, {"value": _number(0, 50)}),
    "fault": (
        commands.SetFault,
        {"seat": _SEAT, "name": _one_of(*commands.FAULTS), "on": _boolean},
    ),
    "seek": (Seek, {"s": _number(0, 1e6)}),
    "live": (GoLive, {}),
}
"""What each message is made into, and its keys in the order of that class's fields."""


class Allowance:
    """How many messages a browser may still send: a bucket that fills with real time."""

    def __init__(self, now_s: float) -> None:
        self._left = float(BURST)
        self._then_s = now_s

    def take(self, now_s: float) -> bool:
        """Count a message at a real time in s; returns whether it is still allowed."""
        self._left = min(BURST, self._left + (now_s - self._then_s) * MESSAGES_PER_S) - 1
        self._then_s = now_s
        return self._left >= 0
