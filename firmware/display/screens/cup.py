"""Pages of a cup that goes round: waiting, offered, covered, shaken, on its way, lifted."""

from dataclasses import dataclass

from firmware.display.screens.dial import DialStrip, Said, check_share
from firmware.display.screens.dice import CupKind, Way
from firmware.display.screens.page import Page
from firmware.display.screens.tally import Tally
from firmware.display.screens.verdict import Verdict
from game.dice import Dice


@dataclass(frozen=True, slots=True)
class StartingPage(Page):
    """The handheld has been switched on and looks for its parts."""

    @property
    def concerns_player(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class WaitingPage(Page):
    """Somebody else has the cup.

    ``said`` and ``announcer`` are None while nothing is announced. ``as_of`` is the round the
    log has come to, None when it is known to be up to date. ``carrier`` is who is gone, and would
    carry what goes on between here and there; None: nobody is missed.
    """

    turn_of: str
    said: Said | None = None
    announcer: str | None = None
    mine: Tally | None = None
    as_of: int | None = None
    dial: DialStrip | None = None
    carrier: str | None = None

    @property
    def concerns_player(self) -> bool:
        return self.dial is not None


@dataclass(frozen=True, slots=True)
class OfferPage(Page):
    """The cup is offered to me.

    ``armed``: it may be answered now; before, inputs do nothing. ``doubt``: how much of the lift
    that a doubt needs is done, 0 to 1; None while it is covered. ``too_short``: the last lift was
    covered before that.
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
    since I have the cup. ``may_throw`` and ``may_look``: what a shake or a lift would do.
    ``choosing`` is what I am about to announce, while the dial asks what to add to it; else None.
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

    ``progress``: how much of what a throw needs, 0 to 1; None where any shake will do. ``again``:
    it is a repeated throw. ``said`` and ``announcer`` are None while nothing is announced.
    """

    progress: float | None = None
    again: bool = False
    said: Said | None = None
    announcer: str | None = None

    def __post_init__(self) -> None:
        check_share(self.progress)


@dataclass(frozen=True, slots=True)
class LookPage(Page):
    """My dice, for me alone, while the cup is lifted. ``tower``: they lie on top of each other."""

    dice: Dice
    value: int
    tower: bool = False


@dataclass(frozen=True, slots=True)
class AnnouncingPage(Page):
    """My announcement to ``to`` before it is sent; it can be taken back for a moment."""

    said: Said
    to: str


@dataclass(frozen=True, slots=True)
class OnItsWayPage(Page):
    """The cup goes to somebody.

    ``said`` is None if it goes without an announcement. ``carrier``: as in a `WaitingPage`.
    """

    to: str
    said: Said | None
    state: Way
    carrier: str | None = None

    @property
    def concerns_player(self) -> bool:
        return self.state in (Way.SILENT, Way.GONE)


@dataclass(frozen=True, slots=True)
class LiftingPage(Page):
    """A doubt was said and the cup is to be lifted before everybody. ``lifter`` None: it is me."""

    announcer: str
    said: Said
    lifter: str | None = None
    dial: DialStrip | None = None


@dataclass(frozen=True, slots=True)
class RevealPage(Page):
    """How a round ended.

    ``dice`` are None where nothing was lifted, or where the cup is covered again; ``announced``
    is the value that was doubted, words resolved, and None if nothing was. ``lifter`` is who lifted
    the cup, None if nobody did. ``mine_to_go_on``: I have the cup; ``dial`` hands it on, None where
    it stays here and a tap goes on. ``reversed``: the direction of play was turned (R-HF-7).
    ``tower``: the dice lie on top of each other (R-HF-8). ``unchecked``: the dice are not proven.
    ``may_throw``: a shake throws at once.
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


CupScreen = (
    StartingPage | WaitingPage | OfferPage | ClosedPage | ShakingPage
    | LookPage | AnnouncingPage | OnItsWayPage | LiftingPage | RevealPage
)  # fmt: skip
