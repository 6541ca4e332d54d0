"""The parts that the families of open dice share: rules, roll-off, order of play, and leaving.

A match begins with one throw each for the lead (R-MAX-1, R-CHI-5, S-5). The leader of a round
throws first, the others follow clockwise (T-1, S-2). Coasters count the losses. Those of a player
who leaves are gone (B-10). Every move writes on a draft and returns the events.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, TypeVar

from game.actions import Roll, StopMatch, VoidRound
from game.dice import Dice, throws
from game.events import (
    CoastersMoved,
    EventTuples,
    LeftTable,
    MatchEnded,
    RoundBegan,
    RoundVoided,
    Tied,
)
from game.options import Handicap, Rules, level, start_of
from game.reasons import IF_OVER, TABLE_CHECKS, Check, Reason, Refusals, checked
from game.status import (
    IN,
    LEFT,
    LEVELLING,
    OVER,
    ROLL_OFF,
    TO_THROW,
    WAITS,
    Frozen,
    Outcome,
    Phase,
    Status,
    Unit,
    with_item,
)


@dataclass(frozen=True, slots=True)
class OpenRules(Rules):
    """The rules of a game of open dice, as far as all have them.

    ``handicap`` is no option of the sheet: the coasters of each seat before the first round.
    """

    unit: ClassVar[Unit] = Unit.COASTER
    tower_one_in: ClassVar[int] = 0

    game: str
    fewest_players: int
    most_players: int
    handicap: Handicap = field(default=(), kw_only=True)

    @property
    def throws(self) -> int:
        """The most throws of a leader, without a bonus (T-1, S-2)."""
        return 3


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
    ``throws`` counts its throws in this round. ``aside`` are the dice that it set aside: none in
    a game without that. ``dice`` are those of the last throw: None before the first one, and while
    a throw is due.
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
    aside: Dice = ()
    dice: Dice | None = None

    @property
    def safe(self) -> tuple[int, ...]:
        """The players out of danger, in order: none in a game without safety."""
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

    losses = tally
    """The losses that an outcome counts, by seat."""
    score = tally
    """The standing by seat, in the unit of the rules."""

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
P = TypeVar("P", bound=OpenPosition)


def for_the_lead(
    kind: type[P], rules: OpenRules, players: tuple[str, ...], first: int, **others: Any
) -> P:
    """Return a position of a new match: seat ``first`` throws first for the lead.

    ``others`` are fields that its ``kind`` adds. Its coasters are those of the handicap; the rules
    of a match have none any more.
    """
    seats = len(players)
    return kind(
        rules=level(rules),
        players=players,
        coasters=start_of(rules, seats),
        status=(IN,) * seats,
        order=tuple((first + place) % seats for place in range(seats)),
        limit=rules.throws,
        hands=(None,) * seats,
        to_act=first,
        **others,
    )


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


def begin_round(after: OpenPosition, leader: int) -> EventTuples:
    """Begin the next round with ``leader``, or with the next seat in play if it is not in play."""
    order = playing_order(after, leader)
    between_rounds(after, TO_THROW, order[0])
    after.order, after.leader, after.limit = order, order[0], after.rules.throws
    after.round += 1
    return ((RoundBegan, after.round, after.leader),)


def between_rounds(after: OpenPosition, phase: Phase, to_act: int | None) -> None:
    """Clear the throws of a round."""
    after.phase, after.to_act = phase, to_act
    after.order, after.hands = (), (None,) * len(after.hands)
    after.throws, after.aside, after.dice = 0, (), None


def roll_off(after: OpenPosition) -> EventTuples:
    """Let the next one throw all dice for the lead (R-MAX-1, R-CHI-5, S-5).

    The lowest sum leads, and the tied throw again.
    """
    order, hands = after.order, after.hands
    if len(order) == 1:
        return begin_round(after, order[0])
    for seat in order:
        if hands[seat] is None:
            after.to_act = seat
            return ()
    sums = [sum(after.shown(seat) or ()) for seat in order]
    tied = tuple(seat for seat, each in zip(order, sums) if each == min(sums))
    if len(tied) == 1:
        return begin_round(after, tied[0])
    between_rounds(after, ROLL_OFF, tied[0])
    after.order = tied
    return ((Tied, tied),)


def over(after: OpenPosition, rule: str, losers: tuple[int, ...]) -> EventTuples:
    """End the match by ``rule``, with ``losers`` as in ``Outcome``."""
    between_rounds(after, OVER, None)
    left = tuple(seat for seat, status in enumerate(after.status) if status is LEFT)
    after.outcome = Outcome(rule, losers, after.safe, left, after.losses)
    return ((MatchEnded, after.outcome),)


def sit_out(after: OpenPosition, but: Collection[int]) -> None:
    """Let everybody who is in play sit out, but these seats."""
    after.status = tuple(
        WAITS if status is IN and seat not in but else status
        for seat, status in enumerate(after.status)
    )


def void(after: OpenPosition, leader: int) -> EventTuples:
    """Void the round; ``leader`` leads the next one, or the next seat in play if they have left."""
    return ((RoundVoided, after.round), *begin_round(after, leader))


def void_round(after: OpenPosition, _seat: int, _: VoidRound) -> EventTuples:
    """Void the round; its leader leads again (B-10)."""
    assert after.leader is not None, "a round has a leader"
    return void(after, after.leader)


def _stop_match(after: OpenPosition, _seat: int, _: StopMatch) -> EventTuples:
    """End the match without a loser (B-10)."""
    return over(after, "B-10", ())


OPEN_MOVES: Mapping[type, Callable[..., EventTuples]] = {
    VoidRound: void_round,
    StopMatch: _stop_match,
}
"""By action of the table in every family: its move. It writes on a draft and returns the events."""


def take_out(after: OpenPosition, leaver: int) -> EventTuples:
    """Take a seat, its coasters and its throw out; the due decision stays as it is."""
    held = after.coasters[leaver]
    after.coasters = with_item(after.coasters, leaver, 0)
    after.gone += held
    after.status = with_item(after.status, leaver, LEFT)
    after.order = tuple(seat for seat in after.order if seat != leaver)
    after.hands = with_item(after.hands, leaver, None)
    return ((LeftTable, leaver), *([(CoastersMoved, leaver, None, held)] if held else []))


def _void_round(match: OpenPosition, _: VoidRound) -> Reason | None:
    untouched = match.to_act == match.leader and match.throws == 0
    return Reason.NO_ROUND if untouched else None


_NO_ROUND: Refusals = {ROLL_OFF: Reason.NO_ROUND, LEVELLING: Reason.NO_ROUND, **IF_OVER}
OPEN_CHECKS: Mapping[type, Check] = {VoidRound: checked(_NO_ROUND, _void_round), **TABLE_CHECKS}
"""By action of the table: the check that returns why it is not possible now, or None (B-10)."""


@cache
def open_rolls(number: int) -> tuple[tuple[Roll, Fraction], ...]:
    """Return the throws of ``number`` dice, each with its exact chance; the chances add up to 1.

    Dice are sorted high to low, so throws that differ in order alone are one.
    """
    return tuple((Roll(dice), chance) for dice, chance in throws(number))
