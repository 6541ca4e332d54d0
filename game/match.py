"""The state of a match: frozen, hashable, and moved by ``apply`` alone."""

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from game.rules import RuleSet
from game.values import Dice

if TYPE_CHECKING:
    from game.events import Event


class Phase(StrEnum):
    """What is due from the seat that is to act."""

    OPENING = "opening"
    """The cup is empty; its opener must roll (B-6)."""
    BELIEVED = "believed"
    """He accepted the cup and has not rolled: he rolls, or announces higher unrolled."""
    THROWN = "thrown"
    """He has rolled and announces, or does what else his roll allows."""
    OFFERED = "offered"
    """The cup is offered to him; his answer is due (B-2)."""
    DOUBTED = "doubted"
    """He doubted; he lifts the cup (B-2)."""
    OVER = "over"
    """The match is over; nobody is to act."""


class Status(StrEnum):
    """How a seat stands in the match."""

    IN = "in"
    SWIMS = "swims"
    """He has lost his last match; the next penalty puts him out (R-CLASS-2)."""
    OUT = "out"
    LEFT = "left"


PLAYING = (Status.IN, Status.SWIMS)
"""The standings in which a seat takes part."""


class Outcome(NamedTuple):
    """How a match ended.

    ``rule`` is the rule that ended it. ``losers`` are the seats that lost, in the order they went
    out or by seat; empty if nobody did (B-10). ``out`` are those who went out, in order, ``left``
    those who left the table, by seat. ``tally`` counts everybody's penalties.
    """

    rule: str
    losers: tuple[int, ...]
    out: tuple[int, ...]
    left: tuple[int, ...]
    tally: tuple[int, ...]


class Match(NamedTuple):
    """A match between two actions.

    What a whole round leaves alone comes first. ``players`` are names by seat, ``direction`` is +1
    (clockwise, seats ascending) or -1. ``round`` counts from 1 and was opened by ``opener``.
    ``tally`` counts penalties and ``status`` tells the standing, by seat; ``out`` lists who went
    out, in order. ``outcome`` is None until the match is over.

    ``turn`` is the number of actions so far. ``to_act`` is the seat that acts next, None when the
    match is over, and ``phase`` what is due from it. ``announced`` and ``announcer`` are the
    standing announcement and its seat, both None if nothing stands. ``dice`` lie under the cup:
    None if it is empty or this copy of the match does not know them. ``rolls`` counts the rolls of
    the seat that is to act since the cup is his; ``seen`` tells that he looked at the last one.
    """

    rules: RuleSet
    players: tuple[str, ...]
    direction: int
    round: int
    opener: int
    tally: tuple[int, ...]
    status: tuple[Status, ...]
    out: tuple[int, ...]
    outcome: Outcome | None
    turn: int
    phase: Phase
    to_act: int | None
    announced: int | None
    announcer: int | None
    dice: Dice | None
    rolls: int
    seen: bool

    @property
    def matches(self) -> tuple[int, ...]:
        """Matches left, by seat (R-CLASS-1); all 0 where the stakes are drinks (R-CLASS-3)."""
        credit = self.rules.credit if self.rules.stakes == "matches" else 0
        return tuple(max(0, credit - penalties) for penalties in self.tally)

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that are still in, swimmers included."""
        return tuple(seat for seat, status in enumerate(self.status) if status in PLAYING)


class Step(NamedTuple):
    """What an action led to: the match after it, and what happened, in order."""

    match: Match
    events: "tuple[Event, ...]"


def outcome(match: Match) -> Outcome | None:
    """Return how the match ended, or None while it goes on."""
    return match.outcome


def next_seat(match: Match, seat: int) -> int:
    """Return the next seat still in after ``seat``, in the direction of play (B-1, R-CLASS-8)."""
    direction, status = match.direction, match.status
    seat = (seat + direction) % len(status)
    while status[seat] not in PLAYING:
        seat = (seat + direction) % len(status)
    return seat
