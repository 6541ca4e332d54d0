"""Watchers that send pings, pongs and pieces of messages without end, 60,000 a second each.

A real server of its own process, and a process of the watchers: first one, then forty, then forty
that come back as soon as they are shown out. All the time a seated page asks whether the table is
still there. It waits at most 100 ms in 95 of 100 cases; on a machine that was busy before, as many
times longer as processes share a core. Watchers of pings and pongs are shown out. A flood lets the
server grow by less than 10 MB, and by less than 20 MB where they come back without end.
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

from tests.labs.redteam._besieged import MOST_GROWTH_KB, Figures, Served, beset, news_of
from tests.labs.redteam._flooder import KINDS
from tests.labs.redteam._machine import LateError
from tests.support.pages import connected, hello

PER_S = 60_000
MOST_WAIT_S = 0.1
MOST_GROWN_KB = 10 * 1024
ASKS_S = 0.015
FLOODS = (
    *((1, kind, False) for kind in KINDS),
    *((40, kind, False) for kind in KINDS),
)
COMING_BACK = (40, "both", True)
LEAST_S = 2.0
"""A flood takes at least so long."""
SHOWN_OUT = ("4429", "1013")
"""With too much, or because watchers before them are still on their way out."""


def attack(seconds: float, seed: int) -> Figures:
    """Flood a server for so long; the seed is that of its table, and of the order."""
    with tempfile.TemporaryDirectory() as folder:
        table = ("--players", "3", "--seed", str(seed))
        return beset(Served(Path(folder), *table), _attack, seconds, seed)


async def _attack(served: Served, seconds: float, rng: Random) -> Figures:
    each_s = max(LEAST_S, seconds / (len(FLOODS) + 3))
    figures: Figures = {}
    async with ClientSession(served.address) as session:
        page = await connected(served, session, hello("seat", 0))
        load = os.getloadavg()[0]
        figures["load of the machine before"] = round(load, 1)
        busy = max(1.0, load / (os.cpu_count() or 1))
        most_s = MOST_WAIT_S * busy
        figures["ms waited, calm"] = _shown(await _waits(page, each_s))
        watching = await _flooder(served.port, 40, "pong", 1.0, each_s, back=False)
        figures["ms waited, 40 only watch"] = _shown(await _waits(page, each_s, watching))
        for watchers, kind, back in (*rng.sample(FLOODS, len(FLOODS)), COMING_BACK):
            lasts_s, start_kb = each_s * busy, served.kilobytes
            flooding = await _flooder(served.port, watchers, kind, PER_S, lasts_s, back=back)
            waited_s = await _waits(page, each_s, flooding)
            told = json.loads((await flooding.communicate())[0])
            name = f"{watchers} × {kind}{', coming back' if back else ''}"
            figures[f"ms waited, {name}"] = _shown(waited_s)
            if _of_95(waited_s) > most_s:
                raise LateError(f"{name}: {_shown(waited_s)}, not {most_s:.3f} s")
            if kind != "piece":
                out = sum(told["codes"].get(code, 0) for code in SHOWN_OUT)
                assert out >= watchers, f"{name}: {told}"
                figures[f"s until shown out, {name}"] = told["longest s"]
            grown_kb = served.kilobytes - start_kb
            most_kb = MOST_GROWTH_KB if back else MOST_GROWN_KB
            assert grown_kb < most_kb, f"{name}: the server grew by {grown_kb / 1024:.0f} MB"
            figures[f"MB grown, {name}"] = round(grown_kb / 1024, 1)
    return figures


async def _flooder(
    port: int, watchers: int, kind: str, per_s: float, seconds: float, *, back: bool
) -> asyncio.subprocess.Process:
    arguments = {"port": port, "watchers": watchers, "kind": kind, "per-s": per_s}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.labs.redteam._flooder"),
        *(f"--{name}={value}" for name, value in (arguments | {"seconds": seconds}).items()),
        *(["--back"] if back else []),
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )


async def _waits(
    page: object, seconds: float, flooding: asyncio.subprocess.Process | None = None
) -> list[float]:
    """How long each answer took in s, in order: for so long, and until a process has flooded."""
    ends_s = time.monotonic() + seconds
    waited_s: list[float] = []
    while time.monotonic() < ends_s or (flooding and flooding.returncode is None):
        asked_s = time.monotonic()
        await page.send_json({"do": "alive"})
        await news_of(page, "alive")
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
