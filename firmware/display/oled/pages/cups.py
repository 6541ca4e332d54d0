"""Screens of a cup: closed, offered, peeked under or lifted."""

from firmware.display import screens
from firmware.display.oled import bitmap, font
from firmware.display.oled.canvas import (
    BESIDE,
    BIG_TOP,
    CUP_LEFT,
    FULL,
    HEADLINE_BASELINE,
    HEADLINE_FONTS,
    LINE_BASELINES,
    STRIP_BASELINE,
    Align,
    PageCanvas,
    Span,
)
from firmware.display.oled.marks import (
    TALLY_BASELINE,
    big_said,
    big_value,
    cup,
    dial_and_hint,
    draw_dice,
    hold_bar,
    said_beside,
    tally,
)
from firmware.display.screens import Said
from firmware.display.text.labels import Text
from firmware.display.text.language import key_of, say_count, spoken
from game.actions import Announce, Say, Words
from game.bluff.rules import rank, value_of
from game.status import Status

_SHAKEN = 2
"""Columns from the foot of the cup to the lines of its movement."""


def starting(page: PageCanvas) -> None:
    """Draw the name of the game and its cup."""
    page.text(page.say(Text.TITLE), 29, (font.HEADING,), BESIDE)
    cup(page)
    page.small(Text.STARTING, STRIP_BASELINE)
    page.hint(Text.HINT_MOMENT)


def waiting(page: PageCanvas, screen: screens.WaitingPage) -> None:
    """Draw whose turn it is and the announcement to beat, if any."""
    page.sentence(Text.TURN_OF, name=screen.turn_of)
    if screen.mine is not None:
        tally(page, screen.mine, FULL[1], TALLY_BASELINE)
    _standing(page, screen.said, screen.announcer)
    if screen.as_of is not None:
        page.beside(Text.AS_OF, 2, round=screen.as_of)
    if screen.carrier is not None and screen.dial is None:
        page.small(Text.WITHOUT_CARRIER, STRIP_BASELINE, name=screen.carrier)
    dial_and_hint(page, screen, tracked=True)


def offered(page: PageCanvas, screen: screens.OfferPage) -> None:
    """Draw the announcer of the offered cup, the announcement, and the answers or a doubt's bar."""
    _standing(page, screen.said, screen.announcer)
    if screen.doubt is not None:
        page.sentence(Text.KEEP_LIFTED)
        hold_bar(page, screen.doubt)
        page.hint(Text.HINT_COVER_AGAIN)
        return
    page.sentence(Text.LIFT_LONGER if screen.too_short else Text.YOUR_TURN)
    dial_and_hint(page, screen, tracked=True)


def closed(page: PageCanvas, screen: screens.ClosedPage) -> None:
    """Draw the announcement to beat, or the highlighted value with it in small."""
    page.sentence(screen.kind, number=screen.throws)
    chosen = screen.choosing or _SAID.get(screen.dial.current)
    if chosen is not None or isinstance(screen.dial.current, int):
        if isinstance(screen.said, Announce):
            page.beside(Text.OVER, 0, value=screen.said.value)
        if chosen is not None:
            big_said(page, chosen)
        elif isinstance(screen.dial.current, int):
            big_value(page, screen.dial.current)
    elif screen.said is None:
        thrown = screen.kind is screens.CupKind.THROWN
        page.beside(Text.SAY_ANYTHING if thrown else Text.CUP_EMPTY, 0)
        cup(page)
    else:
        _standing(page, screen.said, screen.announcer)
    dial_and_hint(page, screen, tracked=True)


_SAID: dict[object, Said] = {
    Text.SAME: Say(Words.SAME),
    Text.ONE_MORE: Say(Words.ONE_MORE),
}
"""Words on the dial that are drawn large while they are highlighted, as values are."""


def shaking(page: PageCanvas, screen: screens.ShakingPage) -> None:
    """Draw the shaken cup, the announcement to beat, and how far a repeated throw has come."""
    if screen.said is None:
        cup(page)
    else:
        _standing(page, screen.said, screen.announcer)
    page.paste(bitmap.RATTLE, CUP_LEFT - _SHAKEN - bitmap.RATTLE.width, BIG_TOP)
    page.paste(bitmap.RATTLE_RIGHT, CUP_LEFT + bitmap.CUP.width + _SHAKEN, BIG_TOP)
    page.sentence(Text.SHAKING_AGAIN if screen.again else Text.SHAKING)
    if screen.progress is not None:
        hold_bar(page, screen.progress)
    page.hint(Text.HINT_STEADY if screen.progress in (None, 1.0) else Text.HINT_SHAKE_ON)


def announcing(page: PageCanvas, screen: screens.AnnouncingPage) -> None:
    """Draw the announcement that is about to be sent, and its receiver."""
    _said_to(page, screen.said, screen.to)
    page.hint(Text.HINT_TAKE_BACK)


def on_its_way(page: PageCanvas, screen: screens.OnItsWayPage) -> None:
    """Draw the receiver of the cup, the announcement, and how far the cup is."""
    if screen.said is None:
        page.sentence(Text.NEXT_CUP)
        _person(page, Text.RECIPIENT, screen.to)
        cup(page)
    else:
        _said_to(page, screen.said, screen.to)
    if screen.carrier is None:
        page.small(screen.state, STRIP_BASELINE)
    else:
        page.small(Text.WITHOUT_CARRIER, STRIP_BASELINE, name=screen.carrier)
    page.hint(Text.HINT_KEEP_COVERED)


def lifting(page: PageCanvas, screen: screens.LiftingPage) -> None:
    """Draw the announcement that I doubt."""
    page.sentence(Text.YOU_DOUBT)
    _standing(page, screen.said, screen.announcer)
    dial_and_hint(page, screen, tracked=True)


def _person(page: PageCanvas, text: Text, name: str) -> None:
    """Draw beside a value its announcer or its receiver."""
    page.small(text, LINE_BASELINES[0], BESIDE, name=name)


def _said_to(page: PageCanvas, said: Said, name: str) -> None:
    page.sentence(Text.YOU_SAY)
    _person(page, Text.TO, name)
    said_beside(page, said)


def _standing(page: PageCanvas, said: Said | None, announcer: str | None) -> None:
    if said is None:
        page.beside(Text.NOTHING_SAID, 0)
        cup(page)
        return
    if announcer is not None:
        _person(page, Text.SAYS, announcer)
    said_beside(page, said)


_COST_BASELINE = 47
"""The line under the dice stays within its page, as the headline over them does."""
_STRIKE_TOP = 26
"""First of two rows of the line that strikes a value out."""
_STRIKE_OVER = 3
"""Columns by which it is longer than the value at either end."""


def look(page: PageCanvas, screen: screens.LookPage) -> None:
    """Draw the dice, and their value in digits and in words."""
    draw_dice(page, screen.dice)
    big_value(page, screen.value)
    page.text(spoken(screen.value, page.language), HEADLINE_BASELINE, HEADLINE_FONTS)
    if screen.tower:
        page.small(Text.A_TOWER, _COST_BASELINE)
    page.hint(Text.HINT_COVER)


def reveal(page: PageCanvas, screen: screens.RevealPage) -> None:
    """Draw dice beside the announcement, struck out if it was a lie, and the verdict.

    If nothing was announced, the value of the dice is drawn there.
    """
    judgement = screen.verdict.judgement
    if screen.dice is not None:
        draw_dice(page, screen.dice)
    value = screen.announced
    if value is None and screen.dice is not None:
        value = value_of(screen.dice)
    if value is None:
        cup(page)
    else:
        columns = big_value(page, value)
        if judgement in (screens.Judgement.LIE, screens.Judgement.TOWER_SPARED):
            _strike(page, columns)
    payer = screen.verdict.payer
    verdict = key_of(judgement, "reader" if screen.verdict.of_reader else "other")
    page.sentence(verdict, announcer=screen.announcer or payer, payer=payer)
    if screen.dial is None or screen.dial.progress is None:
        _cost(page, screen)
    dial_and_hint(page, screen)


def _strike(page: PageCanvas, columns: Span) -> None:
    """Strike out digits with a line that keeps clear of them; it lies within one page."""
    left, width = columns[0] - _STRIKE_OVER, columns[1] - columns[0] + 2 * _STRIKE_OVER
    page.bar(left, _STRIKE_TOP - 1, width, 4, lit=False)
    page.bar(left, _STRIKE_TOP, width, 2)


def _cost(page: PageCanvas, screen: screens.RevealPage) -> None:
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
            text = say_count(verdict.after.unit, page.language, verdict.cost)
    taken = page.text(text, _COST_BASELINE, (font.SMALL,), span, align)
    if verdict.also is not None:
        also = (taken[1] + 6, FULL[1])
        page.small(Text.AND_ALSO, _COST_BASELINE, also, Align.RIGHT, name=verdict.also)


def _comparison(value: int, announced: int) -> str:
    by = rank(value) - rank(announced)
    return f"{value} {'<' if by < 0 else '>' if by > 0 else '='} {announced}"
