"""The state of a match: frozen, hashable, and moved by ``apply`` alone."""

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from game.actions import Announce, Say
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
    """He has thrown and decides what else his throw allows: announce, throw again, stop, ..."""
    OFFERED = "offered"
    """The cup is offered to him; his answer is due (B-2)."""
    DOUBTED = "doubted"
    """He doubted; he lifts the cup (B-2)."""
    ROLL_AGAIN = "roll_again"
    """His dice were a tower and are void; he must roll again (R-HF-8)."""
    OVER = "over"
    """The match is over; nobody is to act."""
    ROLL_OFF = "roll_off"
    """One throw each decides who leads the first round (R-MAX-1, R-CHI-5, S-5)."""
    TO_THROW = "to_throw"
    """He has to throw: for the first time, or what he has not set aside (T-1, T-2, S-2)."""
    TO_LIFT = "to_lift"
    """His covered third throw has to be lifted (T-5)."""
    LEVELLING = "levelling"
    """He may give one of his coasters to a player with one (R-CHI-4)."""


class Status(StrEnum):
    """How a seat stands in the match."""

    IN = "in"
    SWIMS = "swims"
    """He has lost his last match; the next penalty puts him out (R-CLASS-2)."""
    OUT = "out"
    LEFT = "left"
    WAITS = "waits"
    """He sits out for now (R-MAX-3, R-MAX-5, S-4)."""
    SAFE = "safe"
    """He cannot lose any more and has left the match (R-CHI-2, R-CHI-3)."""


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

    ``said`` is the standing announcement as it was made: what displays show of it are its words
    and its flourish (R-HF-9). ``announcer_rolls`` counts the rolls the announcer made before it, 0
    if he handed the dice on. ``tower`` tells that the dice lie on top of each other (R-HF-8); it is
    as hidden as they are, and False in a copy of the match that does not know them.
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
    said: Announce | Say | None = None
    announcer_rolls: int = 0
    tower: bool = False

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


def next_seat(match: Match, seat: int) -> int:
    """Return the next seat still in after ``seat``, in the direction of play (B-1, R-CLASS-8)."""
    direction, status = match.direction, match.status
    seat = (seat + direction) % len(status)
    while status[seat] not in PLAYING:
        seat = (seat + direction) % len(status)
    return seat
