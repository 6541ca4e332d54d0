"""An evening in memory and in virtual time: the tab that hosts it, and its guests' phones."""

import asyncio
import json
from contextlib import asynccontextmanager
from functools import wraps
from inspect import Parameter, Signature, signature
from itertools import count
from random import Random
from urllib.parse import parse_qs, urlencode, urlsplit

import msgspec

from firmware.input.controls import Without
from firmware.journal.sqlite import JournalError
from firmware.link.broker.relay import Attends, Crossing, Stream, pass_on
from game.options import MOST_PLAYERS
from hw_sim.air.broker import MemoryBroker
from hw_sim.live.page.evening import open_evening
from hw_sim.live.page.phone_page import PhonePage
from hw_sim.live.page.streams import Browser
from hw_sim.players.player import PlayerWish
from hw_sim.players.player_hand import BRISK
from tests.support.tab import hello

BROKER, OTHER = "wss://broker.example:8884", "wss://other.example/mqtt"
SITE = "https://dice.example/"
SHORT = {"game": "sevens", "options": {"rounds": 1}, "bots": []}
MIXED, LONG = {**SHORT, "bots": ["cheeky"]}, {"game": "class", "options": {}, "bots": []}
"""Plans of matches: short ones, without and with somebody at the host's, and a long one."""
RELEASE = "a1b2c3d4e5f6"
KEYWORD_ONLY = Parameter.KEYWORD_ONLY
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
    """A page with Python in a worker: its streams to the broker. ``py``: what hears of them.

    ``network``: whether it can open streams; ``unreached``: the brokers that it
    cannot reach. ``is_deaf``, ``is_mute``: whether all is lost that comes, or that it says.
    ``meddle``: makes the texts that come of one that was sent.
    """

    def __init__(self, ground):
        self.ground, self.py, self.wires, self.accounts = ground, None, {}, set()
        self.browser = self.new_browser()
        self.network, self.is_deaf, self.is_mute = True, False, False
        self.unreached = set()
        self.heard, self.meddle = [], lambda text: [text]

    def dial(self, number, address):
        browser, loop = self.browser, asyncio.get_running_loop()
        broker = self.ground.brokers[address]
        if not (broker.is_up and self.network and address not in self.unreached):
            loop.call_soon(browser.ended, number)
            return

        def hear(text):
            for each in () if self.is_deaf else self.meddle(text):
                self.heard.append(each)
                browser.heard(number, each)

        wire = self.wires[number] = _Wire(hear)
        session = broker.session()

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
                browser.ended(number)

        wire.address = address
        loop.call_soon(browser.opened, number)
        self.ground.run(carry())

    def new_browser(self):
        """Return what Python has of this page."""
        chance = self.ground.chance.randbytes
        return Browser(self.dial, self.say, self.hang_up, self._keep, chance)

    async def _keep(self):
        """Keep nothing: this page has no store."""

    def say(self, number, text):
        if number in self.wires and not self.is_mute:
            self.wires[number].came.put_nowait(text)

    def hang_up(self, number):
        if number in self.wires:
            self.wires[number].abort()

    def lose(self, address=None):
        """End all streams, or those to one broker, as one does that ends; the tab notices."""
        for number, wire in tuple(self.wires.items()):
            if address in (None, wire.address):
                self.hang_up(number)

    def lose_network(self):
        self.network = False
        self.lose()

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

    async def open(self, link=None):
        if link is None:
            link = urlencode([("broker", each) for each in self.ground.brokers])
        self.folder = self._top / str(next(self._opened)) / "table"
        for path, data in self.kept.items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_bytes(data)
        self.browser = self.new_browser()
        hosted = await open_evening(
            self.folder, SITE, link, "en", self._post, self.browser, RELEASE
        )
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

    async def again(self):
        """Close the tab, and open it anew."""
        self.close()
        await self.open(link="")

    @property
    def gathering(self):
        return self.table.lobby.gathering

    @property
    def watcher(self):
        return self.world.table.seats[-1]

    def say_on_screen(self, **message):
        self.py.take("screen", json.dumps(message))

    def last(self, kind):
        """The last message of a kind to the big screen; None before the first."""
        return next((each for each in reversed(self.screen) if each["is"] == kind), None)

    @property
    def table(self):
        return self.py

    @property
    def link(self):
        return self.table.lobby.guests_link

    @property
    def world(self):
        return None if self.table.match is None else self.table.match.world


class Guest(Tab):
    """A guest's phone: what its page does, what its browser keeps, and whoever plays on it.

    ``link``: into an evening; empty for somebody who only meets friends in a room. ``told``: all
    that the page was told, with the kind of each; ``lines``: how often its line was opened.
    """

    def __init__(self, ground, name, link=""):
        super().__init__(ground)
        self.name = name
        asked = parse_qs(urlsplit(link).fragment)
        self.code, self.key = (asked.get(each, [""])[0] for each in ("room", "key"))
        self.brokers = asked.get("broker", [*ground.brokers])
        self.secret, self.stored, self.lobby = "", None, None
        self.told, self.refused, self.gathers, self.release = [], [], True, ""
        self.answers, self.lines, self._played, self._alive_s = {}, 0, None, 0.0

    def open(self):
        self.browser, brokers = self.new_browser(), " ".join(self.brokers)
        self.py = PhonePage(
            *(self._post, self.browser, brokers, self.secret, "en", self.stored),
            *(self.code, self.key),
        )
        if self.secret:
            self._open_line()

    def close(self):
        """Close the page without a word."""
        self.own.close()
        if self.py._line is not None:
            self.py._line.close()
        self.vanish()
        self.py = None

    def again(self):
        """Load the page anew."""
        self.close()
        self.open()

    def lock(self):
        """The system stops the page, and after a while ends its sockets."""
        self.own.match.runner.paused = True
        self.lose_network()

    def unlock(self):
        self.network = True
        self.own.match.runner.paused = False
        self.own.match.wake()

    def freeze(self):
        """The system stops the page, and its sockets stay open."""
        self.network, self.is_deaf, self.is_mute = False, True, True

    def disown(self):
        """Let another tab have the store: what this one writes from now on is refused."""

        async def refused(_data):
            raise JournalError("another tab has it")

        self.browser.store = refused

    def ask(self, path, **body):
        """Ask the host; returns the number under which it will be answered."""
        number = len(self.answers) + 1
        self.answers[number] = None
        self.py.ask(number, path, json.dumps(body))
        return number

    async def sit(self):
        number = self.ask("/sit", name=self.name)
        await self.ground.until(lambda: self.answers[number], 30)
        status, told = self.answers[number]
        assert status == 200, told
        self.secret = json.loads(told)["secret"]
        self.py.let_in(self.secret)
        self._open_line()

    def tell(self, **message):
        """Say something to the host, as the page of this guest."""
        self.py.say_on_line(self.lines, json.dumps(message))

    def _open_line(self):
        self.lines += 1
        self.py.open_line(self.lines)

    def _post(self, kind, what):
        told = json.loads(what) if isinstance(what, str) else what
        self.told.append((kind, told))
        if kind == "answer":
            self.answers[told["number"]] = told["status"], told["body"]
            self.release = told.get("release", self.release)
        elif kind == "opened":
            self.tell(**json.loads(hello("seat", token=self.secret)))
        elif kind == "closed":
            self._open_line()
        elif kind == "heard":
            news = json.loads(told["text"])
            if news["is"] == "lobby":
                self.lobby = news
            elif news["is"] == "refused":
                self.refused.append(news["why"])

    async def _keep(self, data):
        await asyncio.sleep(0.01)
        self.stored = data

    def told_of(self, kind):
        """Return what the page was told of a kind, in turn."""
        return [what for each, what in self.told if each == kind]

    @property
    def own(self):
        return self.py

    @property
    def world(self):
        match = None if self.py is None else self.own.match
        return None if match is None else match.world

    @property
    def seat(self):
        return self.world.table.seats[0]

    def follow(self):
        """Do what the page does: say that it is alive, gather, and let somebody play."""
        if self.py is None or self.is_mute or not self.network:
            return
        now_s = asyncio.get_running_loop().time()
        if self.code and now_s - self._alive_s > ALIVE_S:
            self._alive_s = now_s
            self.tell(do="alive")
        if self.gathers and self.lobby is not None and self.lobby["gathering"]:
            room = self.lobby["gathering"]
            self.py.gather(self.name, room["host"], room["session"])
        world = self.world
        if world is not None and world is not self._played and not world.is_closed:
            self._played = world
            player = self.player = world.table.player_at(self.seat.seat)
            player.tempo = BRISK
            world.loop.inside(lambda: asyncio.get_running_loop().create_task(player.play()))


class Ground:
    """Brokers by address, and the phones at them. ``seed``: of all chance but secrets."""

    def __init__(self, seed, more=()):
        self.broker = MemoryBroker(seed)
        self.brokers = {BROKER: self.broker} | {each: MemoryBroker(seed + 1) for each in more}
        self.said, self.said_elsewhere = [], []
        for each in self.brokers.values():
            said = self.said if each is self.broker else self.said_elsewhere
            each.observers.append(said.append)
        self.chance = Random(f"evening {seed}")
        self.guests = []
        self._tasks = set()

    def run(self, work):
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def end(self, address):
        """End a broker; all notice."""
        self.brokers[address].kill()
        for tab in self.tabs:
            tab.lose(address)

    @property
    def tabs(self):
        return self.guests

    async def until(self, is_so, seconds=600):
        """Let time pass until something is so."""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + seconds
        while not is_so():
            assert loop.time() < end_s, f"in vain for {seconds} s"
            for guest in self.guests:
                guest.follow()
            await asyncio.sleep(LOOK_S)

    async def wait(self, seconds):
        """Let time pass."""
        end_s = asyncio.get_running_loop().time() + seconds
        await self.until(lambda: asyncio.get_running_loop().time() >= end_s, seconds + 1)

    @property
    def worlds(self):
        return [each.world for each in self.guests]

    @property
    def places(self):
        """The handhelds that play or watch, of phones and at the host's."""
        return [each.seat for each in self.guests if each.world is not None]

    @property
    def seats(self):
        return [each.seat.seat for each in self.guests]

    @property
    def is_over(self):
        return all(each is not None and each.is_over for each in self.worlds)

    @property
    def hop(self):
        return max(seat.hop for seat in self.places)

    @property
    def logs(self):
        """The different logs of a match."""
        return {seat.log.digest for seat in self.places}

    async def agree(self):
        """Let all come to the same log, in the middle of a match."""
        await self.until(lambda: len(self.logs) == 1, 60)
        self.check_the_end()

    def check_the_end(self):
        """All logs are the same, nobody was accused, and no board was misused."""
        assert len(self.logs) == 1
        assert {seat.handheld.own_seat.trouble for seat in self.places} == {None}
        assert not [line for seat in self.places for line in seat.board.violations]

    def close(self):
        for guest in self.guests:
            if guest.py is not None:
                guest.close()


class Evening(Ground):
    """A broker, a host and its guests."""

    def __init__(self, folder, seed, more=()):
        super().__init__(seed, more)
        self.host = Host(self, folder)

    @property
    def tabs(self):
        return [self.host, *self.guests]

    async def guest(self, name):
        """Let a guest come by the link, and sit down."""
        guest = Guest(self, name, self.host.link)
        self.guests.append(guest)
        guest.open()
        await guest.sit()
        return guest

    def gathered(self, count):
        """Whether so many handhelds are in the lobby."""
        gathering = self.host.gathering
        return sum(gathering.device_of(place) is not None for place in range(MOST_PLAYERS)) == count

    async def gather(self, *names):
        """Let guests come whose handhelds are then in the lobby."""
        for name in names:
            await self.guest(name)
        await self.until(lambda: self.gathered(len(self.guests)), 60)

    def ask_to_begin(self, plan=None):
        if plan is not None:
            self.host.say_on_screen(do="choose", plan=plan)
        self.host.say_on_screen(do="begin")

    async def begin(self, plan=None, seconds=60):
        """Begin a match by the big screen, and wait until host and all guests play it."""
        before = [self.host.world, *self.worlds]
        self.ask_to_begin(plan)

        def all_play():
            now = [self.host.world, *self.worlds]
            return not [each for each, was in zip(now, before) if each is None or each is was]

        await self.until(all_play, seconds)

    async def plays_on(self, hops=2):
        """Let the cup go on so many times, or the match be over."""
        reached = self.hop + hops
        await self.until(lambda: self.is_over or self.hop >= reached)

    def lose(self, guest):
        """Let a phone be gone for good, and all others ask to go on without its seat."""
        seat = guest.seat.seat
        self.guests.remove(guest)
        guest.close()
        for each in self.guests:
            each.player.wish = PlayerWish(0, Without(seat))

    @property
    def places(self):
        return super().places + ([] if self.host.world is None else self.host.world.table.seats)

    @property
    def is_over(self):
        return super().is_over and self.host.world is not None and self.host.world.is_over

    def close(self):
        super().close()
        self.host.close()


def overhear(gathering, tell):
    """Let somebody hear, too, each frame that the lobby takes for its sender's."""
    receive = gathering._receive
    gathering._receive = gathering.phones.receive = lambda frame: (tell(frame), receive(frame))


@asynccontextmanager
async def on(ground):
    """Close all that goes on there at the end."""
    try:
        yield ground
    finally:
        ground.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()


def at(place, *given, **more):
    """Let a test run somewhere; it gets what is there.

    ``place`` is an async context manager. It gets the test's folder, what is given here, and those
    of the test's parameters that it has, too. Those are keywords; the others are what it yields.
    """

    def decorate(test):
        asked = [each for each in signature(test).parameters.values() if each.kind is KEYWORD_ONLY]
        known = signature(place).parameters

        @wraps(test)
        async def there(tmp_path, **values):
            also = {name: value for name, value in values.items() if name in known}
            async with place(tmp_path, *given, **more, **also) as found:
                await test(*(found if isinstance(found, tuple) else (found,)), **values)

        there.__signature__ = Signature([Parameter("tmp_path", KEYWORD_ONLY), *asked])
        return there

    return decorate


@asynccontextmanager
async def an_evening(folder, seed=1, more=()):
    """Hold an evening at `BROKER`; its list has ``more`` addresses."""
    evening = Evening(folder, seed, more)
    await evening.host.open()
    async with on(evening):
        yield evening
