"""The right of a page, 32 px high: a value, a sign for words, or the cup."""

from firmware.display.oled import font, icons
from firmware.display.oled.canvas import FULL, Span
from firmware.display.oled.page import BIG_TOP, CUP_LEFT, VALUE_LEFT, PageCanvas
from firmware.display.screens.dial import Said
from firmware.display.text.labels import Text
from firmware.display.text.language import spoken
from game.actions import Announce, Flourish, Words

_STROKE = 5
"""Thickness in px of the signs that are drawn instead of values."""
_SIGN_WIDTH = 32
_SAME_TOPS = (15, 28)
_MIDDLE = 21
_PLUS = 19
_ARM = (_PLUS - _STROKE) // 2
"""From the middle of the plus to its upper end."""
_FLOURISHES = {
    Flourish.AIR: Text.AIR,
    Flourish.MUCH_AIR: Text.MUCH_AIR,
    Flourish.DRAWN_OUT: Text.DRAWN_OUT,
}


def big_value(page: PageCanvas, value: int) -> Span:
    """Draw a value in digits 32 px high, from column 85; each digit has a cell of its own.

    Returns:
        the columns the ink takes.
    """
    ink = font.load(font.DIGITS).render(str(value))
    left = VALUE_LEFT + ink.left
    page.paste(ink.mask, left, BIG_TOP)
    return (left, left + ink.width)


def big_said(page: PageCanvas, said: Said) -> None:
    """Draw an announcement 32 px high: a value, "=" for the same, "+1" for one more (R-HF-9)."""
    match said:
        case Announce(value):
            big_value(page, value)
        case _ if said.words == Words.SAME:
            for top in _SAME_TOPS:
                page.bar(VALUE_LEFT + 4, top, _SIGN_WIDTH, _STROKE)
        case _:
            page.bar(VALUE_LEFT, _MIDDLE, _PLUS, _STROKE)
            page.bar(VALUE_LEFT + (_PLUS - _STROKE) // 2, _MIDDLE - _ARM, _STROKE, _PLUS)
            ink = font.load(font.DIGITS).render("1")
            page.paste(ink.mask, FULL[1] - ink.width - 3, BIG_TOP)


def said_beside(page: PageCanvas, said: Said) -> None:
    """Draw an announcement large, and beside it in words with its flourish (R-PHYS-6, R-HF-9)."""
    if isinstance(said, Announce):
        page.beside(spoken(said.value, page.language), 1)
        if said.flourish is not None:
            page.beside(_FLOURISHES[said.flourish], 2)
    else:
        page.beside(Text.SAME if said.words == Words.SAME else Text.ONE_MORE, 1)
    big_said(page, said)


def cup(page: PageCanvas) -> None:
    """Draw the closed cup in the place of a value."""
    page.paste(icons.CUP, CUP_LEFT, BIG_TOP)
