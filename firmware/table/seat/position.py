"""The position of a seat towards the cup."""

from enum import Enum, auto

from game import AnyMatch
from game.status import AWAY


class Position(Enum):
    """The position of this handheld towards the cup."""

    WATCHING = auto()
    """The cup is elsewhere."""
    OFFERED = auto()
    """The cup is offered to this seat, which owes an answer."""
    TAKING = auto()
    """The answer is given, and the cup is on its way here."""
    MINE = auto()
    """The cup is here, and this seat acts."""
    TO_PASS = auto()
    """The cup is here, but another seat acts next."""
    PASSING = auto()
    """The cup is on its way to another seat."""
    OVER = auto()
    """The match has ended."""
    STOPPED = auto()
    """The handheld cannot go on: the journal or the log is at fault."""


ACTING = (Position.OFFERED, Position.MINE, Position.TO_PASS)
"""Positions in which the player of this seat has to act."""


def at_table(match: AnyMatch) -> tuple[int, ...]:
    """Return the seats that are still in the match; none when it is over."""
    if match.to_act is None:
        return ()
    return tuple(seat for seat, status in enumerate(match.status) if status not in AWAY)
