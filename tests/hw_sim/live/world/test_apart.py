"""Handhelds of one table in worlds of their own: the others are elsewhere, over a real broker."""

import asyncio
from dataclasses import replace

from firmware.link.broker.address import BrokerAddress
from game import RULES
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.table.setup import TableSetup
from tests.support.brokers import SOON_S, needs_mosquitto, running

STEP_US = 100_000
"""A world goes on by so much at a time, and then lets the network have its turn."""
LINKS = (("bluetooth", "mqtt"), ("bluetooth",), ("mqtt",))
"""Ana carries what goes between Ben, who has no network, and Cem."""


def setup_at(url, *here):
    table = TableSetup(
        RULES["physicist"],
        players=3,
        seed=2,
        link=("mqtt",),
        links=LINKS,
        carrier=0,
        broker=BrokerAddress.of(url),
        here=here,
        key="5a" * 32,
    )
    return WorldSetup(table, people=0, bots=("honest",) * 3)


async def play(worlds, until):
    """Let worlds go on side by side until something holds of them."""
    async with asyncio.timeout(SOON_S):
        while not until():
            for world in worlds:
                world.advance(world.now_us + STEP_US)
            await asyncio.sleep(0.002)


@needs_mosquitto
def test_two_by_bluetooth_and_one_elsewhere_play_one_match(tmp_path):
    async def main():
        async with running(tmp_path) as broker:
            worlds = []
            for name, here in (("near", (0, 1)), ("far", (2,))):
                folder = tmp_path / name
                folder.mkdir()
                worlds.append(World(setup_at(broker.url, *here), folder, folder / "session"))
            near, far = (world.table.seats for world in worlds)
            played = (near[0], near[1], far[2])
            await play(worlds, lambda: all(each.hop >= 3 for each in played))
            indices = [each.log.index for each in played]
            assert max(indices) - min(indices) <= 2
            assert sum(each.holds_cup for each in played) <= 1
            assert {seat.hop for seat in (near[2], far[0], far[1])} == {0}
            for world in worlds:
                assert world.session is None, "what others do is in no session"
                world.close()
                assert world.trouble is None

    asyncio.run(main())


def test_a_table_over_a_broker_is_kept_and_set_up_again():
    setup = setup_at("mqtts://ana:hidden@broker.example", 1)
    setup = replace(setup, table=replace(setup.table, links=None, carrier=None))
    assert WorldSetup.from_json(setup.to_json()) == setup
    assert "hidden" not in repr(setup)
    alone = replace(setup, table=replace(setup.table, broker=None, here=None, key=""))
    assert WorldSetup.from_json(alone.to_json()) == alone
