"""From a screen to its picture."""

from typing import assert_never

from PIL import Image

from firmware.display.oled.canvas import Canvas
from firmware.display.oled.pages import closed_cup as table
from firmware.display.oled.pages import help as help_pages
from firmware.display.oled.pages import lists, open_cup, throws
from firmware.display.oled.pages import question as lobby
from firmware.display.screens.model import (
    Announcing,
    Asked,
    Closed,
    Help,
    Lifting,
    Lobby,
    Look,
    MatchOver,
    Menu,
    Notice,
    Offered,
    OnItsWay,
    Reveal,
    RoundEnd,
    Screen,
    Shaking,
    Standings,
    Starting,
    ThrowClosed,
    ThrowOpen,
    Told,
    Waiting,
)
from game.values import Language


def draw(screen: Screen, language: Language) -> Image.Image:
    """Draw a screen: mode "1", 128×64. The same screen gives the same pixels everywhere.

    Raises:
        DoesNotFitError: a free text (``Notice``) is longer than the panel; names are cut instead.
        ValueError: a language that is neither "de" nor "en", or a value no two dice show.
    """
    canvas = Canvas()
    paint(canvas, screen, language)
    return canvas.image


def paint(canvas: Canvas, screen: Screen, language: Language) -> None:
    """Draw a screen on a dark canvas; raises as ``draw`` does."""
    match screen:
        case Starting():
            table.starting(canvas, language)
        case Waiting():
            table.waiting(canvas, screen, language)
        case Offered():
            table.offered(canvas, screen, language)
        case Closed():
            table.closed(canvas, screen, language)
        case Shaking():
            table.shaking(canvas, screen, language)
        case Look():
            open_cup.look(canvas, screen, language)
        case Announcing():
            table.announcing(canvas, screen, language)
        case OnItsWay():
            table.on_its_way(canvas, screen, language)
        case Lifting():
            table.lifting(canvas, screen, language)
        case Reveal():
            open_cup.reveal(canvas, screen, language)
        case ThrowClosed():
            throws.throw_closed(canvas, screen, language)
        case ThrowOpen():
            throws.throw_open(canvas, screen, language)
        case RoundEnd():
            throws.round_end(canvas, screen, language)
        case Menu():
            lists.menu(canvas, screen, language)
        case Help():
            help_pages.help_page(canvas, screen, language)
        case Asked():
            lists.asked(canvas, screen, language)
        case Standings():
            lists.standings(canvas, screen, language)
        case MatchOver():
            lists.match_over(canvas, screen, language)
        case Notice():
            lists.notice(canvas, screen, language)
        case Told():
            lists.told(canvas, screen, language)
        case Lobby():
            lobby.lobby(canvas, screen, language)
        case _:
            assert_never(screen)
