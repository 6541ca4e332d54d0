"""Whole matches of two to eight handhelds, from the shake to the loser."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hw_sim.hand.signals.recorded_shakes import ShakeLibrary
from tests.support import matches, measures
from tests.support.matches import complaints, setup_for, setup_of

SEEDS = (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 16)
"""Each number of players, and each option, at least once."""
SHORT_SEED = 12
"""Three players who count drinks: a match of few minutes."""
OTHERS = {
    "physicist": (1, 2, 3),
    "holy-family": (1, 2, 3),
    "maxen": (2, 4),
    "chicago": (1, 2, 4),
    "sevens": (1, 2, 3),
}
"""Seeds of the other games, the shortest first."""
LONGEST_MATCH_S = 120


def test_the_seeds_have_all_sizes_and_options():
    setups = [setup_of(seed) for seed in SEEDS]
    assert {setup.players for setup in setups} == set(range(3, 9))
    for option in ("ends", "stakes", "understating"):
        assert len({getattr(setup.rules, option) for setup in setups}) == 2, option


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_ends_with_the_right_loser(seed, play, tell):
    played = play(setup_of(seed))
    assert complaints(played) == []
    assert played.outcome.look_latency_us, "nobody looked at any dice"
    assert max(played.outcome.hide_latency_us) <= 1000 * measures.HIDE_TARGET_MS
    tell(matches.numbers(played))


@pytest.mark.parametrize(
    ("game", "seed"), [(game, seeds[0]) for game, seeds in OTHERS.items()], ids=str
)
def test_every_game_ends_with_the_right_loser(game, seed, play, tell):
    played = play(setup_for(game, seed))
    assert complaints(played) == []
    tell(matches.numbers(played))


@pytest.mark.parametrize(
    ("game", "seed"),
    [(game, seed) for game, seeds in OTHERS.items() for seed in seeds[1:]],
    ids=str,
)
def test_and_so_it_does_with_other_players_and_options(game, seed, play, tell):
    played = play(setup_for(game, seed))
    assert complaints(played) == []
    tell(matches.numbers(played))


@pytest.mark.soak
def test_soak(soaked, play, tell):
    played = play(setup_for(*soaked))
    tell(matches.numbers(played))
    assert complaints(played) == []


class CountedShakes(ShakeLibrary):
    """Recorded shakes that count how often a hand takes one."""

    taken = 0

    def draw(self, rng, duration_s):
        self.taken += 1
        return super().draw(rng, duration_s)


def test_hands_shake_as_recorded_hands_did(recordings, play):
    shakes = CountedShakes(recordings)
    played = play(setup_of(SHORT_SEED, shakes=shakes))
    assert complaints(played) == []
    assert shakes.taken > played.outcome.match.round


RUNS = (
    ("class", SHORT_SEED, "0"),
    ("class", SHORT_SEED, "4711"),
    ("class", SHORT_SEED + 12, "0"),
    ("chicago", 1, "0"),
    ("chicago", 1, "4711"),
)
"""Game, seed, and seed of the hashes; each in a process and a folder of its own."""


def test_one_seed_is_one_match_whatever_the_hashes_and_the_folder(tmp_path, plain_environment):
    runs = []
    for game, seed, hash_seed in RUNS:
        folder = tmp_path / f"journals {game} {seed} {hash_seed}"
        folder.mkdir()
        runs.append(
            subprocess.Popen(
                [sys.executable, "-m", "tests.support.matches", game, str(seed), str(folder)],
                cwd=Path(__file__).parents[2],
                env={**plain_environment, "PYTHONHASHSEED": hash_seed},
                stdout=subprocess.PIPE,
                text=True,
            )
        )
    told = [json.loads(one.communicate(timeout=LONGEST_MATCH_S)[0]) for one in runs]
    assert [one.returncode for one in runs] == [0] * len(RUNS)
    same, again, another, open_dice, open_dice_again = told
    assert same == again
    assert open_dice == open_dice_again
    assert same["digest"] != another["digest"]
    assert same["players"] == another["players"]
