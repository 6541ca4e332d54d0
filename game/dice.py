"""Any number of dice: the check that they are dice, and the chances of their throws."""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

Dice = tuple[int, ...]
"""Dice as they lie, 1 to 6 each, in any order; two of them in a bluff game."""


FACES = (1, 2, 3, 4, 5, 6)
"""The values of a die, by definition."""

_ALL_FACES = frozenset(FACES)


def are_dice(dice: object, number: int) -> bool:
    """Return whether ``dice`` is a tuple of exactly ``number`` dice of 1 to 6."""
    return type(dice) is tuple and len(dice) == number and _ALL_FACES.issuperset(dice)


def high_to_low(dice: Dice) -> Dice:
    """Return dice sorted, the highest first."""
    return tuple(sorted(dice, reverse=True))


@cache
def throws(number: int) -> tuple[tuple[Dice, Fraction], ...]:
    """Return the throws of ``number`` dice, each sorted high to low, with its exact chance.

    The chances add up to 1. Two dice have 21 throws, six dice 462.
    """
    return tuple(
        (dice, Fraction(_orders(dice), len(FACES) ** number))
        for dice in combinations_with_replacement(reversed(FACES), number)
    )


def _orders(dice: Dice) -> int:
    """Return the number of orders in which the same dice can fall."""
    return factorial(len(dice)) // prod(factorial(dice.count(face)) for face in FACES)
