"""From power on: strangers find each other over either medium, and one practises alone."""

import asyncio
from dataclasses import replace
from random import Random

import pytest

from firmware.device.hot_seat import HotSeat
from firmware.display.screens import MatchOverPage, Phrase
from firmware.display.text.labels import Text, game_name
from firmware.link.broker import BrokerAddress
from firmware.lobby.choices import LobbyStep
from firmware.lobby.lobby import Lobby
from firmware.settings import media_of
from firmware.table.seat.cup_custody import Position
from game import RULES
from hw_sim.air.local_broker import LocalBroker, free_port
from hw_sim.clock import run
from hw_sim.players.player import Player
from hw_sim.table import Carriage, TableSetup
from hw_sim.table.headless import meet_afar, run_with, switched_on
from tests.support.brokers import needs_mosquitto
from tests.support.nights import at_night

pytestmark = pytest.mark.whole

NEVER_S = 1e6


async def sit_down(setup, folder, *, fails=None, watchers=1):
    """Three play and one watches. Returns their handhelds when the match has begun at all."""
    names = (*setup.names, "Zoe")[: len(setup.names) + watchers]
    async with switched_on(setup, names, folder) as (made, around):
        if fails is not None:
            fails(around, len(made))
        host, *others = [guest.person for guest in made]
        devices = [guest.handheld.device for guest in made]
        if setup.link == ("mqtt",):
            await meet_afar([host, *others])
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(host.invite(setup.rules, names[: len(setup.names)], names[1]))
            for guest in others:
                tasks.create_task(guest.join(host.name, watches=guest.name == "Zoe"))
        await host.until(lambda: all(device.core.position for device in devices))
        return [(device.core, device.standing) for device in devices]


def test_who_taps_and_sees_nothing_come_of_it_taps_again(tmp_path):
    taps = []

    async def main():
        setup = TableSetup(RULES["class"], 3, seed=1)
        async with switched_on(setup, ("Ana",), tmp_path) as ((ana,), _):
            held = ana.handheld.held

            def numb(on):
                taps.append(on)
                held.touch(on and len(taps) > 2)

            ana.person._held = lambda: replace(held, touch=numb)
            await ana.person.choose(Text.OPEN_TABLE)
            return ana.handheld.device.core.step

    assert run(main()) is LobbyStep.GAME
    assert taps == [True, False] * 2


def no_bluetooth(around, count):
    for at in range(count):
        around.air.absent(at)


def no_infrared(around, count):
    for one in range(count):
        for other in range(one):
            around.infrared.block(one, other, NEVER_S)


@pytest.mark.parametrize(
    ("link", "fails"),
    [
        ("both", no_bluetooth),
        ("both", no_infrared),
        *(at_night(link, None) for link in ("ir", "both", "mqtt")),
    ],
)
def test_they_meet_over_whatever_carries(tmp_path, link, fails):
    setup = TableSetup(RULES["physicist"], players=3, seed=5, link=media_of(link))
    tables = run(sit_down(setup, tmp_path, fails=fails))
    assert len({standing.agreed.key for _, standing in tables}) == 1
    assert [standing.agreed.me for _, standing in tables] == [0, 1, 2, 3]
    positions = [core.position for core, _ in tables]
    assert positions.count(Position.MINE) == 1
    assert positions[1] is Position.MINE
    assert positions[3] is Position.WATCHING


@needs_mosquitto
def test_they_meet_in_a_room_at_a_real_broker(tmp_path):
    broker = LocalBroker(tmp_path, free_port())
    setup = TableSetup(
        RULES["physicist"],
        players=2,
        link=("mqtt",),
        carriage=Carriage(broker=BrokerAddress.of(broker.url)),
    )

    async def meet():
        await broker.start()
        try:
            return await sit_down(setup, tmp_path, watchers=0)
        finally:
            broker.kill()

    tables = run_with(setup, meet())
    assert len({standing.agreed.key for _, standing in tables}) == 1
    assert {standing.agreed.carrier for _, standing in tables} == {0}


async def practise(setup, folder):
    """Choose it in the lobby, play a match with hands, and read how it ended."""
    async with switched_on(setup, ("Ana",), folder) as ((ana,), _):
        device, person, made = ana.handheld.device, ana.person, ana.handheld
        game = Phrase(game_name(setup.rules.game))
        for choice in (Text.PRACTICE, game, Text.GO_ON, Text.ALL_HERE):
            await person.choose(choice)
        await person.choose("Ana")
        await person.until(lambda: isinstance(device.core, HotSeat))
        core = device.core.seats[0]
        watch = made.watch_dice(core)
        await Player(core, made.held, made.read_dice, Random("practice")).play()
        await person.until(lambda: isinstance(device.screen, MatchOverPage))
        match = core.match
        await person._handling().tap()
        if match.rules.game == "class":  # the coach has a word first
            await person.until(lambda: device.screen.title in (Text.IN_CHANCE, Text.IN_PENALTIES))
            await person._handling().tap()
        await person.until(lambda: isinstance(device.core, Lobby))
        return match, watch.leaks, made.board.violations


@pytest.mark.parametrize("game", [at_night("class"), "sevens"])
def test_a_match_against_the_handheld_alone(tmp_path, game):
    setup = TableSetup(RULES[game], players=3, seed=2)
    match, leaks, violations = run(practise(setup, tmp_path))
    assert match.outcome is not None
    assert match.players[0] == "Ana"
    assert leaks == []
    assert violations == []
