"""What a player can choose in the lobby, as values: ``Lobby.choose`` says what each does."""

from enum import Enum, auto
from typing import NamedTuple

from firmware.lobby.rooms import InRoom
from firmware.lobby.steps import Company, LobbyStep
from firmware.lobby.tables_nearby import TableNearby


class Plain(Enum):
    """What needs no value."""

    LEAVE = auto()
    """Leave the table that is made up; its host gives it up."""
    LOUDER = auto()
    """Set the next volume; after the loudest comes silence."""
    RULES_SETTLED = auto()
    """Go on to who plays: the options are as they shall be."""
    LEARN = auto()
    """Begin a first match, alone and explained."""
    REMOVE_PLAYER = auto()
    """Take the last one off again who was to play on this handheld."""


class GoTo(NamedTuple):
    """Ask another question; NAME, START and TABLES drop the pairing."""

    step: LobbyStep


class CallMe(NamedTuple):
    """Take this name."""

    name: str


class Begin(NamedTuple):
    """Set a match up, in this company."""

    company: Company


class LookForTables(NamedTuple):
    """List the tables near, to join one as a player or to watch."""

    watches: bool


class Join(NamedTuple):
    """Ask for a place at a table."""

    table: TableNearby


class Game(NamedTuple):
    """Play this game (a key of ``game.RULES``), with its usual options."""

    name: str


class ChangeOption(NamedTuple):
    """Set option ``number`` of ``game.OPTIONS`` to its next value."""

    number: int


class PutOut(NamedTuple):
    """Take the place of a guest away, who has the six bytes of ``device``, for good."""

    device: bytes


class MoveSeat(NamedTuple):
    """Seat the player at ``seat`` one place further."""

    seat: int


class AddPlayer(NamedTuple):
    """Let one more play on this handheld."""

    name: str


class Opens(NamedTuple):
    """Settle all, and let this seat open the first round; None: one drawn by lot."""

    seat: int | None


LobbyChoice = (
    Plain | GoTo | CallMe | Begin | LookForTables | Join | Game | ChangeOption | PutOut
    | MoveSeat | AddPlayer | Opens | InRoom
)  # fmt: skip
