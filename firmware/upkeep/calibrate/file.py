"""The calibration of a handheld as a file, ``calibration.json`` beside the journal."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from firmware.input.gestures.calibration import UNCALIBRATED, Calibration, CalibrationError
from firmware.journal.files import write_file

NAME: Final = "calibration.json"


def beside(journal: Path) -> Path:
    """Return the path of a handheld's calibration, beside its journal."""
    return journal.with_name(NAME)


def load(path: Path) -> Calibration:
    """Read a calibration; a missing file gives `UNCALIBRATED`.

    Raises:
        CalibrationError: the file is invalid or unreadable.
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
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, json.dumps(asdict(calibration), indent=1) + "\n")
    except OSError as error:
        raise CalibrationError(
            f"calibration {path}: {error.strerror}: name a file that can be written"
        ) from None


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
