"""The moves of a bluff game, and the end of a round, as written on the next match's draft.

Every function here writes on a draft and returns the events.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from game import actions, events
from game.bluff.legality import (
    CHECKS,
    counts_as_maexchen,
    is_admissible,
    is_lie,
    is_wrong_way,
    laid_open,
    legal_actions,
    playing_order,
    resolved,
    rolls,
    seat_actions,
)
from game.bluff.rules import (
    BLUFF_GAMES,
    CLOCKWISE,
    MAEXCHEN,
    RANKING,
    BluffPosition,
    BluffRules,
    Match,
    next_seat,
    value_of,
    view,
)
from game.events import EventTuples
from game.family import Family
from game.options import SetupError, level, start_of
from game.reasons import IllegalAction, Reason
from game.status import (
    BELIEVED,
    DOUBTED,
    IN,
    LEFT,
    OFFERED,
    OPENING,
    OUT,
    OVER,
    PLAYING,
    ROLL_AGAIN,
    SWIMS,
    THROWN,
    Outcome,
    Phase,
    with_item,
)

ONE_PENALTY = 1
"""The usual number of penalties (R-CLASS-1, R-PHYS-4, R-HF-3)."""
SHARED, REVERSING = 31, 32
"""The values that cost everybody one, and that turn the direction, if the rules are Mexican
(`mexican` in ``sheet.toml``)."""


def penalise(
    after: BluffPosition,
    seat: int,
    cost: int = ONE_PENALTY,
    winner: int | None = None,
    turns: bool = False,
    shared: bool = False,
) -> EventTuples:
    """Turn the direction or not, book ``cost`` on ``seat``, and begin the next round (B-6).

    ``winner`` is the other seat of a doubt, an offer or a shown Mäxchen; None for none. If the
    penalty is ``shared``, everybody else pays one after it, in playing order.
    """
    turned = _turn(after, turns)
    others = [(each, ONE_PENALTY) for each in playing_order(after, seat)[1:]] if shared else ()
    return (*turned, *score(after, (seat, cost), *others, winner=winner))


def score(
    after: BluffPosition, *bookings: tuple[int, int], winner: int | None = None
) -> EventTuples:
    """Book penalties one after the other, as (seat, cost), and begin a round or end the match.

    The first seat has lost (R-HF-6); ``winner`` is as in ``penalise``.
    """
    told: EventTuples = ()
    for seat, cost in bookings:
        told += _book(after, seat, cost)
    if after.out and _is_enough(after):
        return (*told, *over(after, "R-HF-4" if after.rules.losers else "R-CLASS-2", after.out))
    return (*told, *_begin_round(after, _opener(after, bookings[0][0], winner)))


def _is_enough(after: BluffPosition) -> bool:
    """Return whether as many are out as end the match (R-CLASS-2, R-HF-4)."""
    most = after.rules.losers or int(after.rules.ends == "first_out")
    return len(after.out) == most or len(after.playing) == 1


def _book(after: BluffPosition, seat: int, cost: int) -> EventTuples:
    """Book a penalty on ``seat``, who may swim or go out by it (R-CLASS-1, R-CLASS-2, R-HF-4).

    With matches as stakes, a player pays at most those that are left, and one while swimming.
    """
    rules, left = after.rules, None
    if rules.stakes == "matches":
        had = rules.credit - after.tally[seat]
        cost = min(cost, had) if had > 0 else ONE_PENALTY
        left = max(had - cost, 0)
        goes = had < cost if rules.swim else had == cost
    else:
        goes = len(after.out) < rules.losers and after.tally[seat] + cost >= rules.points
    after.tally = with_item(after.tally, seat, after.tally[seat] + cost)
    told: EventTuples = ((events.Penalised, seat, cost, left),)
    if goes:
        after.status, after.out = with_item(after.status, seat, OUT), (*after.out, seat)
        return (*told, (events.WentOut, seat))
    if left == 0:
        after.status = with_item(after.status, seat, SWIMS)
        return (*told, (events.Swam, seat))
    return told


def _opener(after: BluffPosition, loser: int, winner: int | None) -> int:
    """Return the seat that opens after a penalty: by the rules, or the next one still in."""
    opens = after.rules.opener
    seat = winner if opens == "winner" and winner is not None else loser
    if opens == "next" or after.status[seat] not in PLAYING:
        return next_seat(after, seat)
    return seat


def void(after: BluffPosition, opener: int) -> EventTuples:
    """Begin the next round with ``opener``; the running one counts for nothing (B-10)."""
    return ((events.RoundVoided, after.round), *_begin_round(after, opener))


def _begin_round(after: BluffPosition, opener: int) -> EventTuples:
    """Begin the next round with an empty cup at ``opener`` (B-6)."""
    _empty_cup(after, OPENING, opener)
    after.round += 1
    after.opener = opener
    return ((events.RoundBegan, after.round, opener),)


def _turn(after: BluffPosition, turns: bool) -> EventTuples:
    """Turn the direction of play for the next round, or back again after such a round (R-HF-7)."""
    direction = after.direction
    if turns and len(after.playing) > 2:
        after.direction = -direction
    elif after.rules.reverses == "once":
        after.direction = CLOCKWISE
    return () if after.direction == direction else ((events.Reversed, after.direction),)


def over(after: BluffPosition, rule: str, losers: tuple[int, ...]) -> EventTuples:
    """End the match by ``rule``, with ``losers`` as in ``Outcome``."""
    _empty_cup(after, OVER, None)
    left = tuple(seat for seat, status in enumerate(after.status) if status is LEFT)
    after.outcome = Outcome(rule, losers, after.out, left, after.tally)
    return ((events.MatchEnded, after.outcome),)


def _empty_cup(after: BluffPosition, phase: Phase, to_act: int | None) -> None:
    """Clear the announcement and the dice under the cup."""
    after.phase, after.to_act = phase, to_act
    after.announced = after.announcer = after.said = after.dice = None
    after.rolls = after.announcer_rolls = 0
    after.seen = after.tower = False


def start(rules: BluffRules, players: tuple[str, ...], first: int) -> BluffPosition:
    """Return the position in which seat ``first`` opens.

    Raises SetupError if the players are too few for two losers.
    """
    seats = len(players)
    if seats <= rules.losers:
        raise SetupError(f"losers = 2 needs three or more players, not {seats}")
    return BluffPosition(
        level(rules),
        players,
        opener=first,
        tally=start_of(rules, seats),
        status=(IN,) * seats,
        to_act=first,
    )


def _roll(after: BluffPosition, seat: int, action: actions.Roll) -> EventTuples:
    number = after.rolls + 1
    after.dice, after.tower, after.seen = action.dice, action.tower, False
    if after.phase is ROLL_AGAIN and after.announcer == seat:
        # A tower spared the announcer. The dice are unseen, and the neighbour who doubted has to
        # lift again (R-HF-8).
        after.phase, after.to_act, after.rolls = DOUBTED, next_seat(after, seat), 0
    else:
        after.phase, after.rolls = THROWN, number
    return ((events.Rolled, seat, number),)


def _look(after: BluffPosition, seat: int, _: actions.Look) -> EventTuples:
    after.seen = True
    return ((events.Looked, seat),)


def _announce(after: BluffPosition, seat: int, action: actions.Announce) -> EventTuples:
    value, to = action.value, _neighbour(after, seat, action.wrong_way)
    said = (events.Announced, seat, value, to, None, action.flourish, action.wrong_way)
    return _offer(after, seat, action, value, to, said)


def _say(after: BluffPosition, seat: int, action: actions.Say) -> EventTuples:
    to = _neighbour(after, seat, action.wrong_way)
    said = (events.Announced, seat, None, to, action.words, None, action.wrong_way)
    return _offer(after, seat, action, resolved(after, action), to, said)


def _offer(
    after: BluffPosition,
    seat: int,
    action: actions.Announce | actions.Say,
    value: int | None,
    to: int,
    said: tuple[Any, ...],
) -> EventTuples:
    """Offer the cup with a value, or pay for one that is not admissible, or None (R-HF-5).

    ``said`` is the event.
    """
    if after.rules.customs.open_mistakes and (value is None or not is_admissible(after, value)):
        wrong = said, (events.Inadmissible, seat)
        return (*wrong, *penalise(after, seat, winner=after.announcer))
    after.phase, after.to_act = OFFERED, to
    after.announced, after.announcer, after.said = value, seat, action
    after.announcer_rolls, after.rolls, after.seen = after.rolls, 0, False
    return (said,)


def _neighbour(match: BluffPosition, seat: int, wrong_way: bool) -> int:
    return next_seat(match, seat, -match.direction) if wrong_way else next_seat(match, seat)


def _answer(event: type, phase: Phase, after: BluffPosition, seat: int, _: object) -> EventTuples:
    """Take the cup. If it came the wrong way, giver and taker pay (R-HF-5)."""
    after.phase = phase
    if not is_wrong_way(after):
        return ((event, seat),)
    passer = _standing(after)[1]
    wrong = (event, seat), (events.WentWrongWay, passer, seat), *_turn(after, False)
    return (*wrong, *score(after, (passer, ONE_PENALTY), (seat, ONE_PENALTY)))


def _refuse(after: BluffPosition, seat: int, _: actions.Refuse) -> EventTuples:
    passer = _standing(after)[1]
    wrong = (events.Refused, seat), (events.WentWrongWay, passer, None)
    return (*wrong, *penalise(after, passer, winner=seat))


def _standing(match: BluffPosition) -> tuple[int, int]:
    """Return the standing announcement's value and its announcer."""
    assert match.announced is not None, "an answer is about an announcement"
    assert match.announcer is not None, "an announcement has an announcer"
    return match.announced, match.announcer


def _lift(after: BluffPosition, seat: int, action: actions.Lift) -> EventTuples:
    dice, tower = (after.dice, after.tower) if action.dice is None else (action.dice, action.tower)
    if dice is None:
        raise IllegalAction(Reason.DICE_NEEDED, action)
    announced, announcer = _standing(after)
    value, rules = value_of(dice), after.rules
    lied = is_lie(rules, announced, value)
    revealed = (events.Revealed, seat, dice, announced, announcer, lied, tower)
    if tower and lied and after.announcer_rolls == rules.rolls:
        return (revealed, *_spare(after, announcer))
    counts = counts_as_maexchen(rules, announced) or (
        value == MAEXCHEN and rules.customs.lifted_maexchen_costs_too
    )
    cost = ONE_PENALTY
    if counts:
        cost = rules.maexchen_false if lied else rules.maexchen_true
    payer, winner = (announcer, seat) if lied else (seat, announcer)
    turns = rules.customs.reverses if value == MAEXCHEN else rules.mexican and value == REVERSING
    shared = rules.mexican and value == SHARED
    if rules.free_doubt and not (lied or shared):
        return (revealed, *_turn(after, turns), *_begin_round(after, _opener(after, payer, winner)))
    return (revealed, *penalise(after, payer, cost, winner, turns, shared))


def _spare(after: BluffPosition, announcer: int) -> EventTuples:
    """Let a liar whose last roll is a tower repeat it (R-HF-8); the announcement stays."""
    _void_tower(after)
    after.to_act, after.rolls = announcer, after.rules.rolls - 1
    return ((events.TowerSpared, announcer),)


def _void_tower(after: BluffPosition) -> None:
    after.phase, after.dice, after.tower, after.seen = ROLL_AGAIN, None, False, False


def _show_tower(after: BluffPosition, seat: int, action: actions.ShowTower) -> EventTuples:
    dice = action.dice or after.dice
    if dice is None:
        raise IllegalAction(Reason.DICE_NEEDED, action)
    _void_tower(after)
    after.rolls -= 1
    return ((events.TowerShown, seat, dice),)


def _pay(event: type, after: BluffPosition, seat: int, _: object) -> EventTuples:
    """Let a player who gives in or owns up pay one."""
    return ((event, seat), *penalise(after, seat, winner=after.announcer))


def _show_maexchen(after: BluffPosition, seat: int, _: actions.ShowMaexchen) -> EventTuples:
    payer, turns = next_seat(after, seat), after.rules.customs.reverses
    return ((events.MaexchenShown, seat), *penalise(after, payer, winner=seat, turns=turns))


def _fault(after: BluffPosition, _seat: int, action: actions.Fault) -> EventTuples:
    customs = after.rules.customs
    cost = customs.fault_cost
    if action.kind == actions.FaultKind.DROP:
        on_maexchen = counts_as_maexchen(after.rules, after.announced)
        cost = customs.drop_cost_on_maexchen if on_maexchen else customs.drop_cost
    mishandled = (events.Mishandled, action.seat, action.kind)
    return (mishandled, *penalise(after, action.seat, cost))


def _end_match(after: BluffPosition, _seat: int, _: actions.EndMatch) -> EventTuples:
    most = max(after.tally[seat] for seat in after.playing)
    return over(after, "B-8", tuple(seat for seat in after.playing if after.tally[seat] == most))


def _leave(after: BluffPosition, to_act: int, action: actions.Leave) -> EventTuples:
    """Let a seat go (B-10). The dice are covered in the cup, so only its holder has any.

    An offered cup still belongs to the announcer: if the receiver leaves, the next seat has to
    answer. In every other phase the cup is with the seat that is to act.
    """
    leaver = action.seat
    after.status = with_item(after.status, leaver, LEFT)
    left = (events.LeftTable, leaver)
    if len(after.playing) == 1:
        return (left, *over(after, "B-10", ()))
    if after.phase is OFFERED and leaver == to_act:
        after.to_act = _neighbour(after, _standing(after)[1], is_wrong_way(after))
    elif leaver in (to_act, after.announcer):
        return (left, *void(after, next_seat(after, leaver)))
    return (left,)


def _void_round(after: BluffPosition, _seat: int, _: actions.VoidRound) -> EventTuples:
    opener = after.opener
    if after.status[opener] is LEFT:
        opener = next_seat(after, opener)
    return void(after, opener)


MOVES: dict[type, Callable[..., EventTuples]] = {
    actions.Roll: _roll,
    actions.Look: _look,
    actions.Announce: _announce,
    actions.Say: _say,
    actions.Believe: partial(_answer, events.Believed, BELIEVED),
    actions.Doubt: partial(_answer, events.Doubted, DOUBTED),
    actions.Refuse: _refuse,
    actions.Lift: _lift,
    actions.ShowMaexchen: _show_maexchen,
    actions.ShowTower: _show_tower,
    actions.Fault: _fault,
    actions.GiveIn: partial(_pay, events.GaveIn),
    actions.OwnUp: partial(_pay, events.OwnedUp),
    actions.EndMatch: _end_match,
    actions.Leave: _leave,
    actions.VoidRound: _void_round,
    actions.StopMatch: lambda after, _seat, _: over(after, "B-10", ()),
}
"""By action: its move. It writes on the draft for the seat to act and returns the events."""


_DICE = 2

BLUFF_FAMILY = Family(
    games=BLUFF_GAMES,
    position=BluffPosition,
    match=Match,
    start=start,
    seat_actions=lambda _: seat_actions(RANKING),
    legal_actions=legal_actions,
    checks=CHECKS,
    moves=MOVES,
    view=view,
    hides_dice=True,
    covers_next=lambda _: True,
    dice_to_roll=lambda _: _DICE,
    rolls=rolls,
    laid_open=laid_open,
)
