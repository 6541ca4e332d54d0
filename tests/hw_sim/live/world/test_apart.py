"""One handheld of a table in a world of its own: the others are elsewhere, over a real broker."""

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


def setup_at(url, seat):
    table = TableSetup(
        RULES["physicist"],
        players=2,
        seed=2,
        link=("mqtt",),
        broker=BrokerAddress.of(url),
        here=(seat,),
        key="5a" * 32,
    )
    return WorldSetup(table, people=0, bots=("honest", "honest"))


async def play(worlds, until):
    """Let worlds go on side by side until something holds of them."""
    async with asyncio.timeout(SOON_S):
        while not until():
            for world in worlds:
                world.advance(world.now_us + STEP_US)
            await asyncio.sleep(0.002)


@needs_mosquitto
def test_two_worlds_with_a_handheld_each_play_one_match(tmp_path):
    async def main():
        async with running(tmp_path) as broker:
            worlds = []
            for seat in range(2):
                folder = tmp_path / str(seat)
                folder.mkdir()
                worlds.append(World(setup_at(broker.url, seat), folder, folder / "session"))
            one, two = (world.table.seats[seat] for seat, world in enumerate(worlds))
            await play(worlds, lambda: one.hop >= 3 and two.hop >= 3)
            assert one.log.digest == two.log.digest or abs(one.log.index - two.log.index) <= 2
            assert not one.holds_cup or not two.holds_cup
            assert {seat.hop for seat in (worlds[0].table.seats[1], worlds[1].table.seats[0])} == {
                0
            }
            for world in worlds:
                assert world.session is None, "what others do is in no session"
                world.close()
                assert world.trouble is None

    asyncio.run(main())


def test_a_table_over_a_broker_is_kept_and_set_up_again():
    setup = setup_at("mqtts://ana:hidden@broker.example", 1)
    assert WorldSetup.from_json(setup.to_json()) == setup
    assert "hidden" not in repr(setup)
    alone = replace(setup, table=replace(setup.table, broker=None, here=None, key=""))
    assert WorldSetup.from_json(alone.to_json()) == alone
