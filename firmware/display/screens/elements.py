"""What screens are made of: the dial, how players stand, verdicts, notes, states of dice."""

from dataclasses import dataclass
from enum import Enum

from firmware.display.text.labels import Text
from game.actions import Announce, Say
from game.match import Status

Said = Announce | Say
"""What was announced, as it was said: a value with its flourish, or words (R-HF-9)."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text with a name or the pips of a die in it."""

    text: Text
    name: str = ""
    pips: int = 0


Item = Text | int | str | Phrase
"""An entry of the dial: a word of the game, a value to announce, a player's name, or a phrase."""


@dataclass(frozen=True, slots=True)
class Dial:
    """What the dial shows around the highlighted entry.

    Attributes:
        previous, following: the entries a tilt to the left or right leads to; None at an end.
        current: the highlighted entry; ``Text.NEUTRAL`` where the dial opens.
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
        """Tell whether nothing is highlighted, so that a tap or a hold does nothing."""
        return self.current is Text.NEUTRAL


class Unit(Enum):
    """What a penalty is counted in."""

    MATCH = "match"
    """Matches that a player has left (R-CLASS-1)."""
    DRINK = "drink"
    """Drinks that he owes (R-CLASS-3)."""
    POINT = "point"
    """Points against him."""
    GLASS = "glass"
    """Small glasses that he owes (R-PHYS-4)."""
    COASTER = "coaster"
    """Coasters before him (R-MAX-2, R-CHI-1, S-4)."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How a player stands: ``count`` matches left, or what he has collected so far.

    ``halves`` are the lost halves of ``maxen``, each marked with half a coaster (R-MAX-5).
    """

    count: int
    unit: Unit = Unit.MATCH
    status: Status = Status.IN
    halves: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One player in the standings. ``me`` marks the one who holds this handheld."""

    name: str
    tally: Tally
    me: bool = False


class Judgement(Enum):
    """Why somebody pays."""

    LIE = "lie"
    """The announcer had announced more than the dice show: he pays (B-4)."""
    TRUE = "true"
    """The dice bear the announcement out: the doubter pays (B-4)."""
    SHOWN = "shown"
    """A Mäxchen was shown: the next player pays (R-CLASS-6)."""
    GAVE_IN = "gave in"
    """The receiver gave in to an announced Mäxchen (R-CLASS-7)."""
    OWNED_UP = "owned up"
    """The holder admitted that he does not beat what stands (R-CLASS-10)."""
    INADMISSIBLE = "inadmissible"
    """What was announced could not be (R-HF-5)."""
    WRONG_WAY = "wrong way"
    """The cup was passed in the wrong direction (R-HF-5)."""
    DROPPED = "dropped"
    """The dice were dropped (R-PHYS-7, R-HF-5)."""
    MOVED = "moved"
    """The dice were moved while the cup was passed (R-PHYS-7, R-HF-5)."""
    LOOKED = "looked"
    """A look that the rules forbid (R-PHYS-7, R-HF-5)."""
    TOWER_SHOWN = "tower shown"
    """A tower was shown: nobody pays, its roller rolls again (R-HF-8)."""
    TOWER_SPARED = "tower spared"
    """A lie, but a tower: nobody pays, the announcer rolls again (R-HF-8)."""
    VOIDED = "voided"
    """The table voided the round: nobody pays (B-10)."""
    LEFT = "left"
    """The player has left, and the round is void (B-10)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who pays, why, and how he stands after it.

    ``cost`` counts in ``after.unit``, 0 where nobody pays; ``after.status`` tells whether he swims
    or is out now. ``also`` is a second player who pays the same (R-HF-5), None for nobody.
    """

    judgement: Judgement
    payer: str
    cost: int
    after: Tally
    also: str | None = None


class CupKind(Enum):
    """What lies under the closed cup in the holder's hands."""

    OPENING = "opening"
    """Nothing: he opens the round and must throw (B-6)."""
    BELIEVED = "believed"
    """Dice he accepted and must beat (R-CLASS-5)."""
    THROWN = "thrown"
    """Dice he has thrown."""
    AGAIN = "again"
    """Nothing: his dice were a tower, and he must roll again (R-HF-8)."""


class Way(Enum):
    """How far the cup is on its way to the next player."""

    CALLING = "calling"
    OFFERED = "offered"
    """The other handheld shows the offer; its player thinks."""
    GIVING = "giving"
    SILENT = "silent"
    """The other handheld does not answer; it is being tried again."""


class DieState(Enum):
    """What becomes of a die of the last throw (T-2, T-3)."""

    IN_PLAY = "in play"
    ASIDE = "aside"
    TURNED = "turned"
    """A six that is turned to a one and set aside."""


class Stage(Enum):
    """What my throw is for."""

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
class Note:
    """One line about what happened; the text says which of its places it needs."""

    text: Text
    name: str = ""
    other: str = ""
    count: int = 0


def check_share(progress: float | None) -> None:
    """Raise ValueError for a share that is not within 0 and 1; None is none at all."""
    if progress is not None and not 0 <= progress <= 1:
        raise ValueError(f"progress {progress} is not within 0 and 1")
