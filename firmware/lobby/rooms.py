"""Rooms at a broker: one player makes a room and reads out its code; others enter it."""

from collections.abc import Callable
from enum import Enum, auto
from typing import Final, NamedTuple

from firmware.effects.effects import ListenAt
from firmware.effects.places import Nearby, Place, Room
from firmware.lobby.steps import LobbyStep
from firmware.table.pairing.state import PairingState

CODE_DIGITS: Final = 4
"""Few enough to read out. A guessed code shows a table; the compared numbers keep a stranger out.
"""


class RoomStep(Enum):
    """The steps around rooms."""

    NEW = auto()
    """Make one, with a random code."""
    TYPE = auto()
    """Enter a room's code, digit by digit."""
    ERASE = auto()
    """Take the last digit back; without one, go back."""
    LEAVE = auto()
    """Leave the room: only neighbours are met."""


class InRoom(NamedTuple):
    """Do a step around rooms; ``digit`` is the one to type."""

    step: RoomStep
    digit: str = ""


class RoomsView(NamedTuple):
    """The ``code`` of the current room, None for none, and the digits ``typed`` so far."""

    code: str | None
    typed: str


class Rooms:
    """The lobby's current room, and the digits typed of another's code.

    ``afar``: there is a broker. ``code`` is that of the room; None for none.
    """

    def __init__(self, afar: bool, code: str | None = None) -> None:
        self.code = code
        self.typed = ""
        self._afar = afar
        self._place: Place | None = None

    @property
    def view(self) -> RoomsView | None:
        """The state that a question depends on; None without a broker."""
        return RoomsView(self.code, self.typed) if self._afar else None

    def listen(self, table: PairingState | None) -> list[ListenAt]:
        """Take the place where the lobby meets others, unless it has it; return the effect, if any.

        In a room, a player's handheld passes frames of its table on. ``table``: None for none.
        """
        before, self._place = self._place, Nearby.NEARBY if self.code is None else Room(self.code)
        if isinstance(self._place, Room) and table and not (table.is_host or table.me.watches):
            self._place = Room(self._place.code, table.host, table.session)
        return [] if self._place == before else [ListenAt(self._place)]

    def take(self, choice: InRoom, entropy: Callable[[int], bytes]) -> LobbyStep:
        """Do a step and return the next one. ``entropy`` gives random bytes."""
        match choice.step:
            case RoomStep.NEW:
                number = int.from_bytes(entropy(8), "big") % 10**CODE_DIGITS
                self.code, self.typed = f"{number:0{CODE_DIGITS}}", ""
            case RoomStep.LEAVE:
                self.code, self.typed = None, ""
            case RoomStep.TYPE:
                self.typed += choice.digit
                if len(self.typed) < CODE_DIGITS:
                    return LobbyStep.CODE
                self.code, self.typed = self.typed, ""
            case RoomStep.ERASE:
                before, self.typed = self.typed, self.typed[:-1]
                return LobbyStep.CODE if before else LobbyStep.ROOM
        return LobbyStep.START
