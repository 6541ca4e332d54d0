"""Strangers and a guest in front of a party's lobby: no match has begun, and the host waits.

A real server of its own process. Strangers try invitations, secrets and host's tokens that they
made up, watch, and ask for everything that only the host may do; a guest sends every kind of
message that there is, leaves his place and is invited again; all that over sockets and over posts.
All the time the host chooses, and sees what he chose; nobody else is seated, nothing begins, and
the server does not grow.
"""

import asyncio
import contextlib
import json
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from secrets import token_urlsafe

from aiohttp import ClientSession

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
from tests.support.pages import connected, guest, hello, sit

WATCHERS = 12
FOR_HOSTS = (
    {"do": "choose", "plan": {"game": "maxen", "options": {}, "bots": 8 * ["shark"]}},
    {"do": "choose", "plan": {"game": "x" * 32, "options": {f"{i:032}": i for i in range(8)}}},
    {"do": "begin"},
    {"do": "free", "place": 0},
    {"do": "free", "place": 7},
    {"do": "again"},
)
FOR_SEATS = (
    {"do": "alive"},
    {"do": "leave", "seat": 5},
    {"do": "pause", "on": True},
    {"do": "step", "ms": 10_000},
    {"do": "seek", "s": 1e6},
    {"do": "errors", "value": 50},
)
NAMES = (
    "Eve",
    "Rene\u0301",
    "\uff32en\u00e9",
    "Eve\u200b",
    "",
    " ",
    "E" * 200,
    "Ada",
    "<b>",
    "\ud7ff",
    "\U0001f3b2" * 12,
)
STRANGERS = (b"[", b"null", b'{"invitation": 1}', b"x" * 9000, b'{"name": "' + 3000 * b"\\u0000")


def attack(seconds: float, seed: int) -> Figures:
    """Attack a party for so long, with chance drawn from the seed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        served = Served(path, "--phones", "--host", "127.0.0.1", "--no-tls")

        async def how(served: Served, seconds: float, rng: Random) -> Figures:
            return await _attack(served, path / "evening.json", seconds, rng)

        return beset(served, how, seconds, seed)


async def _attack(served: Served, kept: Path, seconds: float, rng: Random) -> Figures:
    ends_s = time.monotonic() + seconds
    figures: Counter[str] = Counter()
    async with ClientSession(served.address) as session:
        token = json.loads(kept.read_bytes())["host"]
        hosting = await connected(served, session, hello() | {"host": token})
        bots = 0

        async def choose() -> None:
            nonlocal bots
            bots = 1 - bots
            plan = {"game": "class", "options": {}, "bots": bots * ["honest"]}
            await hosting.send_json({"do": "choose", "plan": plan})
            while len((await news_of(hosting, "lobby"))["plan"]["bots"]) != bots:
                pass

        seen, memory = Seen(choose), Memory(served, seconds)
        await seen.calm()
        tasks = [
            *(_watch(served, session, ends_s, rng, figures, events=i % 2) for i in range(WATCHERS)),
            *(_be_guest(served, session, kept, i, ends_s, rng, figures) for i in (0, 1)),
            _guess(served, session, ends_s, rng, figures),
            seen.beset(ends_s),
        ]
        running = [asyncio.create_task(task) for task in tasks]
        await memory.grows()
        await asyncio.gather(*running)
        evening = json.loads(kept.read_bytes())
        assert evening["seatings"] == {}, "a match was begun by a stranger or a guest"
        assert not any(each["guest"] for each in evening["places"][2:]), "a stranger has a place"
        assert evening["plan"]["game"] == "class", "somebody else chose the game"
        return dict(figures) | memory.end() | seen.end()


async def _watch(
    served: Served,
    session: ClientSession,
    ends_s: float,
    rng: Random,
    figures: Counter[str],
    *,
    events: int,
) -> None:
    """Watch, and ask for what is the host's; some with a host's token that they made up."""
    while time.monotonic() < ends_s:
        with contextlib.suppress(*GONE):
            made_up = rng.choice(({}, {"host": token_urlsafe(32)}))
            page = await connected(served, session, hello() | made_up, events=bool(events))
            reading = asyncio.create_task(read_all(page))
            until_s = min(ends_s, time.monotonic() + rng.uniform(0.2, 4.0))
            asks = (FOR_HOSTS, (*FOR_HOSTS, *FOR_SEATS))[rng.random() < 0.5]
            figures["watchers' messages"] += await flood(
                page, lambda count, asks=asks: asks[count % len(asks)], until_s, reading
            )
            await page.close()
            await reading
        figures["watchers"] += 1
        await asyncio.sleep(0.2)


async def _be_guest(
    served: Served,
    session: ClientSession,
    kept: Path,
    place: int,
    ends_s: float,
    rng: Random,
    figures: Counter[str],
) -> None:
    """Sit down with an invitation, send everything, leave, and be invited again."""
    name, secret = ("Ada", "Bo")[place], None
    while time.monotonic() < ends_s:
        with contextlib.suppress(*GONE):
            if secret is None:
                invitation = json.loads(kept.read_bytes())["places"][place]["invitation"]
                status, told = await sit(served, session, invitation, name)
                assert status == 200, told
                secret = told["secret"]
                figures["guests seated"] += 1
            page = await connected(served, session, guest(secret), events=place == 1)
            reading = asyncio.create_task(read_all(page))
            until_s = min(ends_s, time.monotonic() + rng.uniform(0.2, 4.0))
            figures["guests' messages"] += await flood(
                page, lambda count: FOR_HOSTS[count % len(FOR_HOSTS)], until_s, reading
            )
            if rng.random() < 0.5 and not reading.done():
                await page.send_json({"do": "leave", "seat": None})
                await news_of_leaving(kept, place)
                secret = None
            else:
                await page.send_json(rng.choice(FOR_SEATS))
            await page.close()
            await reading


async def news_of_leaving(kept: Path, place: int) -> None:
    """Wait until a place is free."""
    while json.loads(kept.read_bytes())["places"][place]["guest"]:
        await asyncio.sleep(0.05)


async def _guess(
    served: Served, session: ClientSession, ends_s: float, rng: Random, figures: Counter[str]
) -> None:
    """Post wishes for a place with invitations that were guessed, and what is none."""
    while time.monotonic() < ends_s:
        with contextlib.suppress(*GONE):
            status, _ = await sit(served, session, token_urlsafe(12), rng.choice(NAMES))
            figures[f"guessed invitations answered with {status}"] += 1
            headers = {"Origin": rng.choice((served.address, "http://evil.example", "null"))}
            body = rng.choice(STRANGERS)
            address = rng.choice(("/sit", "/invited"))
            async with session.post(address, data=body, headers=headers) as answer:
                figures[f"rubbish answered with {answer.status}"] += 1
                assert answer.status in (400, 403, 413), answer.status
            page = await connected(served, session, guest(token_urlsafe(32)))
            await read_all(page)
            figures[f"forged secrets shown out with {page.close_code}"] += 1
        await asyncio.sleep(0.02)
