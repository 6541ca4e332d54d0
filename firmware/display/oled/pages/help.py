"""The rules of a game as they are played here, in pages that a tilt turns."""

from functools import cache

from firmware.display.oled import font
from firmware.display.oled.canvas import FULL, Align, wrapped
from firmware.display.oled.page import HEADLINE_BASELINE, PageCanvas
from firmware.display.screens.overlays import HelpPage
from firmware.display.text.labels import Text
from firmware.display.text.language import LANGUAGES, Language, say
from firmware.display.text.rulebook import GAME_TEXTS

LINE_BASELINES = (17, 26, 35, 44, 53)
"""Lines of a page; the title is above, the hint below."""


@cache
def pages(game: str, language: Language) -> tuple[tuple[str, ...], ...]:
    """Return the rules of a game as pages of up to five lines; a rule begins on its own line.

    Raises KeyError for an unknown game.
    """
    texts = GAME_TEXTS[game]
    paragraphs = [texts.sentence, *(rule.key for rule in texts.rules)]
    lines = [
        line
        for paragraph in paragraphs
        for line in wrapped(say(paragraph, language), font.SMALL, FULL)
    ]
    size = len(LINE_BASELINES)
    return tuple(tuple(lines[at : at + size]) for at in range(0, len(lines), size))


def most_pages(game: str) -> int:
    """Return how many pages a game's help has in the language that needs more."""
    return max(len(pages(game, language)) for language in LANGUAGES)


def help_page(page: PageCanvas, screen: HelpPage) -> None:
    """Draw page ``screen.page``, from 0; beyond the last one, the last."""
    every = pages(screen.game, page.language)
    number = min(screen.page, len(every) - 1)
    page.text(page.say(Text.HELP), HEADLINE_BASELINE, (font.STRONG,))
    place = f"{number + 1}/{len(every)}"
    page.text(place, HEADLINE_BASELINE, (font.SMALL,), FULL, Align.RIGHT)
    for line, baseline in zip(every[number], LINE_BASELINES):
        page.text(line, baseline, (font.SMALL,))
    page.hint(Text.HINT_PAGES)
