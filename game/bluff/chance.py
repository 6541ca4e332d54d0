"""Chance in a bluff game: what the next roll can be, and the dice an action lays open."""

from fractions import Fraction
from functools import cache

from game.actions import Lift, Roll, SeatAction, ShowTower
from game.bluff.state import Match
from game.dice import Dice, throws


def rolls(match: Match) -> tuple[tuple[Roll, Fraction], ...]:
    """Return what the next roll can be, each with its exact chance; they add up to 1.

    Dice come sorted, the higher first: 21 outcomes (V-4). Where the game knows towers each of them
    comes again as one, after the 21 that are none (R-HF-8).
    """
    return _rolls(match.rules.tower_one_in)


@cache
def _rolls(tower_one_in: int) -> tuple[tuple[Roll, Fraction], ...]:
    if not tower_one_in:
        return tuple((Roll(dice), chance) for dice, chance in throws(2))
    tower = Fraction(1, tower_one_in)
    flat = tuple((Roll(dice), chance * (1 - tower)) for dice, chance in throws(2))
    return flat + tuple((Roll(dice, tower=True), chance * tower) for dice, chance in throws(2))


@cache
def _lift(dice: Dice | None, tower: bool) -> Lift:
    """Return a lift; finding it again costs less than building one."""
    return Lift(dice, tower)


def laid_open(match: Match, action: SeatAction) -> SeatAction:
    """Return an action that lays dice open with those this copy knows, any other as it is."""
    if type(action) is Lift and action.dice is None:
        return _lift(match.dice, match.tower)
    if type(action) is ShowTower and action.dice is None:
        return ShowTower(match.dice)
    return action
