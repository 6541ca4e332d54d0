"""What is legal in a bluff game: one check, from which the lists of legal actions follow.

An action with unknown dice (``Roll(None)``, ``Lift(None)``) stands for any dice: it is illegal only
if no dice would make it legal.
"""

from collections.abc import Callable
from typing import Any

from game.actions import (
    Action,
    Announce,
    Believe,
    Doubt,
    EndMatch,
    GiveIn,
    Leave,
    Lift,
    Look,
    OwnUp,
    Roll,
    SeatAction,
    ShowMaexchen,
    StopMatch,
    TableAction,
    VoidRound,
)
from game.match import PLAYING, Match, Phase
from game.reasons import Reason
from game.rules import RuleSet
from game.values import MAEXCHEN, PLACE, RANKING, are_dice, value_of

OPENING, BELIEVED, THROWN, OFFERED, DOUBTED, OVER = Phase

_Refusals = dict[Phase, Reason]
"""Why an action is refused in a phase; a phase that is missing allows it."""

_BUSY: _Refusals = {
    OFFERED: Reason.ANSWER_DUE,
    DOUBTED: Reason.LIFT_DUE,
    OVER: Reason.MATCH_OVER,
}
_NO_DICE_TO_OFFER: _Refusals = {**_BUSY, OPENING: Reason.CUP_EMPTY}
_NO_ROLL_OF_HIS: _Refusals = {**_NO_DICE_TO_OFFER, BELIEVED: Reason.NOT_ROLLED}
_NO_OFFER: _Refusals = {
    OPENING: Reason.CUP_EMPTY,
    BELIEVED: Reason.NOTHING_OFFERED,
    THROWN: Reason.NOTHING_OFFERED,
    DOUBTED: Reason.LIFT_DUE,
    OVER: Reason.MATCH_OVER,
}
_NO_DOUBT: _Refusals = {
    OPENING: Reason.CUP_EMPTY,
    BELIEVED: Reason.NOTHING_DOUBTED,
    THROWN: Reason.NOTHING_DOUBTED,
    OFFERED: Reason.NOTHING_DOUBTED,
    OVER: Reason.MATCH_OVER,
}
_ROUND_UNDER_WAY: _Refusals = {
    BELIEVED: Reason.NOT_BETWEEN_ROUNDS,
    THROWN: Reason.NOT_BETWEEN_ROUNDS,
    OFFERED: Reason.NOT_BETWEEN_ROUNDS,
    DOUBTED: Reason.NOT_BETWEEN_ROUNDS,
    OVER: Reason.MATCH_OVER,
}


def _roll(match: Match, action: Roll) -> Reason | None:
    if match.phase in _BUSY:
        return _BUSY[match.phase]
    if match.rolls >= match.rules.rolls:
        return Reason.NO_ROLL_LEFT
    if action.dice is not None and not are_dice(action.dice):
        return Reason.NO_SUCH_DICE
    return None


def _look(match: Match, _: Look) -> Reason | None:
    if match.phase is not THROWN:
        return _NO_ROLL_OF_HIS[match.phase]
    if match.rolls > match.rules.looks:
        return Reason.BLIND
    if match.seen:
        return Reason.ALREADY_SEEN
    return None


def _announce(match: Match, action: Announce) -> Reason | None:
    if match.phase in _NO_DICE_TO_OFFER:
        return _NO_DICE_TO_OFFER[match.phase]
    place = PLACE.get(action.value)
    if place is None:
        return Reason.NO_SUCH_VALUE
    if match.announced is not None and place <= PLACE[match.announced]:
        return Reason.TOO_LOW
    return None


def _believe(match: Match, _: Believe) -> Reason | None:
    if match.phase is not OFFERED:
        return _NO_OFFER[match.phase]
    if match.announced == MAEXCHEN:
        return Reason.MAEXCHEN_STANDS
    return None


def _doubt(match: Match, _: Doubt) -> Reason | None:
    return _NO_OFFER.get(match.phase)


def _give_in(match: Match, _: GiveIn) -> Reason | None:
    if match.phase is not OFFERED:
        return _NO_OFFER[match.phase]
    if match.announced != MAEXCHEN:
        return Reason.NO_MAEXCHEN_STANDS
    return None


def _lift(match: Match, action: Lift) -> Reason | None:
    if match.phase is not DOUBTED:
        return _NO_DOUBT[match.phase]
    if action.dice is None or action.dice == match.dice:
        return None
    if not are_dice(action.dice):
        return Reason.NO_SUCH_DICE
    if match.dice is not None and value_of(action.dice) != value_of(match.dice):
        return Reason.OTHER_DICE
    return None


def _show_maexchen(match: Match, _: ShowMaexchen) -> Reason | None:
    if match.phase is not THROWN:
        return _NO_ROLL_OF_HIS[match.phase]
    if not match.seen:
        return Reason.NOT_SEEN
    if match.dice is not None and value_of(match.dice) != MAEXCHEN:
        return Reason.NO_MAEXCHEN
    return None


def _own_up(match: Match, _: OwnUp) -> Reason | None:
    if match.phase is not THROWN:
        return _NO_ROLL_OF_HIS[match.phase]
    if match.announced is None:
        return Reason.NOTHING_STANDS
    return None


def _end_match(match: Match, _: EndMatch) -> Reason | None:
    if match.phase is not OPENING:
        return _ROUND_UNDER_WAY[match.phase]
    if match.rules.stakes != "drinks":
        return Reason.HAS_AN_END
    if match.round == 1:
        return Reason.NOT_BETWEEN_ROUNDS
    return None


def _leave(match: Match, action: Leave) -> Reason | None:
    if match.phase is OVER:
        return Reason.MATCH_OVER
    if action.seat not in range(len(match.players)) or match.status[action.seat] not in PLAYING:
        return Reason.NOT_AT_THE_TABLE
    return None


def _void_round(match: Match, _: VoidRound) -> Reason | None:
    if match.phase is OVER:
        return Reason.MATCH_OVER
    if match.phase is OPENING:
        return Reason.NO_ROUND
    return None


def _stop_match(match: Match, _: StopMatch) -> Reason | None:
    return Reason.MATCH_OVER if match.phase is OVER else None


_CHECKS: dict[type, Callable[[Match, Any], Reason | None]] = {
    Roll: _roll,
    Look: _look,
    Announce: _announce,
    Believe: _believe,
    Doubt: _doubt,
    GiveIn: _give_in,
    Lift: _lift,
    ShowMaexchen: _show_maexchen,
    OwnUp: _own_up,
    EndMatch: _end_match,
    Leave: _leave,
    VoidRound: _void_round,
    StopMatch: _stop_match,
}

_SEAT_ACTIONS: tuple[SeatAction, ...] = (
    Roll(),
    Look(),
    *(Announce(value) for value in RANKING),
    Believe(),
    Doubt(),
    Lift(),
    GiveIn(),
    ShowMaexchen(),
    OwnUp(),
    EndMatch(),
)

_Position = tuple[RuleSet, Phase, int | None, int, bool, bool, bool]
_legal_in: dict[_Position, tuple[SeatAction, ...]] = {}


def illegality(match: Match, action: Action) -> Reason | None:
    """Return why ``action`` is not possible now, or None if it is.

    With dice unknown to this copy of the match, an action is refused only if no dice allow it.
    """
    check = _CHECKS.get(type(action))
    return Reason.NOT_IN_THIS_GAME if check is None else check(match, action)


def legal_actions(match: Match) -> tuple[SeatAction, ...]:
    """Return what the seat that is to act may do now; empty when the match is over.

    ``Roll(None)`` and ``Lift(None)`` stand for any dice. The list depends only on what that seat
    may know: on the dice only once he has looked at them.
    """
    position = (
        match.rules,
        match.phase,
        match.announced,
        match.rolls,
        match.seen,
        match.seen and match.dice is not None and value_of(match.dice) != MAEXCHEN,
        match.round == 1,
    )
    legal = _legal_in.get(position)
    if legal is None:
        legal = tuple(a for a in _SEAT_ACTIONS if illegality(match, a) is None)
        _legal_in[position] = legal
    return legal


def table_actions(match: Match) -> tuple[TableAction, ...]:
    """Return what the table may do now, whoever is to act (B-10); empty when the match is over."""
    possible: tuple[TableAction, ...] = (
        *(Leave(seat) for seat in range(len(match.players))),
        VoidRound(),
        StopMatch(),
    )
    return tuple(action for action in possible if illegality(match, action) is None)
