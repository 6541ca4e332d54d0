"""Screens that may show dice: a look under one's own cup, and what a lift brought to light."""

from firmware.screens import font, icons
from firmware.screens.canvas import FULL, HINT_BASELINE, WIDTH, Align, Canvas, Span
from firmware.screens.dice import DICE_WIDTH, draw_dice
from firmware.screens.model import Judgement, Look, Reveal
from firmware.screens.parts import (
    ARROW_ROOM,
    STRIP_BASELINE,
    TRACK_ROW,
    amount,
    item_text,
    sentence,
)
from firmware.texts import Text, say
from game.match import Status
from game.values import Language, rank, spoken, value_of

DICE_PAGE = 1
"""A private look: rows 8 to 39."""
REVEAL_PAGE = 0
"""A reveal: rows 0 to 31."""
BESIDE_DICE: Span = (FULL[0] + DICE_WIDTH, FULL[1])
_VERDICT_BASELINE = 42
_COST_BASELINE = 52
_DIAL_LEFT = 40
"""The dial on the hint line of a reveal stands right of this column."""


def look(canvas: Canvas, screen: Look, language: Language) -> None:
    """Draw the dice, and their value in digits and in words."""
    draw_dice(canvas, screen.dice, FULL[0], DICE_PAGE)
    canvas.text(str(screen.value), 8 * DICE_PAGE + 32, (font.DIGITS,), BESIDE_DICE, Align.CENTRE)
    text = spoken(screen.value, language)
    canvas.text(text, STRIP_BASELINE, (font.BOLD,), align=Align.CENTRE)
    canvas.hint(say(Text.HINT_COVER, language))


_VERDICTS = {
    Judgement.LIE: Text.LIED,
    Judgement.TRUE: Text.TRUE,
    Judgement.SHOWN: Text.SHOWN,
    Judgement.GAVE_IN: Text.GAVE_IN,
    Judgement.OWNED_UP: Text.OWNED_UP,
}


def reveal(canvas: Canvas, screen: Reveal, language: Language) -> None:
    """Draw dice beside the announcement, struck out if it was a lie, and the verdict.

    Where nothing was announced the value of the dice stands there.
    """
    lied = screen.verdict.judgement is Judgement.LIE
    if screen.dice is not None:
        draw_dice(canvas, screen.dice, FULL[0], REVEAL_PAGE)
    value = screen.announced
    if value is None and screen.dice is not None:
        value = value_of(screen.dice)
    if value is not None:
        beside = BESIDE_DICE if screen.dice is not None else FULL
        columns = canvas.text(
            str(value), 8 * REVEAL_PAGE + 32, (font.DIGITS,), beside, Align.CENTRE
        )
        if lied:
            _strike(canvas, columns)
    else:
        canvas.paste(icons.CUP, (WIDTH - icons.CUP.width) // 2, 0)
    sentence(
        canvas,
        _VERDICTS[screen.verdict.judgement],
        language,
        _VERDICT_BASELINE,
        align=Align.CENTRE,
        announcer=screen.announcer or screen.verdict.payer,
        payer=screen.verdict.payer,
    )
    _cost(canvas, screen, language)
    _go_on(canvas, screen, language)


def _strike(canvas: Canvas, columns: Span) -> None:
    """Cross out digits of 32 rows with a rising line that keeps clear of them."""
    left, right = columns[0] - 2, columns[1] + 3
    width = right - left
    for thickness, lit in ((9, False), (3, True)):
        for column in range(max(left, 0), min(right, WIDTH)):
            middle = 26 - (column - left) * 20 // width
            canvas.bar(column, middle - thickness // 2, 1, thickness, lit)


def _cost(canvas: Canvas, screen: Reveal, language: Language) -> None:
    verdict = screen.verdict
    span = FULL
    align = Align.CENTRE
    if screen.dice is not None and screen.announced is not None:
        compared = _comparison(value_of(screen.dice), screen.announced)
        taken = canvas.text(compared, _COST_BASELINE, (font.SMALL,))
        span, align = (taken[1] + 6, FULL[1]), Align.RIGHT
    match verdict.after.status:
        case Status.SWIMS:
            text = say(Text.AND_SWIMS, language)
        case Status.OUT:
            text = say(Text.AND_OUT, language)
        case _:
            text = amount(verdict.after.unit, verdict.cost, language)
    canvas.text(text, _COST_BASELINE, (font.SMALL,), span, align)


def _comparison(value: int, announced: int) -> str:
    by = rank(value) - rank(announced)
    return f"{value} {'<' if by < 0 else '>' if by > 0 else '='} {announced}"


def _go_on(canvas: Canvas, screen: Reveal, language: Language) -> None:
    dial = screen.dial
    if dial is None:
        canvas.hint(say(Text.HINT_TAP if screen.mine_to_go_on else Text.HINT_WAIT, language))
        return
    gesture = Text.HINT_TILT
    if not dial.neutral:
        gesture = Text.HINT_HOLD if dial.holds else Text.HINT_TAP
    canvas.text(say(gesture, language), HINT_BASELINE, (font.SMALL,))
    right = FULL[1]
    if dial.following is not None:
        right -= ARROW_ROOM
        canvas.paste(icons.RIGHTWARDS, FULL[1] - icons.RIGHTWARDS.width, HINT_BASELINE - 6)
    entry = item_text(dial.current, language)
    left, _ = canvas.text(
        entry, HINT_BASELINE, (font.BOLD, font.SMALL), (_DIAL_LEFT, right), Align.RIGHT
    )
    if dial.previous is not None:
        canvas.paste(icons.LEFTWARDS, left - ARROW_ROOM, HINT_BASELINE - 6)
    if dial.progress is not None:
        canvas.bar(left, TRACK_ROW, round((right - left) * dial.progress), 1)
