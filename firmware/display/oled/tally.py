"""How a player stands and what a penalty costs: matches, waves, a number or a word."""

from firmware.display.oled import font, icons
from firmware.display.oled.canvas import FULL, Align, Canvas
from firmware.display.screens.tally import Tally, Unit
from firmware.display.text.labels import Text, say
from game.spoken import Language
from game.status import Status

TALLY_BASELINE = 48
"""How a player stands, a row clear of the value above."""
MOST_DRAWN = 4
"""More matches than this are written as a number."""

_STATUS_TEXTS = {
    Status.OUT: Text.ROW_OUT,
    Status.LEFT: Text.ROW_LEFT,
    Status.WAITS: Text.ROW_WAITS,
    Status.SAFE: Text.ROW_SAFE,
}
_HALVES = {1: "½", 2: "1"}
"""Half a coaster for every lost half (R-MAX-5)."""
_AMOUNTS = {
    Unit.MATCH: (Text.MATCH_ONE, Text.MATCH_MANY),
    Unit.DRINK: (Text.DRINK_ONE, Text.DRINK_MANY),
    Unit.POINT: (Text.POINT_ONE, Text.POINT_MANY),
    Unit.GLASS: (Text.GLASS_ONE, Text.GLASS_MANY),
    Unit.COASTER: (Text.COASTER_ONE, Text.COASTER_MANY),
}


def tally(canvas: Canvas, stands: Tally, language: Language, right: int, baseline: int) -> int:
    """Draw how a player stands, ending before column ``right``.

    Returns:
        its first column.
    """
    if stands.status is Status.SWIMS:
        left = right - icons.WAVES.width
        canvas.paste(icons.WAVES, left, baseline - icons.WAVES.height)
        return left
    if stands.status is not Status.IN:
        text = say(_STATUS_TEXTS[stands.status], language)
    elif stands.halves:
        text = say(Text.HALVES, language, count=stands.count, halves=_HALVES[stands.halves])
    elif stands.unit is not Unit.MATCH or stands.count > MOST_DRAWN:
        text = str(stands.count)
    else:
        for place in range(1, stands.count + 1):
            left = right - place * (icons.MATCH.width + 2)
            canvas.paste(icons.MATCH, left + 2, baseline - icons.MATCH.height)
        return right - stands.count * (icons.MATCH.width + 2)
    return canvas.text(text, baseline, (font.SMALL,), (FULL[0], right), Align.RIGHT)[0]


def amount(unit: Unit, count: int, language: Language) -> str:
    """Say what a penalty costs, such as "−1 match"."""
    one, many = _AMOUNTS[unit]
    return say(one if count == 1 else many, language, count=count)
