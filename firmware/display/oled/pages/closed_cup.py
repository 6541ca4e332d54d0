"""Screens of a closed cup, elsewhere or before its holder: public, without dice."""

from firmware.display.oled import font, icons
from firmware.display.oled.canvas import FULL
from firmware.display.oled.dial_strip import dial_and_hint, hold_bar
from firmware.display.oled.page import (
    BESIDE,
    BIG_TOP,
    CUP_LEFT,
    LINE_BASELINES,
    STRIP_BASELINE,
    PageCanvas,
)
from firmware.display.oled.said import big_said, big_value, cup, said_beside
from firmware.display.oled.tally import TALLY_BASELINE, tally
from firmware.display.screens.cup import (
    AnnouncingPage,
    ClosedPage,
    LiftingPage,
    OfferPage,
    OnItsWayPage,
    ShakingPage,
    WaitingPage,
)
from firmware.display.screens.dial import Said
from firmware.display.screens.dice import CupKind, Delivery
from firmware.display.text.labels import Text
from game.actions import Announce, Say, Words

_SHAKEN = 2
"""Columns from the foot of the cup to the lines of its movement."""


def starting(page: PageCanvas) -> None:
    """Draw the name of the game and its cup."""
    page.text(page.say(Text.TITLE), 29, (font.HEADING,), BESIDE)
    cup(page)
    page.small(Text.STARTING, STRIP_BASELINE)
    page.hint(Text.HINT_MOMENT)


def waiting(page: PageCanvas, screen: WaitingPage) -> None:
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


def offered(page: PageCanvas, screen: OfferPage) -> None:
    """Draw the announcer of the offered cup, the announcement, and the answers or a doubt's bar."""
    _standing(page, screen.said, screen.announcer)
    if screen.doubt is not None:
        page.sentence(Text.KEEP_LIFTED)
        hold_bar(page, screen.doubt)
        page.hint(Text.HINT_COVER_AGAIN)
        return
    page.sentence(Text.LIFT_LONGER if screen.too_short else Text.YOUR_TURN)
    dial_and_hint(page, screen, tracked=True)


def closed(page: PageCanvas, screen: ClosedPage) -> None:
    """Draw the announcement to beat, or the highlighted value with it in small."""
    page.sentence(_KINDS[screen.kind], number=screen.throws)
    chosen = screen.choosing or _SAID.get(screen.dial.current)
    if chosen is not None or isinstance(screen.dial.current, int):
        if isinstance(screen.said, Announce):
            page.beside(Text.OVER, 0, value=screen.said.value)
        if chosen is not None:
            big_said(page, chosen)
        elif isinstance(screen.dial.current, int):
            big_value(page, screen.dial.current)
    elif screen.said is None:
        thrown = screen.kind is CupKind.THROWN
        page.beside(Text.SAY_ANYTHING if thrown else Text.CUP_EMPTY, 0)
        cup(page)
    else:
        _standing(page, screen.said, screen.announcer)
    dial_and_hint(page, screen, tracked=True)


_KINDS = {
    CupKind.OPENING: Text.YOU_OPEN,
    CupKind.BELIEVED: Text.YOUR_TURN,
    CupKind.THROWN: Text.THROW_NUMBER,
    CupKind.AGAIN: Text.ROLL_AGAIN,
}
_SAID: dict[object, Said] = {
    Text.SAME: Say(Words.SAME),
    Text.ONE_MORE: Say(Words.ONE_MORE),
}
"""Words on the dial that are drawn large while they are highlighted, as values are."""


def shaking(page: PageCanvas, screen: ShakingPage) -> None:
    """Draw the shaken cup, the announcement to beat, and how far a repeated throw has come."""
    if screen.said is None:
        cup(page)
    else:
        _standing(page, screen.said, screen.announcer)
    page.paste(icons.RATTLE, CUP_LEFT - _SHAKEN - icons.RATTLE.width, BIG_TOP)
    page.paste(icons.RATTLE_RIGHT, CUP_LEFT + icons.CUP.width + _SHAKEN, BIG_TOP)
    page.sentence(Text.SHAKING_AGAIN if screen.again else Text.SHAKING)
    if screen.progress is not None:
        hold_bar(page, screen.progress)
    page.hint(Text.HINT_STEADY if screen.progress in (None, 1.0) else Text.HINT_SHAKE_ON)


def announcing(page: PageCanvas, screen: AnnouncingPage) -> None:
    """Draw the announcement that is about to be sent, and its receiver."""
    _said_to(page, screen.said, screen.to)
    page.hint(Text.HINT_TAKE_BACK)


_WAY_TEXTS = {
    Delivery.CALLING: Text.WAY_CALLING,
    Delivery.OFFERED: Text.WAY_OFFERED,
    Delivery.GIVING: Text.WAY_GIVING,
    Delivery.SILENT: Text.WAY_SILENT,
    Delivery.GONE: Text.WAY_GONE,
}


def on_its_way(page: PageCanvas, screen: OnItsWayPage) -> None:
    """Draw the receiver of the cup, the announcement, and how far the cup is."""
    if screen.said is None:
        page.sentence(Text.NEXT_CUP)
        _person(page, Text.RECIPIENT, screen.to)
        cup(page)
    else:
        _said_to(page, screen.said, screen.to)
    if screen.carrier is None:
        page.small(_WAY_TEXTS[screen.state], STRIP_BASELINE)
    else:
        page.small(Text.WITHOUT_CARRIER, STRIP_BASELINE, name=screen.carrier)
    page.hint(Text.HINT_KEEP_COVERED)


def lifting(page: PageCanvas, screen: LiftingPage) -> None:
    """Draw the doubter and the doubted announcement."""
    page.sentence(
        Text.YOU_DOUBT if screen.lifter is None else Text.DOUBTS, name=screen.lifter or ""
    )
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
