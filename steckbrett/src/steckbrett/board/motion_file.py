"""Recorded motion from a CSV file, as loggers, phones and spreadsheets write it.

Columns are the time and the acceleration along x, y and z, gravity included. Without a line of
names they stand in this order. With one they stand in any order beside others: ``t`` or ``time``;
``x``, ``ax`` or ``accel x``; with a unit as in ``t_ms``, ``Time [ns]``, ``ax_mps2`` or ``x (g)``.
Without a unit's name, gravity tells that of the acceleration, and the usual step that of the time.
A semicolon or a tab may stand between columns, and a comma in a number then.
"""

import csv
import gzip
import io
import math
import re
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from .plan import PlanError, decimal_of

Vector = tuple[float, float, float]

GRAVITY_MPS2: Final = 9.80665
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
