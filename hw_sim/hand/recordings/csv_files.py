"""The text of a folder of recordings: gzip CSV, tables, numbers; what is wrong in one line."""

import csv
import gzip
import math
import zlib
from collections.abc import Iterator
from pathlib import Path

from firmware.upkeep.recording.files import RecordingError

MOST_CHARACTERS = 256 * 1024 * 1024
"""The most characters of an unpacked file: an hour at 1600 samples a second has 200 million."""


def lines_of(path: Path) -> tuple[str, list[str]]:
    """Header and other lines, without their ends, of a gzip CSV.

    Raises:
        RecordingError: the file is missing, empty, or no gzip text; one line with what to do.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            text = file.read(MOST_CHARACTERS + 1)
    except FileNotFoundError:
        raise RecordingError(
            f"{path}: not found, though index.csv lists it; add the file or remove its line"
        ) from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise RecordingError(f"{path}: not a whole gzip file; compress the CSV again") from None
    except UnicodeDecodeError:
        raise RecordingError(f"{path}: not text; a recording is a gzip CSV") from None
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read ({error.strerror}); check it") from None
    if len(text) > MOST_CHARACTERS:
        raise RecordingError(
            f"{path}: longer than {MOST_CHARACTERS:,} characters; give shorter recordings"
        )
    lines = text.splitlines()
    if not lines:
        raise RecordingError(
            f"{path}, line 1: empty; a recording begins with 't_s,ax_mps2 …' or the like"
        )
    return lines[0].strip(), lines[1:]


def rows_of(path: Path, needed: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number (from 2) and values by column of each row of a plain CSV.

    Raises:
        RecordingError: a column of ``needed`` is missing, a row has more or fewer values than the
            header, or it is no CSV in UTF-8; where, and what to do.
        OSError: the file cannot be read.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            columns = reader.fieldnames or ()
            for name in needed:
                if name not in columns:
                    raise RecordingError(
                        f"{path}, line 1: no column {name!r}; it needs {','.join(needed)}"
                    )
            for row in reader:
                if None in row or None in row.values():
                    raise RecordingError(
                        f"{path}, line {reader.line_num}: the header has {len(columns)} columns, "
                        "this line has not; write as many"
                    )
                yield reader.line_num, row
    except UnicodeDecodeError:
        raise RecordingError(f"{path}: not text in UTF-8; save it as such") from None
    except csv.Error as error:
        line = reader.reader.line_num
        raise RecordingError(f"{path}, line {line}: {error}; mend the quotes") from None


def number_of(path: Path, line: int, column: str, text: str) -> float:
    """The finite number that ``text`` is; the rest says where it stands.

    Raises:
        RecordingError: it is none.
    """
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise RecordingError(f"{path}, line {line}: {column} is {text!r}; write a number")
    return number
