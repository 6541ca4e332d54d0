"""Where the lobby stands, and what it knows of others."""

from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    pass


class LobbyStep(Enum):
    """What the lobby asks."""

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


class Company(Enum):
    """Who sits where."""

    SHARED = auto()
    """Everybody has a handheld."""
    AROUND = auto()
    """One handheld goes from hand to hand."""
    PRACTICE = auto()
    """One person, against this handheld."""


class TableNearby(NamedTuple):
    """A table that can be heard: whose it is, what is played there, and by how many so far."""

    host: bytes
    session: bytes
    name: str
    game: str
    people: int
    heard_us: int
