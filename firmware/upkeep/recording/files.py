"""The folder of recordings: ``maexchen record`` writes it, ``maexchen-sim gestures`` reads it.

It holds

- ``index.csv``: one line a file, ``file,label,rate_hz,use,clips``. ``rate_hz`` is the nominal rate;
  ``use`` says what the recording can be held against (``missed-shake…``, ``false-roll…``, ``rhythm
  only (clipped)``). Other columns are ignored, and ``clips`` may be missing.
- ``events.csv``: ``file,start_s,end_s,label``, what was done between two times of a recording.
- one gzip CSV for each motion, ``NAME.csv.gz``: ``t_s,ax_mps2,ay_mps2,az_mps2``, the proper
  acceleration with gravity included (at rest 9.8 m/s²), not calibrated. Time starts at 0 and only
  grows. More than 0.5 s without a sample ends a clip; what follows has nothing to do with it.
- beside it, on the same clock, the light in ``NAME_light.csv.gz`` (``t_s,lux``) and the debounced
  pad in ``NAME_touch.csv.gz`` (``t_s,down``, 1 or 0).
"""

import csv
import gzip
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from firmware.journal.files import write_file

INDEX: Final = "index.csv"
INDEX_COLUMNS: Final = "file,label,rate_hz,use,clips"
EVENTS: Final = "events.csv"
EVENT_COLUMNS: Final = "file,start_s,end_s,label"
MOTION_COLUMNS: Final = "t_s,ax_mps2,ay_mps2,az_mps2"
LIGHT_COLUMNS: Final = "t_s,lux"
TOUCH_COLUMNS: Final = "t_s,down"
CLIP_GAP_US: Final = 500_000
"""A longer time without a sample starts a new clip."""
SHAKE, LIFT, TAP = "shake", "lift", "tap"
"""Labels of shaking, lifting and tapping in recordings and events."""
MISSED_SHAKE, FALSE_ROLL, RHYTHM_ONLY = "missed-shake", "false-roll", "rhythm only"
"""Uses of a recording; the last one is cut off at the range of its sensor, so only its rhythm is
true."""


class RecordingError(ValueError):
    """A folder of recordings cannot be read or written: one line with place and remedy."""


def motion_file(name: str) -> str:
    """Return the motion file of a recording."""
    return f"{name}.csv.gz"


def beside(motion: str) -> tuple[str, str]:
    """Return the files of light and pad that belong to a motion's file."""
    stem = motion.removesuffix(".csv.gz")
    return f"{stem}_light.csv.gz", f"{stem}_touch.csv.gz"


def write_signal(path: Path, columns: str, rows: Iterable[tuple[str, ...]]) -> None:
    """Write one signal as a gzip CSV; the same rows give the same bytes. Raises OSError."""
    text = "".join(f"{line}\n" for line in (columns, *map(",".join, rows)))
    write_file(path, gzip.compress(text.encode(), mtime=0))


def append_rows(path: Path, columns: str, rows: Iterable[tuple[object, ...]]) -> None:
    """Add lines to an index or to events; a new file begins with the columns. Raises OSError."""
    fresh = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        if fresh:
            file.write(f"{columns}\n")
        csv.writer(file, lineterminator="\n").writerows(rows)
