"""What becomes of a fault that the sensors notice (R-PHYS-7, R-HF-5)."""

from enum import Enum, auto

from firmware.input.controls.fault_prompt import FaultPrompt
from firmware.settings.table import Faults
from game import AnyMatch, illegality
from game.actions import Fault, FaultKind


class Verdict(Enum):
    """What a sensed fault leads to."""

    WARN = auto()
    """A word of advice: this game, or this table, does not count it."""
    COUNT = auto()
    """It counts at once."""
    ASK = auto()
    """Its player is asked."""


class SensedFaults:
    """The faults of one player.

    Args:
        me: his seat.
        policy: "ask" him, "strict" counts at once, "off" does neither. A forbidden look is no
            guess of the sensors: unless they are off, it counts at once.
    """

    def __init__(self, me: int, policy: Faults) -> None:
        self.prompt: FaultPrompt | None = None
        """What he is asked; None for nothing."""
        self._me = me
        self._policy = policy

    def sense(self, kind: FaultKind, match: AnyMatch, now_us: int) -> Verdict:
        """Decide about a fault that was noticed; opens the question where he is asked."""
        if self._policy == "off" or illegality(match, self.fault(kind)) is not None:
            return Verdict.WARN
        if self._policy == "strict" or kind is FaultKind.LOOK:
            return Verdict.COUNT
        self.prompt = FaultPrompt(kind, now_us)
        return Verdict.ASK

    def fault(self, kind: FaultKind) -> Fault:
        """The fault as the record has it."""
        return Fault(kind, self._me)

    def answer(self) -> FaultKind:
        """Close the question; return what it was about."""
        assert self.prompt is not None, "something was asked"
        kind, self.prompt = self.prompt.kind, None
        return kind

    def drop_if_idle(self, match: AnyMatch, *, holding: bool) -> bool:
        """Close a question about a cup that is no longer here, or a round that is over.

        Returns whether there was one.
        """
        if self.prompt is None:
            return False
        if holding and illegality(match, self.fault(self.prompt.kind)) is None:
            return False
        self.prompt = None
        return True
