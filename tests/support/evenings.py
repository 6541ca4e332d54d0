"""An evening in memory and in virtual time: the tab that hosts it, and its guests' phones."""

import asyncio
import json
from base64 import b64decode
from contextlib import asynccontextmanager
from itertools import count
from random import Random
from urllib.parse import parse_qs, urlsplit

import msgspec

from firmware.link.broker.relay import Attends, Crossing, Stream, pass_on
from hw_sim.air.broker import MemoryBroker
from hw_sim.live.page.evening import open_evening
from hw_sim.live.page.own_page import OwnPage

BROKER, SITE = "wss://broker.example:8884", "https://dice.example/"
RELEASE = "a1b2c3d4e5f6"
LINK = ("room", "key", "broker")
LOOK_S, ALIVE_S = 0.25, 10.0


class _Wire(Stream):
    """The broker's end of a stream of texts, as broker.js has it."""

    def __init__(self, heard):
        self.came = asyncio.Queue()
        self._heard = heard

    def send(self, what):
        self._heard(msgspec.json.encode(what).decode())

    async def read(self):
        text = await self.came.get()
        return None if text is None else msgspec.json.decode(text, type=Crossing)

    def abort(self):
        self.came.put_nowait(None)


class Tab:
    """A page with Python in a worker: its streams to the broker. ``py``: what hears of them."""

    def __init__(self, ground):
        self.ground, self.py, self.wires, self.accounts = ground, None, {}, set()

    def dial(self, number, _address=BROKER):
        assert _address == BROKER
        py, loop = lambda: self.py, asyncio.get_running_loop()
        if not self.ground.broker.is_up:
            loop.call_soon(lambda: py().ended(number))
            return
        wire = self.wires[number] = _Wire(lambda text: py().heard(number, text))
        session = self.ground.broker.session()

        async def carry():
            first = await wire.read()
            if first is not None:
                assert isinstance(first, Attends)
                self.accounts.add((first.user, first.password))
                wire.came._queue.appendleft(msgspec.json.encode(first).decode())
                try:
                    await pass_on(wire, session)
                finally:
                    session.abandon()
            if self.wires.pop(number, None) is not None:
                py().ended(number)

        loop.call_soon(lambda: py().opened(number))
        self.ground.run(carry())

    def say(self, number, text):
        if number in self.wires:
            self.wires[number].came.put_nowait(text)

    def hang_up(self, number):
        if number in self.wires:
            self.wires[number].abort()

    def lose(self):
        """End all streams, as a broker does that ends; the tab notices."""
        for number in tuple(self.wires):
            self.hang_up(number)

    def vanish(self):
        """End all streams, as a tab does that is closed."""
        wires, self.wires = self.wires, {}
        for wire in wires.values():
            wire.abort()


class Host(Tab):
    """The tab that hosts the evening, and one page of its browser: the big screen.

    ``kept``: the files that its browser keeps, by path; a tab that is opened has no others.
    """

    def __init__(self, ground, folder):
        super().__init__(ground)
        self._top, self._opened = folder, count()
        self.screen, self.kept = [], {}

    async def open(self, link=f"broker={BROKER}"):
        self.folder = self._top / str(next(self._opened)) / "table"
        for path, data in self.kept.items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_bytes(data)
        hosted = await open_evening(
            self.folder, SITE, link, "en", self._post, self.dial, self.say, self.hang_up,
            self._keep, self.ground.chance.randbytes, RELEASE,
        )  # fmt: skip
        self.py = hosted
        hosted.open("screen")
        hosted.take("screen", hello("screen"))
        self._keeping = asyncio.ensure_future(self._keep_on())

    def close(self):
        """Close the tab: what its browser keeps stays, and it says nothing."""
        self._keeping.cancel()
        self.py.close()
        self.vanish()

    def keep_only_when_asked(self):
        """Let nothing be kept but what Python waits for."""
        self._keeping.cancel()

    async def _keep_on(self):
        while True:
            await self._keep()
            await asyncio.sleep(1)

    async def _keep(self):
        paths = [path for path in self.folder.rglob("*") if path.is_file()]
        now = {path.relative_to(self.folder): path.read_bytes() for path in paths}
        await asyncio.sleep(0.01)
        self.kept = now

    def _post(self, line, kind, what):
        if (line, kind) == ("screen", "text"):
            self.screen.append(json.loads(what))

    def say_on_screen(self, **message):
        self.py.take("screen", json.dumps(message))

    def last(self, kind):
        """The last message of a kind to the big screen; None before the first."""
        return next((each for each in reversed(self.screen) if each["is"] == kind), None)

    @property
    def table(self):
        return self.py.table

    @property
    def link(self):
        return self.table.lobby.door_link

    @property
    def world(self):
        return None if self.table.match is None else self.table.match.world


class Guest(Tab):
    """A guest's phone: what its page does, what its browser keeps, and whoever plays on it."""

    def __init__(self, ground, name, link):
        super().__init__(ground)
        self.name = name
        asked = parse_qs(urlsplit(link).fragment)
        (self.code,), (self.key,), (self.broker,) = (asked[each] for each in LINK)
        self.secret, self.stored, self.lobby = "", None, None
        self.panels, self.gathers, self.release = [], True, ""
        self.answers, self._line, self._played, self._alive_s = {}, 0, None, 0.0

    def open(self):
        self.py = OwnPage(
            self._post, self._keep, self.dial, self.say, self.hang_up, self.secret, "en",
            self.stored, self.code, self.key,
        )  # fmt: skip
        if self.secret:
            self._open_line()

    def close(self):
        """Close the page without a word."""
        self.py._own.close()
        self.py._line.close()
        self.vanish()
        self.py = None

    def ask(self, path, **body):
        """Ask the host; returns the number under which it will be answered."""
        number = len(self.answers) + 1
        self.answers[number] = None
        self.py.ask(number, path, json.dumps(body))
        return number

    async def sit(self):
        number = self.ask("/sit", invitation=self.code, name=self.name)
        await self.ground.until(lambda: self.answers[number], 30)
        status, told = self.answers[number]
        assert status == 200, told
        self.secret = json.loads(told)["secret"]
        self.py.let_in(self.secret)
        self._open_line()

    def tell(self, **message):
        """Say something to the host, as the page of this guest."""
        self.py.say_on_line(self._line, json.dumps(message))

    def _open_line(self):
        self._line += 1
        self.py.open_line(self._line)

    def _post(self, kind, what):
        told = json.loads(what) if isinstance(what, str) else what
        if kind == "answer":
            self.answers[told["number"]] = told["status"], told["body"]
            self.release = told.get("release", self.release)
        elif kind == "opened":
            self.tell(**json.loads(hello("seat", self.secret)))
        elif kind == "closed":
            self._open_line()
        elif kind == "heard":
            news = json.loads(told["text"])
            if news["is"] == "lobby":
                self.lobby = news
            elif news["is"] == "panel":
                self.panels.append(b64decode(news["bytes"]))

    async def _keep(self, data):
        await asyncio.sleep(0.01)
        self.stored = data

    @property
    def world(self):
        match = None if self.py is None else self.py._own.match
        return None if match is None else match.world

    @property
    def seat(self):
        return self.world.table.here[0]

    def follow(self):
        """Do what the page does: say that it is alive, gather, and let somebody play."""
        if self.py is None:
            return
        now_s = asyncio.get_running_loop().time()
        if now_s - self._alive_s > ALIVE_S:
            self._alive_s = now_s
            self.tell(do="alive")
        if self.gathers and self.lobby is not None and self.lobby["gathering"]:
            room = self.lobby["gathering"]
            self.py.gather(self.name, room["code"], room["host"], room["session"])
        world = self.world
        if world is not None and world is not self._played and not world.is_closed:
            self._played = world
            player = world.table.players[self.seat.seat]
            world.loop.inside(lambda: asyncio.get_running_loop().create_task(player.play()))


def hello(view, token=None):
    """The first message of a page, as JSON."""
    told = {"do": "hello", "view": view, "seat": None, "token": token, "language": "en"}
    return json.dumps(told)


class Evening:
    """A broker, a host and its guests. ``seed``: of all chance but invitations and secrets."""

    def __init__(self, folder, seed):
        self.broker = MemoryBroker(seed)
        self.said = []
        self.broker.observers.append(self.said.append)
        self.chance = Random(f"evening {seed}")
        self.host = Host(self, folder)
        self.guests = []
        self._tasks = set()

    def run(self, work):
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def guest(self, name):
        """Let a guest come by the link, and sit down."""
        guest = Guest(self, name, self.host.link)
        self.guests.append(guest)
        guest.open()
        await guest.sit()
        return guest

    def gathered(self, count):
        """Whether so many phones' handhelds are in the lobby."""
        gathering = self.host.table.lobby.gathering
        return sum(gathering.device_of(place) is not None for place in range(8)) == count

    async def until(self, is_so, seconds=600):
        """Let time pass until something is so."""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + seconds
        while not is_so():
            assert loop.time() < end_s, f"in vain for {seconds} s"
            for guest in self.guests:
                guest.follow()
            await asyncio.sleep(LOOK_S)

    @property
    def worlds(self):
        return [each.world for each in self.guests]

    @property
    def seats(self):
        return [each.seat.seat for each in self.guests]

    def check_the_end(self):
        """All logs are the same, nobody was accused, and no board was misused."""
        seats = [guest.seat for guest in self.guests]
        if self.host.world is not None:
            seats += self.host.world.table.here
        assert len({seat.log.digest for seat in seats}) == 1
        assert {seat.handheld.own_seat.trouble for seat in seats} == {None}
        assert not [line for seat in seats for line in seat.board.violations]


@asynccontextmanager
async def an_evening(folder, seed=1):
    evening = Evening(folder, seed)
    await evening.host.open()
    try:
        yield evening
    finally:
        for guest in evening.guests:
            if guest.py is not None:
                guest.close()
        evening.host.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
