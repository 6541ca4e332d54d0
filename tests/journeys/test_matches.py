"""Whole matches of three to eight handhelds, from the shake to the loser."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hw_sim.shakes import ShakeLibrary

SEEDS = range(1, 13)
SHORT_SEED = 12
"""Three players who count drinks: a match of few minutes."""
LONGEST_MATCH_S = 120


def check_latencies(played, measures):
    """Few looks make no percentile: one in twenty may be late, and one in any case."""
    look_ms = [us / 1000 for us in played.outcome.look_latency_us]
    late = [ms for ms in look_ms if ms > measures.LOOK_TARGET_MS]
    assert look_ms, "nobody looked at any dice"
    assert len(late) <= max(1, (1 - measures.LOOK_SHARE) * len(look_ms)), sorted(look_ms)
    hide_ms = [us / 1000 for us in played.outcome.hide_latency_us]
    assert hide_ms, "no dice ever left a panel"
    assert max(hide_ms) <= measures.HIDE_TARGET_MS, sorted(hide_ms)
    outcome = played.outcome
    assert outcome.panel_bytes <= measures.TRAFFIC_TARGET * outcome.full_frame_bytes


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_ends_with_the_right_loser(seed, play, setup_of, complaints, measures):
    played = play(setup_of(seed))
    assert complaints(played) == []
    check_latencies(played, measures)


@pytest.mark.soak
def test_soak(soak_seed, play, setup_of, complaints, playing, tell):
    played = play(setup_of(soak_seed))
    tell(playing.numbers(played))
    assert complaints(played) == []


class CountedShakes(ShakeLibrary):
    """Recorded shakes that count how often a hand takes one."""

    taken = 0

    def draw(self, rng, duration_s):
        self.taken += 1
        return super().draw(rng, duration_s)


def test_hands_shake_as_recorded_hands_did(recordings, play, setup_of, complaints):
    shakes = CountedShakes(recordings)
    played = play(setup_of(SHORT_SEED, shakes=shakes))
    assert complaints(played) == []
    assert shakes.taken > played.outcome.match.round


def test_one_seed_is_one_match_whatever_the_hashes_and_the_folder(tmp_path):
    playing = Path(__file__).with_name("playing.py")
    runs = []
    for seed, hash_seed in ((SHORT_SEED, "0"), (SHORT_SEED, "4711"), (SHORT_SEED + 12, "0")):
        folder = tmp_path / f"journals {seed} {hash_seed}"
        folder.mkdir()
        runs.append(
            subprocess.Popen(
                [sys.executable, str(playing), str(seed), str(folder)],
                env={**os.environ, "PYTHONHASHSEED": hash_seed},
                stdout=subprocess.PIPE,
                text=True,
            )
        )
    told = [json.loads(one.communicate(timeout=LONGEST_MATCH_S)[0]) for one in runs]
    assert [one.returncode for one in runs] == [0, 0, 0]
    same, again, another = told
    assert same == again
    assert same["digest"] != another["digest"]
    assert same["players"] == another["players"]
