"""Parts of a page: the dial, dice, tallies, a verdict, and gestures that do something."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from firmware.display.text.labels import Text
from game.actions import Announce, Say
from game.status import Status, Unit

Said = Announce | Say
"""An announcement as it was made: a value with its flourish, or words (R-HF-9)."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text with a name, or another text or phrase, and a number in it, such as a die's pips.

    ``text`` may be the dotted key of a text, such as "choice.lie".
    """

    text: Text | str
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


@dataclass(frozen=True, slots=True)
class Tally:
    """The score of a player: ``count`` matches left, or how many ``unit`` they have collected.

    ``halves`` are the lost halves of ``maxen``, each marked with half a coaster (R-MAX-5).
    """

    count: int
    unit: Unit = Unit.MATCH
    status: Status = Status.IN
    halves: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One player in the standings. ``me`` marks the player of this handheld."""

    name: str
    tally: Tally
    me: bool = False


class Judgement(Enum):
    """The reason for a payment."""

    LIE = "lie"
    """The announcer had announced more than the dice show, and pays (B-4)."""
    TRUE = "true"
    """The dice bear the announcement out: the doubter pays (B-4)."""
    SHOWN = "shown"
    """A Mäxchen was shown: the next player pays (R-CLASS-6)."""
    GAVE_IN = "gave in"
    """The receiver gave in to an announced Mäxchen (R-CLASS-7)."""
    OWNED_UP = "owned up"
    """The holder admitted that the dice do not beat the announcement (R-CLASS-10)."""
    INADMISSIBLE = "inadmissible"
    """The announcement was not admissible (R-HF-5)."""
    WRONG_WAY = "wrong way"
    """The cup was passed in the wrong direction (R-HF-5)."""
    DROPPED = "dropped"
    """The dice were dropped (R-PHYS-7, R-HF-5)."""
    MOVED = "moved"
    """The dice were moved while the cup was passed (R-PHYS-7, R-HF-5)."""
    LOOKED = "looked"
    """A look that the rules forbid (R-PHYS-7, R-HF-5)."""
    MISTAKEN = "mistaken"
    """Another mistake, as the table agreed (R-PHYS-7, R-HF-5)."""
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
    """The payer, the reason, and the payer's tally after it.

    ``cost`` counts in ``after.unit``, 0 if nobody pays. ``after.status`` says whether the payer
    swims or is out now. ``also`` is a second player who pays the same (R-HF-5), None for nobody.
    ``of_reader``: the payer is the player of this panel.
    """

    judgement: Judgement
    payer: str
    cost: int
    after: Tally
    also: str | None = None
    of_reader: bool = False


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


class GestureOption(NamedTuple):
    """A gesture with its meaning; ``due``: the screen waits for it, or for another that is due."""

    gesture: GestureKind
    meaning: Meaning
    due: bool = True


class Page:
    """A page of the panel."""

    __slots__ = ()

    @property
    def concerns_player(self) -> bool:
        """Whether the page wants its player's attention, and wakes the display."""
        return True

    @property
    def ends_match(self) -> bool:
        """Whether the page shows how the match ended."""
        return False
