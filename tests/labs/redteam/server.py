"""Strangers and guests in front of a served table: floods, crowds, seats left and taken.

A real server of its own process, on this machine's loopback. One page plays. Two others send as
much as they may of every kind of message, over a socket and over posts. Strangers open connections
that never ask for anything. At the end the seats still play, the server has not grown, has printed
no traceback, and ends at once. ``test_strangers.py`` has rubbish, vanishing pages and bad requests.
"""

import asyncio
import contextlib
import json
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from aiohttp import ClientError, ClientSession, WSMsgType, WSServerHandshakeError

from tests.labs.redteam._besieged import (
    GONE,
    Figures,
    Memory,
    Seen,
    Served,
    beset,
    flood,
    news_of,
    read_all,
)
from tests.labs.redteam._machine import LateError
from tests.support.pages import connected

CROWD = 200
HALF_OPEN = 0.3


def attack(seconds: float, seed: int) -> Figures:
    """Attack a server for so long, with chance drawn from the seed."""
    with tempfile.TemporaryDirectory() as folder:
        table = ("--players", "4", "--bots", "1", "--seed", str(seed))
        return beset(Served(Path(folder), *table), _attack, seconds, seed)


class Page:
    """A page with a seat, or without one."""

    def __init__(self, served: Served, session: ClientSession) -> None:
        self.served, self.session = served, session
        self.token: str | None = None
        self.codes: Counter[str] = Counter()

    async def open(self, seat: int | None, view: str = "seat", *, events: bool = False) -> object:
        """A connection that has said hello; None if there is no room."""
        try:
            hello = {"view": view, "seat": seat, "token": self.token, "language": "en"}
            socket = await connected(
                self.served, self.session, {"do": "hello", **hello}, events=events
            )
            async with asyncio.timeout(20):
                while (message := await socket.receive()).type in (
                    WSMsgType.TEXT,
                    WSMsgType.BINARY,
                ):
                    if message.type is WSMsgType.TEXT:
                        news = json.loads(message.data)
                        if news["is"] == "welcome":
                            self.token = news["token"] or self.token
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
        "turn": {"by": rng.randint(-40, 40)},
    }[kind]


KINDS = ("drag", "felt", "lift", "touch", "tilt", "key", "drop", "turn")


async def _attack(served: Served, seconds: float, rng: Random) -> Figures:
    ends_s = time.monotonic() + seconds
    figures: Counter[str] = Counter()
    async with ClientSession(served.address) as session:
        player = Page(served, session)
        mine = await player.open(0)
        assert mine is not None, "the first seat is not free"
        is_open = False

        async def lift_or_cover() -> None:
            nonlocal is_open
            is_open = not is_open
            await mine.send_json({"do": "lift", "seat": 0, "on": is_open})
            lid = float(not is_open)
            while (lid > HALF_OPEN) != is_open:
                lid = (await news_of(mine, "state"))["seats"].get("0", {}).get("lid", lid)

        seen, memory = Seen(lift_or_cover), Memory(served, seconds)
        await seen.calm()
        tasks = [
            _hold_a_seat(served, session, ends_s, seconds / 20, rng, figures),
            _hold_a_seat(served, session, ends_s, seconds / 20, rng, figures, events=True),
            _crowd(served, ends_s, rng, figures),
            seen.beset(ends_s),
        ]
        running = [asyncio.create_task(task) for task in tasks]
        await memory.grows()
        answered: list[float] = []
        while time.monotonic() < ends_s:
            began_s = time.monotonic()
            tries = 0
            while (socket := await player.open(0)) is None:  # a page tries again, too
                tries += 1
                if tries >= 4:
                    raise LateError(f"who has a seat does not come in: {dict(player.codes)}")
                await asyncio.sleep(0.3)
            figures["the seat had to try again, times"] += tries
            answered.append(time.monotonic() - began_s)
            await socket.close()
            figures["files, most"] = max(figures["files, most"], served.files)
            await asyncio.sleep(1.0)
        await asyncio.gather(*running)
        found = memory.end() | seen.end()
        assert await player.open(0) is not None, "who has a seat does not come in at the end"
    return (
        dict(figures)
        | found
        | {
            "the seat came in, times": len(answered),
            "s until then, at most": round(max(answered, default=0), 2),
        }
    )


async def _hold_a_seat(
    served: Served,
    session: ClientSession,
    ends_s: float,
    each_s: float,
    rng: Random,
    figures: Counter[str],
    *,
    events: bool = False,
) -> None:
    """Send all that a holder may, kind by kind; leave the seat and take it again in between."""
    page, seat, turn = Page(served, session), 2 if events else 1, 0
    while time.monotonic() < ends_s:
        kind = KINDS[turn % len(KINDS)]
        turn += 1
        socket = await page.open(seat, events=events)
        if socket is None:
            figures["seat not given"] += 1
            page.token = None
            await asyncio.sleep(0.2)
            continue
        reading = asyncio.create_task(read_all(socket))
        until_s = min(ends_s, time.monotonic() + each_s)

        def message(count: int, kind: str = kind) -> dict[str, object]:
            return {"do": kind, "seat": seat, **_flood(kind, count, rng)}

        sent = await flood(socket, message, until_s, reading)
        with contextlib.suppress(*GONE):
            if turn % 3 == 0:
                await socket.send_json({"do": "leave", "seat": seat})
                page.token = None
                figures["seats left"] += 1
        figures[f"{'posted' if events else 'sent'} {kind}"] += sent
        await socket.close()
        await reading


async def _crowd(served: Served, ends_s: float, rng: Random, figures: Counter[str]) -> None:
    """Connections that ask for nothing, or for half a request, and stay as long as they are let."""
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
                writer.write(b"GET / HTT")
        figures["half-open connections"] += len(crowd)
        await asyncio.sleep(2.0)
        figures["of them shown out"] += sum(reader.at_eof() for reader, _ in crowd)
        for _, writer in crowd:
            writer.transport.abort()
