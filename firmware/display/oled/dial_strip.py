"""The dial on its line: the highlighted entry, its neighbours, its place, and the bar of a hold."""

from typing import Final

from firmware.display.oled import font, icons
from firmware.display.oled.canvas import FULL, WIDTH, Align, Span, fitting, shortened
from firmware.display.oled.page import HEADLINE_FONTS, STRIP_BASELINE, PageCanvas
from firmware.display.screens import DialStrip, Item, Phrase, Screen
from firmware.display.screens.way import GestureKind, Meaning
from firmware.display.screens.ways import ways
from firmware.display.text.labels import Text
from firmware.display.text.language import Language, say

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
_BRIEF: Final = {Text.OWN_UP_FOR: Text.OWN_UP}
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
    due = {each.meaning: each.gesture for each in ways(screen) if each.due}
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
        page.paste(icons.LEFTWARDS, FULL[0], STRIP_BASELINE - 7)
        span = (FULL[0] + ARROW_ROOM, taken[0] - ARROW_ROOM)
        _neighbour(page, brief_text(dial.previous, page.language), span, Align.LEFT)
    if dial.following is not None:
        page.paste(icons.RIGHTWARDS, FULL[1] - icons.RIGHTWARDS.width, STRIP_BASELINE - 7)
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
