"""A picture of 128×64 pixels to draw on; what does not fit raises, nothing is clipped."""

from collections.abc import Sequence
from enum import Enum

from PIL import Image, ImageDraw

from firmware.display.oled import font
from firmware.display.oled.font import LIT, Font

WIDTH = 128
"""Columns of the panel (SSD1306)."""
HEIGHT = 64
"""Rows of the panel (SSD1306)."""
ELLIPSIS = "…"

Span = tuple[int, int]
"""Columns from the first to the one behind the last."""
FULL: Span = (1, WIDTH - 1)
"""Text keeps a column clear at both edges."""

HINT_BASELINE = 63
"""The hint line takes rows 56 to 63: the last page of the display's memory."""


class DoesNotFitError(ValueError):
    """A text or mask does not fit where it is to be drawn; the message has the room in px."""


class Align(Enum):
    """Where a text is put in its span."""

    LEFT = 0
    CENTRE = 1
    RIGHT = 2


class Canvas:
    """One picture under construction. ``image`` is mode "1", all dark at first."""

    def __init__(self) -> None:
        self.image = Image.new("1", (WIDTH, HEIGHT))
        self._pen = ImageDraw.Draw(self.image)

    def text(
        self,
        text: str,
        baseline: int,
        fonts: Sequence[str],
        span: Span = FULL,
        align: Align = Align.LEFT,
    ) -> Span:
        """Draw one line in the first of ``fonts`` in which it fits the span.

        A font whose accents would reach over the top of the panel is passed over, if it can be;
        if not, the line is put a little lower, in the largest.

        Returns:
            the columns the ink takes.

        Raises:
            DoesNotFitError: it fits in none of them, or reaches over the bottom of the panel.
        """
        room = span[1] - span[0]
        inks = [
            ink for ink in (font.load(name).render(text) for name in fonts) if ink.width <= room
        ]
        if not inks:
            raise DoesNotFitError(f"{text!r} is wider than {room} px")
        ink = next((ink for ink in inks if ink.top <= baseline), inks[0])
        spare = room - ink.width
        left = span[0] + (0, spare // 2, spare)[align.value]
        self.paste(ink.mask, left, max(0, baseline - ink.top))
        return (left, left + ink.width)

    def paste(self, mask: Image.Image, left: int, top: int) -> None:
        """Light the pixels that ``mask`` (mode "1") lights, from (left, top) on.

        Raises:
            DoesNotFitError: a part of it would lie outside the panel.
        """
        if left < 0 or top < 0 or left + mask.width > WIDTH or top + mask.height > HEIGHT:
            raise DoesNotFitError(f"{mask.width}×{mask.height} px do not fit at {left}, {top}")
        self.image.paste(LIT, (left, top), mask)

    def bar(self, left: int, top: int, width: int, height: int, lit: bool = True) -> None:
        """Fill a rectangle, lit or dark; px outside the panel and empty ones are left out."""
        if width > 0 and height > 0:
            self._pen.rectangle(
                (left, top, left + width - 1, top + height - 1), fill=LIT if lit else 0
            )

    def frame(self, left: int, top: int, width: int, height: int) -> None:
        """Draw an outline of one pixel without its corners; ``width`` and ``height`` include it."""
        right, bottom = left + width - 1, top + height - 1
        self._pen.line((left + 1, top, right - 1, top), fill=LIT)
        self._pen.line((left + 1, bottom, right - 1, bottom), fill=LIT)
        self._pen.line((left, top + 1, left, bottom - 1), fill=LIT)
        self._pen.line((right, top + 1, right, bottom - 1), fill=LIT)


def fitting(text: str, fonts: Sequence[str], span: Span) -> Font | None:
    """Return the first of ``fonts`` (names) in which a text fits the span, None if in none."""
    room = span[1] - span[0]
    return next((each for each in map(font.load, fonts) if each.width(text) <= room), None)


def shortened(name: str, fonts: Sequence[str], span: Span) -> str:
    """Return a name, cut with an ellipsis where it is too long even in the last of ``fonts``.

    Raises:
        DoesNotFitError: the span has no room for one letter.
    """
    if fitting(name, fonts, span) is not None:
        return name
    for length in range(len(name) - 1, 0, -1):
        cut = name[:length].rstrip() + ELLIPSIS
        if fitting(cut, fonts[-1:], span) is not None:
            return cut
    raise DoesNotFitError(f"no room for {name!r} in {span[1] - span[0]} px")


def wrapped(text: str, name: str, span: Span) -> list[str]:
    """Break a text at its blanks into lines that fit the span in font ``name``.

    Raises:
        DoesNotFitError: one word is wider than the span.
    """
    room = span[1] - span[0]
    chosen = font.load(name)
    lines: list[str] = []
    for word in text.split():
        if chosen.width(word) > room:
            raise DoesNotFitError(f"{word!r} is wider than {room} px")
        if lines and chosen.width(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
