"""Pages of a cup that goes round: waiting, offered, covered, shaken, on its way, lifted."""

from dataclasses import dataclass, field

from firmware.display.screens.dial import DialStrip, Said, check_share
from firmware.display.screens.dice import CupKind, Delivery
from firmware.display.screens.page import Page
from firmware.display.screens.tally import Tally
from firmware.display.screens.verdict import Verdict
from firmware.display.screens.way import Way
from game.dice import Dice


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
    under: tuple[Way, ...] = field(default=(), compare=False)

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
    under: tuple[Way, ...] = field(default=(), compare=False)


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
