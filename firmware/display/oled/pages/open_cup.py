"""Screens that may show dice: a look under one's own cup, and the dice after a lift."""

from firmware.display.oled import font
from firmware.display.oled.canvas import FULL, Align, Span
from firmware.display.oled.dial_strip import dial_and_hint
from firmware.display.oled.dice_faces import draw_dice
from firmware.display.oled.page import HEADLINE_BASELINE, HEADLINE_FONTS, PageCanvas
from firmware.display.oled.said import big_value, cup
from firmware.display.oled.tally import amount
from firmware.display.screens.cup import LookPage, RevealPage
from firmware.display.screens.verdict import Judgement
from firmware.display.text.labels import Text
from firmware.display.text.language import say, spoken
from game.bluff.values import rank, value_of
from game.status import Status

DICE_PAGE = 1
"""Dice take rows 8 to 39."""
_COST_BASELINE = 47
"""The line under the dice stays within its page, as the headline over them does."""
_STRIKE_TOP = 26
"""First of two rows of the line that strikes a value out."""
_STRIKE_OVER = 3
"""Columns by which it is longer than the value at either end."""


def look(page: PageCanvas, screen: LookPage) -> None:
    """Draw the dice, and their value in digits and in words."""
    draw_dice(page, screen.dice, FULL[0], DICE_PAGE)
    big_value(page, screen.value)
    page.text(spoken(screen.value, page.language), HEADLINE_BASELINE, HEADLINE_FONTS)
    if screen.tower:
        page.small(Text.A_TOWER, _COST_BASELINE)
    page.hint(Text.HINT_COVER)


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
    Judgement.MISTAKEN: Text.HAS_MISTAKEN,
    Judgement.TOWER_SHOWN: Text.TOWER_SHOWN,
    Judgement.TOWER_SPARED: Text.TOWER_SPARED,
    Judgement.VOIDED: Text.ROUND_VOID,
    Judgement.LEFT: Text.HAS_LEFT,
}

_OF_READER = frozenset(Judgement) - {Judgement.VOIDED, Judgement.LEFT}
"""Verdicts on the reader. One who has left, or whose round is void, gets the text for any
player."""


def reveal(page: PageCanvas, screen: RevealPage) -> None:
    """Draw dice beside the announcement, struck out if it was a lie, and the verdict.

    If nothing was announced, the value of the dice is drawn there.
    """
    judgement = screen.verdict.judgement
    if screen.dice is not None:
        draw_dice(page, screen.dice, FULL[0], DICE_PAGE)
    value = screen.announced
    if value is None and screen.dice is not None:
        value = value_of(screen.dice)
    if value is None:
        cup(page)
    else:
        columns = big_value(page, value)
        if judgement in (Judgement.LIE, Judgement.TOWER_SPARED):
            _strike(page, columns)
    if screen.verdict.of_reader and judgement in _OF_READER:
        page.text(say(judgement, page.language), HEADLINE_BASELINE, HEADLINE_FONTS)
    else:
        page.sentence(
            _VERDICTS[judgement],
            announcer=screen.announcer or screen.verdict.payer,
            payer=screen.verdict.payer,
        )
    if screen.dial is None or screen.dial.progress is None:
        _cost(page, screen)
    dial_and_hint(page, screen)


def _strike(page: PageCanvas, columns: Span) -> None:
    """Strike out digits with a line that keeps clear of them; it lies within one page."""
    left, width = columns[0] - _STRIKE_OVER, columns[1] - columns[0] + 2 * _STRIKE_OVER
    page.bar(left, _STRIKE_TOP - 1, width, 4, lit=False)
    page.bar(left, _STRIKE_TOP, width, 2)


def _cost(page: PageCanvas, screen: RevealPage) -> None:
    verdict = screen.verdict
    span = FULL
    align = Align.LEFT
    if screen.dice is not None and screen.announced is not None:
        compared = _comparison(value_of(screen.dice), screen.announced)
        if screen.unchecked:
            compared = page.say(Text.UNPROVEN)
        elif screen.reversed:
            compared = page.say(Text.REVERSED)
        taken = page.text(compared, _COST_BASELINE, (font.SMALL,))
        span, align = (taken[1] + 6, FULL[1]), Align.RIGHT
    match verdict.after.status:
        case _ if verdict.cost == 0:
            text = page.say(Text.NOBODY_PAYS)
        case Status.SWIMS:
            text = page.say(Text.AND_SWIMS)
        case Status.OUT:
            text = page.say(Text.AND_OUT)
        case _:
            text = amount(page, verdict.after.unit, verdict.cost)
    taken = page.text(text, _COST_BASELINE, (font.SMALL,), span, align)
    if verdict.also is not None:
        also = (taken[1] + 6, FULL[1])
        page.small(Text.AND_ALSO, _COST_BASELINE, also, Align.RIGHT, name=verdict.also)


def _comparison(value: int, announced: int) -> str:
    by = rank(value) - rank(announced)
    return f"{value} {'<' if by < 0 else '>' if by > 0 else '='} {announced}"
