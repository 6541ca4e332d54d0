"""The verdict about a doubt or a throw."""

from dataclasses import dataclass
from enum import Enum

from firmware.display.screens.tally import Tally


class Judgement(Enum):
    """The reason for a payment."""

    LIE = "lie"
    """The announcer had announced more than the dice show, and pays (B-4)."""
    TRUE = "true"
    """The dice bear the announcement out: the doubter pays (B-4)."""
    SHOWN = "shown"
    """A Mäxchen was shown: the next player pays (R-CLASS-6)."""
    GAVE_IN = "gave in"
    """The receiver gave in to an announced Mäxchen (R-CLASS-7)."""
    OWNED_UP = "owned up"
    """The holder admitted that the dice do not beat the announcement (R-CLASS-10)."""
    INADMISSIBLE = "inadmissible"
    """The announcement was not admissible (R-HF-5)."""
    WRONG_WAY = "wrong way"
    """The cup was passed in the wrong direction (R-HF-5)."""
    DROPPED = "dropped"
    """The dice were dropped (R-PHYS-7, R-HF-5)."""
    MOVED = "moved"
    """The dice were moved while the cup was passed (R-PHYS-7, R-HF-5)."""
    LOOKED = "looked"
    """A look that the rules forbid (R-PHYS-7, R-HF-5)."""
    MISTAKEN = "mistaken"
    """Another mistake, as the table agreed (R-PHYS-7, R-HF-5)."""
    TOWER_SHOWN = "tower shown"
    """A tower was shown: nobody pays, its roller rolls again (R-HF-8)."""
    TOWER_SPARED = "tower spared"
    """A lie, but a tower: nobody pays, the announcer rolls again (R-HF-8)."""
    VOIDED = "voided"
    """The table voided the round: nobody pays (B-10)."""
    LEFT = "left"
    """The player has left, and the round is void (B-10)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The payer, the reason, and the payer's tally after it.

    ``cost`` counts in ``after.unit``, 0 if nobody pays. ``after.status`` says whether the payer
    swims or is out now. ``also`` is a second player who pays the same (R-HF-5), None for nobody.
    ``of_reader``: the payer is the player of this panel.
    """

    judgement: Judgement
    payer: str
    cost: int
    after: Tally
    also: str | None = None
    of_reader: bool = False
