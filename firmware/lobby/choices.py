"""What a player can choose in the lobby. Frozen values: ``Lobby.choose`` says what each does."""

from dataclasses import dataclass

from firmware.lobby.steps import Company, LobbyStep
from firmware.lobby.tables_nearby import TableNearby


@dataclass(frozen=True)
class GoTo:
    """Another question, forth or back; the first ones leave a table that was being made up."""

    step: LobbyStep


@dataclass(frozen=True)
class CallMe:
    """Take this name."""

    name: str


@dataclass(frozen=True)
class Volume:
    """Louder; after the loudest comes silence."""


@dataclass(frozen=True)
class Begin:
    """Set a match up, in this company."""

    company: Company


@dataclass(frozen=True)
class LookForTables:
    """Listen for tables, to play there or to watch."""

    watches: bool


@dataclass(frozen=True)
class Join:
    """Ask for a place at a table."""

    table: TableNearby


@dataclass(frozen=True)
class Leave:
    """Leave the table; its host gives it up."""


@dataclass(frozen=True)
class Game:
    """Play this game (a key of ``game.RULES``), with its usual options."""

    name: str


@dataclass(frozen=True)
class ChangeOption:
    """Set option ``number`` of ``game.OPTIONS`` to its next value."""

    number: int


@dataclass(frozen=True)
class RulesSettled:
    """Go on to who plays: the options are as they shall be."""


@dataclass(frozen=True)
class MoveSeat:
    """Seat the player at ``seat`` one place further."""

    seat: int


@dataclass(frozen=True)
class AddPlayer:
    """One more plays on this handheld."""

    name: str


@dataclass(frozen=True)
class RemovePlayer:
    """The last one who was added does not play on this handheld."""


@dataclass(frozen=True)
class Opens:
    """Let this seat open the first round; None: whom the lot falls on. The last question."""

    seat: int | None


LobbyChoice = (
    GoTo | CallMe | Volume | Begin | LookForTables | Join | Leave | Game | ChangeOption
    | RulesSettled | MoveSeat | AddPlayer | RemovePlayer | Opens
)  # fmt: skip
