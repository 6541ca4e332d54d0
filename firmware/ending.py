"""How a round ended: what a step's events say about who pays and why."""

from typing import NamedTuple

from firmware.screens import Judgement
from game import Status, Step
from game.events import GaveIn, MaexchenShown, OwnedUp, Penalised, Revealed
from game.values import MAEXCHEN, Dice

SHOWN_DICE: Dice = (MAEXCHEN // 10, MAEXCHEN % 10)


class Ending(NamedTuple):
    """The end of a round, by seats.

    Attributes:
        judgement: why somebody pays.
        payer: who pays, ``cost`` of them.
        stands: the matches he has left, or his drinks so far; ``status`` how he stands now.
        dice: what lay under the cup for all to see; None if nothing was lifted.
        announced, announcer, lifter: the doubted announcement and who lifted; else None.
    """

    judgement: Judgement
    payer: int
    cost: int
    stands: int
    status: Status
    dice: Dice | None = None
    announced: int | None = None
    announcer: int | None = None
    lifter: int | None = None


def ending_of(step: Step) -> Ending | None:
    """How the round ended in this step, or None if it did not end with a penalty."""
    penalty = next((event for event in step.events if isinstance(event, Penalised)), None)
    if penalty is None:
        return None
    seat, cost, left = penalty.seat, penalty.cost, penalty.left
    stands = step.match.tally[seat] if left is None else left
    status = step.match.status[seat]
    for event in step.events:
        match event:
            case Revealed(lifter, dice, announced, announcer, lied):
                why = Judgement.LIE if lied else Judgement.TRUE
                return Ending(why, seat, cost, stands, status, dice, announced, announcer, lifter)
            case MaexchenShown(shower):
                return Ending(
                    Judgement.SHOWN, seat, cost, stands, status, SHOWN_DICE, lifter=shower
                )
            case GaveIn():
                return Ending(Judgement.GAVE_IN, seat, cost, stands, status)
            case OwnedUp():
                return Ending(Judgement.OWNED_UP, seat, cost, stands, status)
            case _:
                pass
    raise AssertionError(f"a penalty without a reason: {step.events}")
