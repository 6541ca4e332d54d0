"""How a bluff game moves: what each legal action leads to."""

from collections.abc import Callable

from game.actions import (
    Action,
    Announce,
    Believe,
    Doubt,
    EndMatch,
    Fault,
    FaultKind,
    GiveIn,
    Leave,
    Lift,
    Look,
    OwnUp,
    Refuse,
    Roll,
    Say,
    ShowMaexchen,
    ShowTower,
    StopMatch,
    VoidRound,
)
from game.bluff.legality import (
    BELIEVED,
    DOUBTED,
    OFFERED,
    OPENING,
    ROLL_AGAIN,
    THROWN,
    illegality,
)
from game.bluff.position import is_admissible, is_wrong_way, resolved
from game.bluff.rounds import (
    ONE_PENALTY,
    Events,
    new_tuple,
    over,
    penalise,
    score,
    void,
)
from game.bluff.rules import BluffRules
from game.bluff.state import Match, next_seat
from game.bluff.values import MAEXCHEN, PLACE, value_of
from game.events import (
    Announced,
    Believed,
    Doubted,
    GaveIn,
    Inadmissible,
    LeftTable,
    Looked,
    MaexchenShown,
    Mishandled,
    OwnedUp,
    Refused,
    Revealed,
    Reversed,
    Rolled,
    Step,
    TowerShown,
    TowerSpared,
    WentWrongWay,
    happened,
)
from game.options import SetupError, check_table
from game.reasons import IllegalAction, Reason
from game.status import Phase, Status, with_item

_CLOCKWISE = 1
_LASTING = Match._fields.index("turn")
"""How many fields of a match a whole round leaves alone; they come first."""


def new_match(rules: BluffRules, players: tuple[str, ...], first: int) -> Match:
    """Return a match of ``players`` (names by seat, clockwise) in which seat ``first`` opens.

    Raises SetupError for a number of players the game is not for, for names that are empty,
    unprintable or equal, for a seat nobody has, and for too few players for two losers.
    """
    players = tuple(players)
    check_table(rules, players, first)
    if len(players) <= rules.losers:
        raise SetupError(f"losers = 2 needs three or more players, not {len(players)}")
    return Match(
        rules=rules,
        players=players,
        direction=_CLOCKWISE,
        round=1,
        opener=first,
        tally=(0,) * len(players),
        status=(Status.IN,) * len(players),
        out=(),
        outcome=None,
        turn=0,
        phase=OPENING,
        to_act=first,
        announced=None,
        announcer=None,
        dice=None,
        rolls=0,
        seen=False,
    )


def apply(match: Match, action: Action) -> Step[Match]:
    """Return the match after ``action`` and what happened.

    Raises IllegalAction, also for a ``Lift(None)`` where this copy does not know the dice.
    """
    reason = illegality(match, action)
    if reason is not None:
        raise IllegalAction(reason, action)
    return _MOVES[type(action)](match, match.to_act, action)


def _within_round(match: Match, turn: tuple[object, ...], events: Events) -> Step[Match]:
    """Move on within the round. ``turn`` are the fields after the lasting ones, without names.

    The lasting fields are taken over as one slice, for speed.
    """
    return new_tuple(Step, (new_tuple(Match, match[:_LASTING] + turn), events))


def _roll(match: Match, seat: int, action: Roll) -> Step[Match]:
    rolls = match.rolls + 1
    if match.phase is ROLL_AGAIN and match.announcer == seat:
        # A tower spared him: unseen, and the neighbour who doubted has to lift again (R-HF-8).
        phase, to_act, kept = DOUBTED, next_seat(match, seat), 0
    else:
        phase, to_act, kept = THROWN, seat, rolls
    return _within_round(
        match,
        (
            match.turn + 1, phase, to_act, match.announced, match.announcer, action.dice,
            kept, False, match.said, match.announcer_rolls, action.tower,
        ),
        happened(Rolled, seat, rolls),
    )  # fmt: skip


def _look(match: Match, seat: int, _: Look) -> Step[Match]:
    return _within_round(
        match,
        (
            match.turn + 1, THROWN, seat, match.announced, match.announcer, match.dice,
            match.rolls, True, match.said, match.announcer_rolls, match.tower,
        ),
        happened(Looked, seat),
    )  # fmt: skip


def _announce(match: Match, seat: int, action: Announce) -> Step[Match]:
    value, flourish, wrong_way = action.value, action.flourish, action.wrong_way
    if flourish is None and not wrong_way:
        to = next_seat(match, seat)
        announced = happened(Announced, seat, value, to)
    else:
        to = _neighbour(match, seat, wrong_way)
        announced = happened(Announced, seat, value, to, None, flourish, wrong_way)
    if match.rules.customs.open_mistakes and not is_admissible(match, value):
        return _inadmissible(match, seat, announced)
    return _offer(match, seat, to, value, action, announced)


def _say(match: Match, seat: int, action: Say) -> Step[Match]:
    to = _neighbour(match, seat, action.wrong_way)
    announced = happened(Announced, seat, None, to, action.words, None, action.wrong_way)
    value = resolved(match, action)
    if value is None or not is_admissible(match, value):
        return _inadmissible(match, seat, announced)
    return _offer(match, seat, to, value, action, announced)


def _inadmissible(match: Match, seat: int, announced: Events) -> Step[Match]:
    return penalise(match, seat, ONE_PENALTY, announced + happened(Inadmissible, seat))


def _neighbour(match: Match, seat: int, wrong_way: bool) -> int:
    if wrong_way:
        match = match._replace(direction=-match.direction)
    return next_seat(match, seat)


def _offer(
    match: Match, seat: int, to: int, value: int, said: Announce | Say, events: Events
) -> Step[Match]:
    return _within_round(
        match,
        (
            match.turn + 1, OFFERED, to, value, seat, match.dice,
            0, False, said, match.rolls, match.tower,
        ),
        events,
    )  # fmt: skip


def _answer(match: Match, seat: int, phase: Phase, events: Events) -> Step[Match]:
    said = match.said
    if said is not None and said.wrong_way and is_wrong_way(match):
        passer = _standing(match)[1]
        events += happened(WentWrongWay, passer, seat)
        return score(match, ((passer, ONE_PENALTY), (seat, ONE_PENALTY)), events)
    return _within_round(
        match,
        (
            match.turn + 1, phase, seat, match.announced, match.announcer, match.dice,
            0, False, match.said, match.announcer_rolls, match.tower,
        ),
        events,
    )  # fmt: skip


def _believe(match: Match, seat: int, _: Believe) -> Step[Match]:
    return _answer(match, seat, BELIEVED, happened(Believed, seat))


def _doubt(match: Match, seat: int, _: Doubt) -> Step[Match]:
    return _answer(match, seat, DOUBTED, happened(Doubted, seat))


def _refuse(match: Match, seat: int, _: Refuse) -> Step[Match]:
    passer = _standing(match)[1]
    events = happened(Refused, seat) + happened(WentWrongWay, passer, None)
    return penalise(match, passer, ONE_PENALTY, events)


def _standing(match: Match) -> tuple[int, int]:
    """Return the standing announcement's value and its announcer."""
    assert match.announced is not None, "an answer is about an announcement"
    assert match.announcer is not None, "an announcement has an announcer"
    return match.announced, match.announcer


def _lift(match: Match, seat: int, action: Lift) -> Step[Match]:
    dice, tower = (match.dice, match.tower) if action.dice is None else (action.dice, action.tower)
    if dice is None:
        raise IllegalAction(Reason.DICE_NEEDED, action)
    announced, announcer = _standing(match)
    value, customs = value_of(dice), match.rules.customs
    lied = _is_lie(match.rules, announced, value)
    if tower:
        events = happened(Revealed, seat, dice, announced, announcer, lied, tower)
        if lied and match.announcer_rolls == match.rules.rolls:
            return _spare(match, announcer, events)
    else:
        events = happened(Revealed, seat, dice, announced, announcer, lied)
    counts = announced == MAEXCHEN or (value == MAEXCHEN and customs.lifted_maexchen_costs_too)
    cost = customs.maexchen_cost if counts else ONE_PENALTY
    if value == MAEXCHEN and customs.reverses and len(match.playing) > 2:
        match = match._replace(direction=-match.direction)
        events += happened(Reversed, match.direction)
    return penalise(match, announcer if lied else seat, cost, events)


def _is_lie(rules: BluffRules, announced: int, rolled: int) -> bool:
    """Tell whether an announcement is a lie about the dice (B-4)."""
    if rules.understating == "lie":
        return announced != rolled
    return PLACE[announced] > PLACE[rolled]


def _spare(match: Match, announcer: int, events: Events) -> Step[Match]:
    """Let a liar whose last roll is a tower make it again (R-HF-8); his announcement stays."""
    return _within_round(
        match,
        (
            match.turn + 1, ROLL_AGAIN, announcer, match.announced, announcer, None,
            match.rules.rolls - 1, False, match.said, match.announcer_rolls, False,
        ),
        events + happened(TowerSpared, announcer),
    )  # fmt: skip


def _show_tower(match: Match, seat: int, action: ShowTower) -> Step[Match]:
    dice = action.dice or match.dice
    if dice is None:
        raise IllegalAction(Reason.DICE_NEEDED, action)
    return _within_round(
        match,
        (
            match.turn + 1, ROLL_AGAIN, seat, match.announced, match.announcer, None,
            match.rolls - 1, False, match.said, match.announcer_rolls, False,
        ),
        happened(TowerShown, seat, dice),
    )  # fmt: skip


def _give_in(match: Match, seat: int, _: GiveIn) -> Step[Match]:
    return penalise(match, seat, ONE_PENALTY, happened(GaveIn, seat))


def _own_up(match: Match, seat: int, _: OwnUp) -> Step[Match]:
    return penalise(match, seat, ONE_PENALTY, happened(OwnedUp, seat))


def _show_maexchen(match: Match, seat: int, _: ShowMaexchen) -> Step[Match]:
    return penalise(match, next_seat(match, seat), ONE_PENALTY, happened(MaexchenShown, seat))


def _fault(match: Match, _seat: int, action: Fault) -> Step[Match]:
    customs = match.rules.customs
    cost = customs.fault_cost
    if action.kind == FaultKind.DROP:
        on_maexchen = match.announced == MAEXCHEN
        cost = customs.drop_cost_on_maexchen if on_maexchen else customs.drop_cost
    return penalise(match, action.seat, cost, happened(Mishandled, action.seat, action.kind))


def _end_match(match: Match, _seat: int, _: EndMatch) -> Step[Match]:
    most = max(match.tally[seat] for seat in match.playing)
    losers = tuple(seat for seat in match.playing if match.tally[seat] == most)
    return over(match, "B-8", losers, ())


def _leave(match: Match, to_act: int, action: Leave) -> Step[Match]:
    """Let a seat go (B-10). The dice are covered in the cup, so only its holder has any.

    An offered cup is still the announcer's: if the seat it is offered to leaves, the next one has
    to answer. In every other phase the cup is with the seat that is to act.
    """
    leaver = action.seat
    match = match._replace(status=with_item(match.status, leaver, Status.LEFT))
    events: Events = happened(LeftTable, leaver)
    if len(match.playing) == 1:
        return over(match, "B-10", (), events)
    if match.phase is OFFERED and leaver == to_act:
        to_act = _neighbour(match, _standing(match)[1], is_wrong_way(match))
    elif leaver in (to_act, match.announcer):
        return void(match, next_seat(match, leaver), events)
    return Step(match._replace(turn=match.turn + 1, to_act=to_act), events)


def _void_round(match: Match, _seat: int, _: VoidRound) -> Step[Match]:
    opener = match.opener
    if match.status[opener] is Status.LEFT:
        opener = next_seat(match, opener)
    return void(match, opener, ())


def _stop_match(match: Match, _seat: int, _: StopMatch) -> Step[Match]:
    return over(match, "B-10", (), ())


_MOVES: dict[type, Callable[..., Step[Match]]] = {
    Roll: _roll,
    Look: _look,
    Announce: _announce,
    Say: _say,
    Believe: _believe,
    Doubt: _doubt,
    Refuse: _refuse,
    Lift: _lift,
    ShowMaexchen: _show_maexchen,
    ShowTower: _show_tower,
    Fault: _fault,
    GiveIn: _give_in,
    OwnUp: _own_up,
    EndMatch: _end_match,
    Leave: _leave,
    VoidRound: _void_round,
    StopMatch: _stop_match,
}
