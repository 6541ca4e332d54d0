"""Recorded motion from a CSV file, as `maexchen record`, loggers and spreadsheets write it.

Columns are the time and the acceleration along x, y and z, gravity included. Without a line of
names they are t in s, x, y and z in m/s². With one they may stand in any order beside others:
``t``, ``time``, or with a unit ``t_s``, ``t_ms``, ``t_us``; ``x``, ``ax``, or with a unit
``x_mps2``, ``ax_mps2``, ``x_g``, ``ax_g``.
"""

import csv
import gzip
import io
import re
import zlib
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Final

from .plan import PlanError, decimal_of

Vector = tuple[float, float, float]

GRAVITY_MPS2: Final = 9.80665
_NAME = re.compile(r"(t)(?:ime)?(?:_(s|ms|us))?|a?([xyz])(?:_(mps2|g))?")
_FACTORS: Final = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "mps2": 1.0, "g": GRAVITY_MPS2}
_LONGEST_STEP_S, _MOST_S, _MOST_MPS2 = 5.0, 1e9, 1e4
_FEWEST_TO_JUDGE = 4
_RESTS_MPS2 = (2.0, 60.0)
"""Half of all samples lie between these; one g lies below, counts of a chip above."""


def read_motion(path: Path) -> tuple[list[float], list[Vector]]:
    """Return times in s and accelerations in m/s² of a CSV file, packed with gzip or not.

    Raises:
        PlanError: it cannot be read, columns are missing, a number is none, the time runs back, or
            numbers without a unit look like another one; one line that says which line and what.
    """
    times: list[float] = []
    values: list[Vector] = []
    places, factors, units = [0, 1, 2, 3], [1.0] * 4, [""] * 4
    lines = csv.reader(io.StringIO(_text(path), newline=""))
    for number, line in enumerate(lines, 1):
        where = f"{path}, line {number}"
        if number == 1 and any(map(_is_name, line)):
            places, units = _columns(line, where)
            factors = [_FACTORS[unit] if unit else 1.0 for unit in units]
            continue
        if not line:
            continue
        if units[0] == "" == units[1] and places == [0, 1, 2, 3] and len(line) != 4 and not times:
            raise PlanError(f"{where}: it needs t, x, y, z, or names of columns in line 1")
        try:
            t_s, *axes = (decimal_of(line[at].strip()) * by for at, by in zip(places, factors))
        except (ValueError, IndexError):
            raise PlanError(f"{where}: it needs t, x, y, z as numbers") from None
        if not (abs(t_s) < _MOST_S and all(abs(axis) <= _MOST_MPS2 for axis in axes)):
            raise PlanError(f"{where}: {','.join(line)} is not a time and three accelerations")
        if times and t_s < times[-1]:
            raise PlanError(f"{where}: time runs back; sort the lines by it")
        times.append(t_s)
        values.append((axes[0], axes[1], axes[2]))
    if not times:
        raise PlanError(f"{path}: it has no samples")
    if len(times) >= _FEWEST_TO_JUDGE:
        _judge(path, times, values, units)
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
        known = _NAME.fullmatch(name.strip().lower())
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


def _judge(path: Path, times: list[float], values: list[Vector], units: list[str]) -> None:
    """Refuse numbers whose unit nobody wrote, if they cannot be s and m/s²."""
    step_s = median(after - before for before, after in pairwise(times))
    if not units[0] and step_s > _LONGEST_STEP_S:
        raise PlanError(f"{path}: {step_s:g} s between samples; is it ms? Name the column t_ms")
    usual = median(sum(axis * axis for axis in value) ** 0.5 for value in values)
    if not any(units[1:]) and not _RESTS_MPS2[0] <= usual <= _RESTS_MPS2[1]:
        raise PlanError(
            f"{path}: {usual:.3g} m/s² on the middle line, gravity is 9.8; if it is g, name the "
            "columns x_g, y_g, z_g; else x_mps2, y_mps2, z_mps2"
        )
