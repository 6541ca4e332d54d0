"""Screens of a cup that lies elsewhere or closed before its holder: public, and dark."""

from firmware.screens import font, icons
from firmware.screens.canvas import FULL, WIDTH, Align, Canvas
from firmware.screens.model import (
    Announcing,
    Closed,
    CupKind,
    Lifting,
    Offered,
    OnItsWay,
    Shaking,
    Waiting,
    Way,
)
from firmware.screens.parts import (
    BESIDE,
    HEADLINE_BASELINE,
    HOLD_BAR_WIDTH,
    LINE_BASELINES,
    STRIP_BASELINE,
    big_value,
    cup,
    dial_hint,
    highlight,
    hold_bar,
    lines_beside,
    sentence,
    strip,
    tally,
)
from firmware.texts import Text, say
from game.values import Language, spoken

OFFER_BAR_WIDTH = 48
"""The bar of a hold beside the large digits of an offer."""


def starting(canvas: Canvas, language: Language) -> None:
    """Draw the name of the game and its cup."""
    canvas.text(say(Text.TITLE, language), 29, (font.HEADING,), (FULL[0], 82))
    cup(canvas)
    canvas.text(say(Text.STARTING, language), STRIP_BASELINE, (font.SMALL,), align=Align.CENTRE)
    canvas.hint(say(Text.HINT_MOMENT, language))


def waiting(canvas: Canvas, screen: Waiting, language: Language) -> None:
    """Draw whose turn it is and what stands."""
    edge = FULL[1]
    if screen.mine is not None:
        edge = tally(canvas, screen.mine, language, FULL[1], HEADLINE_BASELINE - 1)
    sentence(
        canvas,
        Text.TURN_OF,
        language,
        HEADLINE_BASELINE,
        span=(FULL[0], edge - 4),
        name=screen.turn_of,
    )
    _standing(canvas, screen.announced, screen.announcer, language)
    if screen.as_of is not None:
        as_of = say(Text.AS_OF, language, round=screen.as_of)
        canvas.text(as_of, LINE_BASELINES[2], (font.SMALL,), BESIDE)
    if screen.dial is None:
        canvas.hint(say(Text.HINT_WAIT, language))
    else:
        canvas.hint(say(dial_hint(screen.dial, Text.HINT_TILT), language))
        strip(canvas, screen.dial, language)


def offered(canvas: Canvas, screen: Offered, language: Language) -> None:
    """Draw who offers the cup with which words, and the answers."""
    _headline(canvas, Text.SAYS, language, name=screen.announcer)
    lines_beside(canvas, (spoken(screen.announced, language),))
    big_value(canvas, screen.announced)
    hint = dial_hint(screen.dial, Text.HINT_DOUBT) if screen.armed else Text.HINT_NOT_YET
    canvas.hint(say(hint, language))
    strip(canvas, screen.dial, language)
    if screen.dial.progress is not None:
        hold_bar(canvas, screen.dial.progress, 31, (BESIDE[0], OFFER_BAR_WIDTH))


def closed(canvas: Canvas, screen: Closed, language: Language) -> None:
    """Draw the highlighted entry, or while there is none what stands."""
    canvas.hint(say(dial_hint(screen.dial, _closed_hint(screen)), language))
    if not screen.dial.neutral:
        if screen.announced is not None:
            over = say(Text.OVER, language, value=screen.announced)
            canvas.text(over, HEADLINE_BASELINE - 2, (font.SMALL,))
        highlight(canvas, screen.dial, language)
        return
    match screen.kind:
        case CupKind.OPENING:
            _headline(canvas, Text.YOU_OPEN, language)
        case CupKind.BELIEVED:
            _headline(canvas, Text.YOUR_TURN, language)
        case CupKind.THROWN:
            throw = say(Text.THROW_NUMBER, language, number=screen.throws)
            canvas.text(throw, HEADLINE_BASELINE, (font.BOLD,), BESIDE)
    if screen.announced is None:
        thrown = screen.kind is CupKind.THROWN
        text = Text.SAY_ANYTHING if thrown else Text.CUP_EMPTY
        lines_beside(canvas, (say(text, language),))
        cup(canvas)
    else:
        _standing(canvas, screen.announced, screen.announcer, language)
    strip(canvas, screen.dial, language)


def _closed_hint(screen: Closed) -> Text:
    match screen.may_throw, screen.may_look:
        case True, True:
            return Text.HINT_SHAKE_LIFT_TILT
        case True, False:
            return Text.HINT_SHAKE_TILT
        case False, True:
            return Text.HINT_LIFT_TILT
        case _:
            return Text.HINT_TILT


def shaking(canvas: Canvas, screen: Shaking, language: Language) -> None:
    """Draw the rattling cup, and how much is missing to a repeated throw."""
    left = (WIDTH - icons.CUP.width) // 2
    canvas.paste(icons.CUP, left, 2)
    for gap in (4, 13):
        canvas.paste(icons.RATTLE, left - gap - icons.RATTLE.width, 7)
        canvas.paste(icons.RATTLE_RIGHT, left + icons.CUP.width + gap, 7)
    text = Text.SHAKING_AGAIN if screen.again else Text.SHAKING
    canvas.text(say(text, language), 44, (font.SMALL,), align=Align.CENTRE)
    if screen.progress is not None:
        hold_bar(canvas, screen.progress, 47, ((WIDTH - HOLD_BAR_WIDTH) // 2, HOLD_BAR_WIDTH))
    hint = Text.HINT_STEADY if screen.progress in (None, 1.0) else Text.HINT_SHAKE_ON
    canvas.hint(say(hint, language))


def announcing(canvas: Canvas, screen: Announcing, language: Language) -> None:
    """Draw what is about to be said, and to whom."""
    _headline(canvas, Text.YOU_SAY, language)
    lines_beside(canvas, (spoken(screen.value, language),))
    sentence(
        canvas,
        Text.TO,
        language,
        LINE_BASELINES[1] + 5,
        fonts=(font.BOLD, font.SMALL),
        span=BESIDE,
        name=screen.to,
    )
    big_value(canvas, screen.value)
    canvas.hint(say(Text.HINT_TAKE_BACK, language))


_WAY_TEXTS = {
    Way.CALLING: Text.WAY_CALLING,
    Way.OFFERED: Text.WAY_OFFERED,
    Way.GIVING: Text.WAY_GIVING,
    Way.SILENT: Text.WAY_SILENT,
}


def on_its_way(canvas: Canvas, screen: OnItsWay, language: Language) -> None:
    """Draw who gets the cup, and how far it is."""
    canvas.text(say(Text.NEXT_CUP, language), HEADLINE_BASELINE - 2, (font.SMALL,), BESIDE)
    sentence(
        canvas,
        Text.RECIPIENT,
        language,
        LINE_BASELINES[0],
        fonts=(font.BOLD, font.SMALL),
        span=BESIDE,
        name=screen.to,
    )
    if screen.announced is None:
        cup(canvas)
    else:
        big_value(canvas, screen.announced)
    state = say(_WAY_TEXTS[screen.state], language)
    canvas.text(state, STRIP_BASELINE, (font.SMALL,), FULL, Align.LEFT)
    canvas.hint(say(Text.HINT_KEEP_COVERED, language))


def lifting(canvas: Canvas, screen: Lifting, language: Language) -> None:
    """Draw who doubts, and which words."""
    if screen.lifter is None:
        _headline(canvas, Text.YOU_DOUBT, language)
    else:
        _headline(canvas, Text.DOUBTS, language, name=screen.lifter)
    _standing(canvas, screen.announced, screen.announcer, language)
    neutral = Text.HINT_LIFT if screen.lifter is None else Text.HINT_WAIT
    if screen.dial is None:
        canvas.hint(say(neutral, language))
    else:
        canvas.hint(say(dial_hint(screen.dial, Text.HINT_LIFT_TILT), language))
        strip(canvas, screen.dial, language)


def _headline(canvas: Canvas, text: Text, language: Language, name: str = "") -> None:
    sentence(canvas, text, language, HEADLINE_BASELINE, name=name)


def _standing(
    canvas: Canvas, announced: int | None, announcer: str | None, language: Language
) -> None:
    if announced is None:
        lines_beside(canvas, (say(Text.NOTHING_SAID, language),))
        cup(canvas)
        return
    if announcer is not None:
        sentence(
            canvas,
            Text.SAYS,
            language,
            LINE_BASELINES[0],
            fonts=(font.SMALL,),
            span=BESIDE,
            name=announcer,
        )
    text = spoken(announced, language)
    canvas.text(text, LINE_BASELINES[1], (font.SMALL,), BESIDE)
    big_value(canvas, announced)
