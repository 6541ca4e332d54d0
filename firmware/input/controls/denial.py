"""A tilt that says no to what stands on the display, once the handheld has lain level."""

from firmware.input.controls.dial import OFF_DEG, ON_DEG, Dial
from firmware.input.gestures.gesture import Pose


class Denial:
    """Follows the poses from the moment when there is something to say no to."""

    def __init__(self) -> None:
        self._levelled = False

    def by(self, dial: Dial, pose: Pose, *, touched: bool) -> bool:
        """Whether this pose, against the neutral one of ``dial``, says no."""
        angle_deg = dial.angle_deg(pose)
        if angle_deg is None or touched or not pose.still:
            return False
        self._levelled = self._levelled or abs(angle_deg) < OFF_DEG
        return self._levelled and abs(angle_deg) >= ON_DEG
