"""The panel is lit, right and readable again, whatever befell it; what cannot be drawn is told."""

import asyncio

import pytest

from drivers.bus import I2CBus
from drivers.panel import pack
from drivers.ssd1306 import Ssd1306
from firmware.display.oled.draw import draw
from firmware.display.screens import MatchOverPage, StandingsPage, WaitingPage
from firmware.effects import Part, Show
from firmware.runtime.panel import PanelUpdater
from firmware.runtime.runtime import keep
from firmware.runtime.sleep import Brightness
from hw_sim.board import SimulatedBoard
from hw_sim.clock import run
from tests.support.screens import rows

HEALED_S = 2.0
"""The longest time until a panel is right again …"""
WHOLE_S = 13.0
"""… and where it can be read, what a broken write left where nothing was changed."""


class Glass:
    """A panel on a board, and what keeps it in step; ``reads``: its status byte can be read."""

    def __init__(self, *, reads=True):
        self.board = SimulatedBoard("glass", asyncio.get_running_loop())
        self.told, self.reports = [], []
        bus = I2CBus(self.board.bus, self.board.bus.execute)
        self.panel = Ssd1306(bus.adapter)
        self.updater = PanelUpdater(bus, self.panel, "en", self.told.append)
        if not reads:
            self.board.display.read = lambda count, t_us: bytes(count)

    def show(self, screen):
        self.screen = screen
        self.updater.show(Show(screen, 0))

    @property
    def right(self):
        display = self.board.display
        return display.is_lit and display.memory == pack(draw(self.screen, "en").columns)

    async def serve(self):
        await keep(Part.PANEL, self.updater.serve, self.reports.append, self.told.append)


def on_glass(scenario, **how):
    async def main():
        glass = Glass(**how)
        glass.show(WaitingPage("Ana"))
        serving = asyncio.ensure_future(glass.serve())
        await asyncio.sleep(5.0)
        assert glass.right
        await scenario(glass)
        assert not serving.done()
        serving.cancel()
        return glass

    return run(main(), limit_s=600)


@pytest.mark.parametrize("reads", [True, False])
@pytest.mark.parametrize("after_s", [0.0, 0.4, 0.77, 1.1, 1.49])
def test_a_panel_without_power_for_a_moment_is_lit_again(reads, after_s):
    async def scenario(glass):
        for number in range(3):
            await asyncio.sleep(after_s)
            glass.board.display.power_up(glass.board.now_us())
            await asyncio.sleep(HEALED_S - 0.1)  # its segments need the rest
            assert glass.right, number
            assert len(glass.told) == reads * (number + 1), "told once each time, if it can be seen"
            assert len(glass.reports) == 2 * len(glass.told), "and it is well again"

    assert on_glass(scenario, reads=reads).board.violations == []


def broken_write(written, within_s, *, reads=True):
    async def scenario(glass):
        glass.show(WaitingPage("Ben"))
        await asyncio.sleep(0.1)
        before = glass.board.display.pixels()
        glass.board.display.write(bytes.fromhex(written), glass.board.now_us())
        await asyncio.sleep(within_s)
        assert glass.right
        assert glass.board.display.pixels() == before

    on_glass(scenario, reads=reads)


@pytest.mark.parametrize("written", ["00a5", "00a7", "00c0", "002000", "0026", "00a80f"])
def test_what_a_broken_command_did_is_gone_in_time(written):
    broken_write(written, HEALED_S)


@pytest.mark.parametrize("reads", [True, False])
def test_what_a_broken_write_left_anywhere_is_gone_in_time(reads):
    broken_write("40ffffff", WHOLE_S if reads else HEALED_S, reads=reads)


def test_what_was_just_drawn_is_drawn_once_more():
    async def scenario(glass):
        display = glass.board.display
        glass.show(WaitingPage("Ben"))
        await asyncio.sleep(10.7)  # between two times that it is written again
        with_ben = display.memory
        glass.show(WaitingPage("Ana"))
        await asyncio.sleep(0.1)
        for page in range(8):  # as if the writes had not come
            display.write(bytes([0x00, 0xB0 | page, 0x00, 0x10]), glass.board.now_us())
            row = with_ben[128 * page : 128 * (page + 1)]
            display.write(b"\x40" + row, glass.board.now_us())
        assert not glass.right
        await asyncio.sleep(HEALED_S)
        assert glass.right

    on_glass(scenario)


def test_a_panel_that_dozes_is_left_alone_and_right_when_it_wakes():
    async def scenario(glass):
        glass.updater.set_brightness(Brightness.OFF)
        await asyncio.sleep(1.0)
        before = glass.board.bus.transactions
        glass.board.display.power_up(glass.board.now_us())
        await asyncio.sleep(60.0)
        assert glass.board.bus.transactions == before
        assert not glass.board.display.is_on
        seen = []
        glass.board.display.on_switch.append(lambda t_us: seen.append(glass.right))
        glass.updater.set_brightness(Brightness.DIM)
        await asyncio.sleep(0.1)
        assert seen[-1:] == [True], "nothing but the picture is ever lit"
        assert glass.right

    on_glass(scenario)


def test_a_screen_that_cannot_be_drawn_is_told_once_and_ends_nothing():
    async def scenario(glass):
        for _ in range(3):
            glass.updater.show(Show(StandingsPage(rows(9) + rows(1)), 0))
            await asyncio.sleep(0.1)
            glass.updater.show(Show(MatchOverPage("Ana", "no such rule", rows(3)), 0))
            await asyncio.sleep(0.1)
        glass.show(WaitingPage("Ben"))
        await asyncio.sleep(0.1)
        assert glass.right
        assert glass.told == [
            "StandingsPage does not fit: report it",
            "MatchOverPage cannot be drawn (KeyError): report it",
        ]

    on_glass(scenario)
