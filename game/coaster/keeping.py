"""The dice that may be set aside and turned between two throws: one check, and a list.

Every function here is about dice alone. ``aside`` are the dice that the player has set aside
before, ``dice`` those of the last throw. ``bonus`` says that it was the third: then only turned
sixes bring another throw (T-4).
"""

from functools import cache
from itertools import combinations_with_replacement

from game.actions import Keep
from game.coaster.customs import CUSTOMS
from game.coaster.values import CUP
from game.dice import FACES, Dice, high_to_low
from game.reasons import Reason

_SIX = 6
_TURNED = {2: 1, 3: 2}
"""By the number of sixes in one throw: how many of them may be turned (T-3)."""

KEEPS = tuple(
    Keep(high_to_low(aside), turned)
    for turned in range(CUP)
    for number in range(CUP)
    for aside in combinations_with_replacement(FACES, number)
)
"""Every ``Keep`` that three dice could ever allow."""


@cache
def refusal(
    game: str, aside: Dice, dice: Dice, bonus: bool, kept: Dice, turned: int
) -> Reason | None:
    """Return why ``Keep(kept, turned)`` is not possible with these dice, None if it is (T-2, T-3).

    ``aside`` and ``dice`` are the dice set aside before and the last throw, high to low. ``bonus``
    says that it was the third throw: then only a turn of sixes brings another one (T-4).
    """
    left = list(dice)
    if turned != 0:
        if _TURNED.get(dice.count(_SIX)) != turned:
            return Reason.NO_TURN
        if _SIX in kept:
            return Reason.OTHER_SIX
        left = [die for die in dice if die != _SIX] + [_SIX]
    elif bonus:
        return Reason.NO_BONUS
    elif not kept:
        return Reason.NOTHING_ASIDE
    if kept != high_to_low(kept):
        return Reason.NOT_THESE_DICE
    for die in kept:
        if die not in left:
            return Reason.NOT_THESE_DICE
        left.remove(die)
    if not left:
        return Reason.ALL_ASIDE
    if bonus and CUSTOMS[game].bonus_with_ones and any(die != 1 for die in aside + kept):
        return Reason.ONLY_ONES
    return None


@cache
def keeps(game: str, aside: Dice, dice: Dice, bonus: bool) -> tuple[Keep, ...]:
    """Return every Keep that ``refusal`` allows with these dice, each once; often none."""
    return tuple(
        keep
        for keep in _of_faces(frozenset(dice))
        if refusal(game, aside, dice, bonus, keep.aside, keep.turned) is None
    )


@cache
def _of_faces(faces: frozenset[int]) -> tuple[Keep, ...]:
    """Return every Keep of dice that show these faces."""
    return tuple(keep for keep in KEEPS if faces.issuperset(keep.aside))
