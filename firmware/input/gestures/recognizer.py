"""From samples of all sensors to gestures.

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
"""

from firmware.input.gestures.calibration import UNCALIBRATED, Calibration
from firmware.input.gestures.fall import FallDetector
from firmware.input.gestures.gesture import (
    Covered,
    Dropped,
    Gesture,
    Lifted,
    ShakeEnded,
    Shaken,
    Shaking,
)
from firmware.input.gestures.light import LightWatch
from firmware.input.gestures.pose import REPORT_US, PoseWatch
from firmware.input.gestures.samples import AccelBatch, Input, Light, Touch
from firmware.input.gestures.shake import ShakeDetector
from firmware.input.gestures.swings import Motion, ShakeStage
from firmware.input.gestures.touch import TouchWatch

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
            if isinstance(gesture, Lifted):
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
        count = len(batch.xyz)
        if not count:
            return []
        gestures: list[Gesture] = []
        first_us = batch.t_last_us - (count - 1) * batch.period_us
        if batch.overrun or (self._last_us is not None and first_us - self._last_us > GAP_US):
            if self.shake.sure and self._was_covered:
                gestures.append(ShakeEnded(first_us, uncovered=False))
            if self._held_back_lift:
                gestures.append(Lifted(first_us))
            self._forget_motion()
        self._last_us = batch.t_last_us
        falling = self._fall.fell_us
        drops = self._fall.feed(first_us, batch.period_us, batch.xyz)
        motions = self.shake.feed(first_us, batch.period_us, batch.xyz)
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
            gestures.append(Lifted(motion.t_us))
        self._held_back_lift = False
        return gestures
