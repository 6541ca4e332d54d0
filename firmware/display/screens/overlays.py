"""Pages that lie over a match: standings, its end, alerts, menus, help, a fault in question."""

from dataclasses import dataclass, field

from firmware.display.screens.dial import DialStrip, check_share
from firmware.display.screens.dice import NoteLine
from firmware.display.screens.page import Page
from firmware.display.screens.tally import Row
from firmware.display.screens.way import Way
from firmware.display.text.alerts import Alert
from firmware.display.text.labels import Text
from firmware.display.text.lessons import LessonText
from game.actions import FaultKind


@dataclass(frozen=True, slots=True)
class StandingsPage(Page):
    """The tally of every player; at most eight rows. ``title`` None: the usual one.

    The first of ``notes`` is drawn: how far the match is. ``under`` is as in ``ShakingPage``.
    """

    rows: tuple[Row, ...]
    title: str | None = None
    notes: tuple[NoteLine, ...] = ()
    under: tuple[Way, ...] = field(default=(), compare=False)

    @property
    def concerns_player(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class MatchOverPage(Page):
    """The match has ended by ``rule`` (``Outcome.rule``); ``loser`` is None if nobody lost.

    ``more``: a tap leads on to the next page. ``rows``: at most eight. ``of_reader``: the player of
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
    under: tuple[Way, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class MenuPage(Page):
    """The menu is open: pages to read, and the early ends of a match (B-10).

    ``under`` is as in ``ShakingPage``.
    """

    dial: DialStrip
    under: tuple[Way, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class HelpPage(Page):
    """The rules of a game as they are played here: page ``page``, from 0.

    ``under`` is as in ``ShakingPage``.
    """

    game: str
    page: int
    under: tuple[Way, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class FaultQuestionPage(Page):
    """A question about a sensed fault: to me (``who`` None), or to another player.

    ``progress``: how far the hold that says yes has come, 0 to 1; None while the pad is free.
    ``under`` is as in ``ShakingPage``.
    """

    kind: FaultKind
    who: str | None
    progress: float | None = None
    under: tuple[Way, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        check_share(self.progress)


Overlay = StandingsPage | MatchOverPage | AlertPage | MenuPage | HelpPage | FaultQuestionPage
