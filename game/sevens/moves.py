"""How ``sevens`` moves: what each legal action leads to."""

from collections.abc import Callable
from typing import TypeVar

from game.actions import Action, Leave, Roll, Stop, StopMatch, VoidRound
from game.dice import Dice, high_to_low
from game.events import (
    CoastersMoved,
    DecidingRound,
    Event,
    LeftTable,
    MatchEnded,
    RoundBegan,
    RoundDecided,
    RoundVoided,
    Stopped,
    Threw,
    Tied,
    happened,
)
from game.options import check_table
from game.reasons import IllegalAction, Reason
from game.sevens.legality import OVER, ROLL_OFF, THROWN, TO_THROW, illegality
from game.sevens.rules import SevensRules
from game.sevens.state import SevensMatch, SevensStep
from game.sevens.values import groups_score, pairs_score
from game.status import Outcome, Phase, Status

_LASTING = SevensMatch._fields.index("limit")
"""How many fields of a match a whole round leaves alone; they come first."""
_SETTLED = SevensMatch._fields.index("round")
"""How many fields of a match the end of a round has settled when the next begins."""

_Events = tuple[Event, ...]
_Hands = tuple[Dice | None, ...]
_T = TypeVar("_T")
_tuple = tuple.__new__


def new_match(rules: SevensRules, players: tuple[str, ...], first: int) -> SevensMatch:
    """Return a match of ``players`` (names by seat, clockwise); seat ``first`` throws first.

    That throw is the first of the roll-off, in which it is found who leads (S-5). Raises SetupError
    as ``check_table`` does.
    """
    players = tuple(players)
    check_table(rules, players, first)
    seats = len(players)
    return SevensMatch(
        rules=rules,
        players=players,
        coasters=(0,) * seats,
        gone=0,
        lost=(),
        deciding=False,
        status=(Status.IN,) * seats,
        outcome=None,
        round=0,
        leader=None,
        order=tuple((first + place) % seats for place in range(seats)),
        limit=rules.throws,
        hands=(None,) * seats,
        turn=0,
        phase=ROLL_OFF,
        to_act=first,
        throws=0,
        dice=None,
    )


def apply(match: SevensMatch, action: Action) -> SevensStep:
    """Return the match after ``action`` and what happened.

    Raises IllegalAction, also for a ``Roll(None)``: all throws lie open.
    """
    reason = illegality(match, action)
    if reason is not None:
        raise IllegalAction(reason, action)
    return _MOVES[type(action)](match, match.to_act, action)


def _on(
    match: SevensMatch,
    limit: int,
    hands: _Hands,
    phase: Phase,
    to_act: int,
    throws: int,
    dice: Dice | None,
    events: _Events,
) -> SevensStep:
    """Move on within the round. The lasting fields are taken over as one slice, for speed."""
    turn = (limit, hands, match.turn + 1, phase, to_act, throws, dice)
    return _tuple(SevensStep, (_tuple(SevensMatch, match[:_LASTING] + turn), events))


def _roll(match: SevensMatch, seat: int, action: Roll) -> SevensStep:
    dice, throws = action.dice, match.throws + 1
    if dice is None:
        raise IllegalAction(Reason.THROWN_BEFORE_ALL, action)
    events = (Threw(seat, dice, throws),)
    if match.phase is ROLL_OFF:
        return _throw_for_the_lead(match, seat, dice, events)
    if throws < match.limit:
        return _on(match, match.limit, match.hands, THROWN, seat, throws, dice, events)
    return _finish(match, seat, dice, throws, events)


def _stop(match: SevensMatch, seat: int, _: Stop) -> SevensStep:
    assert match.dice is not None, "he has thrown"
    return _finish(match, seat, match.dice, match.throws, happened(Stopped, seat))


def _throw_for_the_lead(match: SevensMatch, seat: int, dice: Dice, events: _Events) -> SevensStep:
    hands = _with(match.hands, seat, dice)
    for following in match.order:
        if hands[following] is None:
            return _on(match, match.limit, hands, ROLL_OFF, following, 0, None, events)
    return _decide_lead(match, hands, events)


def _decide_lead(match: SevensMatch, hands: _Hands, events: _Events) -> SevensStep:
    """End a roll-off: the lowest sum leads, the tied throw again (S-5)."""
    sums = {seat: sum(hands[seat] or ()) for seat in match.order}
    lowest = min(sums.values())
    tied = tuple(seat for seat in match.order if sums[seat] == lowest)
    if len(tied) == 1:
        return _begin_round(match, tied[0], events)
    again = match._replace(
        order=tied,
        hands=(None,) * len(hands),
        turn=match.turn + 1,
        to_act=tied[0],
    )
    return SevensStep(again, (*events, Tied(tied)))


def _finish(match: SevensMatch, seat: int, dice: Dice, throws: int, events: _Events) -> SevensStep:
    """End the turn of ``seat``; how often the leader threw is the limit for the others (S-2)."""
    order = match.order
    hands = _with(match.hands, seat, dice)
    limit = throws if seat == match.leader else match.limit
    place = order.index(seat) + 1
    if place < len(order):
        return _on(match, limit, hands, TO_THROW, order[place], 0, None, events)
    return _settle(match, hands, events)


def _settle(match: SevensMatch, hands: _Hands, events: _Events) -> SevensStep:
    """Find who has lost the round: the highest score, the later one of equals (S-4)."""
    score = groups_score if match.rules.seven_dice else pairs_score
    scores = [score(high_to_low(hands[seat] or ())) for seat in match.order]
    best = match.order[scores.index(min(scores))]
    highest = max(scores)
    worst = next(seat for seat in reversed(match.order) if scores.pop() == highest)
    events += happened(RoundDecided, best, worst)
    if match.deciding:
        return _over(match, "S-4", (worst,), events)
    events += happened(CoastersMoved, None, worst, 1)
    match = match._replace(
        coasters=_with(match.coasters, worst, match.coasters[worst] + 1),
        lost=(*match.lost, worst),
    )
    if len(match.lost) < match.rules.rounds:
        return _begin_round(match, worst, events)
    most = max(match.coasters)
    losers = tuple(seat for seat in match.playing if match.coasters[seat] == most)
    if len(losers) == 1:
        return _over(match, "S-4", losers, events)
    status = tuple(
        Status.WAITS if status is Status.IN and seat not in losers else status
        for seat, status in enumerate(match.status)
    )
    match = match._replace(status=status, deciding=True)
    leader = next(seat for seat in reversed(match.lost) if seat in losers)
    return _begin_round(match, leader, (*events, DecidingRound(losers)))


def _begin_round(match: SevensMatch, leader: int, events: _Events) -> SevensStep:
    """Begin the next round with ``leader``, or with the next in play where he has left."""
    if match.status[leader] is not Status.IN:
        leader = _next_in_play(match, leader)
    seats = match.playing
    place = seats.index(leader)
    order = seats[place:] + seats[:place]
    hands = (None,) * len(match.hands)
    number = match.round + 1
    turn = (match.rules.throws, hands, match.turn + 1, TO_THROW, leader, 0, None)
    begun = _tuple(SevensMatch, (*match[:_SETTLED], number, leader, order, *turn))
    return _tuple(SevensStep, (begun, events + happened(RoundBegan, number, leader)))


def _next_in_play(match: SevensMatch, seat: int) -> int:
    status = match.status
    seat = (seat + 1) % len(status)
    while status[seat] is not Status.IN:
        seat = (seat + 1) % len(status)
    return seat


def _leave(match: SevensMatch, to_act: int, action: Leave) -> SevensStep:
    """Let a seat go with its coasters; if it was to act, the round is void (B-10)."""
    leaver = action.seat
    held = match.coasters[leaver]
    events: _Events = (LeftTable(leaver),)
    if held:
        events = (*events, CoastersMoved(leaver, None, held))
    rest = match._replace(
        coasters=_with(match.coasters, leaver, 0),
        gone=match.gone + held,
        status=_with(match.status, leaver, Status.LEFT),
        order=tuple(seat for seat in match.order if seat != leaver),
        hands=_with(match.hands, leaver, None),
    )
    if len(rest.playing) == 1:
        # A deciding round needs two as well; those who sit it out have not lost either.
        return _over(rest, "B-10", (), events)
    if match.phase is ROLL_OFF:
        return _leave_roll_off(rest, events)
    if leaver == to_act:
        following = _next_in_play(rest, leaver)
        return _begin_round(rest, following, (*events, RoundVoided(match.round)))
    return SevensStep(rest._replace(turn=match.turn + 1), events)


def _leave_roll_off(rest: SevensMatch, events: _Events) -> SevensStep:
    if len(rest.order) == 1:
        return _begin_round(rest, rest.order[0], events)
    for seat in rest.order:
        if rest.hands[seat] is None:
            return SevensStep(rest._replace(turn=rest.turn + 1, to_act=seat), events)
    return _decide_lead(rest, rest.hands, events)


def _void_round(match: SevensMatch, _seat: int, _: VoidRound) -> SevensStep:
    assert match.leader is not None, "a round has a leader"
    return _begin_round(match, match.leader, (RoundVoided(match.round),))


def _stop_match(match: SevensMatch, _seat: int, _: StopMatch) -> SevensStep:
    return _over(match, "B-10", (), ())


def _over(match: SevensMatch, rule: str, losers: tuple[int, ...], events: _Events) -> SevensStep:
    left = tuple(seat for seat, status in enumerate(match.status) if status is Status.LEFT)
    outcome = Outcome(rule, losers, (), left, match.coasters)
    ended = match._replace(
        outcome=outcome,
        order=(),
        hands=(None,) * len(match.hands),
        turn=match.turn + 1,
        phase=OVER,
        to_act=None,
        throws=0,
        dice=None,
    )
    return SevensStep(ended, (*events, MatchEnded(outcome)))


def _with(by_seat: tuple[_T, ...], seat: int, item: _T) -> tuple[_T, ...]:
    """Return ``by_seat`` with another item at ``seat``."""
    return (*by_seat[:seat], item, *by_seat[seat + 1 :])


_MOVES: dict[type, Callable[..., SevensStep]] = {
    Roll: _roll,
    Stop: _stop,
    Leave: _leave,
    VoidRound: _void_round,
    StopMatch: _stop_match,
}
