"""A gesture that does something at a screen, and what it does."""

from enum import Enum, auto
from typing import NamedTuple


class GestureKind(Enum):
    """The gestures of a player, by the names that pages use."""

    SHAKE = "shake"
    LIFT = "lift"
    COVER = "cover"
    TILT = "tilt"
    TAP = "tap"
    HOLD = "hold"


class Meaning(Enum):
    """The effect of a gesture at a screen."""

    THROW = auto()
    LOOK = auto()
    """Look at the own covered dice."""
    LIFT = auto()
    """Lift the cup before all players."""
    SHOW = auto()
    """Show the own open throw, which lies under the cup."""
    DOUBT = auto()
    HIDE = auto()
    """Hide the dice on the display."""
    TAKE_BACK = auto()
    """Take back a doubt or an announcement."""
    COVER = auto()
    """Cover the light sensor, so that a shake counts."""
    CHOOSE = auto()
    """Move the highlight of the dial."""
    ENTRY = auto()
    """Do the highlighted entry of the dial."""
    PAGES = auto()
    """Turn the pages of the help."""
    GO_ON = auto()
    """Go on from the end of a round or a match."""
    SCORES = auto()
    """Open the standings."""
    MENU = auto()
    """Open the menu."""
    CLOSE = auto()
    """Close the page."""
    COUNT = auto()
    """Let the fault in question count."""
    DENY = auto()
    """Deny the fault in question."""


class Way(NamedTuple):
    """A gesture with its meaning; ``due``: the screen waits for it, or for another that is due."""

    gesture: GestureKind
    meaning: Meaning
    due: bool = True
