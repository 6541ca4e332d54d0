"""Screens of a cup that lies elsewhere or closed before its holder: public, and dark."""

from firmware.display.oled import font, icons
from firmware.display.oled.canvas import FULL, Canvas
from firmware.display.oled.dial_strip import dial_and_hint, dial_hint, hold_bar, strip, track
from firmware.display.oled.lines import (
    BESIDE,
    BIG_TOP,
    CUP_LEFT,
    HEADLINE_BASELINE,
    HEADLINE_FONTS,
    LINE_BASELINES,
    STRIP_BASELINE,
    line_beside,
    sentence,
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
from firmware.display.screens.dice import CupKind, Way
from firmware.display.text.labels import Text, say
from game.actions import Announce, Say, Words
from game.spoken import Language

_SHAKEN = 2
"""Columns from the foot of the cup to the lines of its movement."""


def starting(canvas: Canvas, language: Language) -> None:
    """Draw the name of the game and its cup."""
    canvas.text(say(Text.TITLE, language), 29, (font.HEADING,), BESIDE)
    cup(canvas)
    canvas.text(say(Text.STARTING, language), STRIP_BASELINE, (font.SMALL,))
    canvas.hint(say(Text.HINT_MOMENT, language))


def waiting(canvas: Canvas, screen: WaitingPage, language: Language) -> None:
    """Draw whose turn it is and what stands."""
    _headline(canvas, Text.TURN_OF, language, name=screen.turn_of)
    if screen.mine is not None:
        tally(canvas, screen.mine, language, FULL[1], TALLY_BASELINE)
    _standing(canvas, screen.said, screen.announcer, language)
    if screen.as_of is not None:
        line_beside(canvas, say(Text.AS_OF, language, round=screen.as_of), 2)
    dial_and_hint(canvas, screen.dial, language, tracked=True)


def offered(canvas: Canvas, screen: OfferPage, language: Language) -> None:
    """Draw who offers the cup with which words, and the answers."""
    _headline(canvas, Text.YOUR_TURN, language)
    _standing(canvas, screen.said, screen.announcer, language)
    strip(canvas, screen.dial, language)
    track(canvas, screen.dial)
    hint = dial_hint(screen.dial, Text.HINT_DOUBT) if screen.armed else Text.HINT_WAIT
    canvas.hint(say(hint, language))


def closed(canvas: Canvas, screen: ClosedPage, language: Language) -> None:
    """Draw what stands, or the highlighted value and what it has to beat."""
    match screen.kind:
        case CupKind.OPENING:
            _headline(canvas, Text.YOU_OPEN, language)
        case CupKind.BELIEVED:
            _headline(canvas, Text.YOUR_TURN, language)
        case CupKind.THROWN:
            throw = say(Text.THROW_NUMBER, language, number=screen.throws)
            canvas.text(throw, HEADLINE_BASELINE, HEADLINE_FONTS)
        case CupKind.AGAIN:
            _headline(canvas, Text.ROLL_AGAIN, language)
    chosen = screen.choosing or _SAID.get(screen.dial.current)
    if chosen is not None or isinstance(screen.dial.current, int):
        if isinstance(screen.said, Announce):
            line_beside(canvas, say(Text.OVER, language, value=screen.said.value), 0)
        if chosen is not None:
            big_said(canvas, chosen)
        elif isinstance(screen.dial.current, int):
            big_value(canvas, screen.dial.current)
    elif screen.said is None:
        thrown = screen.kind is CupKind.THROWN
        line_beside(canvas, say(Text.SAY_ANYTHING if thrown else Text.CUP_EMPTY, language), 0)
        cup(canvas)
    else:
        _standing(canvas, screen.said, screen.announcer, language)
    dial_and_hint(canvas, screen.dial, language, neutral=_closed_hint(screen), tracked=True)


_SAID: dict[object, Said] = {
    Text.SAME: Say(Words.SAME),
    Text.ONE_MORE: Say(Words.ONE_MORE),
}
"""Words on the dial that stand large while they are highlighted, as values do."""


def _closed_hint(screen: ClosedPage) -> Text:
    match screen.may_throw, screen.may_look:
        case True, True:
            return Text.HINT_SHAKE_LIFT_TILT
        case True, False:
            return Text.HINT_SHAKE_TILT
        case False, True:
            return Text.HINT_LIFT_TILT
        case _:
            return Text.HINT_TILT


def shaking(canvas: Canvas, screen: ShakingPage, language: Language) -> None:
    """Draw what rattles, what stands, and how much is missing to a repeated throw."""
    if screen.said is None:
        cup(canvas)
    else:
        _standing(canvas, screen.said, screen.announcer, language)
    canvas.paste(icons.RATTLE, CUP_LEFT - _SHAKEN - icons.RATTLE.width, BIG_TOP)
    canvas.paste(icons.RATTLE_RIGHT, CUP_LEFT + icons.CUP.width + _SHAKEN, BIG_TOP)
    _headline(canvas, Text.SHAKING_AGAIN if screen.again else Text.SHAKING, language)
    if screen.progress is not None:
        hold_bar(canvas, screen.progress)
    hint = Text.HINT_STEADY if screen.progress in (None, 1.0) else Text.HINT_SHAKE_ON
    canvas.hint(say(hint, language))


def announcing(canvas: Canvas, screen: AnnouncingPage, language: Language) -> None:
    """Draw what is about to be said, and to whom."""
    _said_to(canvas, screen.said, screen.to, language)
    canvas.hint(say(Text.HINT_TAKE_BACK, language))


_WAY_TEXTS = {
    Way.CALLING: Text.WAY_CALLING,
    Way.OFFERED: Text.WAY_OFFERED,
    Way.GIVING: Text.WAY_GIVING,
    Way.SILENT: Text.WAY_SILENT,
}


def on_its_way(canvas: Canvas, screen: OnItsWayPage, language: Language) -> None:
    """Draw who gets the cup, with what words, and how far it is."""
    if screen.said is None:
        _headline(canvas, Text.NEXT_CUP, language)
        _person(canvas, Text.RECIPIENT, screen.to, language)
        cup(canvas)
    else:
        _said_to(canvas, screen.said, screen.to, language)
    canvas.text(say(_WAY_TEXTS[screen.state], language), STRIP_BASELINE, (font.SMALL,))
    canvas.hint(say(Text.HINT_KEEP_COVERED, language))


def lifting(canvas: Canvas, screen: LiftingPage, language: Language) -> None:
    """Draw who doubts, and which words."""
    if screen.lifter is None:
        _headline(canvas, Text.YOU_DOUBT, language)
    else:
        _headline(canvas, Text.DOUBTS, language, name=screen.lifter)
    _standing(canvas, screen.said, screen.announcer, language)
    without = Text.HINT_LIFT if screen.lifter is None else Text.HINT_WAIT
    neutral = Text.HINT_LIFT_TILT
    dial_and_hint(canvas, screen.dial, language, neutral=neutral, without=without, tracked=True)


def _headline(canvas: Canvas, text: Text, language: Language, name: str = "") -> None:
    sentence(canvas, text, language, HEADLINE_BASELINE, name=name)


def _person(canvas: Canvas, text: Text, name: str, language: Language) -> None:
    """Draw who speaks, or is spoken to, beside a value."""
    sentence(canvas, text, language, LINE_BASELINES[0], fonts=(font.SMALL,), span=BESIDE, name=name)


def _said_to(canvas: Canvas, said: Said, name: str, language: Language) -> None:
    _headline(canvas, Text.YOU_SAY, language)
    _person(canvas, Text.TO, name, language)
    said_beside(canvas, said, language)


def _standing(canvas: Canvas, said: Said | None, announcer: str | None, language: Language) -> None:
    if said is None:
        line_beside(canvas, say(Text.NOTHING_SAID, language), 0)
        cup(canvas)
        return
    if announcer is not None:
        _person(canvas, Text.SAYS, announcer, language)
    said_beside(canvas, said, language)
