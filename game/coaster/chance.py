"""Chance in a coaster game: the possible throws, and the dice that an action lays open."""

from fractions import Fraction

from game.actions import Lift, Roll, SeatAction
from game.coaster.legality import hand_to_lift
from game.coaster.state import CoasterMatch, covers_next
from game.open_dice import open_rolls


def rolls(match: CoasterMatch) -> tuple[tuple[Roll, Fraction], ...]:
    """Return the possible next throws, each with its exact chance; the chances add up to 1.

    Dice are sorted high to low, so throws that differ in order alone are one. Nobody sees a covered
    throw: its one outcome is ``Roll(None)``, until it is lifted.
    """
    return ((Roll(), Fraction(1)),) if covers_next(match) else open_rolls(match.in_play)


def laid_open(match: CoasterMatch, action: SeatAction) -> SeatAction:
    """Return an action that lays dice open with the dice this copy knows; any other as it is."""
    if type(action) is Lift and action.dice is None:
        return Lift(hand_to_lift(match)[1])
    return action
