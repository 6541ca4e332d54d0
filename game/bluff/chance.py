"""Chance in a bluff game: the possible rolls, and the dice that an action lays open."""

from fractions import Fraction
from functools import cache

from game.actions import Lift, Roll, SeatAction, ShowTower
from game.bluff.state import Match
from game.dice import Dice, throws


def rolls(match: Match) -> tuple[tuple[Roll, Fraction], ...]:
    """Return the possible next rolls, each with its exact chance; the chances add up to 1.

    Dice are sorted, the higher first: 21 outcomes (V-4). In a game with towers, 21 more outcomes
    follow: the same dice as towers (R-HF-8).
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
    """Return a lift. It is cached: building one costs more."""
    return Lift(dice, tower)


def laid_open(match: Match, action: SeatAction) -> SeatAction:
    """Return an action that lays dice open with the dice this copy knows; any other as it is."""
    if type(action) is Lift and action.dice is None:
        return _lift(match.dice, match.tower)
    if type(action) is ShowTower and action.dice is None:
        return ShowTower(match.dice)
    return action
