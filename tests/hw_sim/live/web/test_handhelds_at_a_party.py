"""A party with handhelds without a phone, over a real broker; every program is a process."""

import asyncio
import json
import re
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from aiohttp import ClientSession, WSMsgType

from firmware.journal.keys import FAIR_KEY
from firmware.link.broker.address import BrokerAddress
from firmware.link.broker.mqtt import MqttSession
from firmware.link.broker.relay import Crossing, Stream
from firmware.link.broker.session import Attendance
from firmware.table.commitment.state import CommitterState
from hw_sim.live.page.kept_handheld import KeptHandheld
from hw_sim.live.page.own_handheld import OwnHandheld
from hw_sim.live.web.match_plan import MatchPlan
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.steckbrett.clock.hurried import HurriedLoop
from tests.support.brokers import needs_mosquitto, running
from tests.support.pages import hello
from tests.support.secrets_found import found

pytestmark = pytest.mark.whole
SPEED = 8.0
PATIENCE_S = 800.0
"""Of the hurried clock: 100 seconds."""
LOOK_S = 0.25
PLAN = MatchPlan("sevens", {"rounds": 1}, ("cheeky",))


class SocketStream(Stream):
    """A stream to the relay of a party's server."""

    def __init__(self, socket):
        self._socket, self._sending = socket, set()

    def send(self, what):
        task = asyncio.ensure_future(self._socket.send_str(msgspec.json.encode(what).decode()))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def read(self):
        message = await self._socket.receive()
        is_text = message.type is WSMsgType.TEXT
        return msgspec.json.decode(message.data, type=Crossing) if is_text else None

    def abort(self):
        self._sending.add(asyncio.ensure_future(self._socket.close()))


class Phone:
    """The page of a guest, who is host, and the handheld of that phone."""

    def __init__(self, session, socket, secret):
        self._session, self._socket = session, socket
        self.lobby, self.state = None, {}
        self._played = None
        self._stored = None
        self.own = OwnHandheld(lambda *_: None, self._keep, self._connect, secret, "en")
        self.own.begin()

    async def _keep(self, data):
        self._stored = data

    async def _connect(self):
        return SocketStream(await self._session.ws_connect("/relay"))

    async def do(self, **what):
        await self._socket.send_json(what)

    async def listen(self):
        async for message in self._socket:
            told = json.loads(message.data) if message.type is WSMsgType.TEXT else {"is": ""}
            if told["is"] == "lobby":
                self.lobby = told
                me = told["places"][told["place"]]
                self.own.gather(me["name"], **told["gathering"])
            elif told["is"] == "state":
                self.state |= told
            elif told["is"] in ("welcome", "refused"):
                setattr(self, told["is"], told)

    def place(self, place):
        """What the page is told of a place."""
        return {} if self.lobby is None else self.lobby["places"][place]

    @property
    def secret(self):
        """That of its dice."""
        state = KeptHandheld.decode(self._stored).state
        return CommitterState.decode(state[FAIR_KEY]).secret

    @property
    def world(self):
        return None if self.own.match is None else self.own.match.world

    async def until(self, is_so):
        """Wait until something is so, and play meanwhile."""
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():
                world = self.world
                if world is not None and world is not self._played:
                    self._played = world
                    world.loop.inside(self._play)
                await asyncio.sleep(LOOK_S)

    def _play(self):
        player = self.world.table.players[self.world.table.here[0].seat]
        self._playing = asyncio.get_running_loop().create_task(player.play())


@asynccontextmanager
async def hosted(folder, url):
    """A party of its own process at a broker; yields its address and the code of its room."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.support.hurried", str(SPEED), "table", "--phones"),
        *("--folder", str(folder), "--host", "127.0.0.1", "--port", "0", "--no-tls"),
        *("--link", "mqtt", "--broker", url),
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[4],
    )
    try:
        told = ""
        while "big screen" not in told:
            line = await process.stdout.readline()
            assert line, told
            told += line.decode()
        yield re.search(r"http://[\d.]+:\d+/", told)[0], re.search(r"room (\d{4})", told)[1]
        process.terminate()
        await process.wait()
        assert process.returncode == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


class Handheld:
    """A handheld of its own process."""

    def __init__(self, name, url, room, folder):
        self._arguments = (name, url, room, str(folder), str(SPEED))
        self.said = []

    async def start(self):
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.support.far_handheld", *self._arguments),
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[4],
        )
        self._listening = asyncio.ensure_future(self._listen())

    async def _listen(self):
        async for line in self._process.stdout:
            self.said.append(line.decode().strip())

    async def kill(self):
        self._process.kill()
        await self._process.wait()
        await self._listening

    async def end(self):
        await self._process.wait()
        await self._listening
        return json.loads(self.said[-1])


@asynccontextmanager
async def phone_at(address, secret):
    headers = {"Origin": address.rstrip("/")}
    async with (
        ClientSession(address, headers=headers) as session,
        session.ws_connect("/socket") as socket,
    ):
        await socket.send_json(hello("seat", None, secret))
        phone = Phone(session, socket, secret)
        listening = asyncio.ensure_future(phone.listen())
        try:
            yield phone
        finally:
            listening.cancel()
            phone.own.close()


async def listening(url):
    """Listen to all that passes a broker; return what has come so far."""
    traffic = []
    session = MqttSession(BrokerAddress.of(url), print, lambda: 0.0)
    session.attend(Attendance(("maexchen/1/#",)))
    await session.start(lambda message: traffic.append(message.payload))
    return traffic


async def secret_of(address, folder, name):
    code = json.loads((folder / "evening.json").read_text())["code"]
    async with ClientSession(address) as session:
        wanted, headers = {"invitation": code, "name": name}, {"Origin": address.rstrip("/")}
        async with session.post("/sit", json=wanted, headers=headers) as answer:
            return (await answer.json())["secret"]


@needs_mosquitto
def test_a_handheld_a_phone_with_own_dice_and_a_bot_play_one_match(tmp_path):
    async def main():
        folder = tmp_path / "party"
        folder.mkdir(0o700)
        PartySeats(folder / "evening.json").choose(PLAN)
        async with running(tmp_path) as broker, hosted(folder, broker.url) as (address, room):
            traffic = await listening(broker.url)
            secret = await secret_of(address, folder, "Ada")
            dea = Handheld("Dea", broker.url, room, tmp_path)
            await dea.start()
            async with phone_at(address, secret) as ada:
                await ada.until(lambda: ada.place(0).get("own") and ada.place(1).get("own"))
                assert (ada.place(1)["name"], ada.place(1)["handheld"]) == ("Dea", True)
                assert ada.lobby["hindrance"] == ""
                await ada.do(do="begin")
                await ada.until(lambda: "plays" in dea.said and ada.world is not None)
                assert ada.welcome["names"] == ["Ada", "Dea", "Oma Blitz"]
                assert (ada.welcome["elsewhere"], ada.welcome["handhelds"]) == ([0, 1], [1])
                await ada.until(lambda: 1 in ada.state["here"])
                await dea.kill()
                await ada.until(lambda: 1 not in ada.state["here"])
                await dea.start()
                await ada.until(lambda: 1 in ada.state["here"])
                await ada.until(lambda: ada.world.is_over and ada.state["over"])
                told = await dea.end()
                assert told["digest"] == ada.world.table.here[0].log.digest.hex()
            secrets = {bytes.fromhex(told["secret"]), ada.secret}
            stored = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
            assert len(secrets) == 2
            assert found(secrets, b"\n".join((*stored, *traffic))) == set()
        evening = json.loads((folder / "evening.json").read_text())
        assert {name: each["played"] for name, each in evening["tally"].items()} == {
            "Ada": 1, "Dea": 1,
        }  # fmt: skip

    with asyncio.Runner(loop_factory=lambda: HurriedLoop(SPEED)) as runner:
        runner.run(main())
