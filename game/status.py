"""Where a match and its players stand, and how a match ended."""

from enum import StrEnum
from typing import NamedTuple, TypeVar

_T = TypeVar("_T")


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


(OPENING, BELIEVED, THROWN, OFFERED, DOUBTED, ROLL_AGAIN, OVER) = tuple(Phase)[:7]
(ROLL_OFF, TO_THROW, TO_LIFT, LEVELLING) = tuple(Phase)[7:]
"""The phases by name: to look one up in its class costs as much as a whole check."""


class Status(StrEnum):
    """Whether a seat still plays, and if not, why."""

    IN = "in"
    SWIMS = "swims"
    """He has lost his last match; the next penalty puts him out (R-CLASS-2)."""
    OUT = "out"
    LEFT = "left"
    WAITS = "waits"
    """He sits out for now (R-MAX-3, R-MAX-5, S-4)."""
    SAFE = "safe"
    """He cannot lose any more and has left the match (R-CHI-2, R-CHI-3)."""


IN, SWIMS, OUT, LEFT, WAITS, SAFE = Status
"""The standings by name, like the phases."""
PLAYING = (IN, SWIMS)
"""The standings in which a seat takes part."""
AWAY = (OUT, LEFT, SAFE)
"""The standings of a seat that is no longer in the match: it has no vote (B-10)."""


def with_item(by_seat: tuple[_T, ...], seat: int, item: _T) -> tuple[_T, ...]:
    """Return a copy of ``by_seat`` with ``item`` at ``seat``, from 0."""
    changed = list(by_seat)
    changed[seat] = item
    return tuple(changed)


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
