"""What stands at the right of a page, 32 px high: a value, a sign for words, or the cup."""

from firmware.display.oled import font, icons
from firmware.display.oled.canvas import FULL, Canvas, Span
from firmware.display.oled.lines import BIG_TOP, CUP_LEFT, VALUE_LEFT, line_beside
from firmware.display.screens.dial import Said
from firmware.display.text.labels import Text, say
from game.actions import Announce, Flourish, Words
from game.spoken import Language, spoken

_STROKE = 5
"""How thick the signs are that stand where values do."""
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


def big_value(canvas: Canvas, value: int) -> Span:
    """Draw a value in digits 32 px high; each digit has a cell of its own.

    Returns:
        the columns the ink takes.
    """
    ink = font.load(font.DIGITS).render(str(value))
    left = VALUE_LEFT + ink.left
    canvas.paste(ink.mask, left, BIG_TOP)
    return (left, left + ink.width)


def big_said(canvas: Canvas, said: Said) -> None:
    """Draw what was said 32 px high: a value in digits, "=" for the same, "+1" for one more."""
    match said:
        case Announce(value):
            big_value(canvas, value)
        case _ if said.words == Words.SAME:
            for top in _SAME_TOPS:
                canvas.bar(VALUE_LEFT + 4, top, _SIGN_WIDTH, _STROKE)
        case _:
            canvas.bar(VALUE_LEFT, _MIDDLE, _PLUS, _STROKE)
            canvas.bar(VALUE_LEFT + (_PLUS - _STROKE) // 2, _MIDDLE - _ARM, _STROKE, _PLUS)
            ink = font.load(font.DIGITS).render("1")
            canvas.paste(ink.mask, FULL[1] - ink.width - 3, BIG_TOP)


def said_words(said: Said, language: Language) -> str:
    """Say it in words, as it was said (R-HF-9)."""
    if isinstance(said, Announce):
        return spoken(said.value, language)
    return say(Text.SAME if said.words == Words.SAME else Text.ONE_MORE, language)


def said_beside(canvas: Canvas, said: Said, language: Language) -> None:
    """Draw what was said, large, in words, and with what was added to it (R-PHYS-6)."""
    line_beside(canvas, said_words(said, language), 1)
    if isinstance(said, Announce) and said.flourish is not None:
        line_beside(canvas, say(_FLOURISHES[said.flourish], language), 2)
    big_said(canvas, said)


def cup(canvas: Canvas) -> None:
    """Draw the closed cup where values stand."""
    canvas.paste(icons.CUP, CUP_LEFT, BIG_TOP)
