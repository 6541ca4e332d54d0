"""Phones with handhelds of their own at a party, in memory and in virtual time."""

import asyncio
from contextlib import asynccontextmanager
from random import Random

import msgspec
from msgspec.structs import replace

from firmware.input.controls.choice import Without
from firmware.journal.sqlite import JournalError
from firmware.link.broker.relay import Attends, Crossing, Stream
from firmware.lobby.rooms import CODE_DIGITS
from hw_sim.air.broker import MemoryBroker
from hw_sim.live.page.line_connection import LineConnection
from hw_sim.live.page.own_handheld import OwnHandheld
from hw_sim.live.web.match_plan import MatchPlan
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.web.party_table import open_party
from hw_sim.live.world.setup import ANY_SEED
from hw_sim.players.player import PlayerWish
from hw_sim.table.setup import TableSetup

LOOK_S = 0.25


class MemoryStream(Stream):
    """A stream to a relay in this process. ``heard`` gets all texts, each with its direction."""

    def __init__(self, relay, heard, meddle):
        self._heard, self._meddle = heard, meddle
        self._came = asyncio.Queue()
        self._connection = LineConnection(self._take, lambda *_: self._came.put_nowait(None))
        self.carrying = asyncio.ensure_future(relay.carry(self._connection))
        self.is_deaf = self.is_mute = False

    def _take(self, text):
        if self.is_deaf:
            return
        self._heard("to phone", text)
        for each in self._meddle(text):
            self._came.put_nowait(each)

    def send(self, what):
        if self.is_mute:
            return
        text = msgspec.json.encode(what).decode()
        if not isinstance(what, Attends):  # the secret of the place is the host's own
            self._heard("to host", text)
        self._connection.take(text)

    async def read(self):
        text = await self._came.get()
        return None if text is None else msgspec.json.decode(text, type=Crossing)

    def abort(self):
        self._connection.take(None)
        self._came.put_nowait(None)


class OwnPhone:
    """A phone: its handheld, what its browser keeps, and whoever plays on it."""

    def __init__(self, party, name, place, language="en"):
        self.party, self.name, self.place, self.language = party, name, place, language
        self.secret = party.seats.sit(party.seats.stored.code, name)
        self.stored = None
        self.told = []
        self.streams = []
        self.handheld = None
        self.network = True
        self.keeps_back = lambda stream: stream
        self._played = None

    async def open(self):
        """Load the page: a new handheld, with what was kept."""
        self.handheld = OwnHandheld(
            lambda *what: self.told.append(what),
            self._keep, self._connect, self.secret, self.language, self.stored,
            self.party.chance.randbytes,
        )  # fmt: skip
        self._played = None
        self.handheld.begin()

    def close(self):
        """Close the page without a word, as a reload or a dead battery does."""
        self.handheld.close()
        self.cut()

    def lose_network(self):
        self.network = False
        self.cut()

    def lock(self):
        """The system stops the page, and after a while ends its sockets."""
        self.handheld.match.runner.paused = True
        self.lose_network()

    def freeze(self):
        """The system stops the page, and its sockets stay open."""
        self.deafen()
        for stream in self.streams:
            stream.is_mute = True

    def deafen(self):
        """Lose all that comes; what the page says still arrives."""
        self.network = False
        for stream in self.streams:
            stream.is_deaf = True

    def unlock(self):
        self.handheld.match.runner.paused = False
        self.handheld.match.wake()
        self.network = True

    def disown(self):
        """Let another tab have the store: what this one writes from now on is refused."""
        own = self.handheld

        async def refused(_data):
            raise JournalError("another tab has it")

        own.keep = refused

    def keep_for_ever(self, worlds):
        """Let the store never be done, and add each match that is set up to a list."""
        own = self.handheld
        again = own.again

        def watched():
            worlds.append(again())
            return worlds[-1]

        async def for_ever(_data):
            await asyncio.Event().wait()

        own.again, own.keep = watched, for_ever

    def cut(self):
        for stream in self.streams:
            stream.abort()
        self.streams.clear()

    async def _keep(self, data):
        await asyncio.sleep(0.01)
        self.stored = data

    async def _connect(self):
        if not self.network or self.party.relay is None:
            raise OSError("no network")
        stream = MemoryStream(self.party.relay, self.party.heard, self.party.meddle)
        self.streams.append(self.keeps_back(stream))
        return stream

    @property
    def world(self):
        match = None if self.handheld is None else self.handheld.match
        return None if match is None else match.world

    @property
    def seat(self):
        return self.world.table.here[0]

    def follow(self):
        """Do what the page does: join where the lobby says, and let somebody play."""
        if self.handheld is None:
            return
        room = self.party.table.lobby.gathering.room
        self.handheld.gather(self.name, room.code, room.host, room.session)
        world = self.world
        if world is not None and world is not self._played and not world.is_closed:
            self._played = world
            player = self.player = world.table.players[self.seat.seat]
            world.loop.inside(lambda: asyncio.get_running_loop().create_task(player.play()))


class Party:
    """A party's host, as its server has it, without its web pages. ``seed``: of all chance."""

    def __init__(self, folder, seed, broker=None):
        self.folder = folder
        self.chance = Random(f"party {seed}")
        self.digits = f"{Random(f'digits {seed}').randrange(10**CODE_DIGITS):0{CODE_DIGITS}}"
        self.broker = broker
        self.phones = []
        self.traffic = []
        self.meddle = lambda text: [text]
        self._people = set()
        self.killed = []

    def heard(self, way, text):
        self.traffic.append((way, text))

    async def open(self):
        self.store = MatchStore(self.folder, None, any_seed=True)
        self.seats = PartySeats(self.folder / "evening.json")
        self.seats.stored = replace(self.seats.stored, digits=self.digits)
        new_session = None if self.broker is None else self.broker.session
        self.table, self.relay = await open_party(
            self.store,
            self.seats,
            TableSetup(MatchPlan().rules),
            new_session=new_session,
            draw=lambda setup: setup.with_any_seed(lambda: self.chance.randrange(ANY_SEED)),
            entropy=self.chance.randbytes,
        )
        if self.table.match is not None:
            self.table.match.wake()

    def hurry(self):
        """Tell all phones of the next table before the last frames of the present one come."""
        tell = self.table.lobby.gathering._changed

        def at_once():
            tell()
            for phone in self.phones:
                phone.follow()

        self.table.lobby.gathering._changed = at_once

    async def kill(self):
        """End the host's program as kill -9 does: nothing is said, and the folder stays."""
        self.table.lobby.gathering.close()
        if self.table.match is not None:
            self.table.match.runner.close()
            self.killed.append(self.table.match.world)
            for seat in self.table.match.world.table.here:
                seat.link.abandon()
            for seat in self.table.match.world.table.seats:
                seat.journal.close()
        self.relay = None
        for phone in self.phones:
            phone.cut()
        self.store.close()
        await asyncio.sleep(1)

    def begin(self):
        """The host says that it begins."""
        self.table._begin("")

    def gathered(self, count):
        """Whether so many phones' handhelds are in the lobby."""
        gathering = self.table.lobby.gathering
        return sum(gathering.device_of(place) is not None for place in range(8)) == count

    @property
    def seats_known(self):
        """All handhelds that play or watch: those of phones, and those at the host."""
        return [
            *(each.seat for each in self.phones if each.world is not None),
            *self.world.table.here,
        ]

    @property
    def hop(self):
        return max(seat.hop for seat in self.seats_known)

    @property
    def is_over(self):
        return self.world.is_over and all(
            each.world.is_over for each in self.phones if each.world is not None
        )

    def check_the_end(self):
        """All logs are the same, nobody was accused, and no board was misused."""
        digests = {seat.log.digest for seat in self.seats_known}
        assert len(digests) == 1
        assert [seat.handheld.own_seat.trouble for seat in self.seats_known] == [None] * len(
            self.seats_known
        )
        assert not [line for seat in self.seats_known for line in seat.board.violations]

    async def wait(self, seconds):
        """Let time pass."""
        end_s = asyncio.get_running_loop().time() + seconds
        await self.until(lambda: asyncio.get_running_loop().time() >= end_s, seconds + 1)

    def agree_without(self, seat):
        """Let all players ask to go on without a seat, once it counts as gone."""
        for phone in self.phones:
            phone.player.wish = PlayerWish(0, Without(seat))

    async def phone(self, name, place):
        phone = OwnPhone(self, name, place)
        self.phones.append(phone)
        await phone.open()
        return phone

    async def until(self, is_so, seconds=600):
        """Let time pass until something is so."""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + seconds
        while not is_so():
            assert loop.time() < end_s, f"in vain for {seconds} s"
            for phone in self.phones:
                phone.follow()
            self._play_here()
            await asyncio.sleep(LOOK_S)

    def _play_here(self):
        """Play the seats of people whose cups are at the host's."""
        match = self.table.match
        if match is None or match.world in self._people:
            return
        self._people.add(match.world)
        match.wake()
        for seat in match.world.table.here:
            if seat.seat < match.world.setup.people:
                player = match.world.table.players[seat.seat]
                match.world.loop.inside(
                    lambda player=player: asyncio.get_running_loop().create_task(player.play())
                )

    @property
    def world(self):
        return None if self.table.match is None else self.table.match.world


@asynccontextmanager
async def a_party(folder, seed=1, *, afar=False):
    """A party; ``afar``: handhelds without a phone can come, over a broker."""
    party = Party(folder, seed, MemoryBroker(0) if afar else None)
    await party.open()
    try:
        yield party
    finally:
        for phone in party.phones:
            if phone.handheld is not None:
                phone.close()
        party.table.lobby.gathering.close()
        party.table.close()
        for world in party.killed:  # what was under way then is put away now
            world.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
