"""Tell a closed cup from a lifted one by the light on the sensor.

Two levels are followed: D, the light on the covered sensor, and L, that on the open one. The cup is
lifted when two conversions in a row exceed all of

    3 D          D + max(0.5 lx, 4 counts)          D + 0.15 (L - D)

and closed when the light stays below half of that for 0.1 s. Where L is below 1 lx, or not 2.5
times D, a lift cannot be told, and the room is too dark.

Only fresh conversions count. A conversion tells of the 25 ms before it, so darkness is dated back
by as much. D follows quickly downward and slowly upward, L the other way round, lest the one creep
up as a cup is lifted gently and the other fall as it is closed. L fades while the cup is closed:
lights may be dimmed meanwhile, and a level of long ago must not hide a lift.
"""

from firmware.gestures import Covered, Lifted, TooDark
from firmware.inputs import Light

LX_PER_COUNT = 0.1344
"""VEML7700 at gain ×2 and 25 ms (84286, resolution table)."""
CONVERSION_US = 25_000
COVERED_TIMES = 3.0
LEAST_RISE_COUNTS = max(0.5 / LX_PER_COUNT, 4.0)
LEAST_SHARE = 0.15
LIFT_CONVERSIONS = 2
CLOSE_SHARE = 0.5
CLOSE_US = 100_000
FIRST_CLOSE_SHARE = 0.25
"""Share of L below which the sensor counts as covered while D is not known yet."""
DARK_DOWN, DARK_UP = 0.2, 0.02
OPEN_DOWN, OPEN_UP = 0.1, 0.3
LEAST_OPEN_COUNTS = 1.0 / LX_PER_COUNT
LEAST_CONTRAST = 2.5
ADAPT_US = 300_000
"""Time the sensor must have been open before L says something of the room: lifting takes time."""
FADE_US = 60_000_000
"""Time constant with which L fades while the sensor is covered."""
BRIGHT_AGAIN = 1.25
"""The room must be this much brighter than too dark before it is said to be bright enough."""

LightGesture = Lifted | Covered | TooDark


class LightWatch:
    """Follows the light sensor. ``covered`` is None until the first fresh conversion.

    ``dark`` and ``bright``: the two levels in counts, where they are known from a calibration.
    """

    def __init__(self, dark: float | None = None, bright: float | None = None) -> None:
        self._dark = dark
        self._open = bright
        self._too_dark = False
        self.reset()

    def reset(self) -> None:
        """Forget whether the cup is closed, as after sleep; the two levels are kept."""
        self.covered: bool | None = None
        self._seen_us: int | None = None
        self._high = 0
        self._low_since_us: int | None = None
        self._covered_us: int | None = None
        self._uncovered_us: int | None = None

    @property
    def lift_threshold_counts(self) -> float:
        """Counts that a lifted cup exceeds, by the levels known so far."""
        dark = self._dark or 0.0
        bright = self._open or 0.0
        return max(
            COVERED_TIMES * dark,
            dark + LEAST_RISE_COUNTS,
            dark + LEAST_SHARE * (bright - dark),
        )

    @property
    def lift_suspected(self) -> bool:
        """Whether one conversion on a closed cup was high and the next decides."""
        return self._high > 0

    def covered_throughout(self, start_us: int, end_us: int) -> bool:
        """Whether the sensor was covered from one time in µs to another, as far as is known."""
        return (
            self._covered_us is not None
            and self._covered_us <= start_us
            and (self._uncovered_us is None or self._uncovered_us >= end_us)
        )

    def feed(self, reading: Light) -> list[LightGesture]:
        """Take a reading; one that is not fresh changes nothing."""
        if not reading.fresh:
            return []
        gestures: list[LightGesture] = []
        if self.covered is None:
            if reading.counts <= self._first_limit():
                self._cover(reading.t_us - CONVERSION_US, reading.counts)
                gestures.append(Covered(reading.t_us))
            else:
                self.covered = False
                self._uncovered_us = reading.t_us
        if self.covered:
            gestures += self._while_covered(reading)
        else:
            gestures += self._while_open(reading)
        self._seen_us = reading.t_us
        too_dark = self._judge_room(reading.t_us)
        if too_dark != self._too_dark:
            self._too_dark = too_dark
            gestures.append(TooDark(reading.t_us, too_dark))
        return gestures

    def _first_limit(self) -> float:
        if self._dark is None:
            return LEAST_RISE_COUNTS
        return max(LEAST_RISE_COUNTS, CLOSE_SHARE * self.lift_threshold_counts)

    def _while_covered(self, reading: Light) -> list[LightGesture]:
        if self._open is not None and self._seen_us is not None:
            passed = min(1.0, (reading.t_us - self._seen_us) / FADE_US)
            self._open -= passed * self._open
        if reading.counts <= self.lift_threshold_counts:
            self._high = 0
            self._follow_dark(reading.counts)
            return []
        self._high += 1
        if self._high < LIFT_CONVERSIONS:
            return []
        self._high = 0
        self.covered = False
        self._uncovered_us = reading.t_us
        self._follow_open(reading.counts)
        return [Lifted(reading.t_us)]

    def _while_open(self, reading: Light) -> list[LightGesture]:
        if self._dark is None:
            limit = FIRST_CLOSE_SHARE * (self._open or 0.0)
        else:
            limit = CLOSE_SHARE * self.lift_threshold_counts
        if reading.counts >= limit:
            self._low_since_us = None
            self._follow_open(reading.counts)
            return []
        if self._low_since_us is None:
            self._low_since_us = reading.t_us - CONVERSION_US
        if reading.t_us - self._low_since_us < CLOSE_US:
            return []
        self._cover(self._low_since_us, reading.counts)
        return [Covered(reading.t_us)]

    def _cover(self, since_us: int, counts: int) -> None:
        self.covered = True
        self._covered_us = since_us
        self._uncovered_us = None
        self._low_since_us = None
        self._follow_dark(counts)

    def _follow_dark(self, counts: int) -> None:
        if self._dark is None:
            self._dark = float(counts)
        else:
            rate = DARK_DOWN if counts < self._dark else DARK_UP
            self._dark += rate * (counts - self._dark)

    def _follow_open(self, counts: int) -> None:
        if self._open is None:
            self._open = float(counts)
        else:
            rate = OPEN_UP if counts > self._open else OPEN_DOWN
            self._open += rate * (counts - self._open)

    def _judge_room(self, t_us: int) -> bool:
        if self.covered or self._open is None or self._uncovered_us is None:
            return self._too_dark
        if t_us - self._uncovered_us < ADAPT_US:
            return self._too_dark
        margin = BRIGHT_AGAIN if self._too_dark else 1.0
        return self._open < margin * max(LEAST_OPEN_COUNTS, LEAST_CONTRAST * (self._dark or 0.0))
