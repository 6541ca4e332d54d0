"""What a core is told: frames, what was stored, parts that failed or answer again, time."""

from enum import Enum, auto
from typing import NamedTuple


class Received(NamedTuple):
    """A frame arrived; only its seal can tell from whom."""

    frame: bytes


class OwnStore(Enum):
    """The stores of a handheld itself; those of a seat are numbered from 0."""

    BEGIN = auto()
    """A match that is played as soon as it is on the disk."""
    END = auto()
    """That there is no match any more."""


Ticket = int | OwnStore
"""By what a store is known when it is reported."""


class Stored(NamedTuple):
    """A store has ended. ``trouble``: None if it is on the disk, else a line saying what to do."""

    ticket: Ticket
    trouble: str | None = None


class Part(Enum):
    """The parts that can fail and be named on the display."""

    ACCELEROMETER = auto()
    PANEL = auto()
    LIGHT = auto()


class PartFailed(NamedTuple):
    """A part does not answer as it should.

    ``wrong``: the name of the part that belongs there, if another kind answers; else None.
    """

    part: Part
    wrong: str | None = None


class PartWell(NamedTuple):
    """A part that had failed answers again."""

    part: Part


class Tick(NamedTuple):
    """The time that ``Handheld.next_timer_us`` named has come."""


Report = Received | Stored | PartFailed | PartWell | Tick
