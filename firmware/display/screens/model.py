"""What the panel can show: meanings, no pixels. ``draw`` turns them into a picture.

Names are players' names as the table uses them; where a long one does not fit it is cut with an
ellipsis. Values are announcements or rolls of two dice (V-1). Every screen ends in a line with the
gestures that work now.
"""

from dataclasses import dataclass

from firmware.display.screens.elements import (
    CupKind,
    Dial,
    DieState,
    Item,
    Note,
    Row,
    Said,
    Stage,
    Tally,
    Verdict,
    Way,
    check_share,
)
from firmware.display.text.alerts import Message
from firmware.display.text.labels import Text, Words
from game.actions import FaultKind
from game.values import Dice


@dataclass(frozen=True, slots=True)
class Starting:
    """The handheld has been switched on and looks for its parts."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody else has the cup.

    ``said`` and ``announcer`` are None while nothing stands. ``as_of`` is the round the
    handheld last heard of, None when it knows that it is up to date.
    """

    turn_of: str
    said: Said | None = None
    announcer: str | None = None
    mine: Tally | None = None
    as_of: int | None = None
    dial: Dial | None = None


@dataclass(frozen=True, slots=True)
class Offered:
    """The cup is offered to me. ``armed``: it may be answered now; before, inputs do nothing."""

    announcer: str
    said: Said
    dial: Dial
    armed: bool


@dataclass(frozen=True, slots=True)
class Closed:
    """I have the covered cup and am to act.

    ``said`` and ``announcer`` are None while nothing stands. ``throws`` counts my throws since
    I have the cup. ``may_throw`` and ``may_look``: what a shake or a lift would do. ``choosing`` is
    what I am about to announce, while the dial asks what to add to it; else None.
    """

    kind: CupKind
    dial: Dial
    said: Said | None = None
    announcer: str | None = None
    throws: int = 0
    may_throw: bool = False
    may_look: bool = False
    choosing: Said | None = None


@dataclass(frozen=True, slots=True)
class Shaking:
    """The cup is being shaken.

    ``progress``: how much of what a throw needs, 0 to 1; None where any shake will do. ``again``:
    it is a repeated throw. ``said`` and ``announcer`` are None while nothing stands.
    """

    progress: float | None = None
    again: bool = False
    said: Said | None = None
    announcer: str | None = None

    def __post_init__(self) -> None:
        check_share(self.progress)


@dataclass(frozen=True, slots=True)
class Look:
    """My dice, for me alone, while the cup is lifted. ``tower``: they lie on top of each other."""

    dice: Dice
    value: int
    tower: bool = False


@dataclass(frozen=True, slots=True)
class Announcing:
    """What I am about to say; it can be taken back for a moment."""

    said: Said
    to: str


@dataclass(frozen=True, slots=True)
class OnItsWay:
    """The cup goes to somebody. ``said`` is None if it goes without an announcement."""

    to: str
    said: Said | None
    state: Way


@dataclass(frozen=True, slots=True)
class Lifting:
    """A doubt was said and the cup is to be lifted before everybody. ``lifter`` None: it is me."""

    announcer: str
    said: Said
    lifter: str | None = None
    dial: Dial | None = None


@dataclass(frozen=True, slots=True)
class Reveal:
    """How a round ended.

    ``dice`` are None where nothing was lifted, or where the cup is covered again; ``announced``
    is the value that was doubted, words resolved, and None if nothing was. ``lifter`` is who lifted
    the cup, None if nobody did. ``mine_to_go_on``: I have the cup, and ``dial`` hands it on;
    without it ``dial`` may be None. ``reversed``: the direction of play was turned (R-HF-7).
    ``tower``: the dice lie on top of each other (R-HF-8). ``unchecked``: nothing proves the dice.
    """

    verdict: Verdict
    dice: Dice | None = None
    announced: int | None = None
    announcer: str | None = None
    lifter: str | None = None
    mine_to_go_on: bool = False
    dial: Dial | None = None
    reversed: bool = False
    tower: bool = False
    unchecked: bool = False


@dataclass(frozen=True, slots=True)
class ThrowClosed:
    """It is my turn with dice that lie open, and the cup is closed.

    ``number`` counts my throws in this round, of at most ``limit``. ``aside`` were set aside
    before, ``to_throw`` dice are thrown next. ``thrown``: a throw lies there that a lift shows.
    ``may_throw``: what a shake would do.
    """

    game: str
    stage: Stage
    number: int
    limit: int
    aside: Dice
    to_throw: int
    dial: Dial
    thrown: bool = False
    may_throw: bool = False


@dataclass(frozen=True, slots=True)
class ThrowOpen:
    """An open throw: mine (``who`` None) while its cup is lifted, or another player's.

    ``states`` tell what becomes of each of ``dice``; ``aside`` were set aside before. It is the
    ``number``-th throw of at most ``limit``; a bonus goes beyond it. ``selected`` is the place of
    the die under the highlight, None for none. ``roll_off``: only its sum counts.
    """

    game: str
    who: str | None
    dice: Dice
    aside: Dice
    states: tuple[DieState, ...]
    number: int
    limit: int
    dial: Dial | None = None
    selected: int | None = None
    roll_off: bool = False


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """How a round of open dice ended, or the throws for the lead.

    ``best`` and ``worst`` are players with all their dice, high to low; None where nothing was
    compared. ``notes`` tell what came of it. ``mine_to_go_on`` and ``dial`` as in ``Reveal``.
    """

    game: str
    best: tuple[str, Dice] | None
    worst: tuple[str, Dice] | None
    notes: tuple[Note, ...]
    dial: Dial | None = None
    mine_to_go_on: bool = False


@dataclass(frozen=True, slots=True)
class Standings:
    """How everybody stands; at most eight rows. ``title`` None: the usual one.

    At most one note tells how far the match is.
    """

    rows: tuple[Row, ...]
    title: str | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match has ended by ``rule`` (``Outcome.rule``); ``loser`` is None if nobody lost.

    ``more``: a tap leads on to what comes after it.
    """

    loser: str | None
    rule: str
    rows: tuple[Row, ...]
    more: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """A fault or a request in words of its own: a title and lines that are wrapped to the panel."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A fault or a request from the table of texts.

    ``name``: the player it speaks of, if any. ``hint``: what can be done, None for the usual.
    """

    message: Message
    name: str = ""
    hint: Text | None = None


@dataclass(frozen=True, slots=True)
class Menu:
    """The menu is open: what can be read, and what ends things early (B-10)."""

    dial: Dial


@dataclass(frozen=True, slots=True)
class Help:
    """The rules of a game as they are played here: page ``page``, from 0."""

    game: str
    page: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a sensed fault: to me (``who`` None), or to another player.

    ``progress``: how far the hold that says yes has come, 0 to 1; None while the pad is free.
    """

    kind: FaultKind
    who: str | None
    progress: float | None = None

    def __post_init__(self) -> None:
        check_share(self.progress)


@dataclass(frozen=True, slots=True)
class Lobby:
    """What is asked and told before and between matches.

    ``lines`` stand below the title, or instead ``about`` in running text, or ``dice`` to compare,
    or a name in ``large`` letters.
    ``dial`` None: there is nothing to choose. ``hint`` None: what the dial says. ``progress``: how
    far a hold has come, 0 to 1; None while the pad is free.
    """

    title: Item
    lines: tuple[Item, ...] = ()
    about: Words | None = None
    dice: Dice = ()
    dial: Dial | None = None
    hint: Text | None = None
    progress: float | None = None
    large: str = ""

    def __post_init__(self) -> None:
        check_share(self.progress)


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
    | ThrowClosed
    | ThrowOpen
    | RoundEnd
    | Menu
    | Help
    | Asked
    | Standings
    | MatchOver
    | Notice
    | Told
    | Lobby
)
