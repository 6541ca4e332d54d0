"""The question about a fault that the sensors noticed: holding counts it, tilting denies it."""

from firmware.input.controls.dial import OFF_DEG, ON_DEG, Dial
from firmware.input.gestures.gesture import Pose
from game.actions import FaultKind


class FaultPrompt:
    """A question that stands on the display of the player it is about.

    Args:
        kind: what he seems to have done.
        now_us: when it was asked.
    """

    def __init__(self, kind: FaultKind, now_us: int) -> None:
        self.kind = kind
        self.levelled = False
        """Whether the handheld has lain level since: only then does a tilt deny it."""
        self._dial = Dial((), (), now_us)
        self._dial.follows = False

    def denied_by(self, pose: Pose, touched: bool) -> bool:
        """Take a pose into account. Returns whether it is a tilt that says no."""
        self._dial.tilt(pose, touched)
        angle_deg = self._dial.angle_deg(pose)
        if angle_deg is None or touched or not pose.still:
            return False
        if abs(angle_deg) < OFF_DEG:
            self.levelled = True
        return self.levelled and abs(angle_deg) >= ON_DEG
