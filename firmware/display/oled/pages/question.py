"""Screens before and between matches: a question, what is known so far, and the dial."""

from firmware.display.oled import font
from firmware.display.oled.canvas import FULL, Align, Canvas, Span, shortened
from firmware.display.oled.dial_strip import dial_hint, hold_bar, item_text, strip, track
from firmware.display.oled.dice_faces import SMALL_DIE_FACES, SMALL_FACE
from firmware.display.oled.lines import HEADLINE_BASELINE, paragraph, sentence
from firmware.display.screens.dial import Item, Phrase
from firmware.display.screens.question import QuestionPage
from firmware.display.text.labels import Text, say
from firmware.display.text.words import words
from game.spoken import Language

ROW_BASELINES = (16, 24, 32, 40)
"""Lines below the title, in two columns where there are more of them."""
MOST_LINES = 2 * len(ROW_BASELINES)
ABOUT_PITCH = 9
_COLUMNS: tuple[Span, Span] = ((FULL[0], 61), (67, FULL[1]))
_DICE_PAGE_TOP = 10
_DICE_PITCH = 25
_DICE_LEFT = 5
_DIGITS_BASELINE = 38
_LARGE_BASELINE = 31


def question(canvas: Canvas, screen: QuestionPage, language: Language) -> None:
    """Draw what is asked; of more lines than fit the last ones are shown."""
    _line(canvas, screen.title, language, HEADLINE_BASELINE, FULL, (font.STRONG, font.SMALL))
    if screen.about is not None:
        first = ROW_BASELINES[0]
        paragraph(canvas, (words(screen.about, language),), first, ABOUT_PITCH)
    lines = screen.lines[-MOST_LINES:]
    columns = (FULL,) if len(lines) <= len(ROW_BASELINES) else _COLUMNS
    for place, line in enumerate(lines):
        column, row = divmod(place, len(ROW_BASELINES))
        _line(canvas, line, language, ROW_BASELINES[row], columns[column], (font.SMALL,))
    if screen.large:
        fonts = (font.HEADING, font.STRONG, font.SMALL)
        canvas.text(
            shortened(screen.large, fonts, FULL), _LARGE_BASELINE, fonts, FULL, Align.CENTRE
        )
    for place, pips in enumerate(screen.dice):
        left = _DICE_LEFT + place * _DICE_PITCH
        canvas.paste(SMALL_DIE_FACES[pips], left, _DICE_PAGE_TOP)
        span = (left, left + SMALL_FACE)
        canvas.text(str(pips), _DIGITS_BASELINE, (font.HEADING,), span, Align.CENTRE)
    if screen.dial is not None:
        strip(canvas, screen.dial, language)
        if not lines or len(lines) < len(ROW_BASELINES):
            track(canvas, screen.dial)
    if screen.progress is not None:
        hold_bar(canvas, screen.progress)
    hint = screen.hint
    if hint is None:
        hint = Text.HINT_WAIT if screen.dial is None else dial_hint(screen.dial, Text.HINT_TILT)
    canvas.hint(say(hint, language))


def _line(
    canvas: Canvas,
    item: Item,
    language: Language,
    baseline: int,
    span: Span,
    fonts: tuple[str, ...],
) -> None:
    if isinstance(item, Phrase):
        sentence(
            canvas, item.text, language, baseline, fonts=fonts, span=span,
            name=item.name, pips=item.pips,
        )  # fmt: skip
    else:
        canvas.text(shortened(item_text(item, language), fonts, span), baseline, fonts, span)
