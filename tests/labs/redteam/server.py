"""Strangers in front of a party: crowds, floods of its broker, guesses at its code, unread files.

A real party of its own process, on this machine's loopback. A phone plays, and strangers come from
addresses of their own. They open connections that ask for nothing, and more of the broker than may
be. They send it all that is no MQTT, more than a handheld sends, pings and pongs without end. They
guess at the code, and load files without reading them. All the time the phone is heard as before,
its code leads in, and the server does not grow.
"""

import asyncio
import contextlib
import tempfile
import time
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from random import Random

from aiohttp import ClientError, ClientSession, WSServerHandshakeError

from tests.labs.redteam._besieged import (
    Figures,
    Memory,
    Phone,
    Seen,
    Served,
    beset,
    come_from,
    published,
)
from tests.support.brokers import packet

CROWD = 200
TOPIC = "maexchen/1/ab/to/0"
CODE = "HKUR"
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
MOST_BROKER_KB = 100 * 1024
"""Its bound is 64 MB of its own."""
GONE = (ClientError, ConnectionError, WSServerHandshakeError)


def attack(seconds: float, seed: int) -> Figures:
    """Attack a party for so long, with chance drawn from the seed."""
    with tempfile.TemporaryDirectory() as folder:
        return beset(Served(Path(folder)), _attack, seconds, seed)


async def _attack(served: Served, seconds: float, rng: Random) -> Figures:
    ends_s = time.monotonic() + seconds
    figures: Counter[str] = Counter()
    own = {"Origin": served.address}
    async with ClientSession(served.address) as session:
        link = f"{served.address}/join.html#room={CODE}&key=k&broker=ws://x/mqtt"
        async with session.post("/door", json={"code": CODE, "link": link}, headers=own) as answer:
            assert answer.status == 204, "the host opens the door"
        phone = await Phone.come(session, served.address, TOPIC)
        seen, memory = Seen(phone.echo), Memory(served, seconds)
        await seen.calm()
        attacks = (_crowd, _many_pages, _flood, _guess, _ask)
        running = [
            asyncio.create_task(_until(ends_s, each(served, f"127.0.0.{66 + at}", rng, figures)))
            for at, each in enumerate(attacks)
        ]
        running.append(asyncio.create_task(seen.beset(ends_s)))
        await memory.grows()
        while time.monotonic() < ends_s:
            async with session.get(f"/{CODE.lower()}", allow_redirects=False) as answer:
                assert answer.status == 302, f"who has the code does not come in: {answer.status}"
            figures["came in by the code, times"] += 1
            figures["files, most"] = max(figures["files, most"], served.files)
            figures["MB of the broker, most"] = max(
                figures["MB of the broker, most"], served.of_broker_kb // 1024
            )
            await asyncio.sleep(1.0)
        await asyncio.gather(*running)
        found = memory.end() | seen.end()
        await Phone.come(session, served.address, "maexchen/1/ab/to/1")
    assert served.of_broker_kb < MOST_BROKER_KB, "the broker has grown"
    return dict(figures) | found


async def _until(ends_s: float, attack: Coroutine[None, None, None]) -> None:
    """Attack until a monotonic time, whatever it waits for then."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(ends_s - time.monotonic()):
            await attack


async def _crowd(served: Served, address: str, rng: Random, figures: Counter[str]) -> None:
    """Connections that ask for nothing, or for half a request, and stay as long as they are let."""
    while True:
        crowd = []
        for _ in range(CROWD):
            try:
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", served.port, local_addr=(address, 0)
                )
            except OSError:
                figures["connections refused"] += 1
                continue
            crowd.append((reader, writer))
            if rng.random() < 0.5:
                writer.write(b"GET / HTT")
        figures["half-open connections"] += len(crowd)
        await asyncio.sleep(2.0)
        figures["of them shown out"] += sum(reader.at_eof() for reader, _ in crowd)
        for _, writer in crowd:
            writer.transport.abort()


async def _many_pages(served: Served, address: str, _rng: Random, figures: Counter[str]) -> None:
    """More phones at the broker than may be; they are of one stranger, and only they are cut."""
    while True:
        async with ClientSession(connector=come_from(address)) as session:
            for number in range(CROWD):
                with contextlib.suppress(*GONE, AssertionError):
                    await Phone.come(session, served.address, f"maexchen/1/ab/to/{number}")
                    figures["strangers' phones"] += 1
            await asyncio.sleep(2.0)


async def _flood(served: Served, address: str, rng: Random, figures: Counter[str]) -> None:
    """Send the broker, as fast as it goes, what no handheld sends; come back when shown out."""
    count = 0
    while True:
        kind = rng.choice(("rubbish", "text", "too long", "never read", "kept", "ping", "pong"))
        until_s = time.monotonic() + 2.0
        async with ClientSession(connector=come_from(address)) as session:
            with contextlib.suppress(*GONE, AssertionError):
                phone = await Phone.come(session, served.address, "maexchen/1/mine/#")
                while time.monotonic() < until_s and not phone.socket.closed:
                    count += 1
                    figures[f"sent: {kind}"] += 1
                    topic = f"maexchen/1/{count if kind == 'kept' else 'mine'}/to/0".encode()
                    if kind == "text":
                        await phone.socket.send_str("hello")
                    elif kind in ("ping", "pong"):
                        await getattr(phone.socket, kind)()
                    elif kind == "rubbish":
                        await phone.socket.send_bytes(packet(rng.randrange(256), rng.randbytes(99)))
                    else:
                        told = bytes(9000 if kind == "too long" else 4000)
                        await phone.socket.send_bytes(
                            published(topic, told, retained=kind == "kept")
                        )
                    await asyncio.sleep(0)
        await asyncio.sleep(0.1)


async def _guess(served: Served, address: str, rng: Random, figures: Counter[str]) -> None:
    """Guess at the code."""
    async with ClientSession(served.address, connector=come_from(address)) as session:
        while True:
            with contextlib.suppress(*GONE):
                guess = "".join(rng.choice(LETTERS) for _ in CODE)
                async with session.get(f"/{guess}", allow_redirects=False) as answer:
                    assert guess == CODE or answer.status in (404, 429), answer.status
                    figures["guesses, refused unread"] += answer.status == 429
                    figures["guesses"] += 1
            await asyncio.sleep(0.1)


async def _ask(served: Served, address: str, _rng: Random, figures: Counter[str]) -> None:
    """Ask for files that are then not read."""
    async with ClientSession(connector=come_from(address)) as session:
        unread = []
        while True:
            with contextlib.suppress(*GONE):  # it has too many connections
                unread.append(await session.get(f"{served.address}/handheld.glb"))
                figures["files not read"] += 1
            if len(unread) > CROWD:
                unread.pop(0).close()
            await asyncio.sleep(0.05)
