"""States of dice and cups on a page."""

from dataclasses import dataclass
from enum import Enum

from firmware.display.text.labels import Text


class CupKind(Enum):
    """The contents of the closed cup in the holder's hands."""

    OPENING = "opening"
    """Nothing: the holder opens the round and must throw (B-6)."""
    BELIEVED = "believed"
    """Dice that the holder accepted and must beat (R-CLASS-5)."""
    THROWN = "thrown"
    """Dice that the holder has thrown."""
    AGAIN = "again"
    """Nothing: the holder's dice were a tower and must be rolled again (R-HF-8)."""


class Delivery(Enum):
    """How far the cup is on its way to the next player."""

    CALLING = "calling"
    OFFERED = "offered"
    """The other handheld shows the offer; its player decides."""
    GIVING = "giving"
    SILENT = "silent"
    """The other handheld does not answer; this one sends again."""
    GONE = "gone"
    """The same, and a broker says that it is offline."""


class DieState(Enum):
    """The state of a die of the last throw (T-2, T-3)."""

    IN_PLAY = "in play"
    ASIDE = "aside"
    TURNED = "turned"
    """A six that is turned to a one and set aside."""


class ThrowStage(Enum):
    """The purpose of my throw."""

    ROLL_OFF = "roll-off"
    """One throw decides who leads (R-MAX-1, R-CHI-5, S-5)."""
    TURN = "turn"
    BONUS = "bonus"
    """A throw that turned sixes have brought (T-4)."""
    LIFT = "lift"
    """My covered third throw is to be lifted (T-5)."""
    LEVELLING = "levelling"
    """I may give one coaster away (R-CHI-4)."""


@dataclass(frozen=True, slots=True)
class NoteLine:
    """One line about an event; the text says which of its places it needs."""

    text: Text
    name: str = ""
    other: str = ""
    count: int = 0
