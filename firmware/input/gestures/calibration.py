"""What is peculiar to one handheld and its player, as ``maexchen calibrate`` measured it.

It lies as ``calibration.json`` beside the journal. Without the file everything works by the values
that suit most; with it the level is true, the light of cup and room is known from the start, and a
gentle shaker is heard.
"""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

NAME: Final = "calibration.json"
MOST_OFFSET_COUNTS: Final = 90
"""0.35 g: the zero-g offset may be 0.25 g (ADXL345 Rev. G, table 1), and a table is not level."""
MOST_GAIN: Final = 1.2
"""More, and a phone in a pocket whose owner sits down would throw (0.60 g of 0.64)."""
MOST_COUNTS: Final = 65_535


class CalibrationError(Exception):
    """A calibration cannot be read, written or made: one line that says what to do."""


@dataclass(frozen=True)
class Calibration:
    """What was measured.

    Attributes:
        offset_counts: what the accelerometer says too much on x, y, z, in 1/256 g.
        shake_gain: what the dynamic acceleration is multiplied with, 1 to `MOST_GAIN`.
        dark_counts: light under the thumb in counts of 0.1344 lx; None if it was not measured.
        open_counts: light of the room, the same.
    """

    offset_counts: tuple[int, int, int] = (0, 0, 0)
    shake_gain: float = 1.0
    dark_counts: float | None = None
    open_counts: float | None = None

    def __post_init__(self) -> None:
        if any(abs(offset) > MOST_OFFSET_COUNTS for offset in self.offset_counts):
            raise CalibrationError(
                f"offsets {self.offset_counts} are beyond {MOST_OFFSET_COUNTS}: put it on a level "
                "table and calibrate again"
            )
        if not 1.0 <= self.shake_gain <= MOST_GAIN:
            raise CalibrationError(
                f"shake_gain {self.shake_gain:g} is not between 1 and {MOST_GAIN:g}: calibrate "
                "again"
            )
        for counts in (self.dark_counts, self.open_counts):
            if counts is not None and not 0 <= counts <= MOST_COUNTS:
                raise CalibrationError(
                    f"light of {counts:g} counts is beyond {MOST_COUNTS}: calibrate again"
                )


UNCALIBRATED: Final = Calibration()


def beside(journal: Path) -> Path:
    """Return where the calibration of a handheld lies, by the path of its journal."""
    return journal.with_name(NAME)


def load(path: Path) -> Calibration:
    """Read a calibration; a file that is not there is `UNCALIBRATED`.

    Raises:
        CalibrationError: the file makes no sense, or cannot be read.
    """
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        x, y, z = (int(value) for value in data["offset_counts"])
        return Calibration(
            (x, y, z),
            float(data["shake_gain"]),
            _number(data["dark_counts"]),
            _number(data["open_counts"]),
        )
    except FileNotFoundError:
        return UNCALIBRATED
    except OSError as error:
        raise CalibrationError(f"calibration {path}: {error.strerror}: check the path") from None
    except CalibrationError as error:
        raise CalibrationError(f"calibration {path}: {error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise CalibrationError(
            f"calibration {path}: makes no sense: remove it and run maexchen calibrate"
        ) from None


def save(calibration: Calibration, path: Path) -> None:
    """Write a calibration, whole or not at all.

    Raises:
        CalibrationError: it cannot be written.
    """
    new = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with new.open("w", encoding="utf-8") as file:
            json.dump(asdict(calibration), file, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        raise CalibrationError(
            f"calibration {path}: {error.strerror}: name a file that can be written"
        ) from None


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
