"""Where things stand on every page, and the lines of text on it.

Everything has one place on all screens, and no line lies across two pages of 8 rows of the
display's memory, so that what stays from one screen to the next costs nothing on the bus:

| page | rows | what |
|---|---|---|
| 0 | 0–7 | the headline |
| 1–4 | 8–39 | at the right a value, 32 px high, or the cup; at the left small lines, or dice |
| 5 | 40–47 | the place in the dial, the bar of a hold, the tally, or what a penalty costs |
| 6 | 48–55 | the dial's words |
| 7 | 56–63 | the hint |
"""

from collections.abc import Sequence

from firmware.display.oled import font
from firmware.display.oled.canvas import (
    ELLIPSIS,
    FULL,
    Align,
    Canvas,
    DoesNotFitError,
    Span,
    fitting,
    wrapped,
)
from firmware.display.screens.dice import NoteLine
from firmware.display.text.labels import Text, say
from game.spoken import Language

HEADLINE_BASELINE = 7
BIG_TOP = 8
"""First row of values, the cup and dice."""
VALUE_LEFT = 85
"""First column of a value."""
CUP_LEFT = 86
"""First column of the cup; it stands on the axis of the values."""
LINE_BASELINES = (23, 31, 39)
"""Small lines at the left of a value: who says it, the value in words, more."""
BESIDE: Span = (1, VALUE_LEFT - 5)
"""Columns at the left of a value."""
STRIP_BASELINE = 55

HEADLINE_FONTS = (font.STRONG, font.SMALL)


def fitted(
    text: Text, language: Language, fonts: Sequence[str], span: Span, **places: str | int
) -> str:
    """Say a text whose names, the places that are strings, are cut until it fits the span.

    Returns:
        the whole text if it does not even fit with names of one letter.
    """
    longest = max((len(each) for each in places.values() if isinstance(each, str)), default=0)
    for length in range(longest, 0, -1):
        line = say(text, language, **{each: _cut(value, length) for each, value in places.items()})
        if fitting(line, fonts, span) is not None:
            return line
    return say(text, language, **places)


def _cut(value: str | int, length: int) -> str | int:
    if isinstance(value, int) or len(value) <= length:
        return value
    return value[:length].rstrip() + ELLIPSIS


def sentence(
    canvas: Canvas,
    text: Text,
    language: Language,
    baseline: int,
    *,
    fonts: Sequence[str] = HEADLINE_FONTS,
    span: Span = FULL,
    align: Align = Align.LEFT,
    **places: str | int,
) -> None:
    """Draw a text with names in it, in the largest font that fits; else the names are cut.

    Raises:
        DoesNotFitError: it does not even fit with names of one letter.
    """
    canvas.text(fitted(text, language, fonts, span, **places), baseline, fonts, span, align)


def line_beside(canvas: Canvas, text: str, place: int, *, strong: bool = False) -> None:
    """Draw a small line at the left of a value, on one of three places from 0."""
    fonts = HEADLINE_FONTS if strong else (font.SMALL,)
    canvas.text(text, LINE_BASELINES[place], fonts, BESIDE)


def note_text(note: NoteLine, language: Language) -> str:
    """Say what happened."""
    return say(note.text, language, name=note.name, other=note.other, count=note.count)


def note_line(canvas: Canvas, note: NoteLine, language: Language, baseline: int) -> None:
    """Draw a note on one line; its names are cut where it is too long.

    Raises:
        DoesNotFitError: it does not even fit with names of one letter.
    """
    sentence(
        canvas, note.text, language, baseline, fonts=(font.SMALL,),
        name=note.name, other=note.other, count=note.count,
    )  # fmt: skip


def paragraph(canvas: Canvas, lines: Sequence[str], first_baseline: int, pitch: int) -> None:
    """Draw wrapped lines of small text, down to the hint.

    Raises:
        DoesNotFitError: there are more lines than fit.
    """
    baseline = first_baseline
    for text in lines:
        for line in wrapped(text, font.SMALL, FULL):
            if baseline > STRIP_BASELINE:
                raise DoesNotFitError(f"no room for the line {line!r}")
            canvas.text(line, baseline, (font.SMALL,))
            baseline += pitch
