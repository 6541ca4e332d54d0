"""Random playouts of every game beside OpenSpiel's ``liars_dice``, both driven from Python.

OpenSpiel is C++; it is driven as its documents show: a choice among the legal actions, and chance
by its weights. Each of its states is a step here too. The paces are those of one run, in turns.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median
from time import process_time

from game import RULES
from game.explore import playout

try:
    import pyspiel
except ImportError:
    pyspiel = None

STEPS = 20_000
"""As many steps at least make one measurement."""
REPEATS = 7
ASKED = {"class": 1.25}
ASKED_ELSE = 0.6


def beside_openspiel(say: Callable[..., None], headline: Callable[[str], None]) -> None:
    headline(f"random playouts of 3 beside OpenSpiel's liars_dice, median of {REPEATS} turns")
    if pyspiel is None:
        say("open_spiel", "is missing, so nothing is compared: pip install -e '.[bench]'")
        return
    theirs = partial(_liars_dice, pyspiel.load_game("liars_dice"))
    for game, rules in RULES.items():
        ours = partial(_ours, rules)
        turns = [(_pace(ours), _pace(theirs)) for _ in range(REPEATS)]
        ratio, asked = median(one / other for one, other in turns), ASKED.get(game, ASKED_ELSE)
        say(
            game,
            f"{ratio:.2f} of its steps/s ({median(one for one, _ in turns):,.0f} of "
            f"{median(other for _, other in turns):,.0f})",
        )
        if ratio < asked:
            say("MISSED", f"{game}: less than {asked:g} of its steps/s")


def _ours(rules, rng: Random) -> int:
    return len(playout(rules, ("Ana", "Ben", "Cem"), rng)[0])


def _liars_dice(game, rng: Random) -> int:
    state, steps = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes())
            action = rng.choices(actions, weights)[0]
        else:
            action = rng.choice(state.legal_actions())
        state.apply_action(action)
        steps += 1
    return steps


def _pace(play: Callable[[Random], int]) -> float:
    """Steps a second of CPU time, over the same playouts each time."""
    rng, steps, began = Random("bench"), 0, process_time()
    while steps < STEPS:
        steps += play(rng)
    return steps / (process_time() - began)
