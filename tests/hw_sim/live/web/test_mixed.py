"""A browser, a bot and two handhelds by Bluetooth at one table, over a real broker."""

import asyncio
import threading
from contextlib import asynccontextmanager, contextmanager

import pytest

from firmware.link.broker.address import BrokerAddress
from firmware.link.broker.mqtt import MqttSession
from firmware.link.broker.session import Attendance
from game import rule_set
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.table.setup import NAMES, TableSetup
from tests.hw_sim.live.web.conftest import served
from tests.hw_sim.live.web.test_browser import SEVENS, Keys, play_sevens, until
from tests.support.brokers import Heard, needs_mosquitto, running

LINKS = (("bluetooth", "mqtt"), ("bluetooth",), ("mqtt",), ("mqtt",))
"""Ana carries what goes between Ben, who has no network, and the others."""
KEY = "5a" * 32
SPEED = 4
STEP_S = 0.05


def seats(url, *here):
    """Handhelds of bots, in a world of their own."""
    table = TableSetup(
        rule_set("sevens", {"rounds": 1}),
        players=4,
        seed=9,
        link=("mqtt",),
        links=LINKS,
        carrier=0,
        broker=BrokerAddress.of(url),
        here=here,
        key=KEY,
    )
    return WorldSetup(table, people=0, bots=("honest",) * 4)


async def go_on(worlds, ended):
    """Let worlds go on, faster than life, until all of them and the browser are over."""
    while not (ended.is_set() and all(world.is_over for world in worlds)):
        for world in worlds:
            world.advance(world.now_us + int(STEP_S * SPEED * 1e6))
        await asyncio.sleep(STEP_S)


@asynccontextmanager
async def overheard(url):
    """All that anybody says at the broker."""
    heard = Heard()
    session = MqttSession(BrokerAddress.of(url), print, lambda: 0.0)
    session.attend(Attendance((), ("maexchen/#",)))
    await session.start(heard)
    yield heard
    await session.stop()


@contextmanager
def elsewhere(folder):
    """A broker, and there Ana and Ben, by Bluetooth, and Dea, a bot, each with their own time.

    Yields what holds the broker's URL, and in the end the logs of these and what was overheard.
    """
    there, begun, ended = {}, threading.Event(), threading.Event()

    async def be_there():
        async with running(folder) as broker, overheard(broker.url) as heard:
            worlds = []
            for name, here in (("near", (0, 1)), ("far", (3,))):
                (folder / name).mkdir()
                worlds.append(World(seats(broker.url, *here), folder / name))
            there["url"] = broker.url
            begun.set()
            await go_on(worlds, ended)
            there["heard"] = heard.all
            there["digests"] = [
                world.table.seats[seat].log.digest
                for world, here in zip(worlds, ((0, 1), (3,)))
                for seat in here
            ]
            for world in worlds:
                world.close()
                assert world.trouble is None

    thread = threading.Thread(target=asyncio.run, args=(be_there(),), daemon=True)
    thread.start()
    assert begun.wait(60)
    try:
        yield there
    finally:
        ended.set()
        thread.join(120)


@needs_mosquitto
@pytest.mark.soak
def test_two_by_bluetooth_one_in_a_browser_and_a_bot_play_one_match(opened, tmp_path):
    with elsewhere(tmp_path) as there:
        own = ("--link", "mqtt", "--broker", there["url"], "--seat", "2", "--key", KEY)
        arguments = (*SEVENS, "--players", "4", *own)
        with served(tmp_path / "browser", *arguments) as table:
            page = opened(f"{table.address}seat/2")
            until(page, lambda text: "wait" in text or "throw" in text)
            done = play_sevens(page, Keys(page))
            over = until(page, lambda text: "thank you for playing" in text)
    assert "shake" in done
    assert all(name in over for name in NAMES[:4])
    assert len(set(there["digests"])) == 1
    topics = {message.topic.split("/", 3)[3] for message in there["heard"]}
    assert {"to/0", "to/1", "to/2", "to/3", "here/0", "here/2", "here/3"} <= topics
    assert "here/1" not in topics, "Ben has no network"
