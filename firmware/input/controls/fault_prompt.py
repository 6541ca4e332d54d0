"""The question about a fault that the sensors noticed: holding counts it, tilting denies it."""

from firmware.input.controls.denial import Denial
from firmware.input.controls.dial import Dial
from firmware.input.gestures.gesture import Pose
from game.actions import FaultKind


class FaultPrompt:
    """A question that stands on the display of the player it is about.

    Args:
        kind: the fault that was sensed.
        now_us: when it was asked.
    """

    def __init__(self, kind: FaultKind, now_us: int) -> None:
        self.kind = kind
        self._denial = Denial()
        self._dial = Dial((), (), now_us)
        self._dial.follows = False

    def denied_by(self, pose: Pose, touched: bool) -> bool:
        """Follow a pose; return True if it is a tilt that denies the fault."""
        self._dial.tilt(pose, touched)
        return self._denial.by(self._dial, pose, touched=touched)
