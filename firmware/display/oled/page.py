"""The layout of every page, and its lines of text.

Everything has one place on all screens. No line lies across two pages of 8 rows of the display's
memory, so that an unchanged line costs nothing on the bus:

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
    FULL,
    HINT_BASELINE,
    Align,
    Canvas,
    Span,
    begun,
    fitting,
    wrapped,
)
from firmware.display.screens.values import NoteLine
from firmware.display.text.labels import Text
from firmware.display.text.language import Language, say

HEADLINE_BASELINE = 7
BIG_TOP = 8
"""First row of values, the cup and dice."""
VALUE_LEFT = 85
"""First column of a value."""
CUP_LEFT = 86
"""First column of the cup; it is centred on the values."""
LINE_BASELINES = (23, 31, 39)
"""Small lines at the left of a value: its announcer, the value in words, its flourish."""
BESIDE: Span = (1, VALUE_LEFT - 5)
"""Columns at the left of a value."""
STRIP_BASELINE = 55

HEADLINE_FONTS = (font.STRONG, font.SMALL)


class PageCanvas(Canvas):
    """A canvas with the lines of a page; its texts are in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__()
        self.language = language

    def say(self, text: Text | str, **places: object) -> str:
        """Return a text in the page's language, its places filled; KeyError if one is missing."""
        return say(text, self.language, **places)

    def fitted(
        self, text: Text | str, fonts: Sequence[str], span: Span, **places: str | int
    ) -> str:
        """Return a text whose names, the places that are strings, are cut until it fits a span.

        It is the whole text if it does not even fit with an ellipsis for each name.
        """
        longest = max((len(each) for each in places.values() if isinstance(each, str)), default=0)
        for length in range(longest, -1, -1):
            line = self.say(text, **{each: _cut(is_, length) for each, is_ in places.items()})
            if fitting(line, fonts, span) is not None:
                return line
        return self.say(text, **places)

    def sentence(
        self,
        text: Text | str,
        baseline: int = HEADLINE_BASELINE,
        *,
        fonts: Sequence[str] = HEADLINE_FONTS,
        span: Span = FULL,
        align: Align = Align.LEFT,
        **places: str | int,
    ) -> Span:
        """Draw a text with names in it, in the largest font that fits; else the names are cut.

        Returns:
            the columns the ink takes.
        """
        line = self.fitted(text, fonts, span, **places)
        return self.text(line, baseline, fonts, span, align)

    def small(
        self,
        text: Text,
        baseline: int,
        span: Span = FULL,
        align: Align = Align.LEFT,
        **places: str | int,
    ) -> Span:
        """Draw a text as ``sentence`` does, in small letters."""
        return self.sentence(text, baseline, fonts=(font.SMALL,), span=span, align=align, **places)

    def beside(self, text: Text | str, place: int, **places: str | int) -> None:
        """Draw a small line at the left of a value, on line ``place``, 0 to 2 from the top."""
        line = self.say(text, **places) if isinstance(text, Text) else text
        self.text(line, LINE_BASELINES[place], (font.SMALL,), BESIDE)

    def hint(self, text: Text) -> None:
        """Draw the bottom line: the gestures that work now."""
        self.text(self.say(text), HINT_BASELINE, (font.SMALL,))

    def note(self, note: NoteLine, baseline: int) -> None:
        """Draw a note on one line; its names are cut if it is too long."""
        self.small(note.text, baseline, name=note.name, other=note.other, count=note.count)

    def paragraph(self, text: str, first_baseline: int, pitch: int) -> None:
        """Draw a text in small lines ``pitch`` rows apart, wrapped, down to the hint.

        More lines than fit are a misfit, and left out.
        """
        baselines = range(first_baseline, STRIP_BASELINE + 1, pitch)
        lines = wrapped(text, font.SMALL, FULL)
        for line, baseline in zip(lines, baselines):
            self.text(line, baseline, (font.SMALL,))
        for line in lines[len(baselines) :]:
            self.misfits.append(f"no room for the line {line!r}")


def _cut(value: str | int, length: int) -> str | int:
    if isinstance(value, int) or len(letters := font.letters(value)) <= length:
        return value
    return begun(letters, length)
