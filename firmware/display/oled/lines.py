"""Building blocks that several screens share: sentences with names, values, tallies, the dial.

Everything has one place on all screens, and no line lies across two pages of 8 rows of the
display's memory, so that what stays from one screen to the next costs nothing on the bus:

| page | rows | what |
|---|---|---|
| 0 | 0–7 | the headline |
| 1–4 | 8–39 | at the right a value, 32 px high, or the cup; at the left small lines, or dice |
| 5 | 40–47 | the place in the dial, the bar of a hold, the tally, or what a penalty costs |
| 6 | 48–55 | the dial's words |
| 7 | 56–63 | the hint |
"""

from collections.abc import Sequence

from firmware.display.oled import font, icons
from firmware.display.oled.canvas import (
    FULL,
    WIDTH,
    Align,
    Canvas,
    DoesNotFitError,
    Span,
    fitting,
    shortened,
    wrapped,
)
from firmware.display.screens.dial import DialStrip, Item, Phrase, Said
from firmware.display.screens.dice import NoteLine
from firmware.display.screens.tally import Tally, Unit
from firmware.display.text.labels import Text, say
from game.actions import Announce, Flourish, Words
from game.spoken import Language, spoken
from game.status import Status

HEADLINE_BASELINE = 7
BIG_TOP = 8
"""First row of values, the cup and dice."""
VALUE_LEFT = 85
"""First column of a value."""
CUP_LEFT = 86
"""First column of the cup; it stands on the axis of the values."""
LINE_BASELINES = (23, 31, 39)
"""Small lines at the left of a value: who says it, the value in words, more."""
BESIDE: Span = (1, VALUE_LEFT - 5)
"""Columns at the left of a value."""
STRIP_BASELINE = 55
TALLY_BASELINE = 48
"""How a player stands, a row clear of the value above."""
TRACK_ROW = 44
"""The upper of two rows with the mark that shows the place in the dial."""
TRACK_HEIGHT = 2
TRACK: Span = (1, 110)
"""Columns it moves in; a tally stands at their right."""
TRACK_WIDTH = 4
LEAST_TRACKED = 5
"""Shorter dials show no place: with both neighbours they are all but seen whole."""
TRACK_STOPS = 8
"""Places it may have: in a long dial it does not move at every step."""
ARROW_ROOM = 6
"""Columns from a triangle's outer edge to the text beside it."""
HOLD_BAR_TOP = 41
HOLD_BAR_WIDTH = 48
HOLD_BAR_HEIGHT = 6
_STROKE = 5
"""How thick the signs are that stand where values do."""
_SIGN_WIDTH = 32
_SAME_TOPS = (15, 28)
_MIDDLE = 21
_PLUS = 19
_ARM = (_PLUS - _STROKE) // 2
"""From the middle of the plus to its upper end."""
MOST_DRAWN = 4
"""More matches than this are written as a number."""

HEADLINE_FONTS = (font.STRONG, font.SMALL)


def sentence(
    canvas: Canvas,
    text: Text,
    language: Language,
    baseline: int,
    *,
    fonts: Sequence[str] = HEADLINE_FONTS,
    span: Span = FULL,
    align: Align = Align.LEFT,
    **names: str,
) -> None:
    """Draw a text with names in it, in the largest font that fits; else the names are cut.

    Raises:
        DoesNotFitError: it does not even fit with names of one letter.
    """
    longest = max((len(name) for name in names.values()), default=0)
    for length in range(longest, 0, -1):
        cut = {place: _cut(name, length) for place, name in names.items()}
        line = say(text, language, **cut)
        if fitting(line, fonts, span) is not None:
            canvas.text(line, baseline, fonts, span, align)
            return
    canvas.text(say(text, language, **names), baseline, fonts, span, align)


def _cut(name: str, length: int) -> str:
    return name if len(name) <= length else name[:length].rstrip() + "…"


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


_FLOURISHES = {
    Flourish.AIR: Text.AIR,
    Flourish.MUCH_AIR: Text.MUCH_AIR,
    Flourish.DRAWN_OUT: Text.DRAWN_OUT,
}


def cup(canvas: Canvas) -> None:
    """Draw the closed cup where values stand."""
    canvas.paste(icons.CUP, CUP_LEFT, BIG_TOP)


def line_beside(canvas: Canvas, text: str, place: int, *, strong: bool = False) -> None:
    """Draw a small line at the left of a value, on one of three places from 0."""
    fonts = (font.STRONG, font.SMALL) if strong else (font.SMALL,)
    canvas.text(text, LINE_BASELINES[place], fonts, BESIDE)


def tally(canvas: Canvas, stands: Tally, language: Language, right: int, baseline: int) -> int:
    """Draw how a player stands, ending before column ``right``: matches, waves, a number or a word.

    Returns:
        its first column.
    """
    match stands.status:
        case Status.OUT:
            return _right(canvas, say(Text.ROW_OUT, language), right, baseline)
        case Status.LEFT:
            return _right(canvas, say(Text.ROW_LEFT, language), right, baseline)
        case Status.WAITS:
            return _right(canvas, say(Text.ROW_WAITS, language), right, baseline)
        case Status.SAFE:
            return _right(canvas, say(Text.ROW_SAFE, language), right, baseline)
        case Status.SWIMS:
            left = right - icons.WAVES.width
            canvas.paste(icons.WAVES, left, baseline - icons.WAVES.height)
            return left
        case Status.IN if stands.halves:
            halves = say(Text.HALVES, language, count=stands.count, halves=_HALVES[stands.halves])
            return _right(canvas, halves, right, baseline)
        case Status.IN:
            if stands.unit is not Unit.MATCH or stands.count > MOST_DRAWN:
                return _right(canvas, str(stands.count), right, baseline)
            left = right
            for _ in range(stands.count):
                left -= icons.MATCH.width + 2
                canvas.paste(icons.MATCH, left + 2, baseline - icons.MATCH.height)
            return left


def _right(canvas: Canvas, text: str, right: int, baseline: int) -> int:
    return canvas.text(text, baseline, (font.SMALL,), (FULL[0], right), Align.RIGHT)[0]


def amount(unit: Unit, count: int, language: Language) -> str:
    """Say what a penalty costs, such as "−1 match"."""
    one, many = _AMOUNTS[unit]
    return say(one if count == 1 else many, language, count=count)


_HALVES = {1: "½", 2: "1"}
"""Half a coaster for every lost half (R-MAX-5)."""
_AMOUNTS = {
    Unit.MATCH: (Text.MATCH_ONE, Text.MATCH_MANY),
    Unit.DRINK: (Text.DRINK_ONE, Text.DRINK_MANY),
    Unit.POINT: (Text.POINT_ONE, Text.POINT_MANY),
    Unit.GLASS: (Text.GLASS_ONE, Text.GLASS_MANY),
    Unit.COASTER: (Text.COASTER_ONE, Text.COASTER_MANY),
}


def item_text(item: Item, language: Language) -> str:
    """Say an entry of the dial: a word, a value's digits, a name or a phrase."""
    match item:
        case Text():
            return say(item, language)
        case Phrase():
            return say(item.text, language, name=item.name, pips=item.pips)
        case _:
            return str(item)


def note_text(note: NoteLine, language: Language, length: int | None = None) -> str:
    """Say what happened; names are cut to ``length`` letters, None for whole ones."""
    name, other = (
        each if length is None else _cut(each, length) for each in (note.name, note.other)
    )
    return say(note.text, language, name=name, other=other, count=note.count)


def note_line(
    canvas: Canvas, note: NoteLine, language: Language, baseline: int, span: Span = FULL
) -> None:
    """Draw a note on one line; its names are cut where it is too long.

    Raises:
        DoesNotFitError: it does not even fit with names of one letter.
    """
    longest = max(len(note.name), len(note.other), 1)
    for length in range(longest, 0, -1):
        line = note_text(note, language, length)
        if fitting(line, (font.SMALL,), span) is not None:
            break
    canvas.text(line, baseline, (font.SMALL,), span)


def strip(canvas: Canvas, dial: DialStrip, language: Language) -> None:
    """Draw the dial on one line: the highlighted entry between those that a tilt leads to.

    A highlighted value is not among them, for it stands large above the line. While a hold runs
    its bar fills where the place in the dial is at other times.
    """
    taken = (WIDTH // 2, WIDTH // 2)
    if not isinstance(dial.current, int):
        text = _shortest(dial.current, language)
        taken = canvas.text(text, STRIP_BASELINE, (font.STRONG, font.SMALL), _CURRENT, Align.CENTRE)
    if dial.previous is not None:
        canvas.paste(icons.LEFTWARDS, FULL[0], STRIP_BASELINE - 7)
        span = (FULL[0] + ARROW_ROOM, taken[0] - ARROW_ROOM)
        _neighbour(canvas, item_text(dial.previous, language), span, Align.LEFT)
    if dial.following is not None:
        canvas.paste(icons.RIGHTWARDS, FULL[1] - icons.RIGHTWARDS.width, STRIP_BASELINE - 7)
        span = (taken[1] + ARROW_ROOM, FULL[1] - ARROW_ROOM)
        _neighbour(canvas, item_text(dial.following, language), span, Align.RIGHT)
    if dial.progress is not None:
        hold_bar(canvas, dial.progress)


_CURRENT: Span = (FULL[0] + ARROW_ROOM + 2, FULL[1] - ARROW_ROOM - 2)
"""Room for the highlighted entry between the triangles."""


def _shortest(item: Item, language: Language) -> str:
    """Say a highlighted entry; a name in it is cut where it does not fit."""
    if isinstance(item, str):
        return shortened(item, (font.STRONG, font.SMALL), _CURRENT)
    text = item_text(item, language)
    if isinstance(item, Phrase):
        for length in range(len(item.name), 0, -1):
            text = say(item.text, language, name=_cut(item.name, length), pips=item.pips)
            if fitting(text, (font.STRONG, font.SMALL), _CURRENT) is not None:
                break
    return text


def track(canvas: Canvas, dial: DialStrip) -> None:
    """Draw the place in the dial, unless a hold runs or the dial is short."""
    if dial.progress is None and dial.count >= LEAST_TRACKED:
        stops = min(dial.count, TRACK_STOPS) - 1
        stop = stops * dial.index // (dial.count - 1)
        left = TRACK[0] + (TRACK[1] - TRACK[0] - TRACK_WIDTH) * stop // stops
        canvas.bar(left, TRACK_ROW, TRACK_WIDTH, TRACK_HEIGHT)


def _neighbour(canvas: Canvas, text: str, span: Span, align: Align) -> None:
    # Where a long word leaves no room, the triangle alone says that there is something.
    if fitting(text, (font.SMALL,), span) is not None:
        canvas.text(text, STRIP_BASELINE, (font.SMALL,), span, align)


def hold_bar(canvas: Canvas, progress: float) -> None:
    """Draw a bar that fills from the left."""
    canvas.frame(FULL[0], HOLD_BAR_TOP, HOLD_BAR_WIDTH, HOLD_BAR_HEIGHT)
    filled = round((HOLD_BAR_WIDTH - 4) * progress)
    canvas.bar(FULL[0] + 2, HOLD_BAR_TOP + 2, filled, HOLD_BAR_HEIGHT - 4)


def dial_hint(dial: DialStrip, neutral: Text) -> Text:
    """Choose the hint: ``neutral`` while nothing is highlighted, else how to do the entry."""
    if dial.neutral:
        return neutral
    if dial.count == 1:
        return Text.HINT_HOLD if dial.holds else Text.HINT_TAP
    return Text.HINT_TILT_HOLD if dial.holds else Text.HINT_TILT_TAP


def paragraph(canvas: Canvas, lines: Sequence[str], first_baseline: int, pitch: int) -> None:
    """Draw wrapped lines of small text, down to the hint.

    Raises:
        DoesNotFitError: there are more lines than fit.
    """
    baseline = first_baseline
    for text in lines:
        for line in wrapped(text, font.SMALL, FULL):
            if baseline > STRIP_BASELINE:
                raise DoesNotFitError(f"no room for the line {line!r}")
            canvas.text(line, baseline, (font.SMALL,))
            baseline += pitch
