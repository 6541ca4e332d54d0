"""Tell a throw from every other motion by its acceleration alone.

A person who shakes a cup moves it to and fro, hard, a few times, and then stops. No other motion
does all of that. Each word is one measurement:

- *Hard*. Gravity is followed with a time constant of 0.3 s; the rest is the dynamic acceleration.
  It is smoothed over 30 ms and **capped at 1.5 g**, so that a blow counts for as long as it lasts
  and not for its strength. Its mean over 0.1 s is the level; a sample is vigorous while the level
  is above 0.6 g. Vigorous samples alone are summed. Their integral, the *agitation*, must reach
  0.65 g·s: a stride, a gesture, a fall or a jolt is over before that. (0.42 g·s will do for a brisk
  shake, which turns round more often than those.) Spread over the whole time of the shake, pauses
  included, it must reach 0.64 g: strides are strong and pause. A motion of more than 4 s must reach
  0.85 g: people shake hard or not for long.
- *To and fro*. The dynamic acceleration must turn round at least twice, against the direction of
  the peak before, never more than 0.9 s apart. (Once will do if the agitation reaches 0.9 g·s at
  0.9 g: a shake of wide swings. Dropped phones have 0.85 g·s at most.) No axis is assumed: the
  handheld may be held any way up, and turned while it is shaken.
- *Evenly*. No instant may exceed 4 times the mean. A stroke or an impact does; then only the part
  before it counts, so that a shake that ends with a thump on the table is still a shake.
- *Stops*. 0.25 s in which the acceleration deviates from its mean by at most 0.15 g (rms over the
  three axes; a hand at rest has a third of that) at a mean of about 1 g. Runners shake their wrists
  as hard and as fast, but do not stop like that, and nobody shakes a cup for ten seconds.

The numbers hold at 100 Hz. They were chosen on recordings of 210 shakes by one person, and of 73
minutes of walking, sitting down, standing up and turning by 23 others. All shakes but one reach
0.68 g, and all but one reach 0.87 g·s. On foot, motions that turned round twice, came to rest and
had enough agitation reached 0.38 g at most. The exception is a phone in a pocket while its owner
sat down (0.60 g). Walks cut off by a rest at any of 3595 arbitrary places give no throw either;
runs do.

`Motion` keeps the sums, and judges them. *Hard* is `Swings.capped` over time and over all samples,
*to and fro* is `Swings.reversals`, *evenly* is the comparison of the peak with the mean. Sums of
accelerations are in counts of 1/256 g.
"""

from collections import deque
from enum import Enum, auto
from itertools import accumulate, repeat
from math import sqrt
from operator import mul
from typing import NamedTuple

from firmware.input.gestures import SAMPLE_PERIOD_US, Counts

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

    @property
    def is_throw(self) -> bool:
        """Whether it is hard, long and reversed enough."""
        brisk_mean = BRISK_MEAN if self.reversals == BRISK_REVERSALS else QUICK_MEAN
        brisk = self.reversals >= BRISK_REVERSALS and self.capped >= brisk_mean * self.samples
        wide = self.reversals < LEAST_REVERSALS and self.capped >= WIDE_MEAN * self.samples
        tireless = self.samples * SAMPLE_PERIOD_US > TIRELESS_US
        least_mean = TIRELESS_MEAN if tireless else LEAST_MEAN
        least_agitation_us = BRISK_AGITATION_US if brisk else LEAST_AGITATION_US
        if wide:
            least_agitation_us = WIDE_AGITATION_US
        return (
            self.reversals >= (1 if wide else LEAST_REVERSALS)
            and self.vigorous * SAMPLE_PERIOD_US >= LEAST_VIGOROUS_US
            and self.capped * SAMPLE_PERIOD_US >= least_agitation_us
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

    def add(self, t_us: int, x: float, y: float, z: float, size: float, level: float) -> None:
        """Add one sample, taken at ``t_us``.

        Args:
            t_us: its time.
            x: smoothed dynamic acceleration in counts, times the gain; ``y`` and ``z`` likewise.
            y: see ``x``.
            z: see ``x``.
            size: its magnitude.
            level: its mean over 0.1 s.
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
            self.sure |= self.reversals > 0 and self.vigorous * SAMPLE_PERIOD_US >= SURE_US
            self.until_vigorous = self.tally()
            self.peak_until_vigorous = self.peak

    def tally(self) -> Swings:
        """Return the numbers of the shake up to now."""
        return Swings(self.samples, self.vigorous, self.capped, self.uncapped, self.reversals)

    def motion(self, stage: ShakeStage, t_us: int) -> Motion:
        """Return the step ``stage`` of this motion, at ``t_us``."""
        vigorous_us = self.vigorous * SAMPLE_PERIOD_US
        return Motion(stage, t_us, self.began_us, vigorous_us, self.sure)

    def is_throw(self) -> bool:
        """Judge the shake, which has come to rest; an uneven one by the part before its peak."""
        if self.spoilt:
            return False
        whole = self.until_vigorous
        if self.peak_until_vigorous * whole.samples > MOST_UNEVEN * whole.uncapped:
            return self.until_peak.is_throw
        return whole.is_throw


GRAVITY_SAMPLES = 30
"""Time constant of the gravity that is followed, in samples of 10 ms."""
SMOOTH_SAMPLES = 3
"""Time constant of the dynamic acceleration's smoothing."""
LEVEL_SAMPLES = 10
"""Time constant of the level."""
REST_SAMPLES = 25
"""Length of the rest that ends a shake."""
REST_DEVIATION = 0.15 * COUNTS_PER_G
"""Largest rms deviation of a rest: three times that of a hand at rest."""
REST_GRAVITY = 0.8 * COUNTS_PER_G
"""Least mean of a rest: free flight is quiet too, at 0 g."""
SETTLE_US = 1_000_000
"""Longest time from the last vigorous sample to the end of the rest that belongs to it."""
LONGEST_SHAKE_US = 10_000_000
"""Nobody shakes a cup for this long."""

MOVING = 0.3 * COUNTS_PER_G
"""Dynamic acceleration from which the handheld counts as in motion, for a touch."""
CALM = 0.1 * COUNTS_PER_G
"""Samples this near to each other and to gravity can begin nothing and are taken at once."""
_GRAVITY_LEFT = tuple(accumulate(repeat(1 - 1 / GRAVITY_SAMPLES, 40), mul, initial=1.0))
"""The share of a wrong gravity that is left after each sample. A FIFO holds 33 at most."""


class ShakeDetector:
    """Follows the acceleration sample by sample, as above; knows nothing of light and touch.

    ``gain`` multiplies the dynamic acceleration, for a player who shakes gently. ``last_mean`` is
    the capped acceleration of the vigorous samples of the last shake that ended, spread over all of
    its samples, in counts and without the gain; 0 before.
    """

    def __init__(self, gain: float = 1.0) -> None:
        self._gain = gain
        self.last_mean = 0.0
        self.reset()

    def reset(self) -> None:
        """Forget everything: the next sample is taken for gravity at rest."""
        self._shake: ShakeSwings | None = None
        self._gravity: tuple[float, float, float] | None = None
        self._smooth = (0.0, 0.0, 0.0)
        self._level = 0.0
        self._window: deque[Counts] = deque(maxlen=REST_SAMPLES)
        self._moved_us: int | None = None

    @property
    def under_way(self) -> bool:
        """Whether a vigorous motion is under way, a shake or not."""
        return self._shake is not None

    @property
    def level(self) -> float:
        """How hard it is moved now, in counts; vigorous from `VIGOROUS_LEVEL` on."""
        return self._level

    @property
    def sure(self) -> bool:
        """Whether a shake is under way."""
        return self._shake is not None and self._shake.sure

    def moved_since(self, t_us: int) -> bool:
        """Return whether the dynamic acceleration has exceeded 0.3 g at or after a time in µs."""
        return self._moved_us is not None and self._moved_us >= t_us

    def spoil(self) -> None:
        """Make the motion under way a fall, which cannot become a throw."""
        if self._shake is not None:
            self._shake.spoilt = True

    def feed(self, first_us: int, xyz: tuple[Counts, ...]) -> list[Motion]:
        """Add samples and return the motions that they change, in order.

        Args:
            first_us: when the first sample was taken.
            xyz: at least one sample, in counts.
        """
        if self._gravity is None:
            x, y, z = xyz[0]
            self._gravity = (float(x), float(y), float(z))
        if self._shake is None and self._pass_calm(xyz, self._gravity):
            return []
        return self._follow(first_us, xyz, self._gravity)

    def _pass_calm(self, xyz: tuple[Counts, ...], gravity: tuple[float, float, float]) -> bool:
        """Take all samples at once if nothing can begin in them; else take none, return False."""
        count = len(xyz)
        if count >= len(_GRAVITY_LEFT) or self._level > CALM:
            return False
        xs, ys, zs = zip(*xyz)
        if max(xs) - min(xs) > CALM or max(ys) - min(ys) > CALM or max(zs) - min(zs) > CALM:
            return False
        means = (sum(xs) / count, sum(ys) / count, sum(zs) / count)
        off = (means[0] - gravity[0], means[1] - gravity[1], means[2] - gravity[2])
        if abs(off[0]) + abs(off[1]) + abs(off[2]) > CALM:
            return False
        left = _GRAVITY_LEFT[count]
        self._smooth = (off[0] * left, off[1] * left, off[2] * left)
        self._gravity = (
            means[0] - self._smooth[0],
            means[1] - self._smooth[1],
            means[2] - self._smooth[2],
        )
        self._level = 0.0
        self._window.extend(xyz)
        return True

    def _follow(
        self, first_us: int, xyz: tuple[Counts, ...], gravity: tuple[float, float, float]
    ) -> list[Motion]:
        motions: list[Motion] = []
        gravity_x, gravity_y, gravity_z = gravity
        smooth_x, smooth_y, smooth_z = self._smooth
        level = self._level
        gain = self._gain
        window = self._window
        shake = self._shake
        t_us = first_us - SAMPLE_PERIOD_US
        for sample in xyz:
            t_us += SAMPLE_PERIOD_US
            x, y, z = sample
            dynamic_x, dynamic_y, dynamic_z = x - gravity_x, y - gravity_y, z - gravity_z
            gravity_x += dynamic_x / GRAVITY_SAMPLES
            gravity_y += dynamic_y / GRAVITY_SAMPLES
            gravity_z += dynamic_z / GRAVITY_SAMPLES
            smooth_x += (dynamic_x - smooth_x) / SMOOTH_SAMPLES
            smooth_y += (dynamic_y - smooth_y) / SMOOTH_SAMPLES
            smooth_z += (dynamic_z - smooth_z) / SMOOTH_SAMPLES
            size = gain * sqrt(smooth_x * smooth_x + smooth_y * smooth_y + smooth_z * smooth_z)
            level += ((size if size < CAP else CAP) - level) / LEVEL_SAMPLES
            if size > MOVING:
                self._moved_us = t_us
            window.append(sample)
            if shake is None:
                if level < VIGOROUS_LEVEL:
                    continue
                shake = ShakeSwings(t_us)
                motions.append(Motion(ShakeStage.BEGAN, t_us, t_us, 0, False))
            shake.add(t_us, gain * smooth_x, gain * smooth_y, gain * smooth_z, size, level)
            ended = self._end(shake, t_us, level)
            if ended is not None:
                motions.append(ended)
                shake = None
        self._gravity = (gravity_x, gravity_y, gravity_z)
        self._smooth = (smooth_x, smooth_y, smooth_z)
        self._level = level
        self._shake = shake
        if shake is not None and shake.sure and not shake.spoilt:
            motions.append(shake.motion(ShakeStage.UNDER_WAY, t_us))
        return motions

    def _end(self, shake: ShakeSwings, t_us: int, level: float) -> Motion | None:
        """Judge a motion at rest, or one that never comes to rest; None while it goes on."""
        if level >= VIGOROUS_LEVEL:
            if t_us - shake.start_us <= LONGEST_SHAKE_US or shake.spoilt:
                return None
            shake.spoilt = True
            return None
        if _is_rest(self._window):
            stage = ShakeStage.THROWN if shake.is_throw() else ShakeStage.NOTHING
            whole = shake.until_vigorous
            self.last_mean = whole.capped / whole.samples / self._gain
        elif t_us - shake.vigorous_us > SETTLE_US:
            stage = ShakeStage.NOTHING
        else:
            return None
        return shake.motion(stage, t_us)


def _is_rest(window: deque[Counts]) -> bool:
    """Return whether the last 0.25 s were rest: full of samples near their mean, of about 1 g."""
    if len(window) < REST_SAMPLES:
        return False
    square_of_mean = square_of_deviation = 0.0
    for axis in zip(*window):
        mean = sum(axis) / REST_SAMPLES
        square_of_mean += mean * mean
        square_of_deviation += sum(map(mul, axis, axis)) / REST_SAMPLES - mean * mean
    return (
        square_of_deviation <= REST_DEVIATION * REST_DEVIATION
        and square_of_mean >= REST_GRAVITY * REST_GRAVITY
    )
