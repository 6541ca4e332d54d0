"""From samples of all sensors to gestures: poses, falls and touches here.

At rest the mean is gravity alone, so its direction gives the two angles of tilt. Turning about the
vertical cannot be felt (Analog Devices AN-1057, tilt by three axes). Each angle is that between an
axis and the horizon, so both stay within ±90° however the handheld is held. In motion the mean is
gravity plus something else, and `Pose.still` is False.

A touch of 5 s is a hand that holds the case. It needs no time-out of its own: after the hold,
nothing follows but the release.

The recognizer is pure: it opens nothing, waits for nothing and reads no clock. Every input carries
its own time, and `Recognizer.feed` returns its gestures. One thing happens without an input: a
touch becomes a hold. `Recognizer.next_timer_us` announces it.

Other modules of `firmware.input.gestures` tell the three senses apart. This one decides what they
mean together:

- A shake throws only if the sensor was covered for the last 0.2 s before it began.
- From the start of a shake to 0.3 s after its rest a thumb may slip and hit the pad: light and
  touch are ignored. The cup must then be closed and lifted anew before a lift counts. That the cup
  was *closed* is reported even then, since dice may have to vanish.
- While a motion may still become a shake, a lift is held back. It is reported as soon as the motion
  turns out to be none.
- A finger that comes down in motion is a grip.
- A fall is no throw, however much it tumbles.

Numbers without a source are chosen.
"""

from math import atan2, degrees, sqrt

from firmware.input.gestures import (
    HOLD_US,
    SAMPLE_PERIOD_US,
    UNCALIBRATED,
    AccelBatch,
    Calibration,
    Counts,
    Covered,
    Dropped,
    Gesture,
    Held,
    Input,
    Light,
    Pose,
    Pressed,
    Released,
    ShakeEnded,
    Shaken,
    Shaking,
    Tap,
    Touch,
    Uncovered,
)
from firmware.input.gestures.light import LightWatch
from firmware.input.gestures.shake import COUNTS_PER_G, Motion, ShakeDetector, ShakeStage

FALL_US = 180_000
"""Shortest free fall that is a drop (0.16 m)."""
FALL_LIMIT = 0.35 * COUNTS_PER_G
"""Magnitude below which the handheld falls. It finds 98 of 271 recorded drops, few of them whole
(103 at 0.45 g), and takes no shake for a fall. At 0.45 g slow shakes begin to look like falls."""
IMPACT = 3 * COUNTS_PER_G
"""Magnitude above which a sample is an impact."""
IMPACT_WITHIN_US = 500_000
"""Longest time from the end of the fall to the impact."""
BOUNCES_US = 1_000_000
"""Impacts that follow a drop within this time are its bounces."""

_FALL_SQUARE = FALL_LIMIT * FALL_LIMIT
_IMPACT_SQUARE = IMPACT * IMPACT


class FallDetector:
    """Follows the magnitude of the acceleration.

    ``fell_us`` is the time in µs at which a fall was last long enough, None before any.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self.fell_us: int | None = None
        self._since_us: int | None = None
        self._dropped_us: int | None = None

    def feed(self, first_us: int, xyz: tuple[Counts, ...]) -> list[int]:
        """Add samples; return the times in µs of the impacts that end drops.

        Args:
            first_us: when the first sample was taken.
            xyz: at least one sample, in counts of 1/256 g.
        """
        squares = [x * x + y * y + z * z for x, y, z in xyz]
        if self._since_us is None and min(squares) >= _FALL_SQUARE and not self._awaits(first_us):
            return []
        drops: list[int] = []
        t_us = first_us - SAMPLE_PERIOD_US
        for square in squares:
            t_us += SAMPLE_PERIOD_US
            if square < _FALL_SQUARE:
                if self._since_us is None:
                    self._since_us = t_us
                if t_us - self._since_us + SAMPLE_PERIOD_US >= FALL_US:
                    self.fell_us = t_us
                continue
            self._since_us = None
            if square > _IMPACT_SQUARE and self._awaits(t_us):
                self.fell_us = None
                if self._dropped_us is None or t_us - self._dropped_us > BOUNCES_US:
                    drops.append(t_us)
                self._dropped_us = t_us
        return drops

    def _awaits(self, t_us: int) -> bool:
        return self.fell_us is not None and t_us - self.fell_us <= IMPACT_WITHIN_US


REPORT_US = 100_000
"""Time between two reports of pose, or of a shake's progress: one for each batch of 10 samples."""
POSE_SAMPLES = 10
STILL_DEVIATION = 0.1 * COUNTS_PER_G
"""Largest rms deviation of 0.1 s of acceleration at which the handheld counts as still: a hand at
rest has about 0.05 g (`firmware.input.gestures.shake`)."""
STILL_GRAVITY_OFF = 0.15 * COUNTS_PER_G
"""Largest deviation of its mean from 1 g for the same. An uncalibrated offset counts here,
too (0.25 g at worst, ADXL345 Rev. G, table 1)."""


class PoseWatch:
    """Follows the acceleration and reports poses."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything: the next report comes `REPORT_US` after the next sample."""
        self._reported_us: int | None = None
        self._recent: tuple[Counts, ...] = ()

    def add(self, batch: AccelBatch) -> list[Pose]:
        """Add a batch of at least one sample; return the pose that is due, if one is."""
        self._recent = (self._recent + batch.xyz)[-POSE_SAMPLES:]
        if self._reported_us is None:
            self._reported_us = batch.first_us - SAMPLE_PERIOD_US
        if batch.t_last_us - self._reported_us < REPORT_US:
            return []
        self._reported_us = batch.t_last_us
        return [_pose_of(self._recent, batch.t_last_us)]


def _pose_of(samples: tuple[Counts, ...], t_us: int) -> Pose:
    axes = tuple(zip(*samples))
    count = len(samples)
    x, y, z = (sum(axis) / count for axis in axes)
    square_of_mean = x * x + y * y + z * z
    spread = sum(value * value for axis in axes for value in axis) / count - square_of_mean
    still = (
        spread <= STILL_DEVIATION * STILL_DEVIATION
        and abs(sqrt(square_of_mean) - COUNTS_PER_G) <= STILL_GRAVITY_OFF
    )
    roll_deg = round(degrees(atan2(-x, sqrt(y * y + z * z))), 2)
    pitch_deg = round(degrees(atan2(-y, sqrt(x * x + z * z))), 2)
    return Pose(t_us, roll_deg, pitch_deg, still)


TAP_US = 500_000
"""A tap is shorter. Between this length and that of a hold a touch is neither, so that no slow tap
does what a hold does."""

TouchGesture = Pressed | Tap | Held | Released


class TouchWatch:
    """Follows one touch pad, debounced. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget a touch that has begun; its end will be ignored."""
        self._down_us: int | None = None
        self._hold_due_us: int | None = None
        self._void = False

    @property
    def next_timer_us(self) -> int | None:
        """Time in µs at which the touch becomes a hold; None if none is on its way there."""
        return self._hold_due_us

    def void(self) -> None:
        """Make the touch under way a grip: neither tap nor hold, whatever its length."""
        self._void = True
        self._hold_due_us = None

    def press(self, t_us: int, in_motion: bool) -> list[TouchGesture]:
        """Handle a finger that comes down: a ``Pressed``, or nothing for a grip (``in_motion``)."""
        if self._down_us is not None:
            return []
        self._down_us = t_us
        self._void = in_motion
        if in_motion:
            return []
        self._hold_due_us = t_us + HOLD_US
        return [Pressed(t_us)]

    def release(self, t_us: int) -> list[TouchGesture]:
        """Handle a finger that leaves: return a due ``Held``, then a ``Tap`` or ``Released``."""
        if self._down_us is None:
            return []
        gestures = self.tick(t_us)
        is_tap = t_us - self._down_us < TAP_US and not self._void
        self.reset()
        gestures.append(Tap(t_us) if is_tap else Released(t_us))
        return gestures

    def tick(self, now_us: int) -> list[TouchGesture]:
        """Return the ``Held`` that is due, if one is."""
        if self._hold_due_us is None or now_us < self._hold_due_us:
            return []
        due_us = self._hold_due_us
        self._hold_due_us = None
        return [Held(due_us)]


COVERED_BEFORE_US = 200_000
"""A shake throws only if the sensor was covered this long before it. That is longer than a closing
takes to be told (`firmware.input.gestures.light`), so that the cup was closed first and then
shaken."""
AFTER_SHAKE_US = 300_000
"""Light and touch are ignored this long after the rest of a shake: a slipped thumb finds its place.
The value is a decision, not a measurement."""
TOUCH_MOTION_US = 200_000
"""A touch begins in motion if there was any this shortly before. A batch comes up to 0.1 s late."""
GAP_US = 500_000
"""A longer gap between two batches is a new beginning: it may hide a whole rest (0.25 s)."""


class Recognizer:
    """Turns inputs into gestures. Times are µs on the handheld's clock and never run back.

    ``calibration``: of this handheld; `UNCALIBRATED` suits most. ``light`` and ``shake`` are the
    detectors of these, to read their levels.
    """

    def __init__(self, calibration: Calibration = UNCALIBRATED) -> None:
        self._offset = calibration.offset_counts
        self.shake = ShakeDetector(calibration.shake_gain)
        self._fall = FallDetector()
        self.light = LightWatch(calibration.dark_counts, calibration.open_counts)
        self._touch = TouchWatch()
        self._pose = PoseWatch()
        self._from_us: int | None = None
        self._forget_motion()

    def reset(self, now_us: int) -> None:
        """Begin anew, as after sleep; inputs taken before ``now_us`` are ignored from here on.

        A shake under way ends without a report. A finger on the pad is no tap and no hold any more,
        but its release is still reported.
        """
        self._from_us = now_us
        self.light.reset()
        self._touch.void()
        self._forget_motion()

    def _forget_motion(self) -> None:
        self.shake.reset()
        self._fall.reset()
        self._pose.reset()
        self._last_us: int | None = None
        self._was_covered = False
        self._held_back_lift = False
        self._deaf_until_us: int | None = None
        self._progress_us: int | None = None

    @property
    def next_timer_us(self) -> int | None:
        """Time in µs at which `tick` has something to report; None if it has not."""
        return self._touch.next_timer_us

    def tick(self, now_us: int) -> tuple[Gesture, ...]:
        """Return what has become due by ``now_us`` without any input: a hold."""
        return tuple(self._touch.tick(now_us))

    def feed(self, reading: Input, now_us: int) -> tuple[Gesture, ...]:
        """Add an input; return its gestures, in order.

        Args:
            reading: of any time up to ``now_us``; one from before the last `reset` means nothing.
            now_us: the time, never smaller than in the call before.
        """
        t_us = reading.t_last_us if isinstance(reading, AccelBatch) else reading.t_us
        if self._from_us is not None and t_us < self._from_us:
            return ()
        match reading:
            case Touch():
                return tuple(self._add_touch(reading))
            case Light():
                return (*self._touch.tick(now_us), *self._add_light(reading))
            case AccelBatch():
                return (*self._touch.tick(now_us), *self._add_motion(self._levelled(reading)))

    # ---- light and touch -----------------------------------------------------------------------

    def _is_deaf(self, t_us: int) -> bool:
        """Return whether light and touch are ignored: from a shake's start to its rest's end."""
        return self.shake.sure or (self._deaf_until_us is not None and t_us < self._deaf_until_us)

    def _add_light(self, reading: Light) -> list[Gesture]:
        gestures: list[Gesture] = []
        for gesture in self.light.feed(reading):
            if isinstance(gesture, Covered):
                self._held_back_lift = False
            if isinstance(gesture, Uncovered):
                if self._is_deaf(reading.t_us):
                    continue  # the thumb slipped: the cup must be closed anew first
                if self.shake.under_way:
                    self._held_back_lift = True
                    continue
            gestures.append(gesture)
        return gestures

    def _add_touch(self, touch: Touch) -> list[Gesture]:
        gestures: list[Gesture] = []
        if not touch.down:
            gestures += self._touch.release(touch.t_us)
        elif not self._is_deaf(touch.t_us):
            moving = self.shake.moved_since(touch.t_us - TOUCH_MOTION_US)
            gestures += self._touch.press(touch.t_us, in_motion=moving)
        return gestures

    def _levelled(self, batch: AccelBatch) -> AccelBatch:
        """Subtract the sensor's offset."""
        if not any(self._offset):
            return batch
        off_x, off_y, off_z = self._offset
        return batch._replace(
            xyz=tuple([(x - off_x, y - off_y, z - off_z) for x, y, z in batch.xyz])
        )

    # ---- motion --------------------------------------------------------------------------------

    def _add_motion(self, batch: AccelBatch) -> list[Gesture]:
        if not batch.xyz:
            return []
        gestures: list[Gesture] = []
        first_us = batch.first_us
        if batch.overrun or (self._last_us is not None and first_us - self._last_us > GAP_US):
            if self.shake.sure and self._was_covered:
                gestures.append(ShakeEnded(first_us, uncovered=False))
            if self._held_back_lift:
                gestures.append(Uncovered(first_us))
            self._forget_motion()
        self._last_us = batch.t_last_us
        falling = self._fall.fell_us
        drops = self._fall.feed(first_us, batch.xyz)
        motions = self.shake.feed(first_us, batch.xyz)
        if self._fall.fell_us != falling or drops:
            self.shake.spoil()  # a fall is no throw
        for motion in motions:
            gestures += self._add_stage(motion)
        gestures += [Dropped(t_us) for t_us in drops]
        gestures += self._pose.add(batch)
        return gestures

    def _add_stage(self, motion: Motion) -> list[Gesture]:
        match motion.stage:
            case ShakeStage.BEGAN:
                begins_us = motion.start_us
                self._was_covered = self.light.covered_throughout(
                    begins_us - COVERED_BEFORE_US, begins_us
                )
                self._progress_us = None
                return []
            case ShakeStage.UNDER_WAY:
                self._touch.void()
                self._held_back_lift = False
                return self._progress(motion)
            case ShakeStage.THROWN:
                self._deaf_until_us = motion.t_us + AFTER_SHAKE_US
                self._held_back_lift = False
                if self._was_covered:
                    return [Shaken(motion.t_us, motion.vigorous_us)]
                return [ShakeEnded(motion.t_us, uncovered=True)]
            case ShakeStage.NOTHING:
                return self._come_to_nothing(motion)

    def _progress(self, motion: Motion) -> list[Gesture]:
        soon = self._progress_us is not None and motion.t_us < self._progress_us + REPORT_US
        if soon or not self._was_covered:
            return []
        self._progress_us = motion.t_us
        return [Shaking(motion.t_us, motion.vigorous_us)]

    def _come_to_nothing(self, motion: Motion) -> list[Gesture]:
        gestures: list[Gesture] = []
        if motion.sure:
            self._deaf_until_us = motion.t_us + AFTER_SHAKE_US
            if self._was_covered:
                gestures.append(ShakeEnded(motion.t_us, uncovered=False))
        elif self._held_back_lift:
            gestures.append(Uncovered(motion.t_us))
        self._held_back_lift = False
        return gestures
