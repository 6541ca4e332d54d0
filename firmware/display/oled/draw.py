"""From a screen to its picture."""

from typing import assert_never

from PIL import Image

from firmware.display.oled.canvas import Canvas
from firmware.display.oled.pages import closed_cup as table
from firmware.display.oled.pages import help as help_pages
from firmware.display.oled.pages import lists, open_cup, throws
from firmware.display.oled.pages import question as lobby
from firmware.display.screens.cup import (
    AnnouncingPage,
    ClosedPage,
    LiftingPage,
    LookPage,
    OfferPage,
    OnItsWayPage,
    RevealPage,
    ShakingPage,
    StartingPage,
    WaitingPage,
)
from firmware.display.screens.open_dice import RoundEndPage, ThrowClosedPage, ThrowOpenPage
from firmware.display.screens.overlays import (
    AlertPage,
    FaultQuestionPage,
    HelpPage,
    MatchOverPage,
    MenuPage,
    StandingsPage,
)
from firmware.display.screens.question import QuestionPage
from firmware.display.screens.screen import Screen
from game.spoken import Language


def draw(screen: Screen, language: Language) -> Image.Image:
    """Draw a screen: mode "1", 128×64. The same screen gives the same pixels everywhere.

    Raises:
        DoesNotFitError: a text does not fit the panel; names are cut instead.
        ValueError: a language that is neither "de" nor "en", or a value no two dice show.
    """
    canvas = Canvas()
    paint(canvas, screen, language)
    return canvas.image


def paint(canvas: Canvas, screen: Screen, language: Language) -> None:
    """Draw a screen on a dark canvas; raises as ``draw`` does."""
    match screen:
        case StartingPage():
            table.starting(canvas, language)
        case WaitingPage():
            table.waiting(canvas, screen, language)
        case OfferPage():
            table.offered(canvas, screen, language)
        case ClosedPage():
            table.closed(canvas, screen, language)
        case ShakingPage():
            table.shaking(canvas, screen, language)
        case LookPage():
            open_cup.look(canvas, screen, language)
        case AnnouncingPage():
            table.announcing(canvas, screen, language)
        case OnItsWayPage():
            table.on_its_way(canvas, screen, language)
        case LiftingPage():
            table.lifting(canvas, screen, language)
        case RevealPage():
            open_cup.reveal(canvas, screen, language)
        case ThrowClosedPage():
            throws.throw_closed(canvas, screen, language)
        case ThrowOpenPage():
            throws.throw_open(canvas, screen, language)
        case RoundEndPage():
            throws.round_end(canvas, screen, language)
        case MenuPage():
            lists.menu(canvas, screen, language)
        case HelpPage():
            help_pages.help_page(canvas, screen, language)
        case FaultQuestionPage():
            lists.asked(canvas, screen, language)
        case StandingsPage():
            lists.standings(canvas, screen, language)
        case MatchOverPage():
            lists.match_over(canvas, screen, language)
        case AlertPage():
            lists.told(canvas, screen, language)
        case QuestionPage():
            lobby.lobby(canvas, screen, language)
        case _:
            assert_never(screen)
