"""A tilt that says no, once the handheld has lain level."""

from firmware.input.controls.dial import OFF_DEG, ON_DEG, Dial
from firmware.input.gestures.gesture import Pose


class Denial:
    """Follows the poses since a question or an announcement was put on the display."""

    def __init__(self) -> None:
        self._levelled = False

    def by(self, dial: Dial, pose: Pose, *, touched: bool) -> bool:
        """Return whether a still pose is `ON_DEG` off the neutral one, after one within `OFF_DEG`.

        False while ``touched``, and while the neutral pose is not known.
        """
        angle_deg = dial.angle_deg(pose)
        if angle_deg is None or touched or not pose.still:
            return False
        self._levelled = self._levelled or abs(angle_deg) < OFF_DEG
        return self._levelled and abs(angle_deg) >= ON_DEG
