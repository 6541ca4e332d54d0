"""What a complete round leads to: who pays, and what begins or ends with it.

``maxen`` and ``chicago`` differ here and nowhere else in how they move.
"""

from game import open_dice
from game.coaster.legality import LEVELLING, RICH, receivers
from game.coaster.state import MOST_THROWS, CoasterMatch, Hand
from game.coaster.values import ONES, RANKS, WORTH
from game.dice import Dice
from game.events import (
    CoastersMoved,
    GotSafe,
    HalfBegan,
    HalfLost,
    PhaseTwoBegan,
    RoundBegan,
    RoundDecided,
    Step,
    happened,
)
from game.open_dice import TO_THROW, Events, between_rounds, playing_order
from game.status import Outcome, Status, with_item

_LASTING = CoasterMatch._fields.index("round")
"""How many fields of a match the end of a round has settled when the next begins; they come first.
"""
_tuple = tuple.__new__

SECOND, THIRD = 2, 3
"""Numbers of halves of ``maxen`` (R-MAX-5)."""


def lead(match: CoasterMatch, hands: tuple[Hand | None, ...], events: Events) -> Step[CoasterMatch]:
    """Go on with a roll-off, in which everybody throws all dice openly (R-MAX-1, R-CHI-5)."""
    return open_dice.roll_off(match, hands, lambda hand: sum(hand.dice), begin_round, events)


def begin_round(match: CoasterMatch, leader: int, events: Events) -> Step[CoasterMatch]:
    """Begin the next round, led by ``leader``, or by the next in play where he is not."""
    order = playing_order(match, leader)
    number, leader = match.round + 1, order[0]
    hands = (None,) * len(match.hands)
    turn = (MOST_THROWS, hands, match.turn + 1, TO_THROW, leader, 0, (), None)
    begun = _tuple(CoasterMatch, (*match[:_LASTING], number, leader, order, *turn))
    return _tuple(Step, (begun, events + happened(RoundBegan, number, leader)))


def settle(
    match: CoasterMatch, hands: tuple[Hand | None, ...], events: Events
) -> Step[CoasterMatch]:
    """Settle a round in which everybody has thrown and nothing is covered any more.

    Coasters move, a half or the match may end, or the next round begins (R-MAX-2 to R-MAX-5,
    R-CHI-1 to R-CHI-4). Of equal throws the one earlier in playing order ranks higher (M-3, C-2).
    """
    ranks = RANKS[match.rules.game]
    order = match.order
    best = worst = order[0]
    highest = lowest = ranks[_three(hands, best)]
    for seat in order[1:]:
        rank = ranks[_three(hands, seat)]
        if rank > highest:
            best, highest = seat, rank
        if rank <= lowest:
            worst, lowest = seat, rank
    top = _three(hands, best)
    events += happened(RoundDecided, best, worst)
    if match.rules.game == "maxen":
        return _settle_maxen(match, best, worst, top, events)
    return _settle_chicago(match, best, worst, top == ONES, events)


def _three(hands: tuple[Hand | None, ...], seat: int) -> Dice:
    hand = hands[seat]
    assert hand is not None, "he has thrown"
    assert hand.dice is not None, "his dice lie open"
    return hand.aside + hand.dice


def _settle_maxen(
    match: CoasterMatch, best: int, worst: int, top: Dice, events: Events
) -> Step[CoasterMatch]:
    """Pay a round of ``maxen`` (R-MAX-2, R-MAX-3), or end the half by a General (R-MAX-4)."""
    if top == ONES:
        return lose_half(match, worst, "R-MAX-4", events)
    if match.stage == 1:
        count = min(WORTH[top], match.pile)
        events += happened(CoastersMoved, None, worst, count)
        coasters = with_item(match.coasters, worst, match.coasters[worst] + count)
        match = match._replace(pile=match.pile - count, coasters=coasters)
        if match.pile:
            return begin_round(match, worst, events)
        match = match._replace(stage=2)
        events = (*events, PhaseTwoBegan())
    else:
        count = min(WORTH[top], match.coasters[best])
        events += happened(CoastersMoved, best, worst, count)
        coasters = with_item(match.coasters, best, match.coasters[best] - count)
        match = match._replace(coasters=with_item(coasters, worst, coasters[worst] + count))
    match = _sit_out(match)
    if match.playing == (worst,):
        return lose_half(match, worst, "R-MAX-3", events)
    return begin_round(match, worst, events)


def _sit_out(match: CoasterMatch) -> CoasterMatch:
    """Let everybody who has no coaster sit out (R-MAX-3)."""
    status = tuple(
        Status.WAITS if status is Status.IN and not coasters else status
        for status, coasters in zip(match.status, match.coasters)
    )
    return match._replace(status=status)


def lose_half(match: CoasterMatch, loser: int, rule: str, events: Events) -> Step[CoasterMatch]:
    """End a half of ``maxen``; the next one begins, or the match is over (R-MAX-5)."""
    events = (*events, HalfLost(loser, match.half, rule))
    match = match._replace(lost=(*match.lost, loser))
    first = match.lost[0]
    if match.half == THIRD or (match.half == SECOND and loser == first):
        return over(match, "R-MAX-5", (loser,), events)
    if match.status[first] is Status.LEFT:
        # His opponent of the third half would play alone (B-10).
        return over(match, "B-10", (), events)
    half = match.half + 1
    resting = Status.WAITS if half == THIRD else Status.IN
    status = tuple(
        Status.LEFT if status is Status.LEFT else Status.IN if seat in match.lost else resting
        for seat, status in enumerate(match.status)
    )
    match = match._replace(
        half=half,
        stage=1,
        pile=match.rules.coasters,
        coasters=(0,) * len(match.coasters),
        gone=0,
        status=status,
    )
    return begin_round(match, first, (*events, HalfBegan(half, match.playing)))


def _settle_chicago(
    match: CoasterMatch, best: int, worst: int, chicago: bool, events: Events
) -> Step[CoasterMatch]:
    """Pay a round of ``chicago`` (R-CHI-1 to R-CHI-3)."""
    if match.stage == 1:
        coasters = with_item(match.coasters, worst, match.coasters[worst] + 1)
        match = match._replace(pile=match.pile - 1, coasters=coasters)
        events += happened(CoastersMoved, None, worst, 1)
        if chicago:
            match, events = _get_safe(match, best, events)
        if len(match.playing) == 1:
            return over(match, "R-CHI-2", match.playing, events)
        if match.pile:
            return begin_round(match, worst, events)
        return _begin_phase_two(match, worst, events)
    count = match.coasters[best] if chicago else 1
    coasters = with_item(match.coasters, best, match.coasters[best] - count)
    match = match._replace(coasters=coasters, gone=match.gone + count)
    events += happened(CoastersMoved, best, None, count)
    if not match.coasters[best]:
        match, events = _get_safe(match, best, events)
    if len(match.playing) == 1:
        return over(match, "R-CHI-3", match.playing, events)
    return begin_round(match, worst, events)


def _begin_phase_two(match: CoasterMatch, leader: int, events: Events) -> Step[CoasterMatch]:
    match = match._replace(stage=2)
    events = (*events, PhaseTwoBegan())
    for seat in playing_order(match, leader):
        if not match.coasters[seat]:
            match, events = _get_safe(match, seat, events)
    if len(match.playing) == 1:
        return over(match, "R-CHI-3", match.playing, events)
    if match.rules.levelling and receivers(match):
        for seat in playing_order(match, leader):
            if match.coasters[seat] >= RICH:
                return _ask_to_level(match, seat, leader, events)
    return begin_round(match, leader, events)


def _get_safe(match: CoasterMatch, seat: int, events: Events) -> tuple[CoasterMatch, Events]:
    """Let a player out of danger leave the match with the coasters he holds (R-CHI-2, R-CHI-3)."""
    held = match.coasters[seat]
    match = match._replace(
        status=with_item(match.status, seat, Status.SAFE),
        coasters=with_item(match.coasters, seat, 0),
        gone=match.gone + held,
        safe=(*match.safe, seat),
    )
    if held:
        events = (*events, CoastersMoved(seat, None, held))
    return match, (*events, GotSafe(seat))


def _ask_to_level(
    match: CoasterMatch, giver: int, leader: int, events: Events
) -> Step[CoasterMatch]:
    """Let ``giver`` decide; ``leader`` leads if he declines (R-CHI-4)."""
    return Step(between_rounds(match, LEVELLING, giver, leader=leader, aside=()), events)


def level(match: CoasterMatch, giver: int, taker: int) -> Step[CoasterMatch]:
    """Move one coaster from seat ``giver`` to ``taker``, who leads the next round (R-CHI-4)."""
    coasters = with_item(match.coasters, giver, match.coasters[giver] - 1)
    coasters = with_item(coasters, taker, coasters[taker] + 1)
    match = match._replace(coasters=coasters)
    return begin_round(match, taker, (CoastersMoved(giver, taker, 1),))


def over(
    match: CoasterMatch, rule: str, losers: tuple[int, ...], events: Events
) -> Step[CoasterMatch]:
    """End the match by ``rule``; the tally counts lost halves (``maxen``) or coasters."""
    seats = range(len(match.players))
    if match.rules.game == "maxen":
        tally = tuple(match.lost.count(seat) for seat in seats)
    else:
        tally = match.coasters
    left = tuple(seat for seat in seats if match.status[seat] is Status.LEFT)
    return open_dice.over(match, Outcome(rule, losers, match.safe, left, tally), events, aside=())
