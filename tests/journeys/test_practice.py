"""One person with one handheld, from power on: practice against it, on the simulated board."""

from random import Random

import pytest

from firmware.device.hot_seat import HotSeat
from firmware.display.screens import MatchOverPage
from firmware.display.text.games import GAME_NAMES
from firmware.display.text.labels import Text
from firmware.lobby.lobby import Lobby
from game import OPTIONS, RULES
from hw_sim.clock.virtual import run
from hw_sim.players.player import Player
from hw_sim.table.setup import TableSetup
from tests.journeys.test_meeting import guests


async def practise(setup, folder):
    """Choose it in the lobby, play a match with hands, and read how it ended."""
    game = setup.rules.game
    async with guests(setup, ("Ana",), folder) as ((ana,), _):
        await ana.choose(Text.PRACTICE)
        await ana.choose(GAME_NAMES[game])
        if OPTIONS[game]:
            await ana.choose(Text.GO_ON)
        await ana.choose(Text.ALL_HERE)
        await ana.choose("Ana")
        await ana.until(lambda: isinstance(ana.device.core, HotSeat))
        core = ana.device.core.seats[0]
        ana._watch = watch = ana._watching(core)
        player = Player(core, ana.read_dice, ana._touch, ana.hand, Random("practice"), watch)
        await player.play()
        await ana.until(lambda: isinstance(ana.device.screen, MatchOverPage))
        match = core.match
        await ana._handling().tap()
        await ana.until(lambda: isinstance(ana.device.core, Lobby))
        return match, watch.leaks, ana.board.violations


@pytest.mark.parametrize("game", ["class", "sevens"])
def test_a_match_against_the_handheld_alone(tmp_path, game):
    setup = TableSetup(RULES[game], players=3, seed=2, link="bluetooth")
    match, leaks, violations = run(practise(setup, tmp_path))
    assert match.outcome is not None
    assert match.players[0] == "Ana"
    assert leaks == []
    assert violations == []
