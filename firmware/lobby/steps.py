"""The lobby's questions, and the handhelds that play."""

from enum import Enum, auto


class LobbyStep(Enum):
    """The questions of the lobby."""

    NAME = auto()
    START = auto()
    GAME = auto()
    OPTIONS = auto()
    GATHER = auto()
    """A host waits for guests."""
    SEATS = auto()
    FIRST = auto()
    TABLES = auto()
    JOINING = auto()
    """A guest waits until the host has set everything up."""
    COMPARE = auto()
    PLAYERS = auto()
    """The players on this one handheld."""
    BROKEN = auto()
    ROOM = auto()
    """The choice between neighbours and a room at a broker."""
    CODE = auto()
    """The code of a room, digit by digit."""


class Company(Enum):
    """The handhelds that a match is played on."""

    SHARED = auto()
    """Everybody has a handheld."""
    AROUND = auto()
    """One handheld goes from hand to hand."""
    PRACTICE = auto()
    """One person, against this handheld."""
