"""The sounds of a handheld; their tones are ``firmware.runtime.tones``.

No sound depends on covered dice, and none is the only sign of anything.
"""

from enum import IntEnum, auto
from typing import Final

from drivers.piezo import LOUDEST

VOLUMES: Final = range(LOUDEST + 1)
"""0, silence, to the loudest."""
USUAL_VOLUME: Final = 2
MS: Final = 1_000
"""One millisecond in µs."""


class Sound(IntEnum):
    """A sound; the first of several at once is heard."""

    MAEXCHEN = auto()
    """A Mäxchen was announced, or is shown."""
    LOST = auto()
    WON = auto()
    OFFER = auto()
    """The cup is offered to this player."""
    TURN = auto()
    """The cup is here, and this player acts."""
    NUDGE = auto()
    """Everybody waits for this player."""
    CUP_DOWN = auto()
    """The cup is put down on the dice."""
    RATTLE = auto()
    """0.1 s of dice in a cup; repeated for as long as they are shaken."""
