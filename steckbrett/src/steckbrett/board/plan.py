"""A board in words and in a TOML file.

A part is ``adxl345``, ``adxl345@0x53`` or ``left=adxl345@0x1d``. A wire is ``17=adxl345.int1`` or,
between two pins, ``17=27``. A pull is ``4=up``. A press is ``17=2.0+0.3``: at 2 s, for 0.3 s; or
``17=1@2.0+0.3``, if it is to 3.3 V whatever pulls the pin; or ``ttp223=2.0+0.3``, of a part. A
world is ``light=300@2.0``: 300 lx from 2 s on; ``shake=2.0+1.0``; or ``bme280.temperature=30``.
"""

import re
from collections.abc import Iterable, Mapping
from numbers import Real
from os import PathLike
from typing import Any, Final, NamedTuple

from .pins import HIGHEST

Wire = str | int
"""The other end of a wire from a pin: ``part.pin``, or a BCM number."""

_LOWEST_ADDRESS, _HIGHEST_ADDRESS = 0x03, 0x77
_PULLS: Final = {"up": 1, "down": 0}
_KEYS: Final = ("parts", "wires", "pulls", "presses", "worlds", "seed", "baud")
MOVES: Final = ("shake", "tap", "fall")
"""Motions of a board at a time; a shake and a fall last."""
MOST: Final = 1e9
"""No time in s and no other number of a plan is as large; chosen."""
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"0[xX][0-9a-fA-F]{1,8}|0|[1-9][0-9]{0,8}")
_SEED = re.compile(r"-?[0-9]{1,30}")
_NEVER_BELOW_0: Final = ("light", "illuminance", "distance", "pressure", "humidity")


class PlanError(ValueError):
    """A board that cannot be built; its text is one line that says why."""


class PartPlan(NamedTuple):
    """A part by its name on the board, its kind, and its address; None: the chip's own.

    The address of a part on SPI is the number of its chip select, 0 or 1.
    """

    name: str
    kind: str
    address: int | None


class PlannedWorld(NamedTuple):
    """A change of what sensors feel, from ``at_s`` on.

    ``what`` is one of `MOVES`, ``light``, ``tilt``, or ``part.key``; ``seconds`` is None where it
    does not say how long.
    """

    what: str
    numbers: tuple[float, ...]
    at_s: float
    seconds: float | None


class PlannedPress(NamedTuple):
    """A press on ``pin``, a BCM number or a part's name, from ``at_s`` on for ``seconds``.

    ``level`` is 0 or 1; None is the opposite of the pull.
    """

    pin: int | str
    at_s: float
    seconds: float
    level: int | None = None


def part_of(words: str) -> PartPlan:
    """Read a part: ``kind``, ``kind@address`` or ``name=kind@address``."""
    name, has_name, rest = words.rpartition("=")
    kind, has_address, number = rest.partition("@")
    if not kind or (has_name and not name):
        raise PlanError(f"no part in {words!r}: write adxl345, adxl345@0x53 or left=adxl345@0x1d")
    address = _number(number, f"address {number!r} of {kind}") if has_address else None
    selects = address in (0, 1)  # a chip on SPI; whether it is one, the board knows
    if address is not None and not (selects or _LOWEST_ADDRESS <= address <= _HIGHEST_ADDRESS):
        raise PlanError(f"address 0x{address:02X} of {kind}: 7-bit addresses are 0x03 to 0x77")
    return PartPlan(name or kind.rpartition(":")[2], kind, address)


def wires_of(words: Mapping[int, Wire] | Iterable[str]) -> dict[int, Wire]:
    """Read wires: ``17=adxl345.int1`` or ``17=27``. A pin can be wired once.

    A mapping is returned as it is, here and by `pulls_of`.
    """
    if isinstance(words, Mapping):
        return dict(words)
    wires: dict[int, Wire] = {}
    for wire in words:
        left, _, right = wire.partition("=")
        other = _WHOLE.fullmatch(right) is not None
        if not (other or "." in right):
            raise PlanError(f"no wire in {wire!r}: write 17=adxl345.int1 or 17=27")
        pin = pin_of(left)
        if other and pin_of(right) == pin:
            raise PlanError(f"pin {pin} is wired to itself")
        if pin in wires:
            raise PlanError(f"pin {pin} is wired twice: to {wires[pin]} and to {right}")
        wires[pin] = pin_of(right) if other else right
    return wires


def pulls_of(words: Mapping[int, str] | Iterable[str]) -> dict[int, str]:
    """Read pulls: ``4=up`` or ``4=down``."""
    if isinstance(words, Mapping):
        return dict(words)
    pulls: dict[int, str] = {}
    for pull in words:
        left, _, right = pull.partition("=")
        pulls[pin_of(left)] = right
        pull_of(right)
    return pulls


def pull_of(word: str) -> int:
    """Return the level, 1 or 0, of a pull ``up`` or ``down``."""
    if word not in _PULLS:
        raise PlanError(f"no pull {word!r}: write up or down")
    return _PULLS[word]


def press_of(words: str) -> PlannedPress:
    """Read a press: ``17=2.0+0.3``, ``17=1@2.0+0.3`` or ``ttp223=2.0+0.3``."""
    left, _, right = words.partition("=")
    level, has_level, times = right.rpartition("@")
    at, lasts, seconds = times.partition("+")
    if not _DECIMAL.fullmatch(at) or (lasts and not _DECIMAL.fullmatch(seconds)):
        raise PlanError(f"no press in {words!r}: write 17=2.0+0.3 or 17=1@2.0+0.3")
    at_s, seconds_s = float(at), float(seconds or 0.1)
    if has_level and level not in ("0", "1"):
        raise PlanError(f"level {level!r} of a press: write 0 or 1")
    check_times(at_s, seconds_s, f"press {words!r}")
    pin = left if left[:1].isalpha() else pin_of(left)
    if has_level and isinstance(pin, str):
        raise PlanError(f"press {words!r}: a level is for a pin, not for a part")
    return PlannedPress(pin, at_s, seconds_s, int(level) if has_level else None)


def world_of(words: str) -> PlannedWorld:
    """Read a world: ``light=300@2.0``, ``tilt=30,0@2.0``, ``shake=2.0+1.0``, ``part.key=value``."""
    what, has_value, right = words.partition("=")
    numbers, _, times = ("", "", right) if what in MOVES else right.partition("@")
    at, lasting, seconds = times.partition("+")
    texts = [*(numbers.split(",") if numbers else ()), at or "0", *([seconds] if lasting else ())]
    if not all(map(_DECIMAL.fullmatch, texts)):
        has_value = ""
    known = what in (*MOVES, "light", "tilt") or "." in what
    if not known or not has_value or not right:
        raise PlanError(
            f"no world in {words!r}: write light=300@2.0, shake=2.0+1.0 or bme280.temperature=30"
        )
    given = tuple(map(float, numbers.split(","))) if numbers else ()
    found = PlannedWorld(what, given, float(at or 0), float(seconds) if lasting else None)
    for number in (*found.numbers, found.at_s, found.seconds or 0):
        check_number(number, f"world {words!r}")
    if what.rpartition(".")[2] in _NEVER_BELOW_0 and min(found.numbers, default=0) < 0:
        raise PlanError(f"world {words!r}: it is 0 or more")
    lasts = found.seconds is None or (found.seconds > 0 and what in ("shake", "fall"))
    if found.at_s < 0 or not lasts:
        raise PlanError(f"world {words!r}: it begins at 0 s or later; a shake and a fall last")
    return found


def seed_of(word: str) -> int:
    """Read a seed, a whole number."""
    if not _SEED.fullmatch(word):
        raise PlanError(f"seed {word!r} is no whole number")
    return int(word)


def baud_of(word: str) -> int:
    """Read bits a second, such as 400000."""
    return check_baud(_number(word, f"baud {word!r}"))


def decimal_of(word: str) -> float:
    """Read a number as `float` does, of digits 0 to 9 alone; `ValueError` if it is none."""
    if not _DECIMAL.fullmatch(word):
        raise ValueError(f"{word!r} is no number")
    return float(word)


def seconds_of(word: str) -> float:
    """Read a time in s, more than 0."""
    if not _DECIMAL.fullmatch(word) or not 0 < float(word) < MOST:
        raise PlanError(f"no time in {word!r}: write seconds, such as 10")
    return float(word)


def check_baud(baud: object) -> int:
    """Return a number of bits a second; `PlanError` for one that no bus of a Pi has."""
    if not isinstance(baud, int) or not 10_000 <= baud <= 1_000_000:
        raise PlanError(f"baud {baud!r}: write 10000 to 1000000, such as 400000")
    return baud


def check_number(number: object, what: str) -> None:
    """Raise `PlanError` for anything but a finite number less than `MOST`; ``what`` it is of."""
    if not isinstance(number, Real) or not -MOST < float(number) < MOST:
        raise PlanError(f"{what}: {number!r} is no number of less than {MOST:g}")


def check_times(at_s: object, seconds: object, what: str) -> None:
    """Raise `PlanError` if it does not begin at 0 s or later, or does not last."""
    check_number(at_s, what)
    check_number(seconds, what)
    if at_s < 0 or seconds <= 0:  # type: ignore[operator]
        raise PlanError(f"{what}: it begins at 0 s or later, and lasts")


def check_press(pin: int | str, at_s: object, seconds: object, level: object) -> None:
    """Raise `PlanError` for times and a level that a press cannot have."""
    check_times(at_s, seconds, f"press on {pin}")
    if level not in (None, 0, 1):
        raise PlanError(f"level {level!r} of a press: write 0 or 1")


def pin_of(word: object) -> int:
    """Read a BCM number, 0 to 53."""
    pin = word if isinstance(word, int) else _number(str(word), f"pin {word!r}")
    if not 0 <= pin <= HIGHEST:
        raise PlanError(f"no pin {pin}: BCM numbers are 0 to {HIGHEST}")
    return pin


def read_plan(path: str | PathLike[str]) -> dict[str, Any]:
    """Read a TOML file and return it as arguments of `Board`.

    It has ``parts``, ``presses`` and ``worlds`` as lists of words, tables ``wires`` and ``pulls``,
    ``seed`` and ``baud``; none is needed.

    Raises:
        PlanError: it cannot be read, or has another key.
    """
    import tomllib  # most boards have no file

    try:
        with open(path, "rb") as file:
            found = tomllib.load(file)
    except OSError as problem:
        raise PlanError(f"board file {path}: {problem.strerror}") from problem
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise PlanError(f"board file {path}: {problem}") from problem
    return plan_from(found, str(path))


def plan_from(found: Mapping[str, Any], what: str = "plan") -> dict[str, Any]:
    """Return ``found``, shaped like the TOML file, as arguments of `Board`."""
    for key, value in found.items():
        if key not in _KEYS:
            raise PlanError(f"{what}: no key {key!r}: choose one of {', '.join(_KEYS)}")
        wanted = (
            list
            if key in ("parts", "presses", "worlds")
            else int
            if key in ("seed", "baud")
            else dict
        )
        if not isinstance(value, wanted):
            shape = {list: "a list", int: "a number", dict: "a table"}[wanted]
            raise PlanError(f"{what}: {key} is {shape}")
        if isinstance(value, list) and not all(isinstance(one, str) for one in value):
            raise PlanError(f"{what}: {key} is a list of words in quotes")
    plan = dict(found)
    plan["wires"] = wires_of(f"{pin}={end}" for pin, end in found.get("wires", {}).items())
    plan["pulls"] = pulls_of(f"{pin}={pull}" for pin, pull in found.get("pulls", {}).items())
    return plan


def _number(word: str, what: str) -> int:
    if not _WHOLE.fullmatch(word):
        raise PlanError(f"{what} is no number")
    return int(word, 0)
