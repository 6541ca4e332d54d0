"""From a screen to its picture."""

from typing import NamedTuple, assert_never

from firmware.display import screens
from firmware.display.oled.bitmap import Bitmap
from firmware.display.oled.canvas import PageCanvas
from firmware.display.oled.pages import cups, lists, throws
from firmware.display.screens import Screen
from firmware.display.text.language import Language


class DoesNotFitError(ValueError):
    """A part of a screen does not fit the panel; the message has the room in px."""


class Drawing(NamedTuple):
    """The picture of a screen, 128×64, and its flaw.

    ``flaw`` is one line for the log about what is missing, without dice; None for a whole picture.
    """

    image: Bitmap
    flaw: str | None


def draw(screen: Screen, language: Language) -> Bitmap:
    """Draw a screen: 128×64 pixels. The same screen gives the same pixels everywhere.

    Raises:
        DoesNotFitError: a text does not fit the panel; names are cut instead.
        ValueError: an unknown language, or a value no two dice show.
    """
    page = PageCanvas(language)
    paint(page, screen)
    if page.misfits:
        raise DoesNotFitError(page.misfits[0])
    return page.image


def readable(screen: Screen, language: Language) -> Drawing:
    """Draw a screen as ``draw`` does, but report flaws instead of raising: a match goes on.

    Texts that do not fit are cut; a screen that cannot be drawn says so.

    Raises ValueError for an unknown language.
    """
    page = PageCanvas(language)
    kind = type(screen).__name__
    try:
        paint(page, screen)
    except Exception as error:  # no error here may end a match
        page = PageCanvas(language)
        lists.cannot_be_drawn(page)
        return Drawing(page.image, f"{kind} cannot be drawn ({type(error).__name__}): report it")
    return Drawing(page.image, f"{kind} does not fit: report it" if page.misfits else None)


def paint(page: PageCanvas, screen: Screen) -> None:
    """Draw a screen on a dark page; parts that do not fit are among its misfits.

    Raises ValueError as ``draw`` does.
    """
    match screen:
        case screens.StartingPage():
            cups.starting(page)
        case screens.WaitingPage():
            cups.waiting(page, screen)
        case screens.OfferPage():
            cups.offered(page, screen)
        case screens.ClosedPage():
            cups.closed(page, screen)
        case screens.ShakingPage():
            cups.shaking(page, screen)
        case screens.LookPage():
            cups.look(page, screen)
        case screens.AnnouncingPage():
            cups.announcing(page, screen)
        case screens.OnItsWayPage():
            cups.on_its_way(page, screen)
        case screens.LiftingPage():
            cups.lifting(page, screen)
        case screens.RevealPage():
            cups.reveal(page, screen)
        case screens.ThrowClosedPage():
            throws.throw_closed(page, screen)
        case screens.ThrowOpenPage():
            throws.throw_open(page, screen)
        case screens.RoundEndPage():
            throws.round_end(page, screen)
        case screens.MenuPage():
            lists.menu(page, screen)
        case screens.HelpPage():
            lists.help_page(page, screen)
        case screens.FaultQuestionPage():
            lists.fault_question(page, screen)
        case screens.StandingsPage():
            lists.standings(page, screen)
        case screens.MatchOverPage():
            lists.match_over(page, screen)
        case screens.AlertPage():
            lists.alert(page, screen)
        case screens.QuestionPage():
            lists.question(page, screen)
        case _:
            assert_never(screen)
