"""Rooms at a broker: one makes a room and reads its code out, the others enter it."""

from collections.abc import Callable
from enum import Enum, auto
from typing import Final, NamedTuple

from firmware.effects.places import Nearby, Place, Room
from firmware.lobby.steps import LobbyStep

CODE_DIGITS: Final = 4
"""Few enough to be read out. Who guesses a code sees a table; the compared numbers keep him out."""


class RoomStep(Enum):
    """What can be done about rooms."""

    NEW = auto()
    """Make one, with a code by chance."""
    TYPE = auto()
    """Enter the code of one, digit by digit."""
    ERASE = auto()
    """Take the last digit back; without one, go back."""
    LEAVE = auto()
    """Be in none: only those near are met."""


class InRoom(NamedTuple):
    """Do something about rooms; ``digit``: type it."""

    step: RoomStep
    digit: str = ""


class RoomsView(NamedTuple):
    """The ``code`` of the room that one is in, None for none; and what is ``typed`` of another."""

    code: str | None
    typed: str


class Rooms:
    """Which room this lobby is in, and what is typed of a code.

    ``afar``: there is a broker. ``code`` is that of the room; None for none.
    """

    def __init__(self, afar: bool) -> None:
        self.code: str | None = None
        self.typed = ""
        self._afar = afar

    @property
    def view(self) -> RoomsView | None:
        """What a question depends on; None without a broker."""
        return RoomsView(self.code, self.typed) if self._afar else None

    @property
    def place(self) -> Place:
        """Where others are met."""
        return Nearby.NEARBY if self.code is None else Room(self.code)

    def take(self, choice: InRoom, entropy: Callable[[int], bytes]) -> LobbyStep:
        """Do what was chosen, and return what comes next. ``entropy`` gives random bytes."""
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
