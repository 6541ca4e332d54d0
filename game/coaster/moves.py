"""How a coaster game moves within a round: what each legal action of a seat leads to."""

from collections.abc import Callable

from game.actions import (
    Action,
    Give,
    Keep,
    Leave,
    Lift,
    Roll,
    Stop,
    StopMatch,
    VoidRound,
)
from game.coaster.keeping import keeps
from game.coaster.leaving import leave, stop_match, void_round
from game.coaster.legality import (
    TO_LIFT,
    hand_to_lift,
    illegality,
)
from game.coaster.rounds import begin_round, lead, level, settle
from game.coaster.rules import CoasterRules
from game.coaster.state import (
    MOST_THROWS,
    CoasterMatch,
    Hand,
    covers_next,
)
from game.dice import Dice, high_to_low
from game.events import Kept, LevellingDeclined, Lifted, Rolled, Step, Stopped, Threw, happened
from game.open_dice import ROLL_OFF, THROWN, TO_THROW, Events
from game.options import check_table
from game.reasons import IllegalAction, Reason
from game.status import Phase, Status, with_item

_LASTING = CoasterMatch._fields.index("limit")
"""How many fields of a match a whole round leaves alone; they come first."""

_Hands = tuple[Hand | None, ...]
_tuple = tuple.__new__


def new_match(rules: CoasterRules, players: tuple[str, ...], first: int) -> CoasterMatch:
    """Return a match of ``players`` (names by seat, clockwise); seat ``first`` throws first.

    That throw is the first of the roll-off, in which it is found who leads. Raises SetupError as
    ``check_table`` does.
    """
    players = tuple(players)
    check_table(rules, players, first)
    seats = len(players)
    return CoasterMatch(
        rules=rules,
        players=players,
        half=1,
        stage=1,
        pile=rules.coasters,
        coasters=(0,) * seats,
        gone=0,
        status=(Status.IN,) * seats,
        lost=(),
        safe=(),
        outcome=None,
        round=0,
        leader=None,
        order=tuple((first + place) % seats for place in range(seats)),
        limit=MOST_THROWS,
        hands=(None,) * seats,
        turn=0,
        phase=ROLL_OFF,
        to_act=first,
        throws=0,
        aside=(),
        dice=None,
    )


def apply(match: CoasterMatch, action: Action) -> Step[CoasterMatch]:
    """Return the match after ``action`` and what happened.

    Raises IllegalAction, also where ``dice`` are None although they lie open now.
    """
    reason = illegality(match, action)
    if reason is not None:
        raise IllegalAction(reason, action)
    return _MOVES[type(action)](match, match.to_act, action)


def _on(
    match: CoasterMatch,
    limit: int,
    hands: _Hands,
    phase: Phase,
    to_act: int,
    throws: int,
    aside: Dice,
    dice: Dice | None,
    events: Events,
) -> Step[CoasterMatch]:
    """Move on within the round. The lasting fields are taken over as one slice, for speed."""
    turn = (limit, hands, match.turn + 1, phase, to_act, throws, aside, dice)
    return _tuple(Step, (_tuple(CoasterMatch, match[:_LASTING] + turn), events))


def _roll(match: CoasterMatch, seat: int, action: Roll) -> Step[CoasterMatch]:
    dice, throws, aside = action.dice, match.throws + 1, match.aside
    if covers_next(match):
        return _finish(match, seat, Hand(aside, dice, True), throws, happened(Rolled, seat, throws))
    if dice is None:
        raise IllegalAction(Reason.THROWN_OPENLY, action)
    events = happened(Threw, seat, dice, throws)
    if match.phase is ROLL_OFF:
        hands = with_item(match.hands, seat, Hand((), dice))
        return lead(match, hands, events)
    more = throws < match.limit or (
        throws == MOST_THROWS and keeps(match.rules.game, aside, dice, True)
    )
    if more:
        return _on(match, match.limit, match.hands, THROWN, seat, throws, aside, dice, events)
    return _finish(match, seat, Hand(aside, dice), throws, events)


def _keep(match: CoasterMatch, seat: int, action: Keep) -> Step[CoasterMatch]:
    aside = high_to_low(match.aside + action.aside + (1,) * action.turned)
    return _on(
        match, match.limit, match.hands, TO_THROW, seat, match.throws, aside, None,
        happened(Kept, seat, action.aside, action.turned),
    )  # fmt: skip


def _stop(match: CoasterMatch, seat: int, _: Stop) -> Step[CoasterMatch]:
    return _finish(
        match, seat, Hand(match.aside, match.dice), match.throws, happened(Stopped, seat)
    )


def _lift(match: CoasterMatch, seat: int, action: Lift) -> Step[CoasterMatch]:
    """Lift a covered throw; who can turn sixes of it decides on that (T-5)."""
    aside, covered = hand_to_lift(match)
    dice = action.dice or covered
    if dice is None:
        raise IllegalAction(Reason.COVERED_UNKNOWN, action)
    events = happened(Lifted, seat, dice)
    hand = Hand(aside, dice)
    if keeps(match.rules.game, aside, dice, True):
        hands = with_item(match.hands, seat, hand)
        return _on(match, match.limit, hands, THROWN, seat, MOST_THROWS, aside, dice, events)
    return _finish(match, seat, hand, MOST_THROWS, events)


def _finish(
    match: CoasterMatch, seat: int, hand: Hand, throws: int, events: Events
) -> Step[CoasterMatch]:
    """End the turn of ``seat``: the next one throws, or covered dice are lifted, or all is done."""
    order, limit = match.order, match.limit
    hands = with_item(match.hands, seat, hand)
    place = order.index(seat) + 1
    if match.hands[seat] is None:
        if seat == match.leader:
            limit = min(throws, MOST_THROWS)
        if place < len(order):
            return _on(match, limit, hands, TO_THROW, order[place], 0, (), None, events)
        place = 0
    for following in order[place:]:
        found = hands[following]
        if found is not None and found.covered:
            return _on(
                match, limit, hands, TO_LIFT, following, MOST_THROWS, found.aside, None, events
            )
    return settle(match, hands, events)


def _give(match: CoasterMatch, seat: int, action: Give) -> Step[CoasterMatch]:
    if action.to is not None:
        return level(match, seat, action.to)
    assert match.leader is not None, "phase two has a leader"
    return begin_round(match, match.leader, (LevellingDeclined(seat),))


_MOVES: dict[type, Callable[..., Step[CoasterMatch]]] = {
    Roll: _roll,
    Keep: _keep,
    Stop: _stop,
    Lift: _lift,
    Give: _give,
    Leave: leave,
    VoidRound: void_round,
    StopMatch: stop_match,
}
