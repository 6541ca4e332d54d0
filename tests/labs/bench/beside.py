"""A learner's games beside one of OpenSpiel.

The steps of every game that a learner can use are measured beside ``liars_dice``, from Python. A
step is a decision with the tensor of the seat that decides and its legal actions, as a policy needs
them; chance is a step of OpenSpiel, too. OpenSpiel is C++. Play is random. The paces are those of
one run, in turns.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median
from time import process_time

from game import RULES, TABLES, rule_set

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
