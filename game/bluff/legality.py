"""Legality in a bluff game: one check, from which the lists of legal actions follow.

An action with unknown dice (``Roll(None)``, ``Lift(None)``) stands for any dice. It is illegal only
if no dice would make it legal.
"""

from collections.abc import Callable
from typing import Any

from game.actions import (
    Announce,
    Believe,
    Doubt,
    EndMatch,
    Fault,
    FaultKind,
    Flourish,
    GiveIn,
    Leave,
    Lift,
    Look,
    OwnUp,
    Refuse,
    Roll,
    Say,
    SeatAction,
    ShowMaexchen,
    ShowTower,
    StopMatch,
    TableAction,
    VoidRound,
    Words,
)
from game.bluff.position import (
    counts_as_maexchen,
    has_two_ways,
    holder,
    is_admissible,
    is_closed,
    is_wrong_way,
    may_hand_on,
)
from game.bluff.rules import BluffRules, Equal
from game.bluff.state import BluffPosition, Match
from game.bluff.values import MAEXCHEN, RANKING, is_pair_of_dice, value_of
from game.dice import Dice
from game.reasons import Reason
from game.status import (
    BELIEVED,
    DOUBTED,
    OFFERED,
    OPENING,
    OVER,
    PLAYING,
    ROLL_AGAIN,
    THROWN,
    Phase,
)

_Refusals = dict[Phase, Reason]
"""Why an action is refused in a phase; a phase that is missing allows it."""

_BUSY: _Refusals = {
    OFFERED: Reason.ANSWER_DUE,
    DOUBTED: Reason.LIFT_DUE,
    OVER: Reason.MATCH_OVER,
}
_NO_DICE_TO_OFFER: _Refusals = {
    **_BUSY,
    OPENING: Reason.CUP_EMPTY,
    ROLL_AGAIN: Reason.ROLL_DUE,
}
_NO_ROLL_OF_HIS: _Refusals = {**_NO_DICE_TO_OFFER, BELIEVED: Reason.NOT_ROLLED}
_NO_OFFER: _Refusals = {
    OPENING: Reason.CUP_EMPTY,
    BELIEVED: Reason.NOTHING_OFFERED,
    THROWN: Reason.NOTHING_OFFERED,
    DOUBTED: Reason.LIFT_DUE,
    ROLL_AGAIN: Reason.ROLL_DUE,
    OVER: Reason.MATCH_OVER,
}
_NO_DOUBT: _Refusals = {
    OPENING: Reason.CUP_EMPTY,
    BELIEVED: Reason.NOTHING_DOUBTED,
    THROWN: Reason.NOTHING_DOUBTED,
    OFFERED: Reason.NOTHING_DOUBTED,
    ROLL_AGAIN: Reason.ROLL_DUE,
    OVER: Reason.MATCH_OVER,
}
_ROUND_UNDER_WAY: _Refusals = {
    BELIEVED: Reason.NOT_BETWEEN_ROUNDS,
    THROWN: Reason.NOT_BETWEEN_ROUNDS,
    OFFERED: Reason.NOT_BETWEEN_ROUNDS,
    DOUBTED: Reason.NOT_BETWEEN_ROUNDS,
    ROLL_AGAIN: Reason.NOT_BETWEEN_ROUNDS,
    OVER: Reason.MATCH_OVER,
}
_NO_FAULTS: _Refusals = {
    OPENING: Reason.EMPTY_CUP,
    ROLL_AGAIN: Reason.EMPTY_CUP,
    OVER: Reason.MATCH_OVER,
}


def _roll(match: BluffPosition, action: Roll) -> Reason | None:
    if match.phase in _BUSY:
        return _BUSY[match.phase]
    if match.rolls >= match.rules.rolls:
        return Reason.NO_ROLL_LEFT
    if match.rolls and match.announced is None and match.rules.customs.opener_rolls_once:
        return Reason.ONE_ROLL
    if action.dice is not None and not is_pair_of_dice(action.dice):
        return Reason.NO_SUCH_DICE
    if action.tower is not False and not _is_tower(match, action.dice, action.tower):
        return Reason.NO_SUCH_TOWER
    return None


def _is_tower(match: BluffPosition, dice: Dice | None, tower: object) -> bool:
    return tower is True and dice is not None and match.rules.tower_one_in > 0


def _look(match: BluffPosition, _: Look) -> Reason | None:
    if match.phase is not THROWN:
        return _NO_ROLL_OF_HIS[match.phase]
    if match.rolls > match.rules.looks:
        return Reason.BLIND
    if match.seen:
        return Reason.ALREADY_SEEN
    return None


def _announce(match: BluffPosition, action: Announce) -> Reason | None:
    if match.phase in _NO_DICE_TO_OFFER:
        return _NO_DICE_TO_OFFER[match.phase]
    places, standing = match.rules.place, match.announced
    place = places.get(action.value)
    if place is None:
        return Reason.NO_SUCH_VALUE
    if action.flourish is not None and not _is_flourish(match, action.flourish):
        return Reason.NO_SUCH_FLOURISH
    if action.wrong_way is not False and not _is_wrong_way(match, action.wrong_way):
        return Reason.NO_WRONG_WAY
    if standing is None or match.rules.customs.open_mistakes:
        return None
    if is_admissible(match, action.value):
        return None
    if match.phase is BELIEVED and not may_hand_on(match):
        return Reason.NOT_ROLLED
    over_maexchen = match.rules.customs.equal is Equal.MAEXCHEN and action.value == MAEXCHEN
    return Reason.MUST_ROLL if over_maexchen else Reason.TOO_LOW


def _is_flourish(match: BluffPosition, flourish: object) -> bool:
    return type(flourish) is Flourish and flourish in match.rules.customs.flourishes


def _is_wrong_way(match: BluffPosition, wrong_way: object) -> bool:
    return wrong_way is True and match.rules.customs.open_mistakes and has_two_ways(match)


def _say(match: BluffPosition, action: Say) -> Reason | None:
    if match.phase in _NO_DICE_TO_OFFER:
        return _NO_DICE_TO_OFFER[match.phase]
    if not match.rules.customs.open_mistakes or type(action.words) is not Words:
        return Reason.NO_WORDS
    if action.wrong_way is not False and not _is_wrong_way(match, action.wrong_way):
        return Reason.NO_WRONG_WAY
    return None


def _believe(match: BluffPosition, _: Believe) -> Reason | None:
    if match.phase is not OFFERED:
        return _NO_OFFER[match.phase]
    return Reason.MAEXCHEN_STANDS if is_closed(match) else None


def _doubt(match: BluffPosition, _: Doubt) -> Reason | None:
    return _NO_OFFER.get(match.phase)


def _refuse(match: BluffPosition, _: Refuse) -> Reason | None:
    if match.phase is not OFFERED:
        return _NO_OFFER[match.phase]
    return None if is_wrong_way(match) else Reason.RIGHT_WAY


def _give_in(match: BluffPosition, _: GiveIn) -> Reason | None:
    if not match.rules.give_in:
        return Reason.NOT_IN_THIS_GAME
    if match.phase is not OFFERED:
        return _NO_OFFER[match.phase]
    if not counts_as_maexchen(match.rules, match.announced):
        return Reason.NO_MAEXCHEN_STANDS
    return None


def _lift(match: BluffPosition, action: Lift) -> Reason | None:
    if match.phase is not DOUBTED:
        return _NO_DOUBT[match.phase]
    return _lies_open(match, action.dice, action.tower)


def _lies_open(match: BluffPosition, dice: Dice | None, tower: bool) -> Reason | None:
    """Check the dice that an action lays open against the dice this copy of the match knows."""
    if dice == match.dice and tower is match.tower:
        return None
    if tower is not False and not _is_tower(match, dice, tower):
        return Reason.NO_SUCH_TOWER
    if dice is None:
        return None
    if not is_pair_of_dice(dice):
        return Reason.NO_SUCH_DICE
    if match.dice is None:
        return None
    same = value_of(dice) == value_of(match.dice) and tower == match.tower
    return None if same else Reason.OTHER_DICE


def _show_tower(match: BluffPosition, action: ShowTower) -> Reason | None:
    if not match.rules.tower_one_in:
        return Reason.NOT_IN_THIS_GAME
    if match.phase is not THROWN:
        return _NO_ROLL_OF_HIS[match.phase]
    if not match.seen or (match.dice is not None and not match.tower):
        return Reason.NO_TOWER
    return _lies_open(match, action.dice, action.dice is not None)


def _show_maexchen(match: BluffPosition, _: ShowMaexchen) -> Reason | None:
    if not match.rules.show:
        return Reason.NOT_IN_THIS_GAME
    if match.phase is not THROWN:
        return _NO_ROLL_OF_HIS[match.phase]
    if not match.seen:
        return Reason.NOT_SEEN
    if match.dice is not None and value_of(match.dice) != MAEXCHEN:
        return Reason.NO_MAEXCHEN
    return None


def _own_up(match: BluffPosition, _: OwnUp) -> Reason | None:
    if not match.rules.own_up:
        return Reason.NOT_IN_THIS_GAME
    if match.phase is not THROWN:
        return _NO_ROLL_OF_HIS[match.phase]
    if match.announced is None:
        return Reason.NOTHING_STANDS
    return None


def _end_match(match: BluffPosition, _: EndMatch) -> Reason | None:
    if match.phase is not OPENING:
        return _ROUND_UNDER_WAY[match.phase]
    if match.rules.stakes != "drinks":
        return Reason.HAS_AN_END
    if match.round == 1:
        return Reason.NOT_BETWEEN_ROUNDS
    return None


def _leave(match: BluffPosition, action: Leave) -> Reason | None:
    if match.phase is OVER:
        return Reason.MATCH_OVER
    return None if _plays(match, action.seat) else Reason.NOT_AT_THE_TABLE


def _plays(match: BluffPosition, seat: object) -> bool:
    return type(seat) is int and seat in range(len(match.status)) and match.status[seat] in PLAYING


def _void_round(match: BluffPosition, _: VoidRound) -> Reason | None:
    if match.phase is OVER:
        return Reason.MATCH_OVER
    if match.phase is OPENING:
        return Reason.NO_ROUND
    return None


def _stop_match(match: BluffPosition, _: StopMatch) -> Reason | None:
    return Reason.MATCH_OVER if match.phase is OVER else None


def _fault(match: BluffPosition, action: Fault) -> Reason | None:
    if not match.rules.customs.fault_cost or type(action.kind) is not FaultKind:
        return Reason.NO_SUCH_FAULT
    if match.phase in _NO_FAULTS:
        return _NO_FAULTS[match.phase]
    if action.kind is FaultKind.OTHER:
        return None if _plays(match, action.seat) else Reason.NOT_AT_THE_TABLE
    if type(action.seat) is not int or action.seat != holder(match):
        return Reason.NOT_THE_HOLDER
    if action.kind == FaultKind.DROP:
        return None
    if action.kind == FaultKind.MOVE:
        return None if match.phase is OFFERED else Reason.NOT_PASSED
    rolls = match.announcer_rolls if match.phase is OFFERED else match.rolls
    is_due = match.phase is DOUBTED or 0 < rolls <= match.rules.looks
    return Reason.MAY_LOOK if is_due else None


CHECKS: dict[type, Callable[[BluffPosition, Any], Reason | None]] = {
    Roll: _roll,
    Look: _look,
    Announce: _announce,
    Say: _say,
    Believe: _believe,
    Doubt: _doubt,
    Refuse: _refuse,
    GiveIn: _give_in,
    Lift: _lift,
    ShowMaexchen: _show_maexchen,
    ShowTower: _show_tower,
    OwnUp: _own_up,
    EndMatch: _end_match,
    Leave: _leave,
    VoidRound: _void_round,
    StopMatch: _stop_match,
    Fault: _fault,
}
"""By action: the check that returns why it is not possible now, or None if it is."""

_WORDS = tuple(Words)
_FAULTS = tuple(FaultKind)
SEAT_ACTIONS: tuple[SeatAction, ...] = (
    Roll(),
    Look(),
    *(
        Announce(value, flourish, wrong_way)
        for wrong_way in (False, True)
        for flourish in (None, *Flourish)
        for value in RANKING
    ),
    *(Say(words, wrong_way) for wrong_way in (False, True) for words in _WORDS),
    Believe(),
    Doubt(),
    Refuse(),
    Lift(),
    GiveIn(),
    ShowMaexchen(),
    ShowTower(),
    OwnUp(),
    EndMatch(),
)
"""Every action that could be legal, in the order of ``legal_actions``."""


def legal_actions(match: Match) -> tuple[SeatAction, ...]:
    """Return what the seat that is to act may do now; empty when the match is over.

    ``Roll(None)`` and ``Lift(None)`` stand for any dice. The list depends only on what that seat
    may know: on the dice only after its player has looked at them.
    """
    rules = match.rules
    also: tuple[object, ...] | None = None
    if match.seen or rules.customs.open_mistakes:
        also = _also_known(match)
    if rules.hand_on == "once":
        also = (also, may_hand_on(match))
    known = (match.phase, match.announced, match.rolls, match.round == 1, also)
    legal = rules.legal_in.get(known)
    if legal is None:
        legal = tuple(a for a in SEAT_ACTIONS if CHECKS[type(a)](match, a) is None)
        if rules.ranking != "usual":
            legal = _low_to_high(rules, legal)
        rules.legal_in[known] = legal
    return legal


def _low_to_high(rules: BluffRules, legal: tuple[SeatAction, ...]) -> tuple[SeatAction, ...]:
    """Return the legal actions with plain and other announcements in the order of the ladder."""
    said = [action for action in legal if type(action) is Announce]
    kinds = list(dict.fromkeys((each.wrong_way, each.flourish) for each in said))
    said.sort(key=lambda a: (kinds.index((a.wrong_way, a.flourish)), rules.place[a.value]))
    sorted_said = iter(said)
    return tuple(next(sorted_said) if type(a) is Announce else a for a in legal)


def _also_known(match: Match) -> tuple[bool | None, ...]:
    """Return the facts that decide about legality, besides those compared in ``legal_actions``."""
    sees = match.seen and match.dice is not None
    shows = (value_of(match.dice) == MAEXCHEN, match.tower) if sees and match.dice else ()
    return (match.seen, has_two_ways(match), is_wrong_way(match), *shows)


def table_actions(match: Match) -> tuple[TableAction, ...]:
    """Return what the table may do now (B-10); empty when the match is over.

    The list is the same whichever seat is to act.
    """
    possible: tuple[TableAction, ...] = (
        *(Leave(seat) for seat in range(len(match.players))),
        VoidRound(),
        StopMatch(),
        *(Fault(kind, seat) for kind in _FAULTS for seat in range(len(match.players))),
    )
    return tuple(a for a in possible if CHECKS[type(a)](match, a) is None)
