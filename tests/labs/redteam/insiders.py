"""Guests with places of their own who forge every message at an evening, and flood its lobby.

Evenings in memory and in virtual time, one after the other. Phones keep their own dice, and two
guests attack: one has a seat, the other's cup is at the host's. Each forges at every end, in
everybody's name. Then both send 435 messages a second. Nothing forged is heard, every phone has its
own seat, and its line or another one (PROTOCOL.md has the limit), the match goes on at nine tenths
of its pace beyond chance, and the lobby keeps nothing.
"""

import asyncio
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from hw_sim.clock import run
from tests.labs.redteam import numbers
from tests.support.evenings import an_evening
from tests.support.insider import Insider

PLANS: tuple[dict[str, Any], ...] = (
    {"game": "class", "options": {"credit": 20}, "bots": []},
    {"game": "physicist", "options": {}, "bots": []},
    {"game": "sevens", "options": {"rounds": 99}, "bots": []},
)
"""Matches that do not end while they are counted."""
PLAYED_S = 300.0
LEAST_PACE = 0.9


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Attack evenings for so long, one at least; all chance but that of places is the seed's."""
    chance, figures = Random(f"insiders {seed}"), Counter[str]()
    calm = entries = 0
    for _ in numbers(seconds):
        number, plan = chance.randrange(1 << 30), chance.choice(PLANS)
        calm += run(_evening(number, plan, attacks=False, figures=figures))
        entries += run(_evening(number, plan, attacks=True, figures=figures))
        figures["evenings"] += 1
    pace, deviation = entries / calm, (calm + entries) ** 0.5
    assert entries + 3 * deviation >= LEAST_PACE * calm, f"they had {pace:.0%} of their pace"
    return {**figures, "% of the pace": round(100 * pace)}


async def _evening(seed: int, plan: dict[str, Any], *, attacks: bool, figures: Counter[str]) -> int:
    """Play at an evening for a while; return how many entries its log has."""
    with tempfile.TemporaryDirectory() as folder:
        async with an_evening(Path(folder), seed) as evening:
            await evening.gather("Ada", "Bo", "Eve")
            mallory = await evening.guest("Mallory")
            mallory.gathers = False
            evening.guests.remove(mallory)
            insiders = [Insider(evening, each, seed) for each in (evening.guests[2], mallory)]
            doing: list[asyncio.Task[None]] = []
            if attacks:
                for each in insiders:
                    await each.come()
                    await each.claim()
                doing = [evening.run(each.forge()) for each in insiders]
            await evening.wait(5)
            await evening.begin(plan)
            here = evening.host.world.setup.table.part.local_seats
            assert here == (3,), f"seed {seed}: others than the three guests play: {here}"
            watcher = evening.host.watcher
            began = watcher.log.at.index
            await evening.wait(PLAYED_S / 2)
            if attacks:
                for task in doing:
                    assert not task.done(), f"seed {seed}: a forger gave up"
                    task.cancel()
                doing = [evening.run(each.flood()) for each in insiders]
            await evening.wait(PLAYED_S / 2)
            for each in insiders if attacks else ():
                believed = each.believed - insiders[0].true - insiders[1].true
                assert not believed, f"seed {seed}: {sorted(believed)[:3]}"
                assert each.said["cut"], f"seed {seed}: a flood was not cut"
                figures["streams shut out"] += each.said.pop("cut")
                figures["frames of floods"] += each.said.pop("flood")
                figures["forgeries"] += sum(each.said.values())
            for task in doing:
                task.cancel()
            for guest in evening.guests[:2]:
                assert guest.py._line.is_open, f"seed {seed}: {guest.name}'s line did not come back"
                figures["lines opened again"] += guest.lines - 1
            for place in evening.places:
                assert place.handheld.own_seat.trouble is None, f"seed {seed}: somebody is accused"
            return watcher.log.at.index - began
