"""What a person does with the handheld, from what its sensors say.

The recognizer is pure: it opens nothing, waits for nothing and asks for no time. Every input
carries its own time, `Recognizer.feed` returns what it means, and the one thing that happens
without an input, a touch that becomes a hold, is announced by `Recognizer.next_timer_us`.

The three senses are told apart in `firmware.input.gestures`; what they mean together is decided
here:

- A shake throws only if the sensor was covered for the last 0.2 s before it began.
- From the start of a shake to 0.3 s after its rest a thumb may slip and hit the pad: light and
  touch are ignored. The cup must then be closed and lifted anew before a lift counts. That the cup
  was *closed* is reported even then, since dice may have to vanish.
- While a motion may still become a shake, a lift is held back. It is reported as soon as the motion
  turns out to be none.
- A finger that comes down in motion is a grip.
- A fall is no throw, however much it tumbles.
"""

from math import atan2, degrees, sqrt

from firmware.input.gestures.calibration import UNCALIBRATED, Calibration
from firmware.input.gestures.fall import FallDetector
from firmware.input.gestures.gesture import (
    Covered,
    Dropped,
    Gesture,
    Lifted,
    Pose,
    ShakeEnded,
    Shaken,
    Shaking,
)
from firmware.input.gestures.light import LightWatch
from firmware.input.gestures.samples import AccelBatch, Counts, Input, Light, Touch
from firmware.input.gestures.shake import ShakeDetector
from firmware.input.gestures.swings import COUNTS_PER_G, Motion, ShakeStage
from firmware.input.gestures.touch import TouchWatch

COVERED_BEFORE_US = 200_000
AFTER_SHAKE_US = 300_000
"""Light and touch are ignored this long after the rest of a shake."""
TOUCH_MOTION_US = 200_000
"""A touch begins in motion if there was any this shortly before. A batch comes up to 0.1 s late."""
GAP_US = 500_000
"""A longer gap between two batches is a new beginning."""
REPORT_US = 100_000
"""Distance of two reports of pose or of a shake's progress."""
POSE_SAMPLES = 10
STILL_DEVIATION = 0.1 * COUNTS_PER_G
"""Largest rms deviation of 0.1 s of acceleration at which the handheld counts as still."""
STILL_GRAVITY_OFF = 0.15 * COUNTS_PER_G
"""Largest deviation of its mean from 1 g for the same."""


class Recognizer:
    """Turns inputs into gestures. Times are µs on the handheld's clock and never run back."""

    def __init__(self, calibration: Calibration = UNCALIBRATED) -> None:
        self._offset = calibration.offset_counts
        self._shake = ShakeDetector(calibration.shake_gain)
        self._fall = FallDetector()
        self._light = LightWatch(calibration.dark_counts, calibration.open_counts)
        self._touch = TouchWatch()
        self._from_us: int | None = None
        self._forget_motion()

    def reset(self, now_us: int) -> None:
        """Begin anew, as after sleep; inputs taken before ``now_us`` are ignored from here on.

        A shake under way ends in nothing and is not reported. A finger on the pad comes to nothing
        either, but its going is still reported.
        """
        self._from_us = now_us
        self._light.reset()
        self._touch.void()
        self._forget_motion()

    def _forget_motion(self) -> None:
        self._shake.reset()
        self._fall.reset()
        self._last_us: int | None = None
        self._was_covered = False
        self._held_back_lift = False
        self._deaf_until_us: int | None = None
        self._posed_us: int | None = None
        self._progress_us: int | None = None
        self._recent: tuple[Counts, ...] = ()

    @property
    def covered(self) -> bool | None:
        """Whether the cup is closed; None until the light sensor has told."""
        return self._light.covered

    @property
    def lift_threshold_counts(self) -> float:
        """Light in counts that a lifted cup exceeds, as far as the levels are known."""
        return self._light.lift_threshold_counts

    @property
    def close_threshold_counts(self) -> float:
        """Light in counts that a closed cup stays below, as far as the levels are known."""
        return self._light.close_threshold_counts

    @property
    def lift_suspected(self) -> bool:
        """Whether the last fresh conversion was above the threshold and the next one decides."""
        return self._light.lift_suspected

    @property
    def next_timer_us(self) -> int | None:
        """Time in µs at which `tick` has something to report; None if it has not."""
        return self._touch.next_timer_us

    def tick(self, now_us: int) -> tuple[Gesture, ...]:
        """Report what has become due by ``now_us`` without any input."""
        return tuple(self._touch.tick(now_us))

    def feed(self, reading: Input, now_us: int) -> tuple[Gesture, ...]:
        """Take an input and tell what it means, in the order of its happening."""
        t_us = reading.t_last_us if isinstance(reading, AccelBatch) else reading.t_us
        if self._from_us is not None and t_us < self._from_us:
            return ()
        match reading:
            case Touch():
                return tuple(self._press(reading))
            case Light():
                return (*self._touch.tick(now_us), *self._see(reading))
            case AccelBatch():
                return (*self._touch.tick(now_us), *self._feel(self._levelled(reading)))

    # ---- light and touch -----------------------------------------------------------------------

    def _is_deaf(self, t_us: int) -> bool:
        """Whether a shake, or the moment after it, drowns light and touch."""
        return self._shake.sure or (self._deaf_until_us is not None and t_us < self._deaf_until_us)

    def _see(self, reading: Light) -> list[Gesture]:
        gestures: list[Gesture] = []
        for gesture in self._light.feed(reading):
            if isinstance(gesture, Covered):
                self._held_back_lift = False
            if isinstance(gesture, Lifted):
                if self._is_deaf(reading.t_us):
                    continue
                if self._shake.under_way:
                    self._held_back_lift = True
                    continue
            gestures.append(gesture)
        return gestures

    def _press(self, touch: Touch) -> list[Gesture]:
        gestures: list[Gesture] = []
        if not touch.down:
            gestures += self._touch.release(touch.t_us)
        elif not self._is_deaf(touch.t_us):
            moving = self._shake.moved_since(touch.t_us - TOUCH_MOTION_US)
            gestures += self._touch.press(touch.t_us, in_motion=moving)
        return gestures

    def _levelled(self, batch: AccelBatch) -> AccelBatch:
        """Take the sensor's offset off."""
        if not any(self._offset):
            return batch
        off_x, off_y, off_z = self._offset
        return batch._replace(
            xyz=tuple([(x - off_x, y - off_y, z - off_z) for x, y, z in batch.xyz])
        )

    # ---- motion --------------------------------------------------------------------------------

    def _feel(self, batch: AccelBatch) -> list[Gesture]:
        count = len(batch.xyz)
        if not count:
            return []
        gestures: list[Gesture] = []
        first_us = batch.t_last_us - (count - 1) * batch.period_us
        if batch.overrun or (self._last_us is not None and first_us - self._last_us > GAP_US):
            if self._shake.sure and self._was_covered:
                gestures.append(ShakeEnded(first_us, uncovered=False))
            if self._held_back_lift:
                gestures.append(Lifted(first_us))
            self._forget_motion()
        self._last_us = batch.t_last_us
        falling = self._fall.fell_us
        drops = self._fall.feed(first_us, batch.period_us, batch.xyz)
        motions = self._shake.feed(first_us, batch.period_us, batch.xyz)
        if self._fall.fell_us != falling or drops:
            self._shake.spoil()
        for motion in motions:
            gestures += self._move(motion)
        gestures += [Dropped(t_us) for t_us in drops]
        gestures += self._pose(batch)
        return gestures

    def _move(self, motion: Motion) -> list[Gesture]:
        match motion.stage:
            case ShakeStage.BEGAN:
                begins_us = motion.start_us
                self._was_covered = self._light.covered_throughout(
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
            gestures.append(Lifted(motion.t_us))
        self._held_back_lift = False
        return gestures

    def _pose(self, batch: AccelBatch) -> list[Gesture]:
        self._recent = (self._recent + batch.xyz)[-POSE_SAMPLES:]
        if self._posed_us is None:
            self._posed_us = batch.t_last_us - len(batch.xyz) * batch.period_us
        if batch.t_last_us - self._posed_us < REPORT_US:
            return []
        self._posed_us = batch.t_last_us
        axes = tuple(zip(*self._recent))
        count = len(self._recent)
        x, y, z = (sum(axis) / count for axis in axes)
        square_of_mean = x * x + y * y + z * z
        spread = sum(value * value for axis in axes for value in axis) / count - square_of_mean
        still = (
            spread <= STILL_DEVIATION * STILL_DEVIATION
            and abs(sqrt(square_of_mean) - COUNTS_PER_G) <= STILL_GRAVITY_OFF
        )
        roll_deg = round(degrees(atan2(-x, sqrt(y * y + z * z))), 2)
        pitch_deg = round(degrees(atan2(-y, sqrt(x * x + z * z))), 2)
        return [Pose(batch.t_last_us, roll_deg, pitch_deg, still)]
