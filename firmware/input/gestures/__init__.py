"""From samples with their own times to what a person did. Pure.

With a calibration the level is true, the light of cup and room is known from the start, and a
gentle shake counts. Without one, the default values suit most handhelds.

Numbers without a source are chosen.

Units: counts of 1/256 g, counts of 0.1344 lx, µs. May import: nothing of ours.
Then read ``recognizer``.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple


class Shaking(NamedTuple):
    """A shake is under way: ``vigorous_us`` of it so far were vigorous. Sent about every 100 ms."""

    t_us: int
    vigorous_us: int


class Shaken(NamedTuple):
    """A shake has come to rest. It was vigorous for ``vigorous_us`` (at least a first throw's)."""

    t_us: int
    vigorous_us: int


class ShakeEnded(NamedTuple):
    """A shake that is no throw: too short, never at rest, or begun with the sensor uncovered.

    ``uncovered`` is True in the last case, so that the display can ask for the cup to be closed.
    """

    t_us: int
    uncovered: bool


class Uncovered(NamedTuple):
    """The cup went from covered to light. Sent once per edge."""

    t_us: int


class Covered(NamedTuple):
    """The cup is closed: dark for 100 ms, or dark when the handheld woke."""

    t_us: int


class TooDark(NamedTuple):
    """The room has become too dark to tell a lifted cup (``too_dark``), or bright enough again."""

    t_us: int
    too_dark: bool


class Pressed(NamedTuple):
    """A finger came down on a still handheld. Tap, Held or Released follows."""

    t_us: int


class Tap(NamedTuple):
    """A finger came down and left within 0.5 s."""

    t_us: int


HOLD_US = 800_000
"""A touch of this length becomes a hold."""


class Held(NamedTuple):
    """A finger has stayed for `HOLD_US`; sent while it is still down."""

    t_us: int


class Released(NamedTuple):
    """A finger left without a tap: after a hold, between 0.5 and 0.8 s, or a void grip."""

    t_us: int


class Pose(NamedTuple):
    """The pose of the handheld, sent about every 100 ms.

    ``roll_deg`` grows when the right edge goes down, ``pitch_deg`` when the far edge goes down.
    Both are within ±90, from the mean acceleration of the last 0.1 s. The sensor's axes are x to
    the right, y to the far edge, z up out of the display. A handheld lying flat reads +1 g on z,
    and lowering the right edge makes x negative. ``still`` is False in motion.
    """

    t_us: int
    roll_deg: float
    pitch_deg: float
    still: bool


class Dropped(NamedTuple):
    """Free fall of 180 ms or more and an impact over 3 g within 0.5 s."""

    t_us: int


Gesture = (
    Shaking
    | Shaken
    | ShakeEnded
    | Uncovered
    | Covered
    | TooDark
    | Pressed
    | Tap
    | Held
    | Released
    | Pose
    | Dropped
)


Counts = tuple[int, int, int]
"""One acceleration sample, x y z in counts of 1/256 g (ADXL345, full resolution)."""

SAMPLE_PERIOD_US = 10_000
"""Time between two acceleration samples at the 100 Hz the handheld uses, in µs."""


class AccelBatch(NamedTuple):
    """A drained FIFO: oldest sample first, the last one taken at ``t_last_us``.

    ``overrun``: samples were lost before this batch.
    """

    t_last_us: int
    xyz: tuple[Counts, ...]
    overrun: bool = False

    @property
    def first_us(self) -> int:
        """When the oldest sample was taken."""
        return self.t_last_us - (len(self.xyz) - 1) * SAMPLE_PERIOD_US


class Light(NamedTuple):
    """One reading of the light sensor, in raw counts (gain ×2, 25 ms: 0.1344 lx each).

    ``fresh`` is False when the reading may be the conversion that was already reported.
    """

    t_us: int
    counts: int
    fresh: bool = True


class Touch(NamedTuple):
    """The touch pad, debounced: finger on (``down``) or off."""

    t_us: int
    down: bool


Input = AccelBatch | Light | Touch


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
