"""How ``sevens`` moves: what each legal action leads to."""

from collections.abc import Callable

from game import open_dice
from game.actions import Action, Leave, Roll, Stop, StopMatch, VoidRound
from game.dice import Dice, high_to_low
from game.events import (
    CoastersMoved,
    DecidingRound,
    RoundBegan,
    RoundDecided,
    RoundVoided,
    Step,
    Stopped,
    Threw,
    happened,
)
from game.open_dice import (
    ROLL_OFF,
    THROWN,
    TO_THROW,
    Events,
    next_in_play,
    playing_order,
    taken_out,
)
from game.options import check_table
from game.reasons import IllegalAction, Reason
from game.sevens.legality import illegality
from game.sevens.rules import SevensRules
from game.sevens.state import SevensMatch
from game.sevens.values import groups_score, pairs_score
from game.status import Outcome, Phase, Status, with_item

_LASTING = SevensMatch._fields.index("limit")
"""How many fields of a match a whole round leaves alone; they come first."""
_SETTLED = SevensMatch._fields.index("round")
"""How many fields of a match the end of a round has settled when the next begins."""

_Hands = tuple[Dice | None, ...]
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


def apply(match: SevensMatch, action: Action) -> Step[SevensMatch]:
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
    events: Events,
) -> Step[SevensMatch]:
    """Move on within the round. The lasting fields are taken over as one slice, for speed."""
    turn = (limit, hands, match.turn + 1, phase, to_act, throws, dice)
    return _tuple(Step, (_tuple(SevensMatch, match[:_LASTING] + turn), events))


def _roll(match: SevensMatch, seat: int, action: Roll) -> Step[SevensMatch]:
    dice, throws = action.dice, match.throws + 1
    if dice is None:
        raise IllegalAction(Reason.THROWN_BEFORE_ALL, action)
    events = (Threw(seat, dice, throws),)
    if match.phase is ROLL_OFF:
        return _lead(match, with_item(match.hands, seat, dice), events)
    if throws < match.limit:
        return _on(match, match.limit, match.hands, THROWN, seat, throws, dice, events)
    return _finish(match, seat, dice, throws, events)


def _stop(match: SevensMatch, seat: int, _: Stop) -> Step[SevensMatch]:
    assert match.dice is not None, "he has thrown"
    return _finish(match, seat, match.dice, match.throws, happened(Stopped, seat))


def _lead(match: SevensMatch, hands: _Hands, events: Events) -> Step[SevensMatch]:
    """Go on with the roll-off (S-5)."""
    return open_dice.roll_off(match, hands, sum, _begin_round, events)


def _finish(
    match: SevensMatch, seat: int, dice: Dice, throws: int, events: Events
) -> Step[SevensMatch]:
    """End the turn of ``seat``; how often the leader threw is the limit for the others (S-2)."""
    order = match.order
    hands = with_item(match.hands, seat, dice)
    limit = throws if seat == match.leader else match.limit
    place = order.index(seat) + 1
    if place < len(order):
        return _on(match, limit, hands, TO_THROW, order[place], 0, None, events)
    return _settle(match, hands, events)


def _settle(match: SevensMatch, hands: _Hands, events: Events) -> Step[SevensMatch]:
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
        coasters=with_item(match.coasters, worst, match.coasters[worst] + 1),
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


def _begin_round(match: SevensMatch, leader: int, events: Events) -> Step[SevensMatch]:
    """Begin the next round with ``leader``, or with the next in play where he has left."""
    order = playing_order(match, leader)
    number, leader = match.round + 1, order[0]
    hands = (None,) * len(match.hands)
    turn = (match.rules.throws, hands, match.turn + 1, TO_THROW, leader, 0, None)
    begun = _tuple(SevensMatch, (*match[:_SETTLED], number, leader, order, *turn))
    return _tuple(Step, (begun, events + happened(RoundBegan, number, leader)))


def _leave(match: SevensMatch, to_act: int, action: Leave) -> Step[SevensMatch]:
    """Let a seat go with its coasters; if it was to act, the round is void (B-10)."""
    leaver = action.seat
    rest, events = taken_out(match, leaver)
    if len(rest.playing) == 1:
        # A deciding round needs two as well; those who sit it out have not lost either.
        return _over(rest, "B-10", (), events)
    if match.phase is ROLL_OFF:
        return _lead(rest, rest.hands, events)
    if leaver == to_act:
        following = next_in_play(rest, leaver)
        return _begin_round(rest, following, (*events, RoundVoided(match.round)))
    return Step(rest._replace(turn=match.turn + 1), events)


def _void_round(match: SevensMatch, _seat: int, _: VoidRound) -> Step[SevensMatch]:
    assert match.leader is not None, "a round has a leader"
    return _begin_round(match, match.leader, (RoundVoided(match.round),))


def _stop_match(match: SevensMatch, _seat: int, _: StopMatch) -> Step[SevensMatch]:
    return _over(match, "B-10", (), ())


def _over(
    match: SevensMatch, rule: str, losers: tuple[int, ...], events: Events
) -> Step[SevensMatch]:
    left = tuple(seat for seat, status in enumerate(match.status) if status is Status.LEFT)
    return open_dice.over(match, Outcome(rule, losers, (), left, match.coasters), events)


_MOVES: dict[type, Callable[..., Step[SevensMatch]]] = {
    Roll: _roll,
    Stop: _stop,
    Leave: _leave,
    VoidRound: _void_round,
    StopMatch: _stop_match,
}
