"""An attacker computes the dice of all others at a table from its command line.

The tables are those that the command line sets up for people. The attacker knows every argument,
and tries seeds besides. The results of a seed are compared with the sources of the seats' dice, and
with the key of a table at a broker.
"""

import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

from hw_sim.cli import table
from hw_sim.cli.main import _parser
from hw_sim.live.world.world import World
from hw_sim.table.table import key_of

BYTES = 32
SEEDS = 2_000
"""Tried at each table."""
BROKER = ("--link", "mqtt", "--broker", "mqtt://127.0.0.1", "--public")


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Guess at tables for so long; the seed decides which."""
    ends_s, rng = time.monotonic() + seconds, Random(seed)
    figures: Counter[str] = Counter()
    while not figures["tables"] or time.monotonic() < ends_s:
        typed_seed = rng.randrange(1_000_000)
        players = rng.randint(3, 8)
        typed = ["--players", str(players), "--bots", str(rng.randrange(players))]
        typed += ["--seed", str(typed_seed)] if rng.random() < 0.7 else []
        typed += BROKER if rng.random() < 0.5 else ()
        wanted = table._setup(_parser().parse_args(["table", *typed]))
        here = replace(wanted.table, broker=None, link=("bluetooth",))
        with tempfile.TemporaryDirectory() as folder:
            world = World(replace(wanted, table=here), Path(folder))
            seats = world.table.seats
            kept = {each.handheld.own_seat.fair.committer.kept.secret for each in seats}
            world.close()
        key = key_of(wanted.table)
        for guess in (typed_seed, wanted.table.seed, *rng.sample(range(10**6), SEEDS)):
            made = {Random(f"dice {guess}/{at}").randbytes(BYTES) for at in range(players)}
            assert not made & kept, f"{typed}: the seed {guess} tells the dice of a seat"
        assert Random(f"table key {typed_seed}").randbytes(BYTES) != key, f"{typed}: a guessed key"
        figures["tables"] += 1
        figures["secrets"] += len(kept)
        figures["guesses"] += SEEDS
    return dict(figures)
