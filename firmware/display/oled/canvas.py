"""A picture of 128×64 pixels to draw on, and the layout of every page with its lines of text.

Text that does not fit is cut, and noted as a misfit. Everything has one place on all screens. No
line lies across two pages of 8 rows of the display's memory, so that an unchanged line costs
nothing on the bus:

| page | rows | what |
|---|---|---|
| 0 | 0–7 | the headline |
| 1–4 | 8–39 | at the right a value, 32 px high, or the cup; at the left small lines, or dice |
| 5 | 40–47 | the place in the dial, the bar of a hold, the tally, or what a penalty costs |
| 6 | 48–55 | the dial's words |
| 7 | 56–63 | the hint |

All numbers are rows and columns, from 0; those of the panel are from the data sheet, the others
chosen.
"""

from collections.abc import Sequence
from enum import Enum

from firmware.display.oled import font
from firmware.display.oled.bitmap import Bitmap
from firmware.display.oled.font import Font
from firmware.display.screens import NoteLine
from firmware.display.text.labels import Text
from firmware.display.text.language import Language, say

WIDTH = 128
"""Columns of the panel (SSD1306)."""
HEIGHT = 64
"""Rows of the panel (SSD1306)."""
ELLIPSIS = "…"

Span = tuple[int, int]
"""Columns from the first to the one behind the last."""
FULL: Span = (1, WIDTH - 1)
"""The span of text: a column stays clear at both edges."""

HINT_BASELINE = 63
"""The hint line takes rows 56 to 63: the last page of the display's memory."""


class Align(Enum):
    """The place of a text in its span."""

    LEFT = 0
    CENTRE = 1
    RIGHT = 2


class Canvas:
    """One picture under construction. ``image`` is all dark at first.

    ``misfits`` has a line for each text or mask that was cut, with the room in px.
    """

    def __init__(self) -> None:
        self.image = Bitmap(WIDTH, HEIGHT)
        self.misfits: list[str] = []

    def text(
        self,
        text: str,
        baseline: int,
        fonts: Sequence[str],
        span: Span = FULL,
        align: Align = Align.LEFT,
    ) -> Span:
        """Draw one line in the first of ``fonts`` in which it fits the span.

        A font that lacks a letter is passed over, and one whose accents would reach over the top of
        the panel. If no font avoids that, the line is put a little lower, in the largest. A text
        that fits in no font is a misfit: it is cut with an ellipsis, in the last.

        Returns:
            the columns the ink takes.
        """
        room = span[1] - span[0]
        inks = [each.render(text) for each in _drawing(text, fonts) if each.width(text) <= room]
        if not inks:
            self.misfits.append(f"{text!r} is wider than {room} px")
            inks = [font.load(fonts[-1]).render(_beginning(text, fonts[-1], room))]
        ink = next((ink for ink in inks if ink.top <= baseline), inks[0])
        spare = room - ink.width
        left = span[0] + (0, spare // 2, spare)[align.value]
        self.paste(ink.mask, left, max(0, baseline - ink.top))
        return (left, left + ink.width)

    def paste(self, mask: Bitmap, left: int, top: int) -> None:
        """Light the pixels that ``mask`` lights, from (left, top) on.

        Pixels outside the panel are a misfit, and left out.
        """
        if left < 0 or top < 0 or left + mask.width > WIDTH or top + mask.height > HEIGHT:
            self.misfits.append(f"{mask.width}×{mask.height} px do not fit at {left}, {top}")
        self.image.paste(mask, left, top)

    def bar(self, left: int, top: int, width: int, height: int, lit: bool = True) -> None:
        """Fill a rectangle, lit or dark; px outside the panel and empty ones are left out."""
        self.image.fill(left, top, left + width, top + height, lit)

    def frame(self, left: int, top: int, width: int, height: int) -> None:
        """Draw an outline of one pixel without its corners; ``width`` and ``height`` include it."""
        right, bottom = left + width - 1, top + height - 1
        for row in (top, bottom):
            self.bar(left + 1, row, width - 2, 1)
        for column in (left, right):
            self.bar(column, top + 1, 1, height - 2)


def fitting(text: str, fonts: Sequence[str], span: Span) -> Font | None:
    """Return the first of ``fonts`` (names) in which a text fits the span, None if in none."""
    room = span[1] - span[0]
    return next((each for each in _drawing(text, fonts) if each.width(text) <= room), None)


def _drawing(text: str, fonts: Sequence[str]) -> list[Font]:
    """Return those of ``fonts`` that have the letters of a text, or else the last."""
    loaded = [font.load(name) for name in fonts]
    return [each for each in loaded if each.draws(text)] or loaded[-1:]


def shortened(name: str, fonts: Sequence[str], span: Span) -> str:
    """Return a name, cut with an ellipsis if it is too long even in the last of ``fonts``.

    It is the whole name if the span has no room for an ellipsis.
    """
    if fitting(name, fonts, span) is not None:
        return name
    return _beginning(name, fonts[-1], span[1] - span[0]) or name


def wrapped(text: str, name: str, span: Span) -> list[str]:
    """Break a text at its blanks into lines that fit the span in font ``name``.

    A word that is wider than the span is a line of its own.
    """
    room = span[1] - span[0]
    chosen = font.load(name)
    lines: list[str] = []
    for word in text.split(" "):
        if lines and chosen.width(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def begun(letters: Sequence[str], length: int) -> str:
    """Return the first ``length`` of a text's letters, each whole, and an ellipsis."""
    return "".join(letters[:length]).rstrip() + ELLIPSIS


def _beginning(text: str, name: str, room: int) -> str:
    """Return the longest start of a text that fits ``room`` px with an ellipsis; or ""."""
    letters = font.letters(text)
    cuts = (begun(letters, length) for length in range(len(letters) - 1, -1, -1))
    return next((each for each in cuts if font.load(name).width(each) <= room), "")


HEADLINE_BASELINE = 7
"""The lowest row of page 0."""
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
"""The lowest row of page 6."""

HEADLINE_FONTS = (font.STRONG, font.SMALL)


class PageCanvas(Canvas):
    """A canvas with the lines of a page; its texts are in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__()
        self.language = language

    def say(self, text: Enum | str, **places: object) -> str:
        """Return a text in the page's language, its places filled; KeyError if one is missing."""
        return say(text, self.language, **places)

    def fitted(
        self, text: Enum | str, fonts: Sequence[str], span: Span, **places: str | int
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
        text: Enum | str,
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
        text: Enum | str,
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
