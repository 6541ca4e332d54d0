"""What the panel can show: meanings, no pixels. ``draw`` turns them into a picture.

Names are players' names as the table uses them; where a long one does not fit it is cut with an
ellipsis. Values are announcements or rolls of two dice (V-1). Every screen ends in a line with the
gestures that work now.
"""

from dataclasses import dataclass
from enum import Enum

from firmware.texts import Message, Text
from game.match import Status
from game.values import Dice

Item = Text | int | str
"""An entry of the dial: a word of the game, a value to announce, or a player's name."""


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
        _check_share(self.progress)

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


@dataclass(frozen=True, slots=True)
class Tally:
    """How a player stands: ``count`` matches left, or drinks or points so far."""

    count: int
    unit: Unit = Unit.MATCH
    status: Status = Status.IN


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


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who pays, why, and how he stands after it.

    ``cost`` counts in ``after.unit``; ``after.status`` tells whether he swims or is out now.
    """

    judgement: Judgement
    payer: str
    cost: int
    after: Tally


class CupKind(Enum):
    """What lies under the closed cup in the holder's hands."""

    OPENING = "opening"
    """Nothing: he opens the round and must throw (B-6)."""
    BELIEVED = "believed"
    """Dice he accepted and must beat (R-CLASS-5)."""
    THROWN = "thrown"
    """Dice he has thrown."""


class Way(Enum):
    """How far the cup is on its way to the next player."""

    CALLING = "calling"
    OFFERED = "offered"
    """The other handheld shows the offer; its player thinks."""
    GIVING = "giving"
    SILENT = "silent"
    """The other handheld does not answer; it is being tried again."""


@dataclass(frozen=True, slots=True)
class Starting:
    """The handheld has been switched on and looks for its parts."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody else has the cup.

    ``announced`` and ``announcer`` are None while nothing stands. ``as_of`` is the round the
    handheld last heard of, None when it knows that it is up to date.
    """

    turn_of: str
    announced: int | None = None
    announcer: str | None = None
    mine: Tally | None = None
    as_of: int | None = None
    dial: Dial | None = None


@dataclass(frozen=True, slots=True)
class Offered:
    """The cup is offered to me. ``armed``: it may be answered now; before, inputs do nothing."""

    announcer: str
    announced: int
    dial: Dial
    armed: bool


@dataclass(frozen=True, slots=True)
class Closed:
    """I have the covered cup and am to act.

    ``announced`` and ``announcer`` are None while nothing stands. ``throws`` counts my throws since
    I have the cup. ``may_throw`` and ``may_look``: what a shake or a lift would do.
    """

    kind: CupKind
    dial: Dial
    announced: int | None = None
    announcer: str | None = None
    throws: int = 0
    may_throw: bool = False
    may_look: bool = False


@dataclass(frozen=True, slots=True)
class Shaking:
    """The cup is being shaken.

    ``progress``: how much of what a throw needs, 0 to 1; None where any shake will do. ``again``:
    it is a repeated throw. ``announced`` and ``announcer`` are None while nothing stands.
    """

    progress: float | None = None
    again: bool = False
    announced: int | None = None
    announcer: str | None = None

    def __post_init__(self) -> None:
        _check_share(self.progress)


@dataclass(frozen=True, slots=True)
class Look:
    """My dice, for me alone, while the cup is lifted."""

    dice: Dice
    value: int


@dataclass(frozen=True, slots=True)
class Announcing:
    """What I am about to say; it can be taken back for a moment."""

    value: int
    to: str


@dataclass(frozen=True, slots=True)
class OnItsWay:
    """The cup goes to somebody. ``announced`` is None if it goes without an announcement."""

    to: str
    announced: int | None
    state: Way


@dataclass(frozen=True, slots=True)
class Lifting:
    """A doubt was said and the cup is to be lifted before everybody. ``lifter`` None: it is me."""

    announcer: str
    announced: int
    lifter: str | None = None
    dial: Dial | None = None


@dataclass(frozen=True, slots=True)
class Reveal:
    """How a round ended.

    ``dice`` are None where nothing was lifted, or where the cup is covered again; ``announced``
    is None if nothing stood. ``lifter`` is who lifted the cup, None if nobody did.
    ``mine_to_go_on``: I have the cup, and ``dial`` hands it on; without it ``dial`` may be None.
    """

    verdict: Verdict
    dice: Dice | None = None
    announced: int | None = None
    announcer: str | None = None
    lifter: str | None = None
    mine_to_go_on: bool = False
    dial: Dial | None = None


@dataclass(frozen=True, slots=True)
class Standings:
    """How everybody stands; at most eight rows. ``title`` None: the usual one."""

    rows: tuple[Row, ...]
    title: str | None = None


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match has ended by ``rule`` (``Outcome.rule``); ``loser`` is None if nobody lost."""

    loser: str | None
    rule: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """A fault or a request in words of its own: a title and lines that are wrapped to the panel."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A fault or a request from the table of texts. ``name``: the player it speaks of, if any."""

    message: Message
    name: str = ""


Screen = (
    Starting
    | Waiting
    | Offered
    | Closed
    | Shaking
    | Look
    | Announcing
    | OnItsWay
    | Lifting
    | Reveal
    | Standings
    | MatchOver
    | Notice
    | Told
)


def _check_share(progress: float | None) -> None:
    if progress is not None and not 0 <= progress <= 1:
        raise ValueError(f"progress {progress} is not within 0 and 1")
