"""The dial as it is drawn: an entry, its neighbours, and how far a hold has come."""

from dataclasses import dataclass

from firmware.display.text.labels import Text
from game.actions import Announce, Say

Said = Announce | Say
"""An announcement as it was made: a value with its flourish, or words (R-HF-9)."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text with a name, or another text or phrase, and a number in it, such as a die's pips."""

    text: Text
    name: "str | Text | Phrase" = ""
    pips: int = 0


Item = Text | int | str | Phrase
"""An entry of the dial: a word of the game, a value to announce, a player's name, or a phrase."""


@dataclass(frozen=True, slots=True)
class DialStrip:
    """The highlighted entry of the dial and its surroundings.

    Attributes:
        previous, following: the entries a tilt to the left or right leads to; None at an end.
        current: the highlighted entry; ``Text.NEUTRAL`` for the neutral one.
        index, count: the place of the highlighted entry, from 0, and how many entries there are.
        holds: the highlighted entry asks for a hold instead of a tap.
        progress: how far a hold has come, 0 to 1; None while the pad is free.
    """

    previous: Item | None
    current: Item
    following: Item | None
    index: int
    count: int
    holds: bool = False
    progress: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.index < self.count:
            raise ValueError(f"dial index {self.index} of {self.count}")
        check_share(self.progress)

    @property
    def neutral(self) -> bool:
        """Whether nothing is highlighted, so that a tap or a hold does nothing."""
        return self.current is Text.NEUTRAL


def check_share(progress: float | None) -> None:
    """Raise ValueError unless ``progress`` is within 0 and 1, or None (no hold)."""
    if progress is not None and not 0 <= progress <= 1:
        raise ValueError(f"progress {progress} is not within 0 and 1")
