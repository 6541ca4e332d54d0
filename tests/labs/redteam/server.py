"""Strangers in front of a party: crowds at its door, and floods of its broker.

A real party of its own process, on this machine's loopback. A phone plays, and strangers come from
addresses of their own. They open connections that ask for nothing. They send the broker all that is
no MQTT, more than a handheld sends, pings and pongs without end. All the time the phone is heard,
its code leads in, and the server does not grow.
"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, TCPConnector, WSMsgType

from tests.support.brokers import packet

Figures = Counter[str]
SITE = {"index.html": 200, "join.html": 200, "handheld.glb": 4 << 20}
"""The bytes of a small site, by the name of the file."""
CROWD = 200
TOPIC = "maexchen/1/ab/to/0"
CODE = "HKUR"
MOST_GROWTH_KB, MOST_BROKER_KB = 20 * 1024, 100 * 1024
"""The server may grow so much once it is warm; the broker has a bound of its own, 64 MB."""
WARM_S = 60.0
"""After so long, or a fifth of the time, the server has loaded all that it needs."""
CALM_TIMES = 9
PATIENCE_S = 60.0
GONE = (ClientError, ConnectionError)
HELLO = packet(0x10, b"\x00\x04MQTT\x04\x02\x00\x3c\x00\x00")
"""Begins a clean session, and asks for a name of the broker's choice (MQTT 3.1.1)."""


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Attack a party for so long, with chance drawn from the seed."""
    figures: Figures = Counter()
    with tempfile.TemporaryDirectory() as folder, _party(Path(folder)) as party:
        found = asyncio.run(_attack(party, seconds, Random(seed), figures))
    return {**figures, **found}


class Party(NamedTuple):
    """The address of a party, and the processes of its server and its broker."""

    address: str
    server: int
    broker: int


@contextmanager
def _party(folder: Path) -> Iterator[Party]:
    """A party with a small site, that tells of nothing until it is ended."""
    for name, size in SITE.items():
        (folder / name).write_bytes(size * b"x")
    (folder / "_headers").write_text("/*\n  X-Content-Type-Options: nosniff\n")
    command = (sys.executable, "-m", "hw_sim.cli.main", "party", "--site", str(folder), "--no-tls")
    with subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3],
        env=os.environ | {"MAEXCHEN_TRACEBACK": "1"},
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            lines = iter(process.stdout.readline, "")
            said = "".join(takewhile("The party is ready\n".__ne__, lines))
            address = re.findall(r"http://[\d.]+:\d+(?=/)", said)[0]
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
            yield Party(address, process.pid, int(children))
            process.terminate()
            _, told = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
    assert process.returncode == 0, f"the server ended with {process.returncode}: {told[-500:]}"
    assert not re.search("Traceback|Error", told), told[:2000]


def _kilobytes(process: int) -> int:
    (found,) = re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return int(found)


class Phone:
    """A guest's connection to the broker (MQTT 3.1.1), over a WebSocket of the site."""

    def __init__(self, socket: ClientWebSocketResponse, topic: str) -> None:
        self.socket, self._topic, self._count = socket, topic, 0

    @classmethod
    async def come(cls, session: ClientSession, address: str, topic: str) -> "Phone":
        """Connect, and ask for a topic."""
        headers = {"Origin": address}
        socket = await session.ws_connect(f"{address}/mqtt", protocols=("mqtt",), headers=headers)
        phone = cls(socket, topic)
        await socket.send_bytes(HELLO)
        await phone._heard(b"\x20\x02\x00\x00")
        await socket.send_bytes(packet(0x82, b"\x00\x01" + _counted(topic) + b"\x00"))
        await phone._heard(b"\x90\x03\x00\x01\x00")
        return phone

    async def echo_s(self) -> float:
        """Publish something; return how long it takes to come back, in s."""
        began_s, self._count = time.monotonic(), self._count + 1
        told = f"echo {self._count:08}".encode()
        async with asyncio.timeout(PATIENCE_S):
            await self.socket.send_bytes(packet(0x30, _counted(self._topic) + told))
            await self._heard(told)
        return time.monotonic() - began_s

    async def _heard(self, wanted: bytes) -> None:
        heard = b""
        while wanted not in heard:
            message = await self.socket.receive()
            assert message.type is WSMsgType.BINARY, f"who plays was shown out: {message}"
            heard += message.data


def _counted(text: str) -> bytes:
    return len(text).to_bytes(2) + text.encode()


async def _attack(
    party: Party, seconds: float, rng: Random, figures: Figures
) -> dict[str, int | float | str]:
    ends_s, own = time.monotonic() + seconds, {"Origin": party.address}
    async with ClientSession(party.address) as session:
        link = f"{party.address}/join.html#room={CODE}&key=k&broker=ws://x/mqtt"
        async with session.post("/door", json={"code": CODE, "link": link}, headers=own) as answer:
            assert answer.status == 204, "the host opens the door"
        phone = await Phone.come(session, party.address, TOPIC)
        calm_s = median([await phone.echo_s() for _ in range(CALM_TIMES)])
        attacks = (_crowd, _flood)
        running = [
            asyncio.create_task(_until(ends_s, each(party, f"127.0.0.{66 + at}", rng, figures)))
            for at, each in enumerate(attacks)
        ]
        plays = asyncio.create_task(_play(phone, ends_s))
        await asyncio.sleep(min(WARM_S, seconds / 5))
        warm_kb, broker_kb = _kilobytes(party.server), 0
        while time.monotonic() < ends_s:
            async with session.get(f"/{CODE.lower()}", allow_redirects=False) as answer:
                assert answer.status == 302, f"who has the code does not come in: {answer.status}"
            figures["came in by the code, times"] += 1
            broker_kb = max(broker_kb, _kilobytes(party.broker))
            await asyncio.sleep(1.0)
        beset_s = await plays
        await asyncio.gather(*running)
        grown_kb = _kilobytes(party.server) - warm_kb
        await Phone.come(session, party.address, "maexchen/1/ab/to/1")
    assert grown_kb < MOST_GROWTH_KB, f"the server grew by {grown_kb / 1024:.0f} MB"
    assert broker_kb < MOST_BROKER_KB, f"the broker grew to {broker_kb / 1024:.0f} MB"
    seen = f"{calm_s:.2f} in calm, {median(beset_s):.2f} beset, {max(beset_s):.2f} at most"
    grown = {"MB grown": grown_kb / 1024, "MB of the broker, most": broker_kb / 1024}
    return {"s until seen": seen} | {name: round(mb, 1) for name, mb in grown.items()}


async def _play(phone: Phone, ends_s: float) -> list[float]:
    """Echo until a monotonic time, once at least; return how long each took, in s."""
    found = list[float]()
    while not found or time.monotonic() < ends_s:
        found.append(await phone.echo_s())
        await asyncio.sleep(0.5)
    return found


async def _until(ends_s: float, attack: Coroutine[None, None, None]) -> None:
    """Attack until a monotonic time, whatever it waits for then."""
    with suppress(TimeoutError):
        async with asyncio.timeout(ends_s - time.monotonic()):
            await attack


def _come_from(address: str, base: str | None = None) -> ClientSession:
    """Return a session whose connections come from an address of this machine."""
    connector = TCPConnector(local_addr=(address, 0), limit=0, force_close=True)
    return ClientSession(base, connector=connector)


async def _crowd(party: Party, address: str, rng: Random, figures: Figures) -> None:
    """Connections that ask for nothing, or for half a request, and stay as long as they are let."""
    port = int(party.address.rpartition(":")[2])
    while True:
        crowd = []
        for _ in range(CROWD):
            try:
                there = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
            except OSError:
                figures["connections refused"] += 1
                continue
            crowd.append(there)
            if rng.random() < 0.5:
                there[1].write(b"GET / HTT")
        figures["half-open connections"] += len(crowd)
        await asyncio.sleep(2.0)
        figures["of them shown out"] += sum(reader.at_eof() for reader, _ in crowd)
        for _, writer in crowd:
            writer.transport.abort()


async def _flood(party: Party, address: str, rng: Random, figures: Figures) -> None:
    """Send the broker, as fast as it goes, what no handheld sends; come back when shown out."""
    count = 0
    while True:
        kind = rng.choice(("rubbish", "text", "too long", "never read", "kept", "ping", "pong"))
        until_s = time.monotonic() + 2.0
        async with _come_from(address) as session:
            with suppress(*GONE, AssertionError):
                phone = await Phone.come(session, party.address, "maexchen/1/mine/#")
                while time.monotonic() < until_s and not phone.socket.closed:
                    count += 1
                    figures[f"sent: {kind}"] += 1
                    if kind == "text":
                        await phone.socket.send_str("hello")
                    elif kind in ("ping", "pong"):
                        await getattr(phone.socket, kind)()
                    elif kind == "rubbish":
                        await phone.socket.send_bytes(packet(rng.randrange(256), rng.randbytes(99)))
                    else:
                        topic = f"maexchen/1/{count if kind == 'kept' else 'mine'}/to/0"
                        told = _counted(topic) + bytes(9000 if kind == "too long" else 4000)
                        await phone.socket.send_bytes(packet(0x30 | (kind == "kept"), told))
                    await asyncio.sleep(0)
        await asyncio.sleep(0.1)
