"""From a screen to its picture."""

from typing import assert_never

from PIL import Image

from firmware.display import screens
from firmware.display.oled.canvas import Canvas
from firmware.display.oled.pages import closed_cup, help, lists, open_cup, question, throws
from firmware.display.screens import Screen
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
    """Draw a screen on a canvas that is dark; raises as ``draw`` does."""
    match screen:
        case screens.StartingPage():
            closed_cup.starting(canvas, language)
        case screens.WaitingPage():
            closed_cup.waiting(canvas, screen, language)
        case screens.OfferPage():
            closed_cup.offered(canvas, screen, language)
        case screens.ClosedPage():
            closed_cup.closed(canvas, screen, language)
        case screens.ShakingPage():
            closed_cup.shaking(canvas, screen, language)
        case screens.LookPage():
            open_cup.look(canvas, screen, language)
        case screens.AnnouncingPage():
            closed_cup.announcing(canvas, screen, language)
        case screens.OnItsWayPage():
            closed_cup.on_its_way(canvas, screen, language)
        case screens.LiftingPage():
            closed_cup.lifting(canvas, screen, language)
        case screens.RevealPage():
            open_cup.reveal(canvas, screen, language)
        case screens.ThrowClosedPage():
            throws.throw_closed(canvas, screen, language)
        case screens.ThrowOpenPage():
            throws.throw_open(canvas, screen, language)
        case screens.RoundEndPage():
            throws.round_end(canvas, screen, language)
        case screens.MenuPage():
            lists.menu(canvas, screen, language)
        case screens.HelpPage():
            help.help_page(canvas, screen, language)
        case screens.FaultQuestionPage():
            lists.fault_question(canvas, screen, language)
        case screens.StandingsPage():
            lists.standings(canvas, screen, language)
        case screens.MatchOverPage():
            lists.match_over(canvas, screen, language)
        case screens.AlertPage():
            lists.alert(canvas, screen, language)
        case screens.QuestionPage():
            question.question(canvas, screen, language)
        case _:
            assert_never(screen)
