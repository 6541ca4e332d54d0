"""Parts of a page beside its text: the dial, dice, a value, a player's tally.

All numbers are chosen, in rows and columns if they do not count entries or matches.
"""

from collections.abc import Mapping
from typing import Final

from firmware.display import screens
from firmware.display.oled import bitmap, font
from firmware.display.oled.bitmap import Bitmap
from firmware.display.oled.canvas import (
    BIG_TOP,
    CUP_LEFT,
    FULL,
    HEADLINE_FONTS,
    STRIP_BASELINE,
    VALUE_LEFT,
    WIDTH,
    Align,
    Canvas,
    PageCanvas,
    Span,
    fitting,
    shortened,
)
from firmware.display.screens import DialStrip, GestureKind, Item, Meaning, Phrase, Said, Screen
from firmware.display.screens.gesture_options import gesture_options
from firmware.display.text.labels import Text
from firmware.display.text.language import Language, say, spoken
from game.actions import Announce, Words
from game.dice import Dice
from game.status import Status, Unit

TRACK_ROW = 44
"""The upper of two rows with the mark of the place in the dial."""
TRACK_HEIGHT = 2
TRACK: Span = (1, 110)
"""Columns of that mark; a tally is drawn at their right."""
TRACK_WIDTH = 4
LEAST_TRACKED = 5
"""The fewest entries of a dial that shows its place: a shorter one is seen almost whole."""
TRACK_STOPS = 8
"""The number of places of the mark: in a long dial it does not move at every step."""
ARROW_ROOM = 6
"""Columns from a triangle's outer edge to the text beside it."""
HOLD_BAR_TOP = 41
HOLD_BAR_WIDTH = 48
HOLD_BAR_HEIGHT = 6
_BRIEF: Final[Mapping[Text | str, Text]] = {Text.OWN_UP_FOR: Text.OWN_UP}
"""Phrases that leave no room beside another entry, and their short forms."""
_CURRENT: Span = (FULL[0] + ARROW_ROOM + 2, FULL[1] - ARROW_ROOM - 2)
"""Room for the highlighted entry between the triangles."""


def item_text(item: Item, language: Language) -> str:
    """Return an entry of the dial as text: a word, a value's digits, a name or a phrase."""
    match item:
        case Text():
            return say(item, language)
        case Phrase():
            return say(item.text, language, name=name_in(item, language), pips=item.pips)
        case _:
            return str(item)


def brief_text(item: Item, language: Language) -> str:
    """Return the short text of an entry of the dial, for beside another one."""
    brief = _BRIEF.get(item.text) if isinstance(item, Phrase) else None
    return item_text(item if brief is None else brief, language)


def name_in(phrase: Phrase, language: Language) -> str:
    """Return the name in a phrase, in a language if it is a text or another phrase."""
    return item_text(phrase.name, language)


_HINTS = {
    (Meaning.THROW, Meaning.LOOK, Meaning.CHOOSE): Text.HINT_SHAKE_LIFT_TILT,
    (Meaning.THROW, Meaning.SHOW, Meaning.CHOOSE): Text.HINT_SHAKE_LIFT,
    (Meaning.THROW, Meaning.CHOOSE): Text.HINT_SHAKE_TILT,
    (Meaning.LOOK, Meaning.CHOOSE): Text.HINT_LIFT_TILT,
    (Meaning.LIFT, Meaning.CHOOSE): Text.HINT_LIFT_TILT,
    (Meaning.SHOW, Meaning.CHOOSE): Text.HINT_LIFT_LOOK,
    (Meaning.DOUBT, Meaning.CHOOSE): Text.HINT_DOUBT,
    (Meaning.CHOOSE,): Text.HINT_TILT,
    (Meaning.THROW, Meaning.GO_ON): Text.HINT_SHAKE_TAP,
    (Meaning.GO_ON,): Text.HINT_TAP,
    (): Text.HINT_WAIT,
}


def due_hint(screen: Screen) -> Text:
    """Return the hint of the gestures that are due at a screen.

    While an entry is highlighted, it names only what dial and pad do: there is no room for more.
    """
    due = {each.meaning: each.gesture for each in gesture_options(screen) if each.due}
    entry = due.get(Meaning.ENTRY)
    if entry is not None:
        return Text.HINT_TILT_HOLD if entry is GestureKind.HOLD else Text.HINT_TILT_TAP
    return _HINTS[tuple(due)]


def dial_and_hint(page: PageCanvas, screen: Screen, *, tracked: bool = False) -> None:
    """Draw a screen's dial, if it has one, and its hint; ``tracked``: also the dial's place."""
    page.hint(due_hint(screen))
    dial = getattr(screen, "dial", None)
    if isinstance(dial, DialStrip):
        strip(page, dial)
        if tracked:
            track(page, dial)


def strip(page: PageCanvas, dial: DialStrip) -> None:
    """Draw the dial on one line: the highlighted entry between those that a tilt leads to.

    A highlighted value is left out: pages draw it large above the line. The bar of a hold is drawn
    in place of the mark of the dial's place.
    """
    taken = (WIDTH // 2, WIDTH // 2)
    if not isinstance(dial.current, int):
        text = _shortest(page, dial.current)
        taken = page.text(text, STRIP_BASELINE, HEADLINE_FONTS, _CURRENT, Align.CENTRE)
    if dial.previous is not None:
        page.paste(bitmap.LEFTWARDS, FULL[0], STRIP_BASELINE - 7)
        span = (FULL[0] + ARROW_ROOM, taken[0] - ARROW_ROOM)
        _neighbour(page, brief_text(dial.previous, page.language), span, Align.LEFT)
    if dial.following is not None:
        page.paste(bitmap.RIGHTWARDS, FULL[1] - bitmap.RIGHTWARDS.width, STRIP_BASELINE - 7)
        span = (taken[1] + ARROW_ROOM, FULL[1] - ARROW_ROOM)
        _neighbour(page, brief_text(dial.following, page.language), span, Align.RIGHT)
    if dial.progress is not None:
        hold_bar(page, dial.progress)


def _shortest(page: PageCanvas, item: Item) -> str:
    """Return a highlighted entry as text; a name in it is cut if it does not fit."""
    if isinstance(item, Phrase):
        name, pips = name_in(item, page.language), item.pips
        return page.fitted(item.text, HEADLINE_FONTS, _CURRENT, name=name, pips=pips)
    if isinstance(item, str):
        return shortened(item, HEADLINE_FONTS, _CURRENT)
    return item_text(item, page.language)


def track(page: PageCanvas, dial: DialStrip) -> None:
    """Draw the place in the dial, unless a hold runs or the dial is short."""
    if dial.progress is None and dial.count >= LEAST_TRACKED:
        stops = min(dial.count, TRACK_STOPS) - 1
        stop = stops * dial.index // (dial.count - 1)
        left = TRACK[0] + (TRACK[1] - TRACK[0] - TRACK_WIDTH) * stop // stops
        page.bar(left, TRACK_ROW, TRACK_WIDTH, TRACK_HEIGHT)


def _neighbour(page: PageCanvas, text: str, span: Span, align: Align) -> None:
    # A long word may leave no room: then the triangle alone shows that there is a neighbour.
    if fitting(text, (font.SMALL,), span) is not None:
        page.text(text, STRIP_BASELINE, (font.SMALL,), span, align)


def hold_bar(page: PageCanvas, progress: float) -> None:
    """Draw the bar of a hold, filled from the left by ``progress``, 0 to 1."""
    page.frame(FULL[0], HOLD_BAR_TOP, HOLD_BAR_WIDTH, HOLD_BAR_HEIGHT)
    filled = round((HOLD_BAR_WIDTH - 4) * progress)
    page.bar(FULL[0] + 2, HOLD_BAR_TOP + 2, filled, HOLD_BAR_HEIGHT - 4)


FACE = 32
"""A face is 32×32 px; its top row is the first of a page of 8, wherever it is drawn."""
DICE_GAP = 3
"""Columns between two dice."""

_BORDER = 2
_ROUNDING = (5, 3, 2, 1, 1)
"""How many columns the five outermost rows are set back at their ends."""
_PIP = 6
_LOW, _MIDDLE, _HIGH = 5, 13, 21
"""First column or row of a pip, so that the face is symmetrical."""
_CORNERS = ((_LOW, _LOW), (_HIGH, _HIGH))
_OTHER_CORNERS = ((_HIGH, _LOW), (_LOW, _HIGH))
_SIDES = ((_LOW, _MIDDLE), (_HIGH, _MIDDLE))
_CENTRE = ((_MIDDLE, _MIDDLE),)
_PIPS = {
    1: _CENTRE,
    2: _OTHER_CORNERS,
    3: (*_OTHER_CORNERS, *_CENTRE),
    4: (*_CORNERS, *_OTHER_CORNERS),
    5: (*_CORNERS, *_OTHER_CORNERS, *_CENTRE),
    6: (*_CORNERS, *_OTHER_CORNERS, *_SIDES),
}


def _face(pips: int) -> Bitmap:
    face = Bitmap(FACE, FACE)
    inner = FACE - 2 * _BORDER
    _block(face, FACE, 0, _ROUNDING, lit=True)
    _block(face, inner, _BORDER, tuple(max(0, back - 1) for back in _ROUNDING[:3]), lit=False)
    for left, top in _PIPS[pips]:
        face.fill(left + 1, top, left + _PIP - 1, top + _PIP)
        face.fill(left, top + 1, left + _PIP, top + _PIP - 1)
    return face


def _block(face: Bitmap, size: int, margin: int, rounding: tuple[int, ...], lit: bool) -> None:
    for row in range(size):
        from_edge = min(row, size - 1 - row)
        back = rounding[from_edge] if from_edge < len(rounding) else 0
        face.fill(margin + back, margin + row, margin + size - back, margin + row + 1, lit)


DIE_FACES: dict[int, Bitmap] = {pips: _face(pips) for pips in range(1, 7)}
"""The six faces, 32×32: lit pips on a dark die with a lit border. Do not draw on them."""


SMALL_FACE = 16
"""A small face is 16×16 px, for games of six and seven dice; its top row begins a page too."""
_SMALL_ROUNDING = (2, 1)
_SMALL_PIP = 2
_SMALL_PLACES = {_LOW: 3, _MIDDLE: 7, _HIGH: 11}
_SMALL_PER_ROW = 4
_SMALL_PITCH = 19


def _small_face(pips: int) -> Bitmap:
    face = Bitmap(SMALL_FACE, SMALL_FACE)
    _block(face, SMALL_FACE, 0, _SMALL_ROUNDING, lit=True)
    _block(face, SMALL_FACE - 2, 1, (1,), lit=False)
    for column, row in _PIPS[pips]:
        left, top = _SMALL_PLACES[column], _SMALL_PLACES[row]
        face.fill(left, top, left + _SMALL_PIP, top + _SMALL_PIP)
    return face


SMALL_DIE_FACES: dict[int, Bitmap] = {pips: _small_face(pips) for pips in range(1, 7)}
"""The six small faces, 16×16. Do not draw on them."""


def die_left(place: int) -> int:
    """Return the first column of die ``place``, from 0, of a row of large dice."""
    return FULL[0] + place * (FACE + DICE_GAP)


def draw_small_dice(canvas: Canvas, dice: Dice) -> None:
    """Draw up to eight dice of 16 px in two rows of four, as high as one of large dice."""
    for place, pips in enumerate(dice):
        row, column = divmod(place, _SMALL_PER_ROW)
        left, top = FULL[0] + column * _SMALL_PITCH, BIG_TOP + row * SMALL_FACE
        canvas.paste(SMALL_DIE_FACES[pips], left, top)


def draw_dice(canvas: Canvas, dice: Dice) -> None:
    """Draw two or three dice of 32 px side by side, as high as a value."""
    for place, pips in enumerate(dice):
        canvas.paste(DIE_FACES[pips], die_left(place), BIG_TOP)


_STROKE = 5
"""Thickness in px of the signs that are drawn instead of values."""
_SIGN_WIDTH = 32
_SAME_TOPS = (15, 28)
_SIGN_MIDDLE = 21
_PLUS = 19
_ARM = (_PLUS - _STROKE) // 2
"""From the middle of the plus to its upper end."""


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
            page.bar(VALUE_LEFT, _SIGN_MIDDLE, _PLUS, _STROKE)
            page.bar(VALUE_LEFT + (_PLUS - _STROKE) // 2, _SIGN_MIDDLE - _ARM, _STROKE, _PLUS)
            ink = font.load(font.DIGITS).render("1")
            page.paste(ink.mask, FULL[1] - ink.width - 3, BIG_TOP)


def said_beside(page: PageCanvas, said: Said) -> None:
    """Draw an announcement large, and beside it in words with its flourish (R-PHYS-6, R-HF-9)."""
    if isinstance(said, Announce):
        page.beside(spoken(said.value, page.language), 1)
        if said.flourish is not None:
            page.beside(Text[said.flourish.name], 2)
    else:
        page.beside(Text[said.words.name], 1)
    big_said(page, said)


def cup(page: PageCanvas) -> None:
    """Draw the closed cup in the place of a value."""
    page.paste(bitmap.CUP, CUP_LEFT, BIG_TOP)


TALLY_BASELINE = 48
"""Baseline of a tally, a row clear of the value above."""
MOST_DRAWN = 4
"""The most matches that are drawn; more are written as a number."""

_HALVES = {1: "½", 2: "1"}
"""Half a coaster for every lost half (R-MAX-5)."""


def tally(page: PageCanvas, score: screens.Tally, right: int, baseline: int) -> int:
    """Draw matches, waves, a number or a word (one line), ending before column ``right``.

    Returns:
        the first column of it.
    """
    if score.status is Status.SWIMS:
        left = right - bitmap.WAVES.width
        page.paste(bitmap.WAVES, left, baseline - bitmap.WAVES.height)
        return left
    if score.status is not Status.IN:
        text = page.say(f"row.{score.status.name}")
    elif score.halves:
        text = page.say(Text.HALVES, count=score.count, halves=_HALVES[score.halves])
    elif score.unit is not Unit.MATCH or score.count > MOST_DRAWN:
        text = str(score.count)
    else:
        for place in range(1, score.count + 1):
            left = right - place * (bitmap.MATCH.width + 2)
            page.paste(bitmap.MATCH, left + 2, baseline - bitmap.MATCH.height)
        return right - score.count * (bitmap.MATCH.width + 2)
    return page.text(text, baseline, (font.SMALL,), (FULL[0], right), Align.RIGHT)[0]
