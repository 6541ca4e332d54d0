"""Chance in a coaster game: what the next throw can show, and the dice an action lays open."""

from fractions import Fraction

from game.actions import Lift, Roll, SeatAction
from game.coaster.legality import hand_to_lift
from game.coaster.state import CoasterMatch, covers_next
from game.open_dice import open_rolls


def rolls(match: CoasterMatch) -> tuple[tuple[Roll, Fraction], ...]:
    """Return what the next throw can show, each with its exact chance; they add up to 1.

    Dice are sorted high to low, so that what differs in order alone comes once. A covered throw is
    seen by nobody: it shows nothing, for certain, until it is lifted.
    """
    return ((Roll(), Fraction(1)),) if covers_next(match) else open_rolls(match.in_play)


def laid_open(match: CoasterMatch, action: SeatAction) -> SeatAction:
    """Return an action that lays dice open with those this copy knows, any other as it is."""
    if type(action) is Lift and action.dice is None:
        return Lift(hand_to_lift(match)[1])
    return action
