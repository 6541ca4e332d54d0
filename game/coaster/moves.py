"""The moves of a coaster game within a round: what a seat's action writes on a draft."""

from collections.abc import Callable

from game.actions import Give, Keep, Lift, Roll, Stop
from game.coaster.legality import hand_to_lift, keeps
from game.coaster.rounds import give_away, level, settle
from game.coaster.rules import CoasterRules
from game.coaster.state import MOST_THROWS, CoasterHand, CoasterMatch, CoasterPosition, covers_next
from game.dice import Dice, high_to_low
from game.events import Kept, LevellingDeclined, Lifted, Rolled, Stopped, Threw, Told
from game.frozen import freeze
from game.open_dice import begin_round, for_the_lead, roll_off
from game.reasons import IllegalAction, Reason
from game.status import ROLL_OFF, THROWN, TO_LIFT, TO_THROW, Phase, with_item


def new_match(rules: CoasterRules, players: tuple[str, ...], first: int) -> CoasterMatch:
    """Return a match of ``players`` (names by seat, clockwise); seat ``first`` throws first.

    That throw is the first of the roll-off, which decides who leads. Raises SetupError as
    ``check_table`` does.
    """
    pile = rules.coasters - sum(rules.handicap)
    start = for_the_lead(CoasterPosition, rules, players, first, pile=pile)
    return freeze(start, CoasterMatch)


def _roll(after: CoasterPosition, seat: int, action: Roll) -> Told:
    dice, aside, covered = action.dice, after.aside, covers_next(after)
    after.throws += 1
    if covered:
        hand = CoasterHand(aside, dice, covered)
        return ((Rolled, seat, after.throws), *_finish(after, seat, hand))
    if dice is None:
        raise IllegalAction(Reason.THROWN_OPENLY, action)
    threw = (Threw, seat, dice, after.throws)
    if after.phase is ROLL_OFF:
        after.throws = 0
        after.hands = with_item(after.hands, seat, CoasterHand((), dice))
        return (threw, *roll_off(after))
    if after.throws < after.limit or (
        after.throws == MOST_THROWS and _brings_bonus(after, aside, dice)
    ):
        after.phase, after.dice = THROWN, dice
        return (threw,)
    return (threw, *_finish(after, seat, CoasterHand(aside, dice)))


def _brings_bonus(after: CoasterPosition, aside: Dice, dice: Dice) -> bool:
    """Return whether sixes of a third throw can be turned for another one (T-4)."""
    return bool(keeps(after.rules, aside, dice, True))


def _keep(after: CoasterPosition, seat: int, action: Keep) -> Told:
    after.aside = high_to_low(after.aside + action.aside + (1,) * action.turned)
    after.phase, after.dice = TO_THROW, None
    return ((Kept, seat, action.aside, action.turned),)


def _stop(after: CoasterPosition, seat: int, _: Stop) -> Told:
    return ((Stopped, seat), *_finish(after, seat, CoasterHand(after.aside, after.dice)))


def _lift(after: CoasterPosition, seat: int, action: Lift) -> Told:
    """Lift a covered throw; a player who can turn sixes of it decides about that next (T-5)."""
    aside, covered = hand_to_lift(after)
    dice = action.dice or covered
    if dice is None:
        raise IllegalAction(Reason.COVERED_UNKNOWN, action)
    lifted, hand = (Lifted, seat, dice), CoasterHand(aside, dice)
    if not _brings_bonus(after, aside, dice):
        return (lifted, *_finish(after, seat, hand))
    after.hands = with_item(after.hands, seat, hand)
    _turn_to(after, THROWN, seat, MOST_THROWS, aside, dice)
    return (lifted,)


def _finish(after: CoasterPosition, seat: int, hand: CoasterHand) -> Told:
    """End the turn of ``seat``: the next seat throws, or lifts covered dice, or the round ends."""
    order, place = after.order, after.order.index(seat) + 1
    lifts = after.hands[seat] is not None
    after.hands = with_item(after.hands, seat, hand)
    if not lifts:
        if seat == after.leader:
            after.limit = min(after.throws, MOST_THROWS)
        if place < len(order):
            _turn_to(after, TO_THROW, order[place], 0, (), None)
            return ()
        place = 0
    for following in order[place:]:
        found = after.hands[following]
        if found is not None and found.covered:
            _turn_to(after, TO_LIFT, following, MOST_THROWS, found.aside, None)
            return ()
    return settle(after)


def _turn_to(
    after: CoasterPosition, phase: Phase, seat: int, throws: int, aside: Dice, dice: Dice | None
) -> None:
    after.phase, after.to_act = phase, seat
    after.throws, after.aside, after.dice = throws, aside, dice


def _give(after: CoasterPosition, seat: int, action: Give) -> Told:
    if action.to == seat:
        return give_away(after, seat)
    if action.to is not None:
        return level(after, seat, action.to)
    assert after.leader is not None, "phase two has a leader"
    return ((LevellingDeclined, seat), *begin_round(after, after.leader))


MOVES: dict[type, Callable[..., Told]] = {
    Roll: _roll,
    Keep: _keep,
    Stop: _stop,
    Lift: _lift,
    Give: _give,
}
"""By action: its move. It writes on the draft for the seat to act and returns the events."""
