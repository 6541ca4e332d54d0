"""The moves of a coaster game, its end of a round, and the actions of the table (B-10).

Games with halves and games with safe players differ here. Every function here writes on a draft and
returns the events.
"""

from collections.abc import Callable

from game import events, open_dice
from game.actions import GiveCoaster, Keep, Leave, Lift, Roll, SeatAction, Stop
from game.coaster.rules import (
    CHECKS,
    COASTER_GAMES,
    KEEPS,
    MOST_THROWS,
    ONES,
    RICH,
    CoasterHand,
    CoasterMatch,
    CoasterPosition,
    CoasterRules,
    covers_next,
    hand_to_lift,
    keeps,
    laid_open,
    legal_actions,
    receivers,
    rolls,
    view,
)
from game.dice import Dice, high_to_low
from game.events import EventTuples, Kept, LevellingDeclined, Lifted, Rolled, Stopped, Threw
from game.family import Family
from game.reasons import IllegalAction, Reason
from game.status import (
    IN,
    LEFT,
    LEVELLING,
    ROLL_OFF,
    SAFE,
    THROWN,
    TO_LIFT,
    TO_THROW,
    WAITS,
    Phase,
    with_item,
)

SECOND, THIRD = 2, 3
"""Numbers of halves of ``maxen`` (R-MAX-5)."""


def settle(after: CoasterPosition) -> EventTuples:
    """Settle a round in which every seat has thrown and no dice are covered any more.

    Coasters move, a half or the match may end, or the next round begins (R-MAX-2 to R-MAX-5,
    R-CHI-1 to R-CHI-4). The earlier of two equal throws in playing order ranks higher (M-3, C-2).
    """
    customs = after.rules.customs
    ranks = {seat: customs.ranks[_three(after, seat)] for seat in after.order}
    best = max(ranks, key=ranks.__getitem__)
    worst = min(reversed(ranks), key=ranks.__getitem__)
    pay = _pay_in_halves if customs.halves else _pay_until_safe
    return ((events.RoundDecided, best, worst), *pay(after, best, worst, _three(after, best)))


def _three(match: CoasterPosition, seat: int) -> Dice:
    hand = match.hands[seat]
    assert hand is not None, "he has thrown"
    assert hand.dice is not None, "his dice lie open"
    return hand.aside + hand.dice


def _move_coasters(
    after: CoasterPosition, giver: int | None, taker: int | None, count: int
) -> EventTuples:
    """Move ``count`` coasters, as in the event; coasters that nobody takes are out of the game."""
    if giver is None:
        after.pile -= count
    else:
        after.coasters = with_item(after.coasters, giver, after.coasters[giver] - count)
    if taker is None:
        after.gone += count
    else:
        after.coasters = with_item(after.coasters, taker, after.coasters[taker] + count)
    return ((events.CoastersMoved, giver, taker, count),)


def _pay_in_halves(after: CoasterPosition, best: int, worst: int, top: Dice) -> EventTuples:
    """Pay a round (R-MAX-2, R-MAX-3), or end the half by three ones (R-MAX-4)."""
    if top == ONES:
        return lose_half(after, worst, "R-MAX-4")
    worth = after.rules.customs.worths[top]
    if after.stage == 1:
        told = _move_coasters(after, None, worst, min(worth, after.pile))
        if after.pile:
            return (*told, *open_dice.begin_round(after, worst))
        after.stage = 2
        told = (*told, (events.PhaseTwoBegan,))
    else:
        told = _move_coasters(after, best, worst, min(worth, after.coasters[best]))
    open_dice.sit_out(after, [seat for seat in after.playing if after.coasters[seat]])  # R-MAX-3
    if after.playing == (worst,):
        return (*told, *lose_half(after, worst, "R-MAX-3"))
    return (*told, *open_dice.begin_round(after, worst))


def lose_half(after: CoasterPosition, loser: int, rule: str) -> EventTuples:
    """End a half of ``maxen``; the next one begins, or the match is over (R-MAX-5)."""
    half_lost = (events.HalfLost, loser, after.half, rule)
    after.lost = (*after.lost, loser)
    first = after.lost[0]
    if after.half == THIRD or (after.half == SECOND and loser == first):
        return (half_lost, *open_dice.over(after, "R-MAX-5", (loser,)))
    if after.status[first] is LEFT:
        # The opponent of the leaver would play the third half alone (B-10).
        return (half_lost, *open_dice.over(after, "B-10", ()))
    after.half += 1
    resting = WAITS if after.half == THIRD else IN
    after.status = tuple(
        LEFT if status is LEFT else IN if seat in after.lost else resting
        for seat, status in enumerate(after.status)
    )
    after.stage, after.pile, after.gone = 1, after.rules.coasters, 0
    after.coasters = (0,) * len(after.coasters)
    half_began = (events.HalfBegan, after.half, after.playing)
    return (half_lost, half_began, *open_dice.begin_round(after, first))


def _pay_until_safe(after: CoasterPosition, best: int, worst: int, top: Dice) -> EventTuples:
    """Pay a round of a game with safe players (R-CHI-1 to R-CHI-3)."""
    chicago = top == ONES
    if after.stage == 1:
        told = _move_coasters(after, None, worst, 1)
        if chicago:
            told += _get_safe(after, best)
        if after.pile or len(after.playing) == 1:
            return (*told, *_go_on(after, worst, "R-CHI-2"))
        return (*told, *_begin_phase_two(after, worst))
    after.leader = worst
    if after.rules.may_give:
        after.phase, after.to_act = LEVELLING, best
        after.throws, after.aside, after.dice = 0, (), None
        return ()
    return give_away(after, best)


def give_away(after: CoasterPosition, best: int) -> EventTuples:
    """Put a coaster of the best throw out of the game, with Chicago all of them (R-CHI-3)."""
    leader = after.leader
    assert leader is not None, "the lowest throw leads"
    chicago = _three(after, best) == ONES
    told = _move_coasters(after, best, None, after.coasters[best] if chicago else 1)
    if not after.coasters[best]:
        told += _get_safe(after, best)
    return (*told, *_go_on(after, leader, "R-CHI-3"))


def _go_on(after: CoasterPosition, leader: int, rule: str) -> EventTuples:
    """Begin the next round, or end the match by ``rule`` if one player alone is in danger."""
    if len(after.playing) == 1:
        return open_dice.over(after, rule, after.playing)
    return open_dice.begin_round(after, leader)


def _begin_phase_two(after: CoasterPosition, leader: int) -> EventTuples:
    after.stage = 2
    told: EventTuples = ((events.PhaseTwoBegan,),)
    order = open_dice.playing_order(after, leader)
    for seat in order:
        if not after.coasters[seat]:
            told += _get_safe(after, seat)
    rich = [seat for seat in order if after.coasters[seat] >= RICH]
    if after.rules.levelling and rich and receivers(after):
        open_dice.between_rounds(after, LEVELLING, rich[0])
        after.leader = leader  # if nothing is given (R-CHI-4)
        return told
    return (*told, *_go_on(after, leader, "R-CHI-3"))


def _get_safe(after: CoasterPosition, seat: int) -> EventTuples:
    """Let a player out of danger leave the match with their coasters (R-CHI-2, R-CHI-3)."""
    held = after.coasters[seat]
    given = _move_coasters(after, seat, None, held) if held else ()
    after.status = with_item(after.status, seat, SAFE)
    after.safe = (*after.safe, seat)
    return (*given, (events.GotSafe, seat))


def level(after: CoasterPosition, giver: int, taker: int) -> EventTuples:
    """Move one coaster from seat ``giver`` to ``taker``, who leads the next round (R-CHI-4)."""
    return (*_move_coasters(after, giver, taker, 1), *open_dice.begin_round(after, taker))


def _leave(after: CoasterPosition, to_act: int, action: Leave) -> EventTuples:
    """Take a seat out, with its coasters."""
    hand = after.hands[action.seat]
    voids = action.seat == to_act or (hand is not None and hand.covered)
    return (*open_dice.take_out(after, action.seat), *_without(after, action.seat, voids))


def _without(after: CoasterPosition, leaver: int, voids: bool) -> EventTuples:
    """Go on without ``leaver``.

    A round goes on too, unless the leaver was to act or has covered dice. Then it is void and the
    next seat in play leads.
    """
    if not after.rules.customs.halves and len(after.playing) == 1:
        return open_dice.over(after, "R-CHI-2", after.playing)
    if len(after.at_table) == 1:
        return open_dice.over(after, "B-10", ())
    if len(after.playing) == 1:
        # Players who sit out cannot play: a third half has no second player any more, and in any
        # other half the leaver held all the coasters in play.
        if after.half == THIRD:
            return open_dice.over(after, "B-10", ())
        return lose_half(after, after.playing[0], "R-MAX-3")
    if after.phase is ROLL_OFF:
        return open_dice.roll_off(after)
    if after.phase is LEVELLING:
        # The giver goes on deciding, unless the giver is the leaver or nobody is left to give to
        # (R-CHI-4).
        assert after.leader is not None, "phase two has a leader"
        ends = leaver == after.to_act or not receivers(after)
        return open_dice.begin_round(after, after.leader) if ends else ()
    if voids:
        return open_dice.void(after, open_dice.next_in_play(after, leaver))
    return ()


def _start(rules: CoasterRules, players: tuple[str, ...], first: int) -> CoasterPosition:
    pile = rules.coasters - sum(rules.handicap)
    return open_dice.for_the_lead(CoasterPosition, rules, players, first, pile=pile)


def _roll(after: CoasterPosition, seat: int, action: Roll) -> EventTuples:
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
        return (threw, *open_dice.roll_off(after))
    if after.throws < after.limit or (
        after.throws == MOST_THROWS and keeps(after.rules, aside, dice, True)  # a bonus (T-4)
    ):
        after.phase, after.dice = THROWN, dice
        return (threw,)
    return (threw, *_finish(after, seat, CoasterHand(aside, dice)))


def _keep(after: CoasterPosition, seat: int, action: Keep) -> EventTuples:
    after.aside = high_to_low(after.aside + action.aside + (1,) * action.turned)
    after.phase, after.dice = TO_THROW, None
    return ((Kept, seat, action.aside, action.turned),)


def _stop(after: CoasterPosition, seat: int, _: Stop) -> EventTuples:
    return ((Stopped, seat), *_finish(after, seat, CoasterHand(after.aside, after.dice)))


def _lift(after: CoasterPosition, seat: int, action: Lift) -> EventTuples:
    """Lift a covered throw; a player who can turn sixes of it decides about that next (T-5)."""
    aside, covered = hand_to_lift(after)
    dice = action.dice or covered
    if dice is None:
        raise IllegalAction(Reason.COVERED_UNKNOWN, action)
    lifted, hand = (Lifted, seat, dice), CoasterHand(aside, dice)
    if not keeps(after.rules, aside, dice, True):
        return (lifted, *_finish(after, seat, hand))
    after.hands = with_item(after.hands, seat, hand)
    _turn_to(after, THROWN, seat, MOST_THROWS, aside, dice)
    return (lifted,)


def _finish(after: CoasterPosition, seat: int, hand: CoasterHand) -> EventTuples:
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


def _give(after: CoasterPosition, seat: int, action: GiveCoaster) -> EventTuples:
    if action.to == seat:
        return give_away(after, seat)
    if action.to is not None:
        return level(after, seat, action.to)
    assert after.leader is not None, "phase two has a leader"
    return ((LevellingDeclined, seat), *open_dice.begin_round(after, after.leader))


MOVES: dict[type, Callable[..., EventTuples]] = {
    Roll: _roll,
    Keep: _keep,
    Stop: _stop,
    Lift: _lift,
    GiveCoaster: _give,
    Leave: _leave,
    **open_dice.OPEN_MOVES,
}
"""By action: its move. It writes on the draft for the seat to act and returns the events."""


def _seat_actions(players: int) -> tuple[SeatAction, ...]:
    gives = (GiveCoaster(to) for to in (None, *range(players)))
    return (Roll(), Stop(), Lift(), *KEEPS, *gives)


COASTER_FAMILY = Family(
    games=COASTER_GAMES,
    position=CoasterPosition,
    match=CoasterMatch,
    start=_start,
    seat_actions=_seat_actions,
    legal_actions=legal_actions,
    checks=CHECKS,
    moves=MOVES,
    view=view,
    hides_dice=False,
    covers_next=covers_next,
    dice_to_roll=lambda match: match.in_play,
    rolls=rolls,
    laid_open=laid_open,
)
