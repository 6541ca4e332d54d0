"""Screens before and between matches: a question, the state so far, and the dial."""

from firmware.display.oled import font
from firmware.display.oled.canvas import FULL, Align, Span, shortened
from firmware.display.oled.dial_strip import (
    due_hint,
    hold_bar,
    item_text,
    name_in,
    strip,
    track,
)
from firmware.display.oled.page import HEADLINE_BASELINE, PageCanvas
from firmware.display.screens.dial import Item, Phrase
from firmware.display.screens.question import QuestionPage
from firmware.display.text.language import say

ROW_BASELINES = (16, 24, 32, 40)
"""Lines below the title, in two columns where there are more of them."""
MOST_LINES = 2 * len(ROW_BASELINES)
ABOUT_PITCH = 9
_COLUMNS: tuple[Span, Span] = ((FULL[0], 61), (67, FULL[1]))
_NUMBER_PITCH = 26
_NUMBERS_BASELINE = 35
_LARGE_BASELINE = 31


def question(page: PageCanvas, screen: QuestionPage) -> None:
    """Draw a question; of too many lines the last ones are shown."""
    _line(page, screen.title, HEADLINE_BASELINE, FULL, (font.STRONG, font.SMALL))
    if screen.about is not None:
        page.paragraph(say(screen.about, page.language), ROW_BASELINES[0], ABOUT_PITCH)
    lines = screen.lines[-MOST_LINES:]
    columns = (FULL,) if len(lines) <= len(ROW_BASELINES) else _COLUMNS
    for place, line in enumerate(lines):
        column, row = divmod(place, len(ROW_BASELINES))
        _line(page, line, ROW_BASELINES[row], columns[column], (font.SMALL,))
    if screen.large:
        fonts = (font.HEADING, font.STRONG, font.SMALL)
        large = shortened(screen.large, fonts, FULL)
        page.text(large, _LARGE_BASELINE, fonts, FULL, Align.CENTRE)
    for place, number in enumerate(screen.numbers):
        span = (place * _NUMBER_PITCH, (place + 1) * _NUMBER_PITCH - 2)
        page.text(str(number), _NUMBERS_BASELINE, (font.HEADING,), span, Align.CENTRE)
    if screen.dial is not None:
        strip(page, screen.dial)
        if not lines or len(lines) < len(ROW_BASELINES):
            track(page, screen.dial)
    if screen.progress is not None:
        hold_bar(page, screen.progress)
    page.hint(screen.hint or due_hint(screen))


def _line(page: PageCanvas, item: Item, baseline: int, span: Span, fonts: tuple[str, ...]) -> None:
    if isinstance(item, Phrase):
        name, pips = name_in(item, page.language), item.pips
        page.sentence(item.text, baseline, fonts=fonts, span=span, name=name, pips=pips)
    else:
        text = item_text(item, page.language)
        cut = shortened(text, fonts, span) if isinstance(item, str) else text
        page.text(cut, baseline, fonts, span)
