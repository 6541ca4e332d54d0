"""The steps and complaints of a calibration, and its summary."""

from enum import Enum

from firmware.display.text.language import Language, say
from firmware.input.gestures.calibration import Calibration
from firmware.input.gestures.light import (
    LEAST_LEAK_LUX,
    LX_PER_COUNT,
    MOST_LEAK_SHARE,
    LightWatch,
)
from firmware.input.gestures.swings import COUNTS_PER_G

GuideStep = Enum("GuideStep", "PUT_DOWN UNCOVER COVER LIFT SHAKE TILT DONE GIVEN_UP")
"""The instruction of each step: a title for the panel, and a sentence."""

Complaint = Enum(
    "Complaint",
    "UPSIDE_DOWN NOT_LEVEL NO_GRAVITY TOO_DARK NO_CONTRAST TOO_WEAK TILTED_LEFT NOTHING",
)
"""Impossible measurements; ``NOTHING`` happened for so long that the guide gave up."""


def summary(calibration: Calibration, language: Language) -> list[str]:
    """Return the results, a line each."""
    off_mg = max(map(abs, calibration.offset_counts)) * 1000 / COUNTS_PER_G
    lines = [say("calibration.LEVEL", language, off=off_mg)]
    dark, bright = calibration.dark_counts, calibration.open_counts
    if dark is not None and bright is not None:
        lift = LightWatch(dark, bright).lift_threshold_counts
        dark_lux, bright_lux, lift_lux = (LX_PER_COUNT * each for each in (dark, bright, lift))
        lines.append(
            say("calibration.LIGHT", language, dark=dark_lux, bright=bright_lux, lift=lift_lux)
        )
        if dark > max(MOST_LEAK_SHARE * bright, LEAST_LEAK_LUX / LX_PER_COUNT):
            lines.append(say("calibration.LOOSE", language, share=dark / bright))
    lines.append(say("calibration.SHAKE", language, gain=calibration.shake_gain))
    return lines
