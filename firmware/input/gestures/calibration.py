"""The measured properties of one handheld and its player, from ``maexchen calibrate``.

With a calibration the level is true, the light of cup and room is known from the start, and a
gentle shake counts. Without one, the default values suit most handhelds.
"""

from dataclasses import dataclass
from typing import Final

MOST_OFFSET_COUNTS: Final = 90
"""0.35 g: the zero-g offset may be 0.25 g (ADXL345 Rev. G, table 1), and a table is not level."""
MOST_GAIN: Final = 1.2
"""At a higher gain, a phone in a pocket whose owner sits down would throw (0.60 g of 0.64)."""
MOST_COUNTS: Final = 65_535


class CalibrationError(Exception):
    """A calibration cannot be read, written or made: one line that says what to do."""


@dataclass(frozen=True)
class Calibration:
    """The measured values.

    Attributes:
        offset_counts: the accelerometer's error on x, y, z, in 1/256 g.
        shake_gain: the factor for the dynamic acceleration, 1 to `MOST_GAIN`.
        dark_counts: light under the thumb in counts of 0.1344 lx; None if it was not measured.
        open_counts: light of the room, in the same unit; None likewise.
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
