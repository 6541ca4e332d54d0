"""The runtime's reports to a core: frames, stores, parts that failed or answer again, time."""

from enum import Enum, auto
from typing import NamedTuple


class Received(NamedTuple):
    """A frame arrived, sealed or clear; its sender is unknown until it is opened."""

    frame: bytes


class OwnStore(Enum):
    """The stores of a handheld itself; those of a seat are numbered from 0."""

    BEGIN = auto()
    """A match that is played once it is on the disk."""
    END = auto()
    """A note that there is no match any more."""


Ticket = int | OwnStore
"""The ``Store`` that a ``Stored`` reports."""


class Stored(NamedTuple):
    """A store has ended. ``trouble``: None if it is on the disk, else a line with a remedy."""

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


class Presence(NamedTuple):
    """A seat is here or gone, as a broker says: only the display uses it."""

    seat: int
    is_here: bool


class Tick(NamedTuple):
    """The time of ``Core.next_timer_us`` has come."""


Report = Received | Stored | PartFailed | PartWell | Presence | Tick
