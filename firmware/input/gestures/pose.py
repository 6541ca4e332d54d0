"""The pose of the handheld, from the mean of the last 0.1 s of acceleration.

At rest the mean is gravity alone, so its direction gives the two angles of tilt. Turning about the
vertical cannot be felt (Analog Devices AN-1057, tilt by three axes). Each angle is that between an
axis and the horizon, so both stay within ±90° however the handheld is held. In motion the mean is
gravity plus something else, and `Pose.still` is False.
"""

from math import atan2, degrees, sqrt

from firmware.input.gestures.gesture import Pose
from firmware.input.gestures.samples import AccelBatch, Counts
from firmware.input.gestures.swings import COUNTS_PER_G

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
            self._reported_us = batch.t_last_us - len(batch.xyz) * batch.period_us
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
