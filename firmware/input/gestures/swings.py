"""The swings of one shake: how many, how hard, how regular.

This module keeps the sums that `firmware.input.gestures.shake` describes, and judges them. *Hard*
is `Swings.capped` over time and over all samples, *to and fro* is `Swings.reversals`, *evenly* is
the comparison of the peak with the mean. The bounds below are set on the recordings that are named
there. Sums of accelerations are in counts of 1/256 g.
"""

from enum import Enum, auto
from typing import NamedTuple

COUNTS_PER_G = 256
"""ADXL345 in full resolution."""
CAP = 1.5 * COUNTS_PER_G
"""The most that a sample counts: a blow counts for as long as it lasts."""
VIGOROUS_LEVEL = 0.6 * COUNTS_PER_G
"""Level from which a sample is vigorous."""
LEAST_MEAN = 0.64 * COUNTS_PER_G
"""Capped acceleration of the vigorous samples, spread over all samples."""
LEAST_AGITATION_US = 650_000 * COUNTS_PER_G
"""0.65 g·s, in counts times µs, for a shake of few swings."""
BRISK_AGITATION_US = 420_000 * COUNTS_PER_G
"""The same for a brisk shake: one that turns round `BRISK_REVERSALS` times at `BRISK_MEAN`, or once
more than that at `QUICK_MEAN`."""
BRISK_REVERSALS = 4
BRISK_MEAN = 0.75 * COUNTS_PER_G
QUICK_MEAN = 0.68 * COUNTS_PER_G
TIRELESS_US = 4_000_000
TIRELESS_MEAN = 0.85 * COUNTS_PER_G
"""Least mean of a longer motion: a runner who holds a handheld in front reaches 0.75 g."""
LEAST_VIGOROUS_US = 400_000
"""Least vigorous time; a shorter motion is a gesture, a fall or a jolt, however hard."""
LEAST_REVERSALS = 2
WIDE_AGITATION_US = 900_000 * COUNTS_PER_G
"""The same for a wide shake: one that turns round once, at `WIDE_MEAN`."""
WIDE_MEAN = 0.9 * COUNTS_PER_G
REVERSAL = 0.3 * COUNTS_PER_G
"""Dynamic acceleration against the last peak's direction that counts as a reversal."""
LONGEST_SWING_US = 900_000
"""Longest time from one reversal to the next; a later one is part of another motion."""
MOST_UNEVEN = 4.0
"""Largest ratio of the peak to the mean: strokes and impacts have more."""
SURE_US = 200_000
"""Vigorous time after which, with a reversal, a motion is treated as a shake under way."""


class ShakeStage(Enum):
    """The state of a motion."""

    BEGAN = auto()
    """Something vigorous has begun; it may be anything."""
    UNDER_WAY = auto()
    """It goes to and fro: a shake. Sent at the end of each call of `ShakeDetector.feed`."""
    THROWN = auto()
    """It was a shake and has come to rest."""
    NOTHING = auto()
    """It was no shake: too short, too weak, uneven, too long or never at rest."""


class Motion(NamedTuple):
    """A step in the life of a vigorous motion.

    It began at ``start_us`` and has been vigorous for ``vigorous_us``. ``sure``: it has been taken
    for a shake before.
    """

    stage: ShakeStage
    t_us: int
    start_us: int
    vigorous_us: int
    sure: bool


class Swings(NamedTuple):
    """A shake in numbers.

    ``samples`` of which ``vigorous`` ones; ``uncapped`` is the sum of the dynamic acceleration,
    ``capped`` that of the vigorous samples, each at most `CAP`.
    """

    samples: int = 0
    vigorous: int = 0
    capped: float = 0.0
    uncapped: float = 0.0
    reversals: int = 0

    def is_throw(self, period_us: int) -> bool:
        """Return whether it is hard, long and reversed enough; samples are ``period_us`` apart."""
        brisk_mean = BRISK_MEAN if self.reversals == BRISK_REVERSALS else QUICK_MEAN
        brisk = self.reversals >= BRISK_REVERSALS and self.capped >= brisk_mean * self.samples
        wide = self.reversals < LEAST_REVERSALS and self.capped >= WIDE_MEAN * self.samples
        tireless = self.samples * period_us > TIRELESS_US
        least_mean = TIRELESS_MEAN if tireless else LEAST_MEAN
        least_agitation_us = BRISK_AGITATION_US if brisk else LEAST_AGITATION_US
        if wide:
            least_agitation_us = WIDE_AGITATION_US
        return (
            self.reversals >= (1 if wide else LEAST_REVERSALS)
            and self.vigorous * period_us >= LEAST_VIGOROUS_US
            and self.capped * period_us >= least_agitation_us
            and self.capped >= least_mean * self.samples
        )


class ShakeSwings:
    """The vigorous motion under way, from its first vigorous sample on.

    ``until_vigorous`` has its numbers up to the last vigorous sample, ``until_turn`` up to the last
    reversal. ``until_peak`` has them up to the reversal before the highest peak, for a shake that
    ends with a blow. ``sure``: it is a shake under way. ``spoilt``: it cannot be a throw any more.
    """

    def __init__(self, t_us: int) -> None:
        self.began_us = t_us
        self.sure = False
        self.spoilt = False
        self.start(t_us)

    def start(self, t_us: int) -> None:
        """Start counting here: earlier samples are no part of the shake."""
        self.start_us = self.turned_us = self.vigorous_us = t_us
        self.samples = self.vigorous = self.reversals = 0
        self.capped = self.uncapped = self.peak = 0.0
        self.until_vigorous = self.until_turn = self.until_peak = Swings()
        self.peak_until_vigorous = 0.0
        self.ahead = (0.0, 0.0, 0.0)
        self.ahead_size = 0.0

    def add(
        self, t_us: int, x: float, y: float, z: float, size: float, level: float, period_us: int
    ) -> None:
        """Add one sample, taken at ``t_us``.

        Args:
            t_us: its time.
            x: smoothed dynamic acceleration in counts, times the gain; ``y`` and ``z`` likewise.
            y: see ``x``.
            z: see ``x``.
            size: its magnitude.
            level: its mean over 0.1 s.
            period_us: distance of two samples.
        """
        vigorous = level >= VIGOROUS_LEVEL
        if vigorous and t_us - self.turned_us > LONGEST_SWING_US:
            self.start(t_us)  # *to and fro*: never more than 0.9 s apart
        ahead_x, ahead_y, ahead_z = self.ahead
        along = x * ahead_x + y * ahead_y + z * ahead_z
        if along < -REVERSAL * self.ahead_size:
            self.until_turn = self.tally()
            self.reversals += 1
            self.turned_us = t_us
            self.ahead, self.ahead_size = (x, y, z), size
        elif along >= 0.0 and size > self.ahead_size:
            self.ahead, self.ahead_size = (x, y, z), size
        self.samples += 1
        self.uncapped += size
        if size > self.peak:
            self.peak = size
            self.until_peak = self.until_turn
        if vigorous:
            self.vigorous += 1
            self.vigorous_us = t_us
            self.capped += size if size < CAP else CAP
            self.sure |= self.reversals > 0 and self.vigorous * period_us >= SURE_US
            self.until_vigorous = self.tally()
            self.peak_until_vigorous = self.peak

    def tally(self) -> Swings:
        """Return the numbers of the shake up to now."""
        return Swings(self.samples, self.vigorous, self.capped, self.uncapped, self.reversals)

    def motion(self, stage: ShakeStage, t_us: int, period_us: int) -> Motion:
        """Return the step ``stage`` of this motion, at ``t_us``."""
        return Motion(stage, t_us, self.began_us, self.vigorous * period_us, self.sure)

    def is_throw(self, period_us: int) -> bool:
        """Judge the shake, which has come to rest; an uneven one by the part before its peak."""
        if self.spoilt:
            return False
        whole = self.until_vigorous
        if self.peak_until_vigorous * whole.samples > MOST_UNEVEN * whole.uncapped:
            return self.until_peak.is_throw(period_us)
        return whole.is_throw(period_us)
