"""The screens of a panel as frozen values, no pixels.

First the values that several pages show, then the pages: of a cup that goes round, of dice that all
see, those that lie over another page, and those of the lobby. ``gesture_options`` says which
gestures do something at each.

May import: text, game.
"""

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from firmware.display.text.labels import Alert, LessonText, Text
from game.actions import Announce, FaultKind, Say
from game.dice import Dice
from game.rules import AnyRules
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOver:
    """A page that may lie over another one. ``under``: what works of the page below."""

    under: tuple[GestureOption, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class StartingPage:
    """The handheld has been switched on and looks for its parts."""


@dataclass(frozen=True, slots=True)
class WaitingPage:
    """Another player has the cup.

    ``said`` and ``announcer`` are None while nothing is announced. ``as_of`` is the last round in
    the log, None if the log is known to be up to date. ``carrier`` is the player whose handheld
    would carry frames between here and there, and is gone; None if nobody is missed. ``thrown``: a
    lift shows my throw.
    """

    turn_of: str
    said: Said | None = None
    announcer: str | None = None
    mine: Tally | None = None
    as_of: int | None = None
    dial: DialStrip | None = None
    carrier: str | None = None
    thrown: bool = False


@dataclass(frozen=True, slots=True)
class OfferPage:
    """The cup is offered to me.

    ``armed``: it may be answered now; before, inputs do nothing. ``doubt`` is the share of the lift
    that a doubt needs, 0 to 1; None while the cup is covered. ``too_short``: the last lift was
    covered before its end.
    """

    announcer: str
    said: Said
    dial: DialStrip
    armed: bool
    doubt: float | None = None
    too_short: bool = False

    def __post_init__(self) -> None:
        check_share(self.doubt)


@dataclass(frozen=True, slots=True)
class ClosedPage:
    """I have the covered cup and am to act.

    ``said`` and ``announcer`` are None while nothing is announced. ``throws`` counts my throws
    since I have the cup. ``may_throw`` and ``may_look`` say whether a shake or a lift works.
    ``choosing`` is my announcement while the dial asks for an addition to it; else None.
    """

    kind: CupKind
    dial: DialStrip
    said: Said | None = None
    announcer: str | None = None
    throws: int = 0
    may_throw: bool = False
    may_look: bool = False
    choosing: Said | None = None


@dataclass(frozen=True, slots=True)
class ShakingPage(PageOver):
    """The cup is being shaken.

    ``progress`` is the share of the shake that a throw needs, 0 to 1; None if any shake will do.
    ``again``: it is a repeated throw. ``said`` and ``announcer`` are None while nothing is
    announced.
    """

    progress: float | None = None
    again: bool = False
    said: Said | None = None
    announcer: str | None = None

    def __post_init__(self) -> None:
        check_share(self.progress)


@dataclass(frozen=True, slots=True)
class LookPage(PageOver):
    """My dice, for me alone, while the cup is lifted. ``tower``: they lie on top of each other."""

    dice: Dice
    value: int
    tower: bool = False


@dataclass(frozen=True, slots=True)
class AnnouncingPage:
    """My announcement to ``to`` before it is sent; it can be taken back for a moment."""

    said: Said
    to: str


@dataclass(frozen=True, slots=True)
class OnItsWayPage:
    """The cup is on its way to another player.

    ``said`` is None if it goes without an announcement. ``carrier`` is as in `WaitingPage`.
    """

    to: str
    said: Said | None
    state: Delivery
    carrier: str | None = None


@dataclass(frozen=True, slots=True)
class LiftingPage:
    """I doubt, and am about to lift the cup before everybody."""

    announcer: str
    said: Said
    dial: DialStrip | None = None


@dataclass(frozen=True, slots=True)
class RevealPage:
    """The end of a round.

    ``dice`` are None if nothing was lifted, or once the cup is covered again. ``announced`` is the
    doubted value, words resolved, and None if nothing was doubted. ``mine_to_go_on``: I have the
    cup. ``dial`` hands it on; None if it stays here and a tap goes on. ``reversed``: the direction
    of play was turned (R-HF-7). ``unchecked``: the dice are not proven. ``may_throw``: a shake
    throws at once. ``over``: the match is over, too. ``holding``: the cup is here, and a cover
    hides the dice.
    """

    verdict: Verdict
    dice: Dice | None = None
    announced: int | None = None
    announcer: str | None = None
    mine_to_go_on: bool = False
    dial: DialStrip | None = None
    reversed: bool = False
    unchecked: bool = False
    may_throw: bool = False
    over: bool = False
    holding: bool = False


CupScreen = (
    StartingPage | WaitingPage | OfferPage | ClosedPage | ShakingPage
    | LookPage | AnnouncingPage | OnItsWayPage | LiftingPage | RevealPage
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ThrowClosedPage:
    """It is my turn with dice that lie open, and the cup is closed.

    ``number`` counts my throws in this round, of at most ``limit``. ``aside`` were set aside
    before, ``to_throw`` dice are thrown next. ``thrown``: a lift shows a throw that lies there.
    ``may_throw``: a shake works.
    """

    game: str
    stage: ThrowStage
    number: int
    limit: int
    aside: Dice
    to_throw: int
    dial: DialStrip
    thrown: bool = False
    may_throw: bool = False


@dataclass(frozen=True, slots=True)
class ThrowOpenPage:
    """An open throw: mine (``who`` None) while its cup is lifted, or another player's.

    ``states`` has the state of each of ``dice``; ``aside`` were set aside before. It is the
    ``number``-th throw of at most ``limit``; a bonus goes beyond it. ``selected`` is the place of
    the die under the highlight, None for none. ``roll_off``: only its sum counts. ``may_throw``: a
    shake works, once the cup is covered.
    """

    game: str
    who: str | None
    dice: Dice
    aside: Dice
    states: tuple[DieState, ...]
    number: int
    limit: int
    dial: DialStrip | None = None
    selected: int | None = None
    roll_off: bool = False
    may_throw: bool = False


@dataclass(frozen=True, slots=True)
class RoundEndPage:
    """The end of a round of open dice, or of the throws for the lead.

    ``best`` and ``worst`` are players with all their dice, high to low; None if nothing was
    compared. ``notes`` are the consequences. ``mine_to_go_on``, ``dial``, ``may_throw`` and
    ``over`` are as in ``RevealPage``. ``thrown``: a lift shows my throw.
    """

    game: str
    best: tuple[str, Dice] | None
    worst: tuple[str, Dice] | None
    notes: tuple[NoteLine, ...]
    dial: DialStrip | None = None
    mine_to_go_on: bool = False
    may_throw: bool = False
    over: bool = False
    thrown: bool = False


OpenDiceScreen = ThrowClosedPage | ThrowOpenPage | RoundEndPage


@dataclass(frozen=True, slots=True)
class StandingsPage(PageOver):
    """The tally of every player; at most nine rows.

    The first of ``notes`` is drawn: how far the match is.
    """

    rows: tuple[Row, ...]
    notes: tuple[NoteLine, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchOverPage:
    """The match has ended by ``rule`` (``Outcome.rule``); ``loser`` is None if nobody lost.

    ``more``: a tap leads on to the next page. ``rows``: at most nine. ``of_reader``: the player of
    this panel has lost, alone. ``are_many``: ``loser`` has the names of several.
    """

    loser: str | None
    rule: str
    rows: tuple[Row, ...]
    more: bool = False
    of_reader: bool = False
    are_many: bool = False

    @property
    def lost(self) -> Text:
        """The text about who has lost; it may have a place for ``loser``."""
        if self.of_reader:
            return Text.YOU_LOSE
        one_or_many = Text.MANY_LOST if self.are_many else Text.LOST
        return Text.NOBODY_LOST if self.loser is None else one_or_many


@dataclass(frozen=True, slots=True)
class AlertPage(PageOver):
    """A fault, a request or a lesson that takes the whole panel.

    ``name``: the player in its text, empty for none. ``hint`` None: the one of the alert.
    """

    alert: Alert | LessonText
    name: str = ""
    hint: Text | None = None


@dataclass(frozen=True, slots=True)
class MenuPage(PageOver):
    """The menu is open: pages to read, and the early ends of a match (B-10)."""

    dial: DialStrip


@dataclass(frozen=True, slots=True)
class HelpPage(PageOver):
    """The rules of a table as they are played here: page ``page``, from 0."""

    rules: AnyRules
    page: int


@dataclass(frozen=True, slots=True)
class FaultQuestionPage(PageOver):
    """A question about a sensed fault: to me (``who`` None), or to another player.

    ``progress``: how far the hold that says yes has come, 0 to 1; None while the pad is free.
    """

    kind: FaultKind
    who: str | None
    progress: float | None = None

    def __post_init__(self) -> None:
        check_share(self.progress)


Overlay = StandingsPage | MatchOverPage | AlertPage | MenuPage | HelpPage | FaultQuestionPage


@dataclass(frozen=True, slots=True)
class QuestionPage:
    """A question or state of the lobby, before and between matches.

    Below the title are ``lines``, or instead the text of the key ``about``, or a name in ``large``
    letters. ``numbers`` of two digits, up to five, stand below one line: players compare them.
    ``dial`` None: there is nothing to choose. ``hint`` None: the hint of the dial. ``progress`` is
    how far a hold has come, 0 to 1; None while the pad is free.
    """

    title: Item
    lines: tuple[Item, ...] = ()
    about: str | None = None
    numbers: tuple[int, ...] = ()
    dial: DialStrip | None = None
    hint: Text | None = None
    progress: float | None = None
    large: str = ""

    def __post_init__(self) -> None:
        check_share(self.progress)


Screen = CupScreen | OpenDiceScreen | Overlay | QuestionPage


def shows_dice(screen: Screen) -> bool:
    """Return whether the screen shows dice; ``RoundEndPage`` counts as none."""
    if isinstance(screen, RevealPage):
        return screen.dice is not None
    return isinstance(screen, LookPage | ThrowOpenPage)


def concerns_player(screen: Screen) -> bool:
    """Return whether the screen wants its player's attention, and wakes the display."""
    match screen:
        case StartingPage() | StandingsPage():
            return False
        case WaitingPage():
            return screen.dial is not None
        case OnItsWayPage():
            return screen.state in (Delivery.SILENT, Delivery.GONE)
        case ThrowOpenPage():
            return screen.who is None
        case _:
            return True
