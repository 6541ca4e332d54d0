"""What a core is told: frames, what was stored, parts that failed or answer again, time."""

from enum import Enum, auto
from typing import NamedTuple


class Received(NamedTuple):
    """A frame arrived from somebody who claims to sit at ``seat``."""

    seat: int
    frame: bytes


class Stored(NamedTuple):
    """A store has ended. ``trouble``: None if it is on the disk, else a line saying what to do."""

    ticket: int
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
