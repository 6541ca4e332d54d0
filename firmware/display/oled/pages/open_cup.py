"""Screens that may show dice: a look under one's own cup, and what a lift brought to light."""

from firmware.display.oled import font
from firmware.display.oled.canvas import FULL, Align, Canvas, Span
from firmware.display.oled.dial_strip import dial_and_hint
from firmware.display.oled.dice_faces import draw_dice
from firmware.display.oled.lines import sentence
from firmware.display.oled.said import big_value, cup
from firmware.display.oled.tally import amount
from firmware.display.screens.cup import LookPage, RevealPage
from firmware.display.screens.verdict import Judgement
from firmware.display.text.labels import Text, say
from game.bluff.values import rank, value_of
from game.spoken import Language, spoken
from game.status import Status

DICE_PAGE = 1
"""Dice take rows 8 to 39."""
_TOP_BASELINE = 7
"""The line over the dice stays within its page, descenders and all …"""
_TOP_FONTS = (font.STRONG, font.SMALL)
_COST_BASELINE = 47
"""… and so does the line under them."""
_STRIKE_TOP = 26
"""First of two rows of the line that strikes a value out."""
_STRIKE_OVER = 3
"""Columns by which it is longer than the value at either end."""
_UNCHECKED = " ?"
"""After the comparison, where nothing proves the dice."""


def look(canvas: Canvas, screen: LookPage, language: Language) -> None:
    """Draw the dice, and their value in digits and in words."""
    draw_dice(canvas, screen.dice, FULL[0], DICE_PAGE)
    big_value(canvas, screen.value)
    canvas.text(spoken(screen.value, language), _TOP_BASELINE, _TOP_FONTS)
    if screen.tower:
        canvas.text(say(Text.A_TOWER, language), _COST_BASELINE, (font.SMALL,))
    canvas.hint(say(Text.HINT_COVER, language))


_VERDICTS = {
    Judgement.LIE: Text.LIED,
    Judgement.TRUE: Text.TRUE,
    Judgement.SHOWN: Text.SHOWN,
    Judgement.GAVE_IN: Text.GAVE_IN,
    Judgement.OWNED_UP: Text.OWNED_UP,
    Judgement.INADMISSIBLE: Text.INADMISSIBLE,
    Judgement.WRONG_WAY: Text.WRONG_WAY,
    Judgement.DROPPED: Text.HAS_DROPPED,
    Judgement.MOVED: Text.HAS_MOVED,
    Judgement.LOOKED: Text.HAS_LOOKED,
    Judgement.TOWER_SHOWN: Text.TOWER_SHOWN,
    Judgement.TOWER_SPARED: Text.TOWER_SPARED,
    Judgement.VOIDED: Text.ROUND_VOID,
    Judgement.LEFT: Text.HAS_LEFT,
}


def reveal(canvas: Canvas, screen: RevealPage, language: Language) -> None:
    """Draw dice beside the announcement, struck out if it was a lie, and the verdict.

    Where nothing was announced the value of the dice stands there.
    """
    if screen.dice is not None:
        draw_dice(canvas, screen.dice, FULL[0], DICE_PAGE)
    value = screen.announced
    if value is None and screen.dice is not None:
        value = value_of(screen.dice)
    if value is None:
        cup(canvas)
    else:
        columns = big_value(canvas, value)
        if screen.verdict.judgement in (Judgement.LIE, Judgement.TOWER_SPARED):
            _strike(canvas, columns)
    sentence(
        canvas,
        _VERDICTS[screen.verdict.judgement],
        language,
        _TOP_BASELINE,
        fonts=_TOP_FONTS,
        announcer=screen.announcer or screen.verdict.payer,
        payer=screen.verdict.payer,
    )
    if screen.dial is None or screen.dial.progress is None:
        _cost(canvas, screen, language)
    without = Text.HINT_TAP if screen.mine_to_go_on else Text.HINT_WAIT
    dial_and_hint(canvas, screen.dial, language, without=without)


def _strike(canvas: Canvas, columns: Span) -> None:
    """Strike out digits with a line that keeps clear of them; it lies within one page."""
    left, width = columns[0] - _STRIKE_OVER, columns[1] - columns[0] + 2 * _STRIKE_OVER
    canvas.bar(left, _STRIKE_TOP - 1, width, 4, lit=False)
    canvas.bar(left, _STRIKE_TOP, width, 2)


def _cost(canvas: Canvas, screen: RevealPage, language: Language) -> None:
    verdict = screen.verdict
    span = FULL
    align = Align.LEFT
    if screen.dice is not None and screen.announced is not None:
        compared = _comparison(value_of(screen.dice), screen.announced)
        if screen.reversed:
            compared = say(Text.REVERSED, language)
        compared += _UNCHECKED * screen.unchecked
        taken = canvas.text(compared, _COST_BASELINE, (font.SMALL,))
        span, align = (taken[1] + 6, FULL[1]), Align.RIGHT
    match verdict.after.status:
        case _ if verdict.cost == 0:
            text = say(Text.NOBODY_PAYS, language)
        case Status.SWIMS:
            text = say(Text.AND_SWIMS, language)
        case Status.OUT:
            text = say(Text.AND_OUT, language)
        case _:
            text = amount(verdict.after.unit, verdict.cost, language)
    taken = canvas.text(text, _COST_BASELINE, (font.SMALL,), span, align)
    if verdict.also is not None:
        also = (taken[1] + 6, FULL[1])
        sentence(
            canvas, Text.AND_ALSO, language, _COST_BASELINE, fonts=(font.SMALL,), span=also,
            align=Align.RIGHT, name=verdict.also,
        )  # fmt: skip


def _comparison(value: int, announced: int) -> str:
    by = rank(value) - rank(announced)
    return f"{value} {'<' if by < 0 else '>' if by > 0 else '='} {announced}"
