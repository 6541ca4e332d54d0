"""A foreign bot looks for dice in all that its process can read.

In matches with it, the bot looks at the open files of the process that asks it. It reports a find
as its trouble, and the match says so. `tests.labs.redteam.guessing` tries, for every kind of
table, that the seed on the command line tells it nothing.
"""

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[3]
GAMES = {
    "class": ("--players", "3"),
    "sevens": ("--players", "2", "--option", "rounds=1"),
    "holy-family": ("--players", "2", "--option", "points=1"),
}


class Spy:
    """Raises what it finds; else plays the first thing that is possible."""

    def decide(self, sight, rng):
        """Look around, and decide."""
        import os
        from contextlib import suppress

        asking = Path(f"/proc/{os.getppid()}")
        with suppress(PermissionError):
            for file in asking.joinpath("fd").iterdir():
                with suppress(FileNotFoundError):
                    assert "sqlite" not in os.readlink(file), "a journal is open"
        return sight.options[0]


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Let it play for so long; the seed decides which matches."""
    ends_s, rng = time.monotonic() + seconds, Random(seed)
    figures: Counter[str] = Counter()
    while not figures["matches"] or time.monotonic() < ends_s:
        game = rng.choice(list(GAMES))
        typed = [
            "match",
            "--json",
            "--game",
            game,
            *GAMES[game],
            "--seed",
            str(rng.randrange(10**6)),
        ]
        run = [sys.executable, "-m", "hw_sim.cli.main", *typed, "--bot", f"{__name__}:Spy"]
        done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{typed}: {done.stderr[-500:]}"
        assert "bot" not in done.stderr, f"{typed}: {done.stderr[-500:]}"
        figures["matches"] += 1
        figures["hops"] += json.loads(done.stdout)["handovers"]
    return dict(figures)
