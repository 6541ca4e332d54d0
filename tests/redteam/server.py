"""Strangers and guests in front of a served table: floods, crowds, rubbish, seats left and taken.

A real server of its own process, on this machine's loopback. Some pages play; others send as much
as they may of every kind of message, for as long as they are let. Strangers open connections
that never ask for anything, never say hello, send rubbish or posts that never end, and vanish at
any moment. At the end the seats still play, the server has not grown, has told no traceback, and
puts itself away at once.
"""

import asyncio
import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from aiohttp import ClientError, ClientSession, WSMsgType, WSServerHandshakeError

MESSAGES_PER_S = 140.0
"""Just below what a page may send for long."""
MOST_GROWTH_KB = 20 * 1024
WARM_S = 0.2
"""After this share of the time the server has loaded all that it needs."""
CROWD = 200
PUT_AWAY_S = 5.0
"""Of a processor's time: others may want it as well."""


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Attack a server for so long, with chance drawn from the seed."""
    with tempfile.TemporaryDirectory() as folder:
        served = Served(Path(folder), seed)
        try:
            figures = asyncio.run(_attack(served, seconds, Random(seed)))
        finally:
            told, took_s, status = served.stop()
    assert status == 0, f"the server ended with {status}: {told[-500:]}"
    assert took_s < PUT_AWAY_S, f"the server worked for {took_s:.1f} s to put itself away"
    assert "Traceback" not in told, told[:2000]
    assert "Error" not in told, told[:2000]
    return figures | {"s to put away": round(took_s, 2), "bytes on stderr": len(told)}


class Served:
    """A table server of its own process; seat 0 and 1 are people's, the third a bot's."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "hw_sim.cli.main", "table", "--folder", str(folder)),
                *("--port", "0", "--players", "3", "--bots", "1", "--seed", str(seed)),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
            env=os.environ | {"MAEXCHEN_TRACEBACK": "1"},
        )
        assert self._process.stdout is not None
        found = re.search(r"http://[\d.]+:(\d+)/", self._process.stdout.readline())
        assert found, "no address"
        self.address, self.port = found[0].rstrip("/"), int(found[1])

    @property
    def kilobytes(self) -> int:
        """What it has in memory."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    @property
    def files(self) -> int:
        """How many files and connections it has open."""
        return len(os.listdir(f"/proc/{self._process.pid}/fd"))

    @property
    def worked_s(self) -> float:
        """The processor's time that it has taken so far, in s."""
        found = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(found[11]) + int(found[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> tuple[str, float, int]:
        """Put it away: what it told on stderr, how long it worked for that, its exit status."""
        before_s = _of_children_s() + self.worked_s
        self._process.send_signal(signal.SIGTERM)
        try:
            _, told = self._process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            _, told = self._process.communicate()
        return told, _of_children_s() - before_s, self._process.returncode


def _of_children_s() -> float:
    """The processor's time of all processes that were started here and have ended, in s."""
    of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return of_children.ru_utime + of_children.ru_stime


class Page:
    """A page with a seat, or without one."""

    def __init__(self, served: Served, session: ClientSession) -> None:
        self._served, self._session = served, session
        self.token: str | None = None
        self.codes: Counter[str] = Counter()

    async def open(self, seat: int | None, view: str = "seat") -> object:
        """A connection that has said hello; None if there is no room."""
        headers = {"Origin": self._served.address}
        try:
            socket = await self._session.ws_connect(
                f"{self._served.address}/socket", headers=headers
            )
            hello = {"view": view, "seat": seat, "token": self.token, "language": "en"}
            await socket.send_json({"do": "hello", **hello})
            async with asyncio.timeout(20):
                async for message in socket:
                    if message.type is WSMsgType.TEXT:
                        told = json.loads(message.data)
                        if told["is"] == "welcome":
                            self.token = told["token"] or self.token
                            return socket
            self.codes[f"closed {socket.close_code}"] += 1
        except (ClientError, WSServerHandshakeError, ConnectionError, TimeoutError) as error:
            self.codes[type(error).__name__] += 1
        return None


def _flood(kind: str, turn: int, rng: Random) -> dict[str, object]:
    """A message of a kind as often as it may come."""
    t_ms = turn * 7.0
    big = [[t_ms + i * 0.1, rng.uniform(-900, 900), rng.uniform(-900, 900)] for i in range(64)]
    felt = [[t_ms + i * 0.1, *(rng.uniform(-90, 90) for _ in "xyz")] for i in range(64)]
    return {
        "drag": {"at": big},
        "felt": {"at": felt},
        "lift": {"on": turn % 2 == 0},
        "touch": {"on": turn % 2 == 0},
        "tilt": {"roll": rng.uniform(-70, 70), "pitch": rng.uniform(-60, 60)},
        "key": {"key": rng.choice(["shake", "left", "right", "tap", "hold"]), "on": turn % 2 == 0},
        "drop": {},
    }[kind]


KINDS = ("drag", "felt", "lift", "touch", "tilt", "key", "drop")
RUBBISH = (
    "{", "[]", "null", '{"do": 1}', '{"do": "hello"}', "[" * 4000, '{"do": "seek", "s": 1}',
    '{"do": "tilt", "seat": 0, "pitch": 0, "roll": 1' + "0" * 4000 + "}", "\ud7ff" * 2000,
    '{"do": "lift", "seat": 0, "on": true}', '{"do": "leave", "seat": 1}', "x" * 9000,
    '{"do": "fault", "seat": 7, "name": "link", "on": true}', '{"do": "again"}',
)  # fmt: skip
REQUESTS = (
    "GET /socket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://[::1\r\n\r\n",
    "GET /static/" + "x" * 7000 + " HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "GET /export/panel.png?seat=" + "9" * 4000 + " HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFF\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "GET / HTT",
    "GET /" + "%2e%2e/" * 300 + " HTTP/1.1\r\nHost: {host}\r\n\r\n",
)


async def _attack(served: Served, seconds: float, rng: Random) -> dict[str, int | float | str]:
    ends_s = time.monotonic() + seconds
    figures: Counter[str] = Counter()
    async with ClientSession() as session:
        player = Page(served, session)
        assert await player.open(0) is not None, "the first seat is not free"
        tasks = [
            _hold_a_seat(served, session, ends_s, seconds / 20, rng, figures),
            _crowd(served, ends_s, rng, figures),
            _vanish(served, session, ends_s, rng, figures),
            _post(served, session, ends_s, rng, figures),
        ]
        running = [asyncio.create_task(task) for task in tasks]
        await asyncio.sleep(seconds * WARM_S)
        warm_kb = served.kilobytes
        answered: list[float] = []
        while time.monotonic() < ends_s:
            began_s = time.monotonic()
            tries = 0
            while (socket := await player.open(0)) is None:  # a page tries again, too
                tries += 1
                assert tries < 4, f"who has a seat does not come in: {dict(player.codes)}"
                await asyncio.sleep(0.3)
            figures["the seat had to try again, times"] += tries
            answered.append(time.monotonic() - began_s)
            await socket.close()
            figures["files, most"] = max(figures["files, most"], served.files)
            await asyncio.sleep(1.0)
        await asyncio.gather(*running)
        grown_kb = served.kilobytes - warm_kb
        assert grown_kb < MOST_GROWTH_KB, f"the server grew by {grown_kb / 1024:.0f} MB"
        assert await player.open(0) is not None, "who has a seat does not come in at the end"
    answered.sort()
    return dict(figures) | {
        "MB when warm": round(warm_kb / 1024),
        "MB grown": round(grown_kb / 1024, 1),
        "the seat came in, times": len(answered),
        "s until then, at most": round(answered[-1], 2) if answered else 0,
    }


async def _hold_a_seat(
    served: Served,
    session: ClientSession,
    ends_s: float,
    each_s: float,
    rng: Random,
    figures: Counter[str],
) -> None:
    """Send all that a holder may, kind by kind; leave the seat and take it again in between."""
    page, turn = Page(served, session), 0
    while time.monotonic() < ends_s:
        kind = KINDS[turn % len(KINDS)]
        turn += 1
        socket = await page.open(1)
        if socket is None:
            figures["seat not given"] += 1
            page.token = None
            await asyncio.sleep(0.2)
            continue
        reading = asyncio.create_task(_read(socket))
        began_s, sent = time.monotonic(), 0
        until_s = min(ends_s, began_s + each_s)
        with contextlib.suppress(ConnectionError, ClientError):
            while (now_s := time.monotonic()) < until_s and not socket.closed:
                while sent < (now_s - began_s) * MESSAGES_PER_S:
                    message = _flood(kind, sent, rng)
                    await socket.send_json({"do": kind, "seat": 1, **message})
                    sent += 1
                await asyncio.sleep(0.02)
            if turn % 3 == 0:
                await socket.send_json({"do": "leave", "seat": 1})
                page.token = None
                figures["seats left"] += 1
        figures[f"sent {kind}"] += sent
        await socket.close()
        await reading


async def _read(socket: object) -> None:
    with contextlib.suppress(ConnectionError, ClientError):
        async for _ in socket:
            pass


async def _crowd(served: Served, ends_s: float, rng: Random, figures: Counter[str]) -> None:
    """Connections that ask for nothing, or for nonsense, and stay as long as they are let."""
    while time.monotonic() < ends_s:
        crowd = []
        for _ in range(CROWD):
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
            except OSError:
                figures["connections refused"] += 1
                continue
            crowd.append((reader, writer))
            if rng.random() < 0.5:
                request = rng.choice(REQUESTS).format(host=f"127.0.0.1:{served.port}")
                writer.write(request.encode("latin-1"))
        figures["half-open connections"] += len(crowd)
        await asyncio.sleep(2.0)
        figures["of them shown out"] += sum(reader.at_eof() for reader, _ in crowd)
        for _, writer in crowd:
            writer.transport.abort()


async def _vanish(
    served: Served, session: ClientSession, ends_s: float, rng: Random, figures: Counter[str]
) -> None:
    """Sockets that send rubbish and vanish, most of them without a goodbye."""
    headers = {"Origin": served.address}
    while time.monotonic() < ends_s:
        try:
            socket = await session.ws_connect(f"{served.address}/socket", headers=headers)
            for _ in range(rng.randrange(4)):
                await socket.send_str(rng.choice(RUBBISH))
            figures["sockets with rubbish"] += 1
            if rng.random() < 0.3:
                async with asyncio.timeout(1.0):
                    await socket.receive()
            if rng.random() < 0.7:
                socket._response.close()
            else:
                await socket.close()
        except (ClientError, ConnectionError, TimeoutError):
            figures["sockets refused"] += 1
        await asyncio.sleep(0.02)


async def _post(
    served: Served, session: ClientSession, ends_s: float, rng: Random, figures: Counter[str]
) -> None:
    """Pages without a socket: posts of every kind, posts without an end; then they are gone."""
    headers = {"Origin": served.address}
    hello = '{"do":"hello","view":"table","seat":null,"token":null,"language":"de"}'
    texts = (*RUBBISH, *6 * ['{"do":"alive"}'], "\n" * 2000, "")
    while time.monotonic() < ends_s:
        with contextlib.suppress(ClientError, ConnectionError, TimeoutError):
            async with (
                asyncio.timeout(20),
                session.get(f"{served.address}/events", headers=headers) as events,
            ):
                named = re.search(rb'"name":"([^"]+)"', await events.content.readline())
                page = f"/post?line={named[1].decode()}"
                for text in [hello, *rng.choices(texts, k=rng.randrange(8))]:
                    async with session.post(
                        f"{served.address}{page}", data=text, headers=headers
                    ) as answer:
                        figures[f"posts answered with {answer.status}"] += 1
                _, writer = await asyncio.open_connection("127.0.0.1", served.port)
                head = f"Host: 127.0.0.1:{served.port}\r\nOrigin: {served.address}\r\n"
                head += f"Content-Length: 4000\r\n\r\n{'x' * rng.randrange(99)}"
                writer.write(f"POST {page} HTTP/1.1\r\n{head}".encode())
                await asyncio.sleep(rng.random() / 10)
                writer.transport.abort()
                figures["posts without an end"] += 1
        await asyncio.sleep(0.05)
