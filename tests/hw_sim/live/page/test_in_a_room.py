"""Handhelds of pages that meet in a room with a key, over a broker that nobody of them trusts."""

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random

import pytest

from firmware.effects.places import Room
from firmware.journal.keys import TABLE_KEY
from firmware.link.broker.relay import Attends, Stream, pass_on
from firmware.table.pairing.standing import StandingTable
from game import RULES
from hw_sim.air.broker import MemoryBroker
from hw_sim.live.page.kept_handheld import KeptHandheld
from hw_sim.live.page.own_handheld import OwnHandheld
from hw_sim.steckbrett.clock.virtual import run

SHORT = replace(RULES["sevens"], rounds=1)
KEY = bytes(range(100, 116))
ROOM = Room("4711", key=KEY)
LOOK_S = 0.25


class Half(Stream):
    """One end of a stream in memory; ``other`` is the other one."""

    def __init__(self, other=None):
        self.came = asyncio.Queue()
        self.other = other or Half(self)

    def send(self, what):
        self.other.came.put_nowait(what)

    async def read(self):
        return await self.came.get()

    def abort(self):
        for each in (self, self.other):
            each.came.put_nowait(None)


class Tab:
    """A page with a handheld, what its browser keeps, and whoever plays there."""

    def __init__(self, ground, name):
        self.ground, self.name = ground, name
        self.stored, self.handheld, self.played = None, None, None
        self.streams, self.accounts, self.told = [], set(), []

    def open(self):
        self.handheld = OwnHandheld(
            lambda *told: self.told.append(told), self._keep, self._connect, "", "en", self.stored,
            self.ground.chance.randbytes,
        )  # fmt: skip
        self.handheld.begin()

    def close(self):
        """Close the page without a word, as a reload does."""
        self.handheld.close()
        self.cut()

    def cut(self):
        for each in self.streams:
            each.abort()
        self.streams.clear()

    async def _keep(self, data):
        await asyncio.sleep(0.01)
        self.stored = data

    async def _connect(self):
        mine = Half()
        self.streams.append(mine)
        session = self.ground.broker.session()

        async def carry():
            first = await mine.other.read()
            assert isinstance(first, Attends)
            self.accounts.add((first.user, first.password))
            mine.other.came._queue.appendleft(first)
            try:
                await pass_on(mine.other, session)
            finally:
                session.abandon()
                mine.abort()

        self.ground.carrying.append(asyncio.ensure_future(carry()))
        return mine

    @property
    def room(self):
        """The state of the room, as the page was told it last."""
        return next(what for kind, what in reversed(self.told) if kind == "friends")

    def welcomes(self):
        """Return what the page was told of the matches that it shows, in turn."""
        texts = [json.loads(what) for kind, what in self.told if kind == "text"]
        return [each for each in texts if each["is"] == "welcome"]

    @property
    def world(self):
        match = self.handheld.match
        return None if match is None else match.world

    @property
    def seat(self):
        return self.world.table.here[0]

    def play(self):
        """Let somebody play once there is a match."""
        world = self.world
        if world is not None and world is not self.played and not world.is_closed:
            self.played = world
            player = world.table.players[self.seat.seat]
            world.loop.inside(lambda: asyncio.get_running_loop().create_task(player.play()))


class Ground:
    def __init__(self, seed):
        self.broker = MemoryBroker(seed)
        self.said = []
        self.broker.observers.append(self.said.append)
        self.chance = Random(f"room {seed}")
        self.carrying = []
        self.tabs = [Tab(self, name) for name in ("Annabella", "Benedikta")]

    async def until(self, is_so, seconds=1200):
        loop = asyncio.get_running_loop()
        end_s = loop.time() + seconds
        while not is_so():
            assert loop.time() < end_s, f"in vain for {seconds} s"
            for tab in self.tabs:
                tab.play()
            await asyncio.sleep(LOOK_S)

    @property
    def is_over(self):
        return all(tab.world is not None and tab.world.is_over for tab in self.tabs)


@asynccontextmanager
async def two_who_play(seed=1):
    ground = Ground(seed)
    host, guest = ground.tabs
    for tab in ground.tabs:
        tab.open()
    host.handheld.invite(host.name, ROOM, SHORT, 2)
    guest.handheld.come(guest.name, ROOM)
    await ground.until(lambda: all(tab.world is not None for tab in ground.tabs), 30)
    try:
        yield ground
    finally:
        for tab in ground.tabs:
            tab.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()


AGAIN = json.dumps({"do": "again"})
HELLO = json.dumps(
    {"do": "hello", "view": "seat", "seat": 0, "token": None, "language": "en", "sit": True}
)


def table_in(stored):
    return KeptHandheld.decode(stored).state[TABLE_KEY]


def losers_of(tab):
    return tab.seat.log.match.outcome.losers


def check_the_end(ground):
    seats = [tab.seat for tab in ground.tabs]
    assert len({seat.log.digest for seat in seats}) == 1
    assert [seat.handheld.own_seat.trouble for seat in seats] == [None, None]
    assert not [line for seat in seats for line in seat.board.violations]


def test_two_play_a_match_and_the_broker_learns_neither_names_nor_devices_nor_the_key():
    async def main():
        async with two_who_play() as ground:
            assert len({tab.handheld.numbers for tab in ground.tabs}) == 1
            await ground.until(lambda: ground.is_over)
            check_the_end(ground)
            known = [each.topic.encode() + b" " + each.payload for each in ground.said]
            secrets = [KEY, ROOM.code.encode()]
            for tab in ground.tabs:
                secrets += [tab.name.encode(), tab.handheld.device]
                assert tab.accounts == {("", "")}
            for secret in secrets:
                for shape in (secret, secret.hex().encode()):
                    assert not [each for each in known if shape in each], secret
            assert len(known) > 30

    run(main())


@pytest.mark.whole
@pytest.mark.parametrize("who", [0, 1])
def test_a_page_that_is_loaded_anew_in_a_match_keeps_its_seat_and_goes_on(who):
    async def main():
        async with two_who_play(seed=who + 2) as ground:
            tab = ground.tabs[who]
            seats = [each.seat.seat for each in ground.tabs]
            begun = len(ground.said)
            await ground.until(lambda: len(ground.said) > begun + 8)
            assert not ground.is_over
            tab.close()
            tab.open()
            if who:
                tab.handheld.come(tab.name, ROOM)
            else:
                tab.handheld.invite(tab.name, ROOM, SHORT, 2, stands=True)
            await ground.until(lambda: ground.is_over)
            assert [each.seat.seat for each in ground.tabs] == seats
            check_the_end(ground)

    run(main())


@pytest.mark.whole
def test_a_broker_that_is_lost_in_a_match_only_delays_it():
    async def main():
        async with two_who_play(seed=4) as ground:
            begun = len(ground.said)
            await ground.until(lambda: len(ground.said) > begun + 8)
            ground.broker.kill()
            await asyncio.sleep(60)
            assert not ground.is_over
            ground.broker.start()
            await ground.until(lambda: ground.is_over)
            check_the_end(ground)

    run(main())


@pytest.mark.whole
def test_both_want_another_match_and_who_lost_opens_it_also_after_the_host_came_back():
    async def main():
        async with two_who_play(seed=5) as ground:
            host, guest = ground.tabs
            await ground.until(lambda: ground.is_over)
            (loser, *_) = losers_of(host)
            first = [tab.world for tab in ground.tabs]
            guest.handheld.take(AGAIN)
            await ground.until(lambda: host.room["wants"] == (1,))
            host.close()
            host.open()
            host.handheld.invite(host.name, ROOM, SHORT, 2, stands=True)
            await ground.until(lambda: host.world is not None and host.world.is_over)
            host.handheld.take(AGAIN)
            await ground.until(lambda: guest.world is not first[1])
            await ground.until(lambda: host.world.is_over is False)
            standing = [StandingTable.decode(table_in(tab.stored)) for tab in ground.tabs]
            assert host.handheld.device == standing[0].device(0), "it is no stranger"
            assert [each.first for each in standing] == [loser, loser]
            assert standing[0].lost == tuple(int(seat == loser) for seat in range(2))
            await ground.until(lambda: ground.is_over)
            check_the_end(ground)
            assert [each["names"] for each in guest.welcomes()] == [[host.name, guest.name]] * 2

    run(main())


def test_a_name_that_is_taken_and_a_table_that_is_full_are_told_to_who_comes():
    async def main():
        ground = Ground(7)
        host, guest = ground.tabs
        other = Tab(ground, host.name)
        for tab in (host, guest, other):
            tab.open()
        try:
            host.handheld.invite(host.name, ROOM, SHORT, 2)
            other.handheld.come(host.name, ROOM)
            await ground.until(lambda: other.room["why"] == "double", 30)
            assert host.room["names"] == (host.name,)
            guest.handheld.come(guest.name, ROOM)
            await ground.until(lambda: host.room["stands"] and guest.room["stands"], 30)
            other.handheld.come("Cleo", ROOM)
            await ground.until(lambda: other.room["why"] == "full", 60)
            guest.handheld.take(HELLO)
            await ground.until(lambda: len(guest.welcomes()) == 2, 10)
            assert guest.welcomes()[1]["seat"] == 1
        finally:
            for tab in (host, guest, other):
                tab.close()
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()

    run(main())
