"""The moves of ``sevens``: what each legal action writes on the draft of the next match."""

from collections.abc import Callable

from game import events, open_dice
from game.actions import Leave, Roll, Stop, StopMatch, VoidRound
from game.dice import Dice, high_to_low
from game.events import Told
from game.frozen import freeze
from game.reasons import IllegalAction, Reason
from game.sevens.rules import SevensRules
from game.sevens.state import SevensMatch, SevensPosition
from game.sevens.values import groups_score, pairs_score
from game.status import IN, ROLL_OFF, THROWN, TO_THROW, WAITS, with_item


def new_match(rules: SevensRules, players: tuple[str, ...], first: int) -> SevensMatch:
    """Return a match of ``players`` (names by seat, clockwise); seat ``first`` throws first.

    That throw is the first of the roll-off, which decides who leads (S-5). Raises SetupError as
    ``check_table`` does.
    """
    start = open_dice.for_the_lead(SevensPosition, rules, players, first)
    return freeze(start, SevensMatch)


def _roll(after: SevensPosition, seat: int, action: Roll) -> Told:
    dice = action.dice
    if dice is None:
        raise IllegalAction(Reason.THROWN_BEFORE_ALL, action)
    throws = after.throws + 1
    threw = (events.Threw, seat, dice, throws)
    if after.phase is ROLL_OFF:
        after.hands = with_item(after.hands, seat, dice)
        return (threw, *open_dice.roll_off(after))
    after.phase, after.throws, after.dice = THROWN, throws, dice
    return (threw,) if throws < after.limit else (threw, *_finish(after, seat, dice))


def _stop(after: SevensPosition, seat: int, _: Stop) -> Told:
    assert after.dice is not None, "he has thrown"
    return ((events.Stopped, seat), *_finish(after, seat, after.dice))


def _finish(after: SevensPosition, seat: int, dice: Dice) -> Told:
    """End the turn of ``seat``; the leader's number of throws is the limit of the others (S-2)."""
    after.hands = with_item(after.hands, seat, dice)
    if seat == after.leader:
        after.limit = after.throws
    place = after.order.index(seat) + 1
    if place == len(after.order):
        return _settle(after)
    after.phase, after.to_act, after.throws, after.dice = TO_THROW, after.order[place], 0, None
    return ()


def _settle(after: SevensPosition) -> Told:
    """Book the loss of the round: the highest score loses, the later of two equal ones (S-4)."""
    score = groups_score if after.rules.seven_dice else pairs_score
    scores = {seat: score(high_to_low(after.hands[seat])) for seat in after.order}
    best = min(scores, key=scores.__getitem__)
    worst = max(reversed(after.order), key=scores.__getitem__)
    decided = (events.RoundDecided, best, worst)
    if after.deciding:
        return (decided, *open_dice.over(after, "S-4", (worst,)))
    after.coasters = with_item(after.coasters, worst, after.coasters[worst] + 1)
    after.lost = (*after.lost, worst)
    lost = (decided, (events.CoastersMoved, None, worst, 1))
    if len(after.lost) < after.rules.rounds:
        return (*lost, *open_dice.begin_round(after, worst))
    most = max(after.coasters)
    losers = tuple(seat for seat in after.playing if after.coasters[seat] == most)
    if len(losers) == 1:
        return (*lost, *open_dice.over(after, "S-4", losers))
    after.status = tuple(
        WAITS if status is IN and seat not in losers else status
        for seat, status in enumerate(after.status)
    )
    after.deciding = True
    leader = next((seat for seat in reversed(after.lost) if seat in losers), losers[0])
    return (*lost, (events.DecidingRound, losers), *open_dice.begin_round(after, leader))


def _leave(after: SevensPosition, to_act: int, action: Leave) -> Told:
    """Let a seat go with its coasters; if it was to act, the round is void (B-10)."""
    left = open_dice.take_out(after, action.seat)
    if len(after.playing) == 1:
        # A deciding round needs two as well; the players who sit it out have not lost either.
        return (*left, *open_dice.over(after, "B-10", ()))
    if after.phase is ROLL_OFF:
        return (*left, *open_dice.roll_off(after))
    if action.seat == to_act:
        return (*left, *open_dice.void(after, open_dice.next_in_play(after, to_act)))
    return left


def _stop_match(after: SevensPosition, _seat: int, _: StopMatch) -> Told:
    return open_dice.over(after, "B-10", ())


MOVES: dict[type, Callable[..., Told]] = {
    Roll: _roll,
    Stop: _stop,
    Leave: _leave,
    VoidRound: open_dice.void_round,
    StopMatch: _stop_match,
}
"""By action: its move. It writes on the draft for the seat to act and returns the events."""
