"""Every page of the panel as a frozen value."""

from dataclasses import dataclass, field

from firmware.display.screens.values import (
    CupKind,
    Delivery,
    DialStrip,
    DieState,
    GestureOption,
    Item,
    NoteLine,
    Page,
    Row,
    Said,
    Tally,
    ThrowStage,
    Verdict,
    check_share,
)
from firmware.display.text.labels import Alert, LessonText, Text
from game.actions import FaultKind
from game.dice import Dice
from game.rules import AnyRules


@dataclass(frozen=True, slots=True)
class StartingPage(Page):
    """The handheld has been switched on and looks for its parts."""

    @property
    def concerns_player(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class WaitingPage(Page):
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

    @property
    def concerns_player(self) -> bool:
        return self.dial is not None


@dataclass(frozen=True, slots=True)
class OfferPage(Page):
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
class ClosedPage(Page):
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
class ShakingPage(Page):
    """The cup is being shaken.

    ``progress`` is the share of the shake that a throw needs, 0 to 1; None if any shake will do.
    ``again``: it is a repeated throw. ``said`` and ``announcer`` are None while nothing is
    announced. ``under``: what works of the page below.
    """

    progress: float | None = None
    again: bool = False
    said: Said | None = None
    announcer: str | None = None
    under: tuple[GestureOption, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        check_share(self.progress)


@dataclass(frozen=True, slots=True)
class LookPage(Page):
    """My dice, for me alone, while the cup is lifted. ``tower``: they lie on top of each other.

    ``under`` is as in `ShakingPage`.
    """

    dice: Dice
    value: int
    tower: bool = False
    under: tuple[GestureOption, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class AnnouncingPage(Page):
    """My announcement to ``to`` before it is sent; it can be taken back for a moment."""

    said: Said
    to: str


@dataclass(frozen=True, slots=True)
class OnItsWayPage(Page):
    """The cup is on its way to another player.

    ``said`` is None if it goes without an announcement. ``carrier`` is as in `WaitingPage`.
    """

    to: str
    said: Said | None
    state: Delivery
    carrier: str | None = None

    @property
    def concerns_player(self) -> bool:
        return self.state in (Delivery.SILENT, Delivery.GONE)


@dataclass(frozen=True, slots=True)
class LiftingPage(Page):
    """The doubted cup is about to be lifted before everybody. ``lifter`` None: I lift it."""

    announcer: str
    said: Said
    lifter: str | None = None
    dial: DialStrip | None = None


@dataclass(frozen=True, slots=True)
class RevealPage(Page):
    """The end of a round.

    ``dice`` are None if nothing was lifted, or once the cup is covered again. ``announced`` is the
    doubted value, words resolved, and None if nothing was doubted. ``lifter`` is the player who
    lifted the cup, None if nobody did. ``mine_to_go_on``: I have the cup. ``dial`` hands it on;
    None if it stays here and a tap goes on. ``reversed``: the direction of play was turned
    (R-HF-7). ``tower``: the dice lie on top of each other (R-HF-8). ``unchecked``: the dice are not
    proven. ``may_throw``: a shake throws at once. ``over``: the match is over, too.
    ``holding``: the cup is here, and a cover hides the dice.
    """

    verdict: Verdict
    dice: Dice | None = None
    announced: int | None = None
    announcer: str | None = None
    lifter: str | None = None
    mine_to_go_on: bool = False
    dial: DialStrip | None = None
    reversed: bool = False
    tower: bool = False
    unchecked: bool = False
    may_throw: bool = False
    over: bool = False
    holding: bool = False


CupScreen = (
    StartingPage | WaitingPage | OfferPage | ClosedPage | ShakingPage
    | LookPage | AnnouncingPage | OnItsWayPage | LiftingPage | RevealPage
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ThrowClosedPage(Page):
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
class ThrowOpenPage(Page):
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

    @property
    def concerns_player(self) -> bool:
        return self.who is None


@dataclass(frozen=True, slots=True)
class RoundEndPage(Page):
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
class StandingsPage(Page):
    """The tally of every player; at most nine rows. ``title`` None: the usual one.

    The first of ``notes`` is drawn: how far the match is. ``under`` is as in ``ShakingPage``.
    """

    rows: tuple[Row, ...]
    title: str | None = None
    notes: tuple[NoteLine, ...] = ()
    under: tuple[GestureOption, ...] = field(default=(), compare=False)

    @property
    def concerns_player(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class MatchOverPage(Page):
    """The match has ended by ``rule`` (``Outcome.rule``); ``loser`` is None if nobody lost.

    ``more``: a tap leads on to the next page. ``rows``: at most nine. ``of_reader``: the player of
    this panel has lost, alone.
    """

    loser: str | None
    rule: str
    rows: tuple[Row, ...]
    more: bool = False
    of_reader: bool = False

    @property
    def ends_match(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class AlertPage(Page):
    """A fault, a request or a lesson that takes the whole panel.

    ``name``: the player in its text, empty for none. ``hint`` None: the one of the alert. ``under``
    is as in ``ShakingPage``.
    """

    alert: Alert | LessonText
    name: str = ""
    hint: Text | None = None
    under: tuple[GestureOption, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class MenuPage(Page):
    """The menu is open: pages to read, and the early ends of a match (B-10).

    ``under`` is as in ``ShakingPage``.
    """

    dial: DialStrip
    under: tuple[GestureOption, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class HelpPage(Page):
    """The rules of a table as they are played here: page ``page``, from 0.

    ``under`` is as in ``ShakingPage``.
    """

    rules: AnyRules
    page: int
    under: tuple[GestureOption, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class FaultQuestionPage(Page):
    """A question about a sensed fault: to me (``who`` None), or to another player.

    ``progress``: how far the hold that says yes has come, 0 to 1; None while the pad is free.
    ``under`` is as in ``ShakingPage``.
    """

    kind: FaultKind
    who: str | None
    progress: float | None = None
    under: tuple[GestureOption, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        check_share(self.progress)


Overlay = StandingsPage | MatchOverPage | AlertPage | MenuPage | HelpPage | FaultQuestionPage


@dataclass(frozen=True, slots=True)
class QuestionPage(Page):
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
