"""A player's choices in the lobby, as values; ``Lobby.choose`` implements each."""

from enum import Enum, auto
from typing import NamedTuple

from firmware.lobby.rooms import InRoom
from firmware.lobby.steps import Company, LobbyStep
from firmware.lobby.tables_nearby import TableNearby


class PlainChoice(Enum):
    """Choices without a value."""

    LEAVE = auto()
    """Leave the table that is being made; its host gives it up."""
    LOUDER = auto()
    """Set the next volume; after the loudest comes silence."""
    RULES_SETTLED = auto()
    """Finish the options and go on to the players."""
    LEARN = auto()
    """Begin a first match, alone and explained."""
    REMOVE_PLAYER = auto()
    """Remove the last player from this handheld's list."""


class GoTo(NamedTuple):
    """Go to another question; NAME, START and TABLES drop the pairing."""

    step: LobbyStep


class CallMe(NamedTuple):
    """Take this name."""

    name: str


class Begin(NamedTuple):
    """Begin a match in this company."""

    company: Company


class LookForTables(NamedTuple):
    """List the tables near, to join one as a player or to watch."""

    watches: bool


class Join(NamedTuple):
    """Ask for a place at a table."""

    table: TableNearby


class Game(NamedTuple):
    """Choose this game (a key of ``game.RULES``), with its usual options."""

    name: str


class ChangeOption(NamedTuple):
    """Set option ``number`` of ``game.OPTIONS`` to its next value."""

    number: int


class PutOut(NamedTuple):
    """Put out the guest whose device has these six bytes, for good."""

    device: bytes


class MoveSeat(NamedTuple):
    """Seat the player at ``seat`` one place further."""

    seat: int


class AddPlayer(NamedTuple):
    """Add a player to this handheld."""

    name: str


class Opens(NamedTuple):
    """Finish, and let this seat open the first round; None draws one by lot."""

    seat: int | None


LobbyChoice = (
    PlainChoice | GoTo | CallMe | Begin | LookForTables | Join | Game | ChangeOption | PutOut
    | MoveSeat | AddPlayer | Opens | InRoom
)  # fmt: skip
