"""Building blocks that several screens share: sentences with names, values, tallies, the dial.

Rows of the panel: a headline on baseline 10, large digits in rows 11 to 42, the strip (the dial's
words) on baseline 51, its track in row 53, the hint in rows 55 to 63.
"""

from collections.abc import Sequence

from firmware.screens import font, icons
from firmware.screens.canvas import (
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
from firmware.screens.model import Dial, Item, Tally, Unit
from firmware.texts import Text, say
from game.match import Status
from game.values import Language, spoken

HEADLINE_BASELINE = 10
BIG_TOP = 11
"""First row of the 32 px high digits."""
BIG_BASELINE = BIG_TOP + 32
STRIP_BASELINE = 51
LINE_BASELINES = (23, 33, 43)
"""Small lines at the left of large digits."""
BESIDE: Span = (1, 71)
"""Columns at the left of large digits."""
TRACK_ROW = 53
"""The dotted line over the hint that shows the place in the dial."""
LEAST_THUMB = 5
"""Columns of the shortest mark on it."""
ARROW_ROOM = 6
"""Columns from a triangle's outer edge to the text beside it."""
HOLD_BAR_WIDTH = 80
HOLD_BAR_HEIGHT = 6
MOST_DRAWN = 4
"""More matches than this are written as a number."""

HEADLINE_FONTS = (font.BOLD, font.SMALL)


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


def big_value(canvas: Canvas, value: int, align: Align = Align.RIGHT) -> None:
    """Draw a value in digits 32 px high."""
    canvas.text(str(value), BIG_BASELINE, (font.DIGITS,), FULL, align)


def cup(canvas: Canvas, left: int = WIDTH - 44) -> None:
    """Draw the closed cup in the rows of the large digits."""
    canvas.paste(icons.CUP, left, BIG_TOP)


def lines_beside(canvas: Canvas, lines: Sequence[str]) -> None:
    """Draw small lines at the left of large digits."""
    for line, baseline in zip(lines, LINE_BASELINES, strict=False):
        canvas.text(line, baseline, (font.SMALL,), BESIDE)


def tally(canvas: Canvas, stands: Tally, language: Language, right: int, baseline: int) -> int:
    """Draw how a player stands, ending before column ``right``: matches, waves, a number or a word.

    Returns:
        its first column.
    """
    match stands.status:
        case Status.OUT | Status.LEFT:
            text = Text.ROW_OUT if stands.status is Status.OUT else Text.ROW_LEFT
            return _right(canvas, say(text, language), right, baseline)
        case Status.SWIMS:
            left = right - icons.WAVES.width
            canvas.paste(icons.WAVES, left, baseline - icons.WAVES.height)
            return left
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


_AMOUNTS = {
    Unit.MATCH: (Text.MATCH_ONE, Text.MATCH_MANY),
    Unit.DRINK: (Text.DRINK_ONE, Text.DRINK_MANY),
    Unit.POINT: (Text.POINT_ONE, Text.POINT_MANY),
}


def item_text(item: Item, language: Language) -> str:
    """Say an entry of the dial: a word, a value's digits or a name."""
    if isinstance(item, Text):
        return say(item, language)
    return str(item)


def strip(canvas: Canvas, dial: Dial, language: Language) -> None:
    """Draw the dial on one line: the highlighted entry between those that a tilt leads to."""
    text = item_text(dial.current, language)
    taken = canvas.text(text, STRIP_BASELINE, (font.BOLD,), FULL, Align.CENTRE)
    _sides(canvas, dial, language, taken)


def highlight(canvas: Canvas, dial: Dial, language: Language) -> None:
    """Draw the highlighted entry as the centre of the panel, its neighbours on the strip below.

    A value is 32 px high, its name on the strip. An entry that needs a hold has a bar that fills.
    """
    middle = (WIDTH // 2, WIDTH // 2)
    if isinstance(dial.current, int):
        big_value(canvas, dial.current, Align.CENTRE)
        name = spoken(dial.current, language)
        middle = canvas.text(name, STRIP_BASELINE, (font.SMALL,), FULL, Align.CENTRE)
    else:
        fonts = (font.HEADING, font.BOLD, font.SMALL)
        word = shortened(item_text(dial.current, language), fonts, FULL)
        canvas.text(word, 29 if dial.holds else 32, fonts, FULL, Align.CENTRE)
    if dial.holds:
        hold_bar(canvas, dial.progress or 0.0, 35, ((WIDTH - HOLD_BAR_WIDTH) // 2, HOLD_BAR_WIDTH))
    _sides(canvas, dial, language, middle)


def _sides(canvas: Canvas, dial: Dial, language: Language, taken: Span) -> None:
    """Draw both neighbours and the place in the dial; ``taken`` are the columns between them.

    While a hold runs nothing else can be reached, and nothing else is shown.
    """
    if dial.progress is not None:
        return
    if dial.previous is not None:
        canvas.paste(icons.LEFTWARDS, FULL[0], STRIP_BASELINE - 6)
        span = (FULL[0] + ARROW_ROOM, taken[0] - ARROW_ROOM)
        _neighbour(canvas, item_text(dial.previous, language), span, Align.LEFT)
    if dial.following is not None:
        width = icons.RIGHTWARDS.width
        canvas.paste(icons.RIGHTWARDS, FULL[1] - width, STRIP_BASELINE - 6)
        span = (taken[1] + ARROW_ROOM, FULL[1] - ARROW_ROOM)
        _neighbour(canvas, item_text(dial.following, language), span, Align.RIGHT)
    if dial.count > 1:
        canvas.dots(TRACK_ROW)
        width = max(LEAST_THUMB, WIDTH // dial.count)
        canvas.bar((WIDTH - width) * dial.index // (dial.count - 1), TRACK_ROW, width, 1)


def _neighbour(canvas: Canvas, text: str, span: Span, align: Align) -> None:
    # Where a long word leaves no room, the triangle alone says that there is something.
    if fitting(text, (font.SMALL,), span) is not None:
        canvas.text(text, STRIP_BASELINE, (font.SMALL,), span, align)


def hold_bar(canvas: Canvas, progress: float, top: int, place: tuple[int, int]) -> None:
    """Draw a bar that fills from the left; ``place`` is its first column and its width in px."""
    left, width = place
    canvas.frame(left, top, width, HOLD_BAR_HEIGHT)
    canvas.bar(left + 2, top + 2, round((width - 4) * progress), HOLD_BAR_HEIGHT - 4)


def dial_hint(dial: Dial, neutral: Text) -> Text:
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
            if baseline > STRIP_BASELINE + 2:
                raise DoesNotFitError(f"no room for the line {line!r}")
            canvas.text(line, baseline, (font.SMALL,))
            baseline += pitch
