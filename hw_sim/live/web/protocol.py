"""What a browser may say to the table: small JSON objects, checked to the last key.

Whatever is not exactly one of these ends the connection with a reason; see `parse`.
"""

import json
from collections.abc import Callable, Mapping
from itertools import pairwise
from math import isfinite
from typing import Any, NamedTuple

from hw_sim.hand.control.grip import KEYS
from hw_sim.live.world.world import FAULTS

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


class ProtocolError(Exception):
    """A message that no page of ours sends; the text says what is wrong with it."""


class Said(NamedTuple):
    """A message: what to do, and the values by name."""

    do: str
    values: dict[str, Any]


def parse(text: str) -> Said:
    """Check a message.

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
    shape = _SHAPES.get(do) if isinstance(do, str) else None
    if shape is None:
        raise ProtocolError("nothing that can be done here")
    if message.keys() != shape.keys():
        raise ProtocolError(f"{do} has other keys: {', '.join(shape) or 'none'}")
    return Said(str(do), {name: check(message[name]) for name, check in shape.items()})


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

    def check(value: object) -> list[tuple[Any, ...]]:
        if not isinstance(value, list) or not 0 < len(value) <= MOST_SAMPLES:
            raise ProtocolError(f"no list of 1 to {MOST_SAMPLES} samples")
        rows: list[tuple[Any, ...]] = []
        for row in value:
            if not isinstance(row, list) or len(row) != len(checks):
                raise ProtocolError(f"a sample has {len(checks)} numbers")
            rows.append(tuple(each(number) for each, number in zip(checks, row)))
        if any(one[0] > other[0] for one, other in pairwise(rows)):
            raise ProtocolError("time runs back")
        return rows

    return check


_SEAT = _whole(0, 7)
_TIME_MS = _number(0, 1e13)
_PLACE_MM = _number(-MOST_MM, MOST_MM)
_FELT = _number(-MOST_MPS2, MOST_MPS2)
_SHAPES: Mapping[str, Mapping[str, _Check]] = {
    "hello": {
        "view": _one_of(*VIEWS),
        "seat": _or_null(_SEAT),
        "token": _or_null(_token),
        "language": _one_of("de", "en"),
    },
    "drag": {"seat": _SEAT, "at": _samples(_TIME_MS, _PLACE_MM, _PLACE_MM)},
    "felt": {"seat": _SEAT, "at": _samples(_TIME_MS, _FELT, _FELT, _FELT)},
    "lift": {"seat": _SEAT, "on": _boolean},
    "touch": {"seat": _SEAT, "on": _boolean},
    "tilt": {"seat": _SEAT, "roll": _number(-70, 70), "pitch": _number(-60, 60)},
    "key": {"seat": _SEAT, "key": _one_of(*KEYS)},
    "drop": {"seat": _SEAT},
    "leave": {"seat": _SEAT},
    "again": {},
    "pause": {"on": _boolean},
    "speed": {"x": _number(SLOWEST, FASTEST)},
    "step": {"ms": _number(0, 10_000)},
    "lux": {"value": _number(0, 20_000)},
    "noise": {"value": _number(0, 10)},
    "errors": {"value": _number(0, 50)},
    "fault": {"seat": _SEAT, "name": _one_of(*FAULTS), "on": _boolean},
    "seek": {"s": _number(0, 1e6)},
    "live": {},
}
OF_A_SEAT = ("drag", "felt", "lift", "touch", "tilt", "key", "drop", "leave")
"""What only the holder of a seat may do with it."""
OF_THE_BENCH = ("pause", "speed", "step", "lux", "noise", "errors", "fault", "seek", "live")
"""What changes the table for everybody."""


class Allowance:
    """How much a browser may still say: a bucket that fills with real time."""

    def __init__(self, now_s: float) -> None:
        self._left = float(BURST)
        self._then_s = now_s

    def take(self, now_s: float) -> bool:
        """Count a message; returns whether it is still within what is allowed."""
        self._left = min(BURST, self._left + (now_s - self._then_s) * MESSAGES_PER_S) - 1
        self._then_s = now_s
        return self._left >= 0
