"""The parts that the families of open dice share: the roll-off, the order of play, and leaving.

A match begins with one throw each for the lead (R-MAX-1, R-CHI-5, S-5). The leader of a round
throws first, the others follow clockwise (T-1, S-2). Coasters count the losses. Those of a player
who leaves are gone (B-10). Every move writes on a draft and returns the events.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from game.actions import Leave, Roll, StopMatch, TableAction, VoidRound
from game.dice import Dice, throws
from game.events import CoastersMoved, LeftTable, MatchEnded, RoundBegan, Tied, Told
from game.frozen import Frozen
from game.open_rules import OpenRules
from game.options import level, start_of
from game.reasons import Reason
from game.status import (
    IN,
    LEFT,
    LEVELLING,
    OVER,
    ROLL_OFF,
    TO_THROW,
    WAITS,
    Outcome,
    Phase,
    Status,
    with_item,
)


@dataclass(slots=True, unsafe_hash=True, kw_only=True)
class OpenPosition:
    """The state of a match of open dice between two actions: the fields that both families share.

    ``players`` are names by seat; they play clockwise, seats ascending. ``coasters`` lie before
    them by seat, and ``gone`` are out of the game. ``status`` says by seat who is in. ``outcome``
    is None until the match is over.

    ``round`` counts from 1 through the match, voided rounds too. During the first roll-off it is 0,
    and ``leader`` is None. ``order`` are the seats that throw in this round, in playing order.
    ``limit`` is how often the seat to act may throw (T-1, S-2). ``hands`` are the throws by seat,
    None for a seat that has not finished. ``turn`` is the number of actions so far. ``to_act`` is
    the seat that acts next, None when the match is over, and ``phase`` the decision due from it.
    ``throws`` counts its throws in this round. ``dice`` are those of the last one: None before the
    first one, and while a throw is due.
    """

    rules: Any
    players: tuple[str, ...]
    coasters: tuple[int, ...]
    gone: int = 0
    status: tuple[Status, ...]
    outcome: Outcome | None = None
    round: int = 0
    leader: int | None = None
    order: tuple[int, ...]
    limit: int
    hands: tuple[Any, ...]
    turn: int = 0
    phase: Phase = ROLL_OFF
    to_act: int | None
    throws: int = 0
    dice: Dice | None = None

    @property
    def aside(self) -> Dice:
        """The dice that the seat to act has set aside; empty in a game without that."""
        return ()

    @property
    def stage(self) -> int:
        """1 while coasters are dealt from the pile, 2 after that; 0 in a game without a pile."""
        return 0

    @property
    def pile(self) -> int:
        """The coasters not dealt yet; 0 in a game without a pile."""
        return 0

    @property
    def tally(self) -> tuple[int, ...]:
        """The losses so far, by seat."""
        return self.coasters

    @property
    def score(self) -> tuple[int, ...]:
        """The standing by seat, in the unit of the rules."""
        return self.coasters

    def halves_lost(self, _seat: int) -> int:
        """Return how many halves of the match a seat has lost (R-MAX-5); 0 without halves."""
        return 0

    def shown(self, seat: int) -> Dice | None:
        """Return all open dice of a seat whose turn is over; None for none."""
        return self.hands[seat]  # type: ignore[no-any-return]

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that play now, without those that sit out."""
        return tuple([seat for seat, status in enumerate(self.status) if status is IN])

    @property
    def at_table(self) -> tuple[int, ...]:
        """The seats that are in the match, including those that sit out."""
        return tuple(seat for seat, status in enumerate(self.status) if status in _AT_TABLE)


class OpenMatch(OpenPosition, Frozen):
    """A match of open dice between two actions: a position that is frozen."""

    __slots__ = ()


_AT_TABLE = (IN, WAITS)


def for_the_lead(rules: OpenRules, players: tuple[str, ...], first: int) -> dict[str, Any]:
    """Return the fields of a match of ``players`` that begins: seat ``first`` throws first.

    Its coasters are those of the handicap; the rules of a match have none any more.
    """
    seats = len(players)
    return {
        "rules": level(rules),
        "players": players,
        "coasters": start_of(rules, seats),
        "status": (IN,) * seats,
        "order": tuple((first + place) % seats for place in range(seats)),
        "hands": (None,) * seats,
        "to_act": first,
    }


def next_in_play(match: OpenPosition, seat: int) -> int:
    """Return the next seat after ``seat``, clockwise, that plays now; there must be one."""
    status = match.status
    seat = (seat + 1) % len(status)
    while status[seat] is not IN:
        seat = (seat + 1) % len(status)
    return seat


def playing_order(match: OpenPosition, leader: int) -> tuple[int, ...]:
    """Return the seats of a round: ``leader``, or the next in play, and the others clockwise."""
    if match.status[leader] is not IN:
        leader = next_in_play(match, leader)
    seats = match.playing
    place = seats.index(leader)
    return seats[place:] + seats[:place]


def begin_round(after: OpenPosition, leader: int, limit: int) -> Told:
    """Begin the next round with ``leader``, or with the next seat in play if it is not in play."""
    order = playing_order(after, leader)
    between_rounds(after, TO_THROW, order[0])
    after.order, after.leader, after.limit = order, order[0], limit
    after.round += 1
    return ((RoundBegan, after.round, after.leader),)


def between_rounds(after: OpenPosition, phase: Phase, to_act: int | None) -> None:
    """Clear the throws of a round."""
    after.phase, after.to_act = phase, to_act
    after.order, after.hands = (), (None,) * len(after.hands)
    after.throws, after.dice = 0, None


def roll_off(
    after: OpenPosition, pips: Callable[[Any], int], begin: Callable[[Any, int], Told]
) -> Told:
    """Let the next one throw for the lead, or decide: the lowest sum leads, the tied throw again.

    Args:
        after: in its roll-off.
        pips: the sum of a hand.
        begin: begins the first round with the seat that leads.
    """
    order, hands = after.order, after.hands
    if len(order) == 1:
        return begin(after, order[0])
    for seat in order:
        if hands[seat] is None:
            after.to_act = seat
            return ()
    sums = [pips(hands[seat]) for seat in order]
    tied = tuple(seat for seat, each in zip(order, sums) if each == min(sums))
    if len(tied) == 1:
        return begin(after, tied[0])
    between_rounds(after, ROLL_OFF, tied[0])
    after.order = tied
    return ((Tied, tied),)


def over(after: OpenPosition, outcome: Outcome) -> Told:
    """End the match."""
    between_rounds(after, OVER, None)
    after.outcome = outcome
    return ((MatchEnded, outcome),)


def take_out(after: OpenPosition, leaver: int) -> Told:
    """Take a seat, its coasters and its throw out; the due decision stays as it is."""
    held = after.coasters[leaver]
    after.coasters = with_item(after.coasters, leaver, 0)
    after.gone += held
    after.status = with_item(after.status, leaver, LEFT)
    after.order = tuple(seat for seat in after.order if seat != leaver)
    after.hands = with_item(after.hands, leaver, None)
    return ((LeftTable, leaver), *([(CoastersMoved, leaver, None, held)] if held else []))


def _leave(match: OpenPosition, action: Leave) -> Reason | None:
    if match.phase is OVER:
        return Reason.MATCH_OVER
    at_table = type(action.seat) is int and action.seat in match.at_table
    return None if at_table else Reason.NOT_AT_THE_TABLE


def _void_round(match: OpenPosition, _: VoidRound) -> Reason | None:
    if match.phase is OVER:
        return Reason.MATCH_OVER
    untouched = match.to_act == match.leader and match.throws == 0
    return Reason.NO_ROUND if untouched or match.phase in _NO_ROUND else None


def _stop_match(match: OpenPosition, _: StopMatch) -> Reason | None:
    return Reason.MATCH_OVER if match.phase is OVER else None


_NO_ROUND = (ROLL_OFF, LEVELLING)

TABLE_CHECKS: dict[type, Callable[[Any, Any], Reason | None]] = {
    Leave: _leave,
    VoidRound: _void_round,
    StopMatch: _stop_match,
}
"""By table action: the check that returns why it is not possible now, or None if it is (B-10)."""


def table_actions(match: OpenPosition) -> tuple[TableAction, ...]:
    """Return what the table may do now (B-10); empty when the match is over.

    The list is the same whichever seat is to act.
    """
    leaves = [Leave(seat) for seat in range(len(match.players))]
    possible: tuple[TableAction, ...] = (*leaves, VoidRound(), StopMatch())
    return tuple(each for each in possible if TABLE_CHECKS[type(each)](match, each) is None)


@cache
def open_rolls(number: int) -> tuple[tuple[Roll, Fraction], ...]:
    """Return the throws of ``number`` dice, each with its exact chance; the chances add up to 1.

    Dice are sorted high to low, so throws that differ in order alone are one.
    """
    return tuple((Roll(dice), chance) for dice, chance in throws(number))
