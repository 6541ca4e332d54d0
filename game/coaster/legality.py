"""Legality in a coaster game: one check for actions, and one for dice set aside or turned.

Every function here is about dice alone. ``aside`` are the dice that the player has set aside
before, ``dice`` those of the last throw. ``bonus`` says that it was the third: then only turned
sixes bring another throw (T-4).

``Roll(None)`` and ``Lift(None)`` stand for any dice: they are refused only if no dice would do.

Chance is here too: the possible throws, and the dice that an action lays open.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

from game.actions import Give, Keep, Lift, Roll, SeatAction, Stop
from game.coaster.rules import (
    CUP,
    MOST_THROWS,
    CoasterMatch,
    CoasterPosition,
    CoasterRules,
    covers_next,
    receivers,
)
from game.dice import FACES, Dice, are_dice, high_to_low
from game.open_dice import OPEN_CHECKS, open_rolls
from game.reasons import IF_OVER, Check, Reason, Refusals, checked, outside
from game.status import LEVELLING, OVER, ROLL_OFF, THROWN, TO_LIFT, TO_THROW

_SIX = 6
_TURNED = {2: (1,), 3: (2,)}
"""By the number of sixes in one throw: how many of them may be turned (T-3)."""
_TURNED_ONE = {**_TURNED, 3: (1, 2)}
"""The same if one of three sixes may be turned alone."""

KEEPS = tuple(
    Keep(high_to_low(aside), turned)
    for turned in range(CUP)
    for number in range(CUP)
    for aside in combinations_with_replacement(FACES, number)
)
"""Every ``Keep`` that three dice could ever allow."""


@cache
def refusal(
    rules: CoasterRules, aside: Dice, dice: Dice, bonus: bool, kept: Dice, turned: int
) -> Reason | None:
    """Return why ``Keep(kept, turned)`` is not possible with these dice, None if it is (T-2, T-3).

    ``aside`` and ``dice`` are the dice set aside before and the last throw, high to low. ``bonus``
    says that it was the third throw: then only a turn of sixes brings another one (T-4).
    """
    left = list(dice)
    if turned != 0:
        sixes = dice.count(_SIX)
        if turned not in (_TURNED_ONE if rules.turns_one else _TURNED).get(sixes, ()):
            return Reason.NO_TURN
        if _SIX in kept and not rules.six_stays:
            return Reason.OTHER_SIX
        left = [die for die in dice if die != _SIX] + [_SIX] * (sixes - turned)
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
    if bonus and rules.customs.bonus_with_ones and any(die != 1 for die in aside + kept):
        return Reason.ONLY_ONES
    return None


@cache
def keeps(rules: CoasterRules, aside: Dice, dice: Dice, bonus: bool) -> tuple[Keep, ...]:
    """Return every Keep that ``refusal`` allows with these dice, each once; often none."""
    return tuple(
        keep
        for keep in _of_faces(frozenset(dice))
        if refusal(rules, aside, dice, bonus, keep.aside, keep.turned) is None
    )


@cache
def _of_faces(faces: frozenset[int]) -> tuple[Keep, ...]:
    """Return every Keep of dice that show these faces."""
    return tuple(keep for keep in KEEPS if faces.issuperset(keep.aside))


_DUE: Refusals = {
    ROLL_OFF: Reason.THROW_DUE,
    TO_THROW: Reason.THROW_DUE,
    TO_LIFT: Reason.COVERED,
    LEVELLING: Reason.LEVELLING_DUE,
    OVER: Reason.MATCH_OVER,
}
_NO_THROW = outside((ROLL_OFF, TO_THROW, THROWN), _DUE)
_NOTHING_THROWN = outside((THROWN,), _DUE)
_NOTHING_COVERED = outside((TO_LIFT,), _DUE, Reason.NOTHING_COVERED)
_NOTHING_TO_GIVE = outside((LEVELLING,), IF_OVER, Reason.NOT_LEVELLING)


def _roll(match: CoasterPosition, action: Roll) -> Reason | None:
    if match.phase is THROWN and match.throws >= match.limit:
        return Reason.NO_THROW_LEFT
    if action.tower is not False:
        return Reason.NOT_IN_THIS_GAME
    if action.dice is not None and not are_dice(action.dice, CUP - len(match.aside)):
        return Reason.NOT_THE_DICE_IN_PLAY
    return None


def _keep(match: CoasterPosition, action: Keep) -> Reason | None:
    aside, turned = action.aside, action.turned
    if type(aside) is not tuple or len(aside) > CUP:
        return Reason.NOT_THESE_DICE
    dice = match.dice
    assert dice is not None, "what is thrown lies open"
    return refusal(match.rules, match.aside, dice, match.throws == MOST_THROWS, aside, turned)


def _lift(match: CoasterPosition, action: Lift) -> Reason | None:
    if action.tower is not False:
        return Reason.NOT_IN_THIS_GAME
    hand = hand_to_lift(match)
    if action.dice is None:
        return None
    if not are_dice(action.dice, match.in_play):
        return Reason.NOT_THE_DICE_IN_PLAY
    if hand[1] is not None and sorted(hand[1]) != sorted(action.dice):
        return Reason.OTHER_COVERED
    return None


def hand_to_lift(match: CoasterPosition) -> tuple[Dice, Dice | None]:
    """Return the dice set aside and the covered ones (None: unknown) of the seat to lift (T-5)."""
    assert match.to_act is not None, "somebody has to lift"
    hand = match.hands[match.to_act]
    assert hand is not None, "he has thrown"
    return hand.aside, hand.dice


def _give(match: CoasterPosition, action: Give) -> Reason | None:
    if action.to is None or (type(action.to) is int and action.to in receivers(match)):
        return None
    return Reason.NOT_WITH_ONE


CHECKS: Mapping[type, Check] = {
    Roll: checked(_NO_THROW, _roll),
    Keep: checked(_NOTHING_THROWN, _keep),
    Stop: checked(_NOTHING_THROWN),
    Lift: checked(_NOTHING_COVERED, _lift),
    Give: checked(_NOTHING_TO_GIVE, _give),
    **OPEN_CHECKS,
}
"""By action: the check that returns why it is not possible now, or None if it is."""

_THROW = (Roll(),)
_LIFT = (Lift(),)


def legal_actions(match: CoasterPosition) -> tuple[SeatAction, ...]:
    """Return what the seat that is to act may do now; empty when the match is over.

    ``Roll(None)`` and ``Lift(None)`` stand for any dice. ``Keep`` names the dice set aside high to
    low, so no two actions of the list mean the same.
    """
    phase = match.phase
    if phase is THROWN:
        dice, last = match.dice, match.throws >= match.limit
        assert dice is not None, "what is thrown lies open"
        return _after_throw(match.rules, match.aside, dice, match.throws == MOST_THROWS, last)
    if phase is TO_THROW or phase is ROLL_OFF:
        return _THROW
    if phase is TO_LIFT:
        return _LIFT
    if phase is LEVELLING:
        return (*(Give(seat) for seat in receivers(match)), Give(None))
    return ()


@cache
def _after_throw(
    rules: CoasterRules, aside: Dice, dice: Dice, bonus: bool, last: bool
) -> tuple[SeatAction, ...]:
    again = () if last else _THROW
    return (*again, *keeps(rules, aside, dice, bonus), Stop())


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
