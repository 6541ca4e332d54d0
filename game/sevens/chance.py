"""Chance in ``sevens``: what the next throw can show."""

from fractions import Fraction
from functools import cache

from game.actions import Roll
from game.dice import throws
from game.sevens.state import SevensMatch


def rolls(match: SevensMatch) -> tuple[tuple[Roll, Fraction], ...]:
    """Return what the next throw can show, each with its exact chance; they add up to 1.

    Dice are sorted high to low, so that what differs in order alone comes once.
    """
    return _rolls(match.rules.dice)


@cache
def _rolls(number: int) -> tuple[tuple[Roll, Fraction], ...]:
    return tuple((Roll(dice), chance) for dice, chance in throws(number))
