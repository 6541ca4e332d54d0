"""Pages at the broker that send pings, pongs and pieces of messages without end, 60,000 a second.

A real party of its own process, and a process of the pages: first one, then forty, then forty that
come back as soon as they are cut. All the time a phone publishes, and waits until that comes back.
It waits at most 100 ms in 95 of 100 cases; on a machine that was busy before, as many times longer
as processes share a core. Pages that send pings or pongs are cut. A flood lets the server grow by
less than 10 MB.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from aiohttp import ClientSession

from tests.labs.redteam._besieged import Figures, Phone, Served, beset
from tests.labs.redteam._flooder import KINDS
from tests.labs.redteam._machine import LateError

PER_S = 60_000
MOST_WAIT_S = 0.1
MOST_GROWN_KB = 10 * 1024
ASKS_S = 0.015
FLOODS = tuple((pages, kind) for pages in (1, 40) for kind in KINDS)
LEAST_S = 2.0
"""A flood takes at least so long."""


def attack(seconds: float, seed: int) -> Figures:
    """Flood a party for so long; the seed is that of the order."""
    with tempfile.TemporaryDirectory() as folder:
        return beset(Served(Path(folder)), _attack, seconds, seed)


async def _attack(served: Served, seconds: float, rng: Random) -> Figures:
    each_s = max(LEAST_S, seconds / (len(FLOODS) + 2))
    figures: Figures = {}
    async with ClientSession() as session:
        phone = await Phone.come(session, served.address, "maexchen/1/ab/to/0")
        load = os.getloadavg()[0]
        figures["load of the machine before"] = round(load, 1)
        most_s = MOST_WAIT_S * max(1.0, load / (os.cpu_count() or 1))
        figures["ms waited, calm"] = _shown(await _waits(phone, each_s))
        for pages, kind in (*rng.sample(FLOODS, len(FLOODS)), (40, "both, coming back")):
            start_kb = served.kilobytes
            flooding = await _flooder(served.port, pages, kind, each_s)
            waited_s = await _waits(phone, each_s, flooding)
            told = json.loads((await flooding.communicate())[0])
            name = f"{pages} × {kind}"
            figures[f"ms waited, {name}"] = _shown(waited_s)
            figures[f"frames sent, {name}"] = told["frames"]
            if _of_95(waited_s) > most_s:
                raise LateError(f"{name}: {_shown(waited_s)}, not {most_s:.3f} s")
            if kind in KINDS and kind != "piece":
                assert not told["still there"], f"{name}: {told}"
                figures[f"s until cut, {name}"] = told["longest s"]
            grown_kb = served.kilobytes - start_kb
            assert grown_kb < MOST_GROWN_KB, f"{name}: the server grew by {grown_kb / 1024:.0f} MB"
            figures[f"MB grown, {name}"] = round(grown_kb / 1024, 1)
    return figures


async def _flooder(port: int, pages: int, kind: str, seconds: float) -> asyncio.subprocess.Process:
    kind, _, back = kind.partition(", ")
    arguments = {"port": port, "pages": pages, "kind": kind, "per-s": PER_S, "seconds": seconds}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.labs.redteam._flooder"),
        *(f"--{name}={value}" for name, value in arguments.items()),
        *(["--back"] if back else []),
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )


async def _waits(
    phone: Phone, seconds: float, flooding: asyncio.subprocess.Process | None = None
) -> list[float]:
    """How long each answer took in s, in order: for so long, and until a process has flooded."""
    ends_s = time.monotonic() + seconds
    waited_s: list[float] = []
    while time.monotonic() < ends_s or (flooding and flooding.returncode is None):
        asked_s = time.monotonic()
        await phone.echo()
        waited_s.append(time.monotonic() - asked_s)
        await asyncio.sleep(ASKS_S)
    return sorted(waited_s)


def _of_95(waited_s: list[float]) -> float:
    return waited_s[int(0.95 * len(waited_s))]


def _shown(waited_s: list[float]) -> str:
    """The middle, 95 % and the most of what was waited, in ms, and how many times that was."""
    figures = (waited_s[len(waited_s) // 2], _of_95(waited_s), waited_s[-1])
    middle, most, worst = (round(each * 1000) for each in figures)
    return f"{middle} in the middle, {most} of 95 %, {worst} at most, {len(waited_s)} times"
