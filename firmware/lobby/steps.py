"""Which question the lobby asks, and on which handhelds is played."""

from enum import Enum, auto


class LobbyStep(Enum):
    """The questions of the lobby."""

    NAME = auto()
    START = auto()
    GAME = auto()
    OPTIONS = auto()
    GATHER = auto()
    """A host waits for his guests."""
    SEATS = auto()
    FIRST = auto()
    TABLES = auto()
    JOINING = auto()
    """A guest waits until his host has set everything up."""
    COMPARE = auto()
    PLAYERS = auto()
    """Who plays on this one handheld."""
    BROKEN = auto()
    ROOM = auto()
    """Whether those near are met, or those in a room at a broker."""
    CODE = auto()
    """The code of a room, digit by digit."""


class Company(Enum):
    """Which handhelds a match is played on."""

    SHARED = auto()
    """Everybody has a handheld."""
    AROUND = auto()
    """One handheld goes from hand to hand."""
    PRACTICE = auto()
    """One person, against this handheld."""
