"""The house beside another one: the handheld at an earlier commit, a learner's games in OpenSpiel.

The handheld's table of four and the start of its program run in turns with those of the earlier
commit, in processes of their own. Their processor times are compared. A match is not the same at
both commits, so a table's pace is virtual seconds for each second of processor.

The steps of every game that a learner can use are measured beside ``liars_dice``, from Python. A
step is a decision with the tensor of the seat that decides and its legal actions, as a policy needs
them; chance is a step of OpenSpiel, too. OpenSpiel is C++. Play is random. The paces are those of
one run, in turns.
"""

import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

from game import RULES, TABLES, rule_set

ROOT = Path(__file__).parents[3]
BEFORE = "036fe80"
"""The last commit before the simulator became a test bench."""
TURNS = 3
TABLE = """
from pathlib import Path
from sys import argv
from time import process_time
from game import RULES
from hw_sim.table import TableSetup
from tests.support.matches import play_match
for seed in (3, int(argv[1])):  # the first one also loads what a table needs
    folder = Path(argv[2], str(seed))
    folder.mkdir()
    began_s = process_time()
    played = play_match(TableSetup(RULES["class"], players=4, seed=seed), folder)
print(played.outcome.virtual_s / (process_time() - began_s))
"""
START = """
from time import process_time
began_s = process_time()
import firmware.cli.run
print(process_time() - began_s)
"""
MOST_OF_THE_START, TABLE_ASKED = 0.55, 1.2
"""The start may take so much of the time before; a table runs at least so many times as fast."""


def beside_before(say: Callable[..., None], headline: Callable[[str], None]) -> None:
    headline(f"beside commit {BEFORE}, median of {TURNS} turns")
    archive = ("git", "-C", ROOT, "archive", BEFORE)
    tree = subprocess.run(archive, capture_output=True, check=False)
    if tree.returncode:
        say("git", f"has no commit {BEFORE}, so nothing is compared: git fetch --unshallow")
        return
    with tempfile.TemporaryDirectory() as name:
        before = Path(name) / "before"
        with tarfile.open(fileobj=io.BytesIO(tree.stdout)) as files:
            files.extractall(before, filter="data")
        _measured(before, START)  # which also writes the bytecode
        tables, starts = [], []
        for turn in range(TURNS):
            folders = [Path(name, f"{turn} {who}") for who in ("now", "before")]
            for folder in folders:
                folder.mkdir()
            paces = [
                _measured(tree, TABLE, str(turn + 4), str(folder))
                for tree, folder in zip((ROOT, before), folders)
            ]
            tables.append((paces[0] / paces[1], *paces))
            took = [_measured(tree, START) for tree in (ROOT, before)]
            starts.append((took[0] / took[1], *took))
    ratio, now, then = map(median, zip(*tables))
    say(
        "table of four", f"{ratio:.2f} times as fast ({now:.0f} and {then:.0f} virtual / processor)"
    )
    if ratio < TABLE_ASKED:
        say("MISSED", f"less than {TABLE_ASKED:g} times as fast")
    ratio, now, then = map(median, zip(*starts))
    say(
        "import of a handheld", f"{ratio:.2f} of its time ({now:.2f} and {then:.2f} s of processor)"
    )
    if ratio > MOST_OF_THE_START:
        say("MISSED", f"more than {MOST_OF_THE_START:g} of its time")


def _measured(tree: Path, program: str, *given: str) -> float:
    """Run a program with the packages of ``tree``; return the number that it prints last."""
    call = (sys.executable, "-c", program, *given)
    done = subprocess.run(call, cwd=tree, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


try:
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import make_observation

    from game.vector import world_of
    from hw_sim.learning.spiel import NAME
    from hw_sim.learning.zoo import MaexchenEnv
except ImportError:
    pyspiel = None

STEPS = 10_000
"""As many steps at least make one measurement."""
REPEATS = 5
MATCHES = 4096
PLAYERS, DRINKS = 3, ("physicist", "plain", "mexican")
ROUNDS = 20
"""A match that is played for drinks has so many rounds in the adapters."""
VECTOR, VECTOR_ELSE, BESIDE = 3_000_000, 1_000_000, 6.0
ZOO, SPIEL = 60_000, 100_000
"""The least steps a second, and how many times the pace of ``liars_dice`` the vector world has."""


def beside_openspiel(say: Callable[..., None], headline: Callable[[str], None]) -> None:
    headline(f"steps/s that a learner can use, beside liars_dice; median of {REPEATS} turns")
    if pyspiel is None:
        say("open_spiel", "is missing, so nothing is compared: pip install -e '.[rl]'")
        return
    theirs = partial(_spiel, pyspiel.load_game("liars_dice"))
    for table in TABLES:
        least = VECTOR if table == "class" else VECTOR_ELSE
        _compared(say, f"vector {table}", partial(_vector, table), theirs, least, BESIDE)
    for game, rounds in ((game, ROUNDS if game in DRINKS else 0) for game in RULES):
        env = MaexchenEnv(game, PLAYERS, rounds)
        _compared(say, f"PettingZoo {game}", partial(_zoo, env), theirs, ZOO)
        loaded = pyspiel.load_game(NAME, {"game": game, "players": PLAYERS, "rounds": rounds})
        _compared(say, f"OpenSpiel {game}", partial(_spiel, loaded), theirs, SPIEL)


def _compared(say, name, ours, theirs, least, beside=0.0) -> None:
    turns = [(_pace(ours), _pace(theirs)) for _ in range(REPEATS)]
    pace, ratio = median(one for one, _ in turns), median(one / other for one, other in turns)
    say(name, f"{pace:,.0f} steps/s, {ratio:.2f} of liars_dice")
    if pace < least or ratio < beside:
        say("MISSED", f"{name}: less than {least:,} steps/s, or {beside:g} of liars_dice")


def _pace(play: Callable[[Random], int]) -> float:
    rng, steps, since = Random(1), 0, process_time()
    while steps < STEPS:
        steps += play(rng)
    return steps / (process_time() - since)


def _vector(table: str, rng: Random) -> int:
    chance = np.random.default_rng(rng.getrandbits(32))
    world = world_of(rule_set(table, {}), PLAYERS, MATCHES, chance)
    return sum(_vector_step(world) for _ in range(100))


def _vector_step(world) -> int:
    world.observe()
    world.mask()
    world.reset(world.step(world.random_actions()))
    return MATCHES


def _zoo(env, rng: Random) -> int:
    steps = 0
    env.reset(seed=int(rng.random() * 2**31))
    while not any(env.terminations.values()):
        _, _, _, _, info = env.last()
        legal = np.flatnonzero(info["action_mask"])
        env.step(int(legal[int(rng.random() * len(legal))]))
        steps += 1
    return steps


def _spiel(game, rng: Random) -> int:
    state, steps, observer = game.new_initial_state(), 0, make_observation(game)
    while not state.is_terminal():
        if state.is_chance_node():
            share = rng.random()
            for outcome, chance in state.chance_outcomes():
                fell, share = outcome, share - chance
                if share < 0:
                    break
            state.apply_action(fell)
        else:
            observer.set_from(state, state.current_player())
            state.apply_action(rng.choice(state.legal_actions()))
        steps += 1
    return steps
