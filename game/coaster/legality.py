"""Legality in a coaster game: one check, from which the lists of legal actions follow.

``Roll(None)`` and ``Lift(None)`` stand for any dice: they are refused only if no dice would do.
"""

from collections.abc import Callable
from typing import Any

from game.actions import (
    Give,
    Keep,
    Lift,
    Roll,
    SeatAction,
    Stop,
)
from game.coaster.keeping import keeps, refusal
from game.coaster.state import MOST_THROWS, CoasterPosition, receivers
from game.coaster.values import CUP
from game.dice import Dice, are_dice
from game.open_dice import TABLE_CHECKS
from game.reasons import Reason
from game.status import LEVELLING, OVER, ROLL_OFF, THROWN, TO_LIFT, TO_THROW

_NO_THROW = {TO_LIFT: Reason.COVERED, LEVELLING: Reason.LEVELLING_DUE, OVER: Reason.MATCH_OVER}
_NOTHING_THROWN = {**_NO_THROW, ROLL_OFF: Reason.THROW_DUE, TO_THROW: Reason.THROW_DUE}
_NOTHING_COVERED = {
    ROLL_OFF: Reason.THROW_DUE,
    TO_THROW: Reason.THROW_DUE,
    THROWN: Reason.NOTHING_COVERED,
    LEVELLING: Reason.LEVELLING_DUE,
    OVER: Reason.MATCH_OVER,
}


def _roll(match: CoasterPosition, action: Roll) -> Reason | None:
    phase = match.phase
    if phase is THROWN:
        if match.throws >= match.limit:
            return Reason.NO_THROW_LEFT
    elif phase is not TO_THROW and phase is not ROLL_OFF:
        return _NO_THROW[phase]
    if action.tower is not False:
        return Reason.NOT_IN_THIS_GAME
    if action.dice is not None and not are_dice(action.dice, CUP - len(match.aside)):
        return Reason.NOT_THE_DICE_IN_PLAY
    return None


def _keep(match: CoasterPosition, action: Keep) -> Reason | None:
    if match.phase is not THROWN:
        return _NOTHING_THROWN[match.phase]
    aside, turned = action.aside, action.turned
    if type(aside) is not tuple or len(aside) > CUP:
        return Reason.NOT_THESE_DICE
    dice = match.dice
    assert dice is not None, "what is thrown lies open"
    return refusal(match.rules.game, match.aside, dice, match.throws == MOST_THROWS, aside, turned)


def _stop(match: CoasterPosition, _: Stop) -> Reason | None:
    return None if match.phase is THROWN else _NOTHING_THROWN[match.phase]


def _lift(match: CoasterPosition, action: Lift) -> Reason | None:
    if match.phase is not TO_LIFT:
        return _NOTHING_COVERED[match.phase]
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
    if match.phase is OVER:
        return Reason.MATCH_OVER
    if match.phase is not LEVELLING:
        return Reason.NOT_LEVELLING
    if action.to is None or (type(action.to) is int and action.to in receivers(match)):
        return None
    return Reason.NOT_WITH_ONE


CHECKS: dict[type, Callable[[CoasterPosition, Any], Reason | None]] = {
    Roll: _roll,
    Keep: _keep,
    Stop: _stop,
    Lift: _lift,
    Give: _give,
    **TABLE_CHECKS,
}
"""By action: the check that returns why it is not possible now, or None if it is."""

_Thrown = tuple[str, Dice, Dice | None, bool, bool]
_legal_in: dict[_Thrown, tuple[SeatAction, ...]] = {}
_THROW = (Roll(),)
_LIFT = (Lift(),)


def legal_actions(match: CoasterPosition) -> tuple[SeatAction, ...]:
    """Return what the seat that is to act may do now; empty when the match is over.

    ``Roll(None)`` and ``Lift(None)`` stand for any dice. ``Keep`` names the dice set aside high to
    low, so no two actions of the list mean the same.
    """
    phase = match.phase
    if phase is THROWN:
        dice = match.dice
        bonus, last = match.throws == MOST_THROWS, match.throws >= match.limit
        thrown = (match.rules.game, match.aside, dice, bonus, last)
        legal = _legal_in.get(thrown)
        if legal is None:
            assert dice is not None, "what is thrown lies open"
            possible: tuple[SeatAction, ...] = (
                Roll(),
                *keeps(match.rules.game, match.aside, dice, bonus),
                Stop(),
            )
            legal = tuple(a for a in possible if CHECKS[type(a)](match, a) is None)
            _legal_in[thrown] = legal
        return legal
    if phase is TO_THROW or phase is ROLL_OFF:
        return _THROW
    if phase is TO_LIFT:
        return _LIFT
    if phase is LEVELLING:
        return (*(Give(seat) for seat in receivers(match)), Give(None))
    return ()
