"""The player at a kernel's board, tested without a kernel; and the contents of the kept log."""

import asyncio

from drivers.panel import pack
from firmware.display.oled.canvas import PageCanvas
from firmware.display.oled.draw import draw
from firmware.display.screens import MatchOverPage
from firmware.display.text.labels import Text
from firmware.display.text.language import say, section
from hw_sim.board import SimulatedBoard
from tests.labs.kernel.__main__ import HEAD, LOG, NAMES
from tests.labs.kernel.player import HINTS, Player, hint_of, tells_the_end


def test_the_kept_log_is_of_a_match_in_which_all_was_as_it_should_be():
    told = LOG.read_text()
    assert told.startswith(HEAD), "make kernel does something else by now"
    assert told.count("the match is over, 0 faults") == len(NAMES)


def test_a_player_reads_every_hint_off_the_panel():
    for hint in HINTS:
        page = PageCanvas("en")
        page.hint(hint)
        read = Text[hint_of(pack(page.image.columns))]
        assert say(read, "en") == say(hint, "en")
    assert hint_of(bytes(1024)) == ""


def test_a_player_reads_that_a_match_is_over():
    for rule in section("ending", "en"):
        assert tells_the_end(pack(draw(MatchOverPage("Ana", rule, ()), "en").columns))
    assert not tells_the_end(bytes(1024))


async def test_a_player_moves_a_handheld_that_sleeps():
    player = Player(SimulatedBoard(1, asyncio.get_running_loop()), "Ana")
    playing = asyncio.ensure_future(player.play())
    await asyncio.sleep(60)
    playing.cancel()
    assert player.hand.free_us > 0
