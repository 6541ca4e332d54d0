"""The label of owning up: with its price if there is room, without it beside another entry."""

import pytest

from firmware.display import screens
from firmware.display.oled import font
from firmware.display.oled.canvas import WIDTH
from firmware.display.oled.dial_strip import item_text
from firmware.display.oled.draw import draw
from firmware.display.oled.page import HEADLINE_FONTS
from firmware.display.text.labels import Text
from hw_sim.panel.asked import asked


@pytest.mark.parametrize(
    ("language", "cost", "brief", "whole"),
    [
        ("de", Text.MATCH_ONE, "zugeben", "zugeben (−1 Streichholz)"),
        ("en", Text.DRINK_ONE, "admit it", "admit it (+1 drink)"),
    ],
)
def test_what_is_admitted_says_its_price_where_there_is_room(language, cost, brief, whole):
    entry = screens.Phrase(Text.OWN_UP_FOR, cost)
    chosen = screens.DialStrip(Text.THROW_AGAIN, entry, 63, 3, 14)
    told = asked(screens.ClosedPage(screens.CupKind.THROWN, chosen, None, None, 2), language)
    assert [way.does for way in told.ways if way.gesture == "tap"] == [whole]
    assert told.dial.at == brief
    near = screens.DialStrip(entry, Text.NEUTRAL, 63, 3, 14)
    short = screens.DialStrip(Text.OWN_UP, Text.NEUTRAL, 63, 3, 14)
    beside, plain = (
        screens.ClosedPage(screens.CupKind.THROWN, each, None, None, 2) for each in (near, short)
    )
    assert asked(beside, language).dial.left == brief
    assert draw(beside, language).bits == draw(plain, language).bits
    share = item_text(screens.Phrase(Text.HINT_SHARE, entry, 40), language)
    assert share == f"{whole}: 40 %", "the expert's hint names it whole"
    room_px = WIDTH - 16  # between the triangles
    assert font.load(HEADLINE_FONTS[0]).width(whole) <= room_px
