"""The effect of a fault that the sensors notice (R-PHYS-7, R-HF-5)."""

from enum import Enum, auto

from firmware.input.controls.fault_prompt import FaultPrompt
from firmware.settings.table import Faults
from game import AnyMatch, illegality
from game.actions import Fault, FaultKind


class FaultVerdict(Enum):
    """The effect of a sensed fault."""

    WARN = auto()
    """Only advice: this game or table does not count it, or it is not legal now."""
    COUNT = auto()
    """The fault is entered without a question."""
    ASK = auto()
    """The player is asked (``SensedFaults.prompt``)."""


class SensedFaults:
    """The faults of one player.

    Args:
        me: the player's seat.
        policy: "ask" the player, "strict" counts at once, "off" does neither. A forbidden look is
            no guess of the sensors: unless they are off, it counts at once.
    """

    def __init__(self, me: int, policy: Faults) -> None:
        self.prompt: FaultPrompt | None = None
        """The open question; None for none."""
        self._me = me
        self._policy = policy

    def sense(self, kind: FaultKind, match: AnyMatch, now_us: int) -> FaultVerdict:
        """Decide the effect of a sensed fault; ASK also opens ``prompt``."""
        if self._policy == "off" or illegality(match, self.fault(kind)) is not None:
            return FaultVerdict.WARN
        if self._policy == "strict" or kind is FaultKind.LOOK:
            return FaultVerdict.COUNT
        self.prompt = FaultPrompt(kind, now_us)
        return FaultVerdict.ASK

    def fault(self, kind: FaultKind) -> Fault:
        """Return the action of the rules for a fault of this player."""
        return Fault(kind, self._me)

    def answer(self) -> FaultKind:
        """Close the question, which must be open; return the fault it was about."""
        assert self.prompt is not None, "something was asked"
        kind, self.prompt = self.prompt.kind, None
        return kind

    def drop_if_idle(self, match: AnyMatch, *, holding: bool) -> bool:
        """Close the question when the cup has gone (not ``holding``) or the fault is not legal now.

        Returns True if a question was open and is closed now.
        """
        if self.prompt is None:
            return False
        if holding and illegality(match, self.fault(self.prompt.kind)) is None:
            return False
        self.prompt = None
        return True
