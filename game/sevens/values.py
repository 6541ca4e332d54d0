"""Scores of ``sevens``: the sum of a throw once all sevens are taken away; low is good.

With six dice a seven is a pair, 6-1, 5-2 or 4-3 (S-1). With seven dice any number of them may form
one, and the grouping that takes away most counts (S-3).
"""

from functools import cache

from game.dice import FACES, Dice, are_dice, high_to_low

SEVEN = 7


@cache
def pairs_score(dice: Dice) -> int:
    """Return the score of a throw, sorted high to low, whose sevens are pairs (S-1).

    For each pair of faces that add up to seven, only the surplus counts.
    """
    return sum(face * max(0, dice.count(face) - dice.count(SEVEN - face)) for face in FACES)


@cache
def groups_score(dice: Dice) -> int:
    """Return the score of a throw in which any number of dice may form a seven (S-3).

    ``dice`` are sorted high to low: the first one stays, or goes with one of its groups.
    """
    if not dice:
        return 0
    first, others = dice[0], dice[1:]
    remainders = _remainders(others, SEVEN - first)
    return min((first + groups_score(others), *map(groups_score, remainders)))


@cache
def _remainders(dice: Dice, total: int) -> tuple[Dice, ...]:
    """Return the possible rests when some of the dice that add up to ``total`` are taken away."""
    if total == 0:
        return (dice,)
    return tuple(
        dice[:place] + rest  # earlier dice stay, so that no group is found twice
        for place, die in enumerate(dice)
        if die <= total
        for rest in _remainders(dice[place + 1 :], total - die)
    )


def score(dice: Dice, seven_dice: bool = False) -> int:
    """Return the score of a throw (S-1, S-3). Raises ValueError if it is not six dice, or seven."""
    number = 7 if seven_dice else 6
    if not are_dice(dice, number):
        raise ValueError(f"{number} dice of 1 to 6 are needed, not {dice!r}")
    return (groups_score if seven_dice else pairs_score)(high_to_low(dice))
