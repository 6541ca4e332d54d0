"""A player's tally and what a penalty costs: matches, waves, a number or a word."""

from firmware.display.oled import font, icons
from firmware.display.oled.canvas import FULL, Align
from firmware.display.oled.page import PageCanvas
from firmware.display.screens.tally import Tally
from firmware.display.text.labels import Text
from firmware.display.text.language import takes_singular
from game.status import Status, Unit

TALLY_BASELINE = 48
"""Baseline of a tally, a row clear of the value above."""
MOST_DRAWN = 4
"""The most matches that are drawn; more are written as a number."""

_STATUS_TEXTS = {
    Status.OUT: Text.ROW_OUT,
    Status.LEFT: Text.ROW_LEFT,
    Status.WAITS: Text.ROW_WAITS,
    Status.SAFE: Text.ROW_SAFE,
}
_HALVES = {1: "½", 2: "1"}
"""Half a coaster for every lost half (R-MAX-5)."""
AMOUNTS = {
    Unit.MATCH: (Text.MATCH_ONE, Text.MATCH_MANY),
    Unit.DRINK: (Text.DRINK_ONE, Text.DRINK_MANY),
    Unit.POINT: (Text.POINT_ONE, Text.POINT_MANY),
    Unit.GLASS: (Text.GLASS_ONE, Text.GLASS_MANY),
    Unit.COASTER: (Text.COASTER_ONE, Text.COASTER_MANY),
}
"""The texts of a penalty of one and of more, in the units of the games that have penalties."""


def tally(page: PageCanvas, score: Tally, right: int, baseline: int) -> int:
    """Draw matches, waves, a number or a word (one line), ending before column ``right``.

    Returns:
        the first column of it.
    """
    if score.status is Status.SWIMS:
        left = right - icons.WAVES.width
        page.paste(icons.WAVES, left, baseline - icons.WAVES.height)
        return left
    if score.status is not Status.IN:
        text = page.say(_STATUS_TEXTS[score.status])
    elif score.halves:
        text = page.say(Text.HALVES, count=score.count, halves=_HALVES[score.halves])
    elif score.unit is not Unit.MATCH or score.count > MOST_DRAWN:
        text = str(score.count)
    else:
        for place in range(1, score.count + 1):
            left = right - place * (icons.MATCH.width + 2)
            page.paste(icons.MATCH, left + 2, baseline - icons.MATCH.height)
        return right - score.count * (icons.MATCH.width + 2)
    return page.text(text, baseline, (font.SMALL,), (FULL[0], right), Align.RIGHT)[0]


def amount(page: PageCanvas, unit: Unit, count: int) -> str:
    """Return the cost of a penalty as text, such as "−1 match" for a ``count`` of 1."""
    one, many = AMOUNTS[unit]
    return page.say(one if takes_singular(count, page.language) else many, count=count)
