"""Guests with places of their own who forge every message at a party, and flood it.

Parties in memory and in virtual time, one after the other. Phones keep their own dice, and two
guests attack: one has a seat, the other's cup is at the host's. Each forges all kinds of frames in
everybody's name. Then both send 435 messages a second. Nothing forged is heard, every phone has its
own seat, the match goes on at nine tenths of its pace, and the broker keeps presence alone.
"""

import asyncio
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from hw_sim.live.web.match_plan import MatchPlan
from hw_sim.steckbrett.clock.virtual import run
from tests.labs.redteam._besieged import Figures
from tests.support.insider import Insider
from tests.support.own_phones import a_party

PLANS = (
    MatchPlan("class", {}, ()),
    MatchPlan("physicist", {}, ()),
    MatchPlan("sevens", {"rounds": 3}, ()),
)
PLAYED_S = 300.0
LEAST_PACE = 0.9


def attack(seconds: float, seed: int) -> Figures:
    """Attack parties for so long, one at least; all chance but the players' is the seed's."""
    chance, ends_s, figures = Random(f"insiders {seed}"), time.monotonic() + seconds, Counter()
    calm = entries = 0
    while not figures["parties"] or time.monotonic() < ends_s:
        number, plan = chance.randrange(1 << 30), chance.choice(PLANS)
        calm += run(_party(number, plan, attacks=False, figures=figures))
        entries += run(_party(number, plan, attacks=True, figures=figures))
        figures["parties"] += 1
    pace = entries / calm
    assert pace >= LEAST_PACE, f"the matches had {pace:.0%} of their pace"
    return {**figures, "% of the pace": round(100 * pace)}


async def _party(seed: int, plan: MatchPlan, *, attacks: bool, figures: Counter[str]) -> int:
    """Play at a party for a while; return how many entries its log has."""
    with tempfile.TemporaryDirectory() as folder:
        async with a_party(Path(folder) / "party", seed, afar=bool(seed % 2)) as party:
            party.seats.choose(plan)
            for place, name in enumerate(("Ada", "Bo", "Eve")):
                await party.phone(name, place)
            eve = Insider(party, 2, seed=seed, phone=party.phones[2])
            mallory = Insider(party, 3, "Mallory", seed=seed)
            await party.until(lambda: party.gathered(3), 30)
            doing = []
            if attacks:
                await asyncio.gather(eve.claim(), mallory.claim())
                doing = [asyncio.ensure_future(each.forge()) for each in (eve, mallory)]
            await party.wait(5)
            party.begin()
            await party.until(lambda: party.world is not None, 20)
            here = party.world.setup.table.here
            assert here == (3, 4), f"seed {seed}: cups at the host's: {here}"
            await party.until(lambda: all(each.world for each in party.phones), 20)
            began = party.world.table.here[-1].log.at.index
            if attacks:
                await party.wait(PLAYED_S / 2)
                for each in doing:
                    each.cancel()
                doing = [asyncio.ensure_future(each.flood(each.junk)) for each in (eve, mallory)]
                await party.wait(PLAYED_S / 2)
                for each in (eve, mallory):
                    believed = each.believed - eve.true - mallory.true
                    assert not believed, f"seed {seed}: {sorted(believed)[:3]}"
                    assert each.refused, f"seed {seed}: a flood was not cut"
                    figures["forgeries"] += len(each.forged)
                    figures["streams shut out"] += each.refused
                assert len(eve.broker._kept) <= 5 + bool(seed % 2) * 15, "more is kept than seats"
            else:
                await party.wait(PLAYED_S)
            for each in doing:
                each.cancel()
            for each in party.seats_known:
                assert each.handheld.own_seat.trouble is None, f"seed {seed}: somebody is accused"
            return party.world.table.here[-1].log.at.index - began
