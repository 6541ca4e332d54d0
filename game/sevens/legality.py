"""What is legal in ``sevens``: one check, from which the lists of legal actions follow.

``Roll(None)`` stands for any dice.
"""

from collections.abc import Callable
from typing import Any

from game.actions import (
    Action,
    Leave,
    Roll,
    SeatAction,
    Stop,
    StopMatch,
    TableAction,
    VoidRound,
)
from game.dice import are_dice
from game.reasons import Reason
from game.sevens.state import SevensMatch
from game.status import Phase

ROLL_OFF, TO_THROW, THROWN, OVER = Phase.ROLL_OFF, Phase.TO_THROW, Phase.THROWN, Phase.OVER


def _roll(match: SevensMatch, action: Roll) -> Reason | None:
    if match.phase is OVER:
        return Reason.MATCH_OVER
    if action.tower:
        return Reason.NOT_IN_THIS_GAME
    if action.dice is not None and not are_dice(action.dice, match.rules.dice):
        return Reason.NOT_ALL_DICE
    return None


def _stop(match: SevensMatch, _: Stop) -> Reason | None:
    if match.phase is OVER:
        return Reason.MATCH_OVER
    return None if match.phase is THROWN else Reason.FIRST_THROW_DUE


def _leave(match: SevensMatch, action: Leave) -> Reason | None:
    if match.phase is OVER:
        return Reason.MATCH_OVER
    at_table = type(action.seat) is int and action.seat in match.at_table
    return None if at_table else Reason.NOT_AT_THE_TABLE


def _void_round(match: SevensMatch, _: VoidRound) -> Reason | None:
    if match.phase is OVER:
        return Reason.MATCH_OVER
    untouched = match.to_act == match.leader and match.throws == 0
    return Reason.NO_ROUND if match.phase is ROLL_OFF or untouched else None


def _stop_match(match: SevensMatch, _: StopMatch) -> Reason | None:
    return Reason.MATCH_OVER if match.phase is OVER else None


_CHECKS: dict[type, Callable[[SevensMatch, Any], Reason | None]] = {
    Roll: _roll,
    Stop: _stop,
    Leave: _leave,
    VoidRound: _void_round,
    StopMatch: _stop_match,
}

_FIRST: tuple[SeatAction, ...] = (Roll(),)
_AGAIN: tuple[SeatAction, ...] = (Roll(), Stop())


def illegality(match: SevensMatch, action: Action) -> Reason | None:
    """Return why ``action`` is not possible now, or None if it is."""
    check = _CHECKS.get(type(action))
    return Reason.NOT_IN_THIS_GAME if check is None else check(match, action)


def legal_actions(match: SevensMatch) -> tuple[SeatAction, ...]:
    """Return what the seat that is to act may do now; empty when the match is over.

    ``Roll(None)`` stands for any dice. A turn ends by itself with its last throw.
    """
    phase = match.phase
    if phase is THROWN:
        return _AGAIN
    return () if phase is OVER else _FIRST


def table_actions(match: SevensMatch) -> tuple[TableAction, ...]:
    """Return what the table may do now, whoever is to act (B-10); empty when the match is over."""
    possible: tuple[TableAction, ...] = (
        *(Leave(seat) for seat in range(len(match.players))),
        VoidRound(),
        StopMatch(),
    )
    return tuple(action for action in possible if illegality(match, action) is None)
