"""The watcher at a panel sees what must not be there: it is shown just that, in running matches."""

import asyncio
from dataclasses import replace
from typing import get_args

import pytest

from drivers.bus import Priority
from drivers.light_sensor import LightKind
from drivers.panel import pack
from drivers.veml7700 import HIDDEN_AFTER_US
from firmware.display.oled.draw import draw
from firmware.display.screens import DieState, LookPage, ThrowOpenPage
from firmware.table.log.entries import decode_entries
from game import RULES, Phase, covers_next
from game.actions import Roll
from game.bluff.rules import value_of
from hw_sim.panel import read_dice
from hw_sim.players.player_hand import PlayerPersonality
from hw_sim.table import TableSetup
from hw_sim.table.headless import play_match
from tests.labs import digests
from tests.support.matches import playing
from tests.support.nights import at_night, lengthy, nightly, whole

HIDING = ("class", "physicist", "holy-family")
LIMIT_S = 1200.0
STEP_S = 0.05
SHY = PlayerPersonality(trust=0.5, daring=0.0, lazy=0.0, physical=1.0, nosy=0.0)
"""Rolls again rather than lie."""


def at_table(game, folder, players=3):
    """A match of simulated players, all of them shy."""

    def calm(table):
        for player in table.players:
            player.personality = SHY

    return playing(TableSetup(RULES[game], players=players, seed=1), folder, calm)


async def until(found):
    async with asyncio.timeout(LIMIT_S):
        while not (what := found()):
            await asyncio.sleep(STEP_S)
    return what


async def put_on(seat, screen):
    """Write a picture into the display's memory, as a firmware gone wrong would."""
    panel, bus = seat.runtime.board.panel, seat.runtime.board.bus
    for window in panel.changes(pack(draw(screen, "en").columns)):
        await bus.run(lambda window=window: panel.write(window), Priority.BLANK)


def whose(table, test):
    return next((seat for seat in table.seats if test(seat.handheld)), None)


def look_at(dice):
    return LookPage(dice, value_of(dice))


@pytest.mark.whole
async def test_b_7_dice_on_a_panel_elsewhere_are_a_leak(tmp_path):
    async with at_table("class", tmp_path) as table:
        holder = await until(lambda: whose(table, lambda hand: hand.own_seat.dice is not None))
        other = table.seats[(holder.seat + 1) % 3]
        assert other.watch.leaks == []
        await put_on(other, look_at(holder.handheld.own_seat.dice))
        assert "dice on the panel of a player who may not see any" in other.watch.leaks[0]


@pytest.mark.whole
@pytest.mark.parametrize("game", lengthy(("class", "physicist"), "class"))
async def test_r_class_4_r_phys_1_a_second_roll_stays_blind(tmp_path, game):
    async with at_table(game, tmp_path) as table:

        def rolled_twice(hand):
            return hand.own_seat.holding and hand.match.rolls == 2

        seat = await until(lambda: whose(table, rolled_twice))
        await asyncio.sleep(2 * HIDDEN_AFTER_US / 1e6)
        assert seat.watch.leaks == []
        await put_on(seat, look_at(seat.handheld.own_seat.dice))
        assert "dice on the panel of a player who may not see any" in seat.watch.leaks[0]


@pytest.mark.whole
async def test_r_hf_1_the_second_roll_may_be_looked_at_but_only_under_an_open_cup(tmp_path):
    async with at_table("holy-family", tmp_path) as table:

        def looked(hand):
            match = hand.match
            return hand.own_seat.holding and match.rolls == 2 and match.seen

        seat = await until(lambda: whose(table, looked))
        await until(lambda: seat.watch._dark_us is not None and seat.watch._pad_us is not None)
        await asyncio.sleep(2 * HIDDEN_AFTER_US / 1e6)
        assert seat.watch.leaks == []
        await put_on(seat, look_at(seat.handheld.own_seat.dice))
        assert "dice on the panel while the cup is covered" in seat.watch.leaks[0]


@pytest.mark.whole
async def test_t_5_nobody_sees_a_covered_third_throw_its_thrower_included(tmp_path):
    async with at_table("maxen", tmp_path, players=2) as table:

        def covered(hand):
            match, entries = hand.match, decode_entries(b"".join(hand.own_seat.log.since(0)))
            return (
                entries
                and isinstance(entries[-1], Roll)
                and match.round > 0
                and match.phase in (Phase.TO_THROW, Phase.TO_LIFT)
                and any(one and one.covered and one.dice for one in match.hands)
            )

        seat = await until(lambda: whose(table, covered))
        await asyncio.sleep(2 * HIDDEN_AFTER_US / 1e6)
        hand = next(one for one in seat.handheld.match.hands if one and one.covered and one.dice)
        assert seat.watch.leaks == []
        states = (DieState.IN_PLAY,) * len(hand.dice)
        await put_on(seat, ThrowOpenPage("maxen", None, hand.dice, hand.aside, states, 3, 3))
        assert f"dice {(*hand.aside, *hand.dice)} on the panel" in seat.watch.leaks[-1]


@pytest.mark.whole
async def test_an_open_throw_is_no_leak_but_another_one_in_its_place_is(tmp_path):
    async with at_table("sevens", tmp_path) as table:
        seat = await until(lambda: whose(table, lambda hand: hand.view().lifted))
        seen = await until(seat.read_dice)
        assert seat.watch.leaks == []
        assert not covers_next(seat.handheld.match)
        others = tuple(die % 6 + 1 for die in seen)
        await put_on(seat, ThrowOpenPage("sevens", None, others, (), (DieState.IN_PLAY,) * 6, 1, 3))
        assert read_dice(seat.board.display.memory) == others
        assert f"dice {others} on the panel, ({seen},) lie open" in seat.watch.leaks[-1]


MATCHES = [("class", 3), *((game, seed) for seed in range(11, 18) for game in HIDING)][:20]
"""Games and seeds."""
LONG = 2
"""The long run plays so many of them with the sensor that no other match has, the night all."""


@pytest.mark.parametrize("light", nightly(get_args(LightKind), "bh1750"))
@pytest.mark.parametrize(
    ("game", "seed"),
    [whole(*each) for each in MATCHES[:LONG]] + [at_night(*each) for each in MATCHES[LONG:]],
)
def test_a_match_of_handhelds_with_any_light_sensor_has_no_leak(tmp_path, light, game, seed):
    setup = digests.setup_of(game, "bluetooth", seed)
    setup = replace(setup, conditions=replace(setup.conditions, light=light))
    seats = []
    outcome = play_match(setup, tmp_path, lambda table: seats.extend(table.seats))
    assert {seat.board.parts["light"].name for seat in seats} == {light.upper()}
    assert (outcome.leaks, outcome.violations) == ([], [])
    hidden_after_us = {seat.runtime.board.light.hidden_after_us for seat in seats}
    assert 0 < max(outcome.hide_latency_us) <= min(hidden_after_us)
