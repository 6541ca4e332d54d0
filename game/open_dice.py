"""What the families of open dice share: the roll-off, the order of play, and who leaves.

A match begins with one throw each for the lead (R-MAX-1, R-CHI-5, S-5). Whoever leads a round
throws first, the others follow clockwise (T-1, S-2). Coasters count what is lost, and those of a
player who leaves go with him (B-10). All of it asks a match for nothing but what ``OpenMatch`` has.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, Protocol, Self, TypeVar

from game.actions import Action, Leave, Roll, StopMatch, TableAction, VoidRound
from game.dice import throws
from game.events import CoastersMoved, Event, LeftTable, MatchEnded, Step, Tied
from game.reasons import Reason
from game.status import Outcome, Phase, Status, with_item

ROLL_OFF, TO_THROW, THROWN, OVER = Phase.ROLL_OFF, Phase.TO_THROW, Phase.THROWN, Phase.OVER

Events = tuple[Event, ...]


class OpenMatch(Protocol):
    """A match of either family: see ``CoasterMatch`` and ``SevensMatch`` for what it holds."""

    @property
    def players(self) -> tuple[str, ...]: ...
    @property
    def coasters(self) -> tuple[int, ...]: ...
    @property
    def gone(self) -> int: ...
    @property
    def status(self) -> tuple[Status, ...]: ...
    @property
    def leader(self) -> int | None: ...
    @property
    def order(self) -> tuple[int, ...]: ...
    @property
    def hands(self) -> tuple[Any, ...]: ...
    @property
    def turn(self) -> int: ...
    @property
    def phase(self) -> Phase: ...
    @property
    def to_act(self) -> int | None: ...
    @property
    def throws(self) -> int: ...
    @property
    def playing(self) -> tuple[int, ...]: ...
    @property
    def at_table(self) -> tuple[int, ...]: ...
    def _replace(self, *_: Any, **fields: Any) -> Self: ...


M = TypeVar("M", bound=OpenMatch)
_Begin = Callable[[M, int, Events], Step[M]]


def next_in_play(match: OpenMatch, seat: int) -> int:
    """Return the next seat after ``seat``, clockwise, that plays now; at least one must."""
    status = match.status
    seat = (seat + 1) % len(status)
    while status[seat] is not Status.IN:
        seat = (seat + 1) % len(status)
    return seat


def playing_order(match: OpenMatch, leader: int) -> tuple[int, ...]:
    """Return who throws in a round: ``leader``, or the next in play, and the others clockwise."""
    if match.status[leader] is not Status.IN:
        leader = next_in_play(match, leader)
    seats = match.playing
    place = seats.index(leader)
    return seats[place:] + seats[:place]


def roll_off(
    match: M,
    hands: tuple[Any, ...],
    pips: Callable[[Any], int],
    begin_round: _Begin[M],
    events: Events,
) -> Step[M]:
    """Let the next one throw for the lead, or decide: the lowest sum leads, the tied throw again.

    Args:
        match: in its roll-off.
        hands: what was thrown so far, by seat; None for who has not.
        pips: the sum of a hand.
        begin_round: begins the first round with the seat that leads.
        events: what led here.
    """
    if len(match.order) == 1:
        return begin_round(match, match.order[0], events)
    for seat in match.order:
        if hands[seat] is None:
            return Step(match._replace(hands=hands, turn=match.turn + 1, to_act=seat), events)
    sums = [pips(hands[seat]) for seat in match.order]
    tied = tuple(seat for seat, each in zip(match.order, sums) if each == min(sums))
    if len(tied) == 1:
        return begin_round(match, tied[0], events)
    again = {"order": tied, "hands": (None,) * len(match.hands), "to_act": tied[0]}
    return Step(match._replace(turn=match.turn + 1, **again), (*events, Tied(tied)))


def between_rounds(match: M, phase: Phase, to_act: int | None, **settled: object) -> M:
    """Return the match after an action that ends its round, with nothing thrown.

    ``settled`` are fields that change too, by name.
    """
    return match._replace(
        order=(),
        hands=(None,) * len(match.hands),
        turn=match.turn + 1,
        phase=phase,
        to_act=to_act,
        throws=0,
        dice=None,
        **settled,
    )


def over(match: M, outcome: Outcome, events: Events, **settled: object) -> Step[M]:
    """Return the step that ends the match, MatchEnded last; ``settled``: other fields, by name."""
    ended = between_rounds(match, OVER, None, outcome=outcome, **settled)
    return Step(ended, (*events, MatchEnded(outcome)))


def taken_out(match: M, leaver: int) -> tuple[M, Events]:
    """Return the match without a seat, its coasters and its throw, and the events of that.

    ``turn`` and what is due stay as they are.
    """
    held = match.coasters[leaver]
    rest = match._replace(
        coasters=with_item(match.coasters, leaver, 0),
        gone=match.gone + held,
        status=with_item(match.status, leaver, Status.LEFT),
        order=tuple(seat for seat in match.order if seat != leaver),
        hands=with_item(match.hands, leaver, None),
    )
    return rest, (LeftTable(leaver), *([CoastersMoved(leaver, None, held)] if held else []))


def _leave(match: OpenMatch, action: Leave) -> Reason | None:
    if match.phase is OVER:
        return Reason.MATCH_OVER
    at_table = type(action.seat) is int and action.seat in match.at_table
    return None if at_table else Reason.NOT_AT_THE_TABLE


def _void_round(match: OpenMatch, _: VoidRound) -> Reason | None:
    if match.phase is OVER:
        return Reason.MATCH_OVER
    untouched = match.to_act == match.leader and match.throws == 0
    return Reason.NO_ROUND if untouched or match.phase in _NO_ROUND else None


def _stop_match(match: OpenMatch, _: StopMatch) -> Reason | None:
    return Reason.MATCH_OVER if match.phase is OVER else None


_NO_ROUND = (ROLL_OFF, Phase.LEVELLING)

TABLE_CHECKS: dict[type, Callable[[Any, Any], Reason | None]] = {
    Leave: _leave,
    VoidRound: _void_round,
    StopMatch: _stop_match,
}
"""By table action: why it is not possible now, None if it is (B-10)."""


def table_actions(
    match: M, illegality: Callable[[M, Action], Reason | None]
) -> tuple[TableAction, ...]:
    """Return what the table may do now, whoever is to act (B-10); empty when the match is over."""
    leaves = [Leave(seat) for seat in range(len(match.players))]
    possible: tuple[TableAction, ...] = (*leaves, VoidRound(), StopMatch())
    return tuple(action for action in possible if illegality(match, action) is None)


@cache
def open_rolls(number: int) -> tuple[tuple[Roll, Fraction], ...]:
    """Return what a throw of ``number`` dice can show, each with its exact chance; sum 1.

    Dice are sorted high to low, so that what differs in order alone comes once.
    """
    return tuple((Roll(dice), chance) for dice, chance in throws(number))
