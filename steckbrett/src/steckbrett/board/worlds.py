"""The worlds of sensors: motion and light as functions of the time, and how words change them.

Times are in s of the bench, accelerations in m/s² along the axes of the part, light in lx.

Recorded motion comes from a CSV file, as loggers, phones and spreadsheets write it. Columns are the
time and the acceleration along x, y and z, gravity included. Without a line of names they stand in
this order. With one they stand in any order beside others: ``t`` or ``time``; ``x``, ``ax`` or
``accel x``; with a unit as in ``t_ms``, ``Time [ns]``, ``ax_mps2`` or ``x (g)``. Without a unit's
name, gravity tells that of the acceleration, and the usual step that of the time. A semicolon or a
tab may stand between columns, and a comma in a number then.
"""

import csv
import gzip
import io
import math
import re
import zlib
from bisect import bisect_right
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from .plan import MOVES, PlanError, check_number, check_times, decimal_of, world_of

Vector = tuple[float, float, float]

GRAVITY_MPS2: Final = 9.80665
"""Standard gravity, by definition."""
_BETWEEN = re.compile(r"[\s_()\[\]]+")
_NAME = re.compile(
    r"(?:(t)(?:ime(?:stamp)?)?(?:_(s|ms|us|µs|ns))?"
    r"|(?:a|acc|accel|acceleration)?_?([xyz])(?:_(mps2|m/s2|m/s²|m/s\^2|g|mg))?)"
)
_S: Final = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_LIKE_MPS2: Final = ("mps2", "m/s2", "m/s²", "m/s^2")
_MPS2: Final = dict.fromkeys(_LIKE_MPS2, 1.0) | {"g": GRAVITY_MPS2, "mg": GRAVITY_MPS2 / 1e3}
_UNIT_WORDS = "mps2, g, mg or the counts of 1 g, such as 256"
_COUNTS: Final = (64, 128, 256, 512, 2048, 4096, 8192, 16384)
"""The counts of chips for 1 g; 1024 is too near to 1000 mg."""
_STEPS: Final = (("s", 5.0), ("ms", 500.0), ("us", 5e5), ("ns", 5e9))
"""Units of time, with the longest usual step between two samples."""
_MOST_S, _MOST_MPS2 = 1e9, 1e4
_FEWEST_TO_JUDGE = 4
_RESTS_MPS2 = (2.0, 60.0)
"""Half of all samples lie between these; one g lies below, counts of a chip above."""
_NEAR = 0.15
_PLAIN = re.compile(r"[-+0-9.eE,;\t\r\n ]*")
"""Numbers that `float` reads as `decimal_of` does."""


class RecordedMotion(NamedTuple):
    """A file's times in s, its accelerations in m/s², and a line about units that no name has.

    ``guessed`` is "" where all units are named, or are s and m/s².
    """

    times: list[float]
    values: list[Vector]
    guessed: str


def read_motion(path: Path, unit: str | None = None) -> RecordedMotion:
    """Read a CSV file, packed with gzip or not.

    ``unit`` is that of the acceleration, whatever a name has: mps2, g, mg, or the counts of 1 g.

    Raises:
        PlanError: it cannot be read, columns are missing, a number is none, the time runs back, or
            nothing tells the unit; one line that says which line and what.
    """
    return motion_from(_text(path), path, unit)


def motion_from(text: str, path: Path, unit: str | None = None) -> RecordedMotion:
    """Read the text of a file, as `read_motion`; ``path`` is what errors name."""
    by_unit = None if unit is None else factor_of(unit)
    begin = text.partition("\n")[0]
    between = next((mark for mark in ";\t" if mark in begin), ",")
    if between != ",":
        text = text.replace(",", ".")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=between)
    first = next(iter(csv.reader([begin.strip()], delimiter=between)), [])
    places, units = [0, 1, 2, 3], [""] * 4
    body = text
    named = any(map(_is_name, first))
    if named:
        places, units = _columns(first, f"{path}, line 1")
        next(rows)
        body = text.partition("\n")[2]
    elif first and len(first) != 4:
        raise PlanError(f"{path}, line 1: it needs t, x, y, z, or names of columns in line 1")
    number_of = float if _PLAIN.fullmatch(body) else decimal_of
    times, values = _samples(path, rows, places, number_of, named)
    by_s, told_s = _second_of(path, times, units[0])
    if by_unit is None:
        by_mps2, told_mps2 = _mps2_of(path, values, units[1:])
    else:
        by_mps2, told_mps2 = (by_unit,) * 3, ""
    if by_s != 1:
        times = [t * by_s for t in times]
    if by_mps2 != (1.0, 1.0, 1.0):
        bx, by, bz = by_mps2
        values = [(x * bx, y * by, z * bz) for x, y, z in values]
    for at, (t_s, axes) in enumerate(zip(times, values)):
        if not (abs(t_s) < _MOST_S and max(map(abs, axes)) <= _MOST_MPS2):
            sample = ",".join(f"{each:g}" for each in (t_s, *axes))
            raise PlanError(f"{path}: sample {at + 1}, {sample}, is not s and three of m/s²")
    told = "; ".join(each for each in (told_s, told_mps2) if each)
    return RecordedMotion(times, values, told and f"{path}: {told}")


def factor_of(unit: str) -> float:
    """Return the m/s² of a unit: mps2, g, mg, or the counts of 1 g; `PlanError` for another."""
    if unit in _MPS2:
        return _MPS2[unit]
    try:
        counts = decimal_of(unit)
    except ValueError:
        counts = 0
    if counts <= 0:
        raise PlanError(f"no unit {unit!r}: write {_UNIT_WORDS}")
    return GRAVITY_MPS2 / counts


def _samples(
    path: Path, rows: Any, places: list[int], number_of: Callable[[str], float], named: bool
) -> tuple[list[float], list[Vector]]:
    times: list[float] = []
    values: list[Vector] = []
    at_t, at_x, at_y, at_z = places
    for line in rows:
        if not line:
            continue
        try:
            t = number_of(line[at_t].strip())
            value = (
                number_of(line[at_x].strip()),
                number_of(line[at_y].strip()),
                number_of(line[at_z].strip()),
            )
            if not named and len(line) != 4:
                raise ValueError
        except (ValueError, IndexError):
            raise PlanError(
                f"{path}, line {rows.line_num}: it needs t, x, y, z as numbers"
            ) from None
        if times and t < times[-1]:
            raise PlanError(f"{path}, line {rows.line_num}: time runs back; sort the lines by it")
        times.append(t)
        values.append(value)
    if not times:
        raise PlanError(f"{path}: it has no samples")
    return times, values


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
        return content.decode("utf-8-sig")
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise PlanError(f"{path}: not a whole gzip file; compress the CSV again") from None
    except OSError as problem:
        raise PlanError(f"cannot read {path}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise PlanError(f"{path}: not text in UTF-8; save it as such") from None


def _is_name(cell: str) -> bool:
    """Return whether a cell is a word, and no number such as 1e-3, nan or -inf."""
    try:
        float(cell)
    except ValueError:
        return any(map(str.isalpha, cell))
    return False


def _columns(names: list[str], where: str) -> tuple[list[int], list[str]]:
    """Return where time, x, y and z stand, and their units, "" for none."""
    found: dict[str, tuple[int, str]] = {}
    for place, name in enumerate(names):
        known = _NAME.fullmatch(_BETWEEN.sub("_", name.strip().lower()).strip("_"))
        if known is None:
            continue
        key = known[1] or known[3]
        if key in found:
            raise PlanError(f"{where}: two columns for {key}; leave one")
        found[key] = (place, known[2] or known[4] or "")
    missing = [key for key in "txyz" if key not in found]
    if missing:
        told = ",".join(names)
        raise PlanError(f"{where}: no column {missing[0]} in {told}: name four t, x, y, z")
    return [found[key][0] for key in "txyz"], [found[key][1] for key in "txyz"]


def _second_of(path: Path, times: list[float], unit: str) -> tuple[float, str]:
    """Return the s of a unit of time, and what is said where it is guessed."""
    if unit:
        return _S[unit], ""
    if len(times) < _FEWEST_TO_JUDGE:
        return 1.0, ""
    step = median(after - before for before, after in pairwise(times))
    for name, longest in _STEPS:
        if step <= longest:
            told = f"no unit of time is named; steps are {step:g}, so it is read as {name}"
            return _S[name], "" if name == "s" else told
    raise PlanError(f"{path}: {step:g} between two times; name the column t_s, t_ms, t_us or t_ns")


def _mps2_of(
    path: Path, values: list[Vector], units: list[str]
) -> tuple[tuple[float, float, float], str]:
    """Return the m/s² of the units of x, y and z, and what is said where they are guessed."""
    if any(units):
        x, y, z = (_MPS2[unit] if unit else 1.0 for unit in units)
        return (x, y, z), ""
    if len(values) < _FEWEST_TO_JUDGE:
        return (1.0, 1.0, 1.0), ""
    rest = rest_of(values)
    if _RESTS_MPS2[0] <= rest <= _RESTS_MPS2[1]:
        return (1.0, 1.0, 1.0), ""
    like = {"g": 1.0, "mg": 1000.0} | {f"counts of 1/{each} g": float(each) for each in _COUNTS}
    name, one = min(like.items(), key=lambda each: abs(each[1] - rest))
    if abs(one - rest) > _NEAR * one:
        raise PlanError(
            f"{path}: it measures {rest:.3g} at rest, which is gravity in no unit; name the "
            f"columns x_mps2, y_mps2, z_mps2, or give --unit {_UNIT_WORDS}"
        )
    by = GRAVITY_MPS2 / one
    return (
        by,
        by,
        by,
    ), f"no unit is named; it measures {rest:.3g} at rest, so it is read as {name}"


def rest_of(values: list[Vector]) -> float:
    """Return the usual length of the accelerations: gravity, if there is any rest."""
    return median(math.hypot(*value) for value in values)


_TAP_S = 0.008
_DOUBLE_S = 0.15
_MOST_STEPS = 10_000


class Motion:
    """The motion of an accelerometer: gravity, and what is done to it. At first it lies flat."""

    def __init__(self) -> None:
        self._turned: list[tuple[float, Vector]] = [(-math.inf, (0.0, 0.0, GRAVITY_MPS2))]
        self._falls: list[tuple[float, float]] = []
        self._added: list[tuple[float, float, Callable[[float], Vector]]] = []

    def tilt(self, at: float = 0.0, *, roll: float = 0.0, pitch: float = 0.0) -> None:
        """Turn it from ``at`` on: ``roll`` degrees about its x axis, ``pitch`` about its y axis."""
        for number in (at, roll, pitch):
            check_number(number, "tilt")
        about_x, about_y = math.radians(roll), math.radians(pitch)
        along = math.cos(about_x) * math.cos(about_y)
        turned = (-math.sin(about_y), math.sin(about_x) * math.cos(about_y), along)
        self._turned.append((at, (*(GRAVITY_MPS2 * part for part in turned),)))  # type: ignore[arg-type]
        self._turned.sort(key=lambda each: each[0])

    def shake(
        self, at: float, seconds: float = 1.0, *, strength: float = 20.0, frequency: float = 5.0
    ) -> None:
        """Shake it along x and y; ``strength`` is the peak in m/s², ``frequency`` in Hz."""
        check_times(at, seconds, "shake")
        check_number(strength, "strength of a shake")
        check_number(frequency, "frequency of a shake")
        turn = 2 * math.pi * frequency

        def shaken(since: float) -> Vector:
            push = strength * math.sin(turn * since)
            return (push, 0.6 * push, 0.25 * push)

        self._added.append((at, at + seconds, shaken))

    def tap(self, at: float, *, times: int = 1, strength: float = 60.0, axis: str = "z") -> None:
        """Tap it once or ``times`` in a row, 0.15 s apart, with a push of 8 ms along ``axis``."""
        check_times(at, times, "tap")
        check_number(strength, "strength of a tap")
        if axis not in ("x", "y", "z"):
            raise PlanError(f"axis {axis!r} of a tap: write x, y or z")
        index = "xyz".index(axis)

        def pushed(since: float) -> Vector:
            push = [0.0, 0.0, 0.0]
            push[index] = strength * math.sin(math.pi * since / _TAP_S)
            return (push[0], push[1], push[2])

        for number in range(times):
            begin = at + number * _DOUBLE_S
            self._added.append((begin, begin + _TAP_S, pushed))

    def fall(self, at: float, seconds: float = 0.4) -> None:
        """Let it fall freely, and land with a bump."""
        check_times(at, seconds, "fall")
        self._falls.append((at, at + seconds))
        self.tap(at + seconds, strength=120.0)

    def recording(self, path: Path | str, at: float = 0.0, unit: str | None = None) -> str:
        """Play a file of `read_motion` from ``at`` on; return its line about units, "" for none.

        Between two lines the earlier one holds; after the last one it lies as it lay before.
        ``unit`` is that of the acceleration: mps2, g, mg, or the counts of 1 g.

        Raises:
            PlanError: the file cannot be played; the text names the line.
        """
        check_times(at, 1, "recording")
        times, values, guessed = read_motion(Path(path), unit)

        def played(since: float) -> Vector:
            return values[max(0, bisect_right(times, since + times[0]) - 1)]

        end = at + times[-1] - times[0]
        self._falls.append((at, end))
        self._added.append((at, end, played))
        return guessed

    def __call__(self, t_us: int) -> Vector:
        """Return the acceleration at ``t_us``."""
        t_s = t_us / 1e6
        x, y, z = next(way for since, way in reversed(self._turned) if since <= t_s)
        if any(begin <= t_s < end for begin, end in self._falls):
            x = y = z = 0.0
        for begin, end, push in self._added:
            if begin <= t_s < end:
                more = push(t_s - begin)
                x, y, z = x + more[0], y + more[1], z + more[2]
        return (x, y, z)


class Light:
    """The light on a sensor: dark at first."""

    def __init__(self) -> None:
        self._changes: list[tuple[float, float]] = [(-math.inf, 0.0)]

    def set(self, lux: float, at: float = 0.0) -> None:
        """Let there be ``lux`` from ``at`` on."""
        check_number(at, "light")
        check_number(lux, "light")
        if lux < 0:
            raise PlanError(f"light {lux}: it is 0 or more")
        self._changes.append((at, lux))
        self._changes.sort(key=lambda each: each[0])

    def flash(self, at: float, seconds: float = 0.5, lux: float = 1000.0) -> None:
        """Let there be ``lux`` for some time, and then what was there before."""
        check_times(at, seconds, "flash")
        before = self(round(at * 1e6))
        self.set(lux, at)
        self.set(before, at + seconds)

    def __call__(self, t_us: int) -> float:
        """Return the light at ``t_us``."""
        t_s = t_us / 1e6
        return next(lux for since, lux in reversed(self._changes) if since <= t_s)


class Worlds:
    """The surroundings of a board: what its sensors feel together, and fingers on its parts.

    Args:
        board: the `Board`.
    """

    def __init__(self, board: Any) -> None:
        self._board = board
        self._made: dict[str, Any] = {}

    @property
    def motion(self) -> Motion:
        """The motion of the board's accelerometers."""
        made: Motion = self._of("acceleration", Motion)
        return made

    @property
    def light(self) -> Light:
        """The light on the board's sensors of light."""
        made: Light = self._of("illuminance", Light)
        return made

    def set(self, name: str, at_s: float, what: Mapping[str, object]) -> None:
        """Change the world of a part from ``at_s`` on; `PlanError` if it does not feel that."""
        worlds = self._board.fitted(name).worlds
        check_number(at_s, "time of a change")
        for key, value in what.items():
            for number in value if isinstance(value, tuple) else (value,):
                if not callable(number):
                    check_number(number, f"{name}.{key}")
        if at_s <= self._board.clock.time() or not set(what) <= set(worlds):
            self._board.world(name, **what)
        else:
            self._board.at(at_s).world(name, **what)

    def press(self, name: str, at_s: float, seconds: float) -> None:
        """Press or touch a part; `PlanError` if that is nothing to press."""
        part = self._board.fitted(name)
        verb = next((verb for verb in ("press", "touch") if hasattr(part, verb)), None)
        if verb is None:
            raise PlanError(f"{name} is nothing to press")
        self._board.at(at_s).act(name, verb, True)
        self._board.at(at_s + seconds).act(name, verb, False)

    def plan(self, words: str) -> None:
        """Let happen what words for `world_of` say.

        Raises:
            PlanError: they are no such words, no part feels it, or the count of numbers is wrong.
        """
        what, numbers, at_s, seconds = world_of(words)
        if what in MOVES:
            move = getattr(self.motion, what)
            move(at_s) if seconds is None else move(at_s, seconds)
        elif what == "light":
            (lux,) = _counted(numbers, 1, words)
            self.light.set(lux, at_s)
        elif what == "tilt":
            roll, pitch = _counted(numbers, 2, words)
            self.motion.tilt(at_s, roll=roll, pitch=pitch)
        else:
            name, _, key = what.rpartition(".")
            part = self._board.fitted(name)
            if key == "turn" and hasattr(part, "turn"):
                (steps,) = _counted(numbers, 1, words)
                if steps != round(steps) or abs(steps) > _MOST_STEPS:
                    raise PlanError(f"world {words!r}: write a whole number up to {_MOST_STEPS}")
                self._board.at(at_s).act(name, "turn", round(steps))
                return
            usual = getattr(part, key)(0) if key in part.worlds else 0.0
            given = _counted(numbers, len(usual) if isinstance(usual, tuple) else 1, words)
            self.set(name, at_s, {key: given if isinstance(usual, tuple) else given[0]})

    def _of(self, key: str, kind: type) -> Any:
        if key not in self._made:
            names = [name for name, part in self._board.parts.items() if key in part.worlds]
            if not names:
                raise PlanError(f"no part of the board feels {key}")
            self._made[key] = kind()
            for name in names:
                self._board.world(name, **{key: self._made[key]})
        return self._made[key]


def _counted(numbers: tuple[float, ...], count: int, words: str) -> tuple[float, ...]:
    if len(numbers) != count:
        many = "s" if count > 1 else ""
        raise PlanError(f"world {words!r}: it takes {count} number{many}, not {len(numbers)}")
    return numbers
