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


def check_latencies(played, measured):
    """Few looks make no percentile: one in twenty may be late, and one in any case."""
    look_ms = [us / 1000 for us in played.outcome.look_latency_us]
    late = [ms for ms in look_ms if ms > measured.LOOK_TARGET_MS]
    assert look_ms, "nobody looked at any dice"
    assert len(late) <= max(1, (1 - measured.LOOK_SHARE) * len(look_ms)), sorted(look_ms)
    hide_ms = [us / 1000 for us in played.outcome.hide_latency_us]
    assert hide_ms, "no dice ever left a panel"
    assert max(hide_ms) <= measured.HIDE_TARGET_MS, sorted(hide_ms)
    outcome = played.outcome
    assert outcome.panel_bytes <= measured.TRAFFIC_TARGET * outcome.full_frame_bytes


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_ends_with_the_right_loser(seed, play, setup_of, complaints, measured):
    played = play(setup_of(seed))
    assert complaints(played) == []
    check_latencies(played, measured)


@pytest.mark.soak
def test_soak(soak_seed, play, setup_of, complaints, numbers, tell):
    played = play(setup_of(soak_seed))
    tell(numbers(played))
    assert complaints(played) == []


def test_hands_shake_as_recorded_hands_did(recordings, play, setup_of, complaints):
    setup = setup_of(SHORT_SEED, shakes=ShakeLibrary(recordings))
    assert complaints(play(setup)) == []


def test_one_seed_is_one_match_whatever_the_hashes_and_the_folder(tmp_path):
    playing = Path(__file__).with_name("playing.py")
    runs = []
    for hash_seed in ("0", "4711"):
        folder = tmp_path / f"journals {hash_seed}"
        folder.mkdir()
        runs.append(
            subprocess.Popen(
                [sys.executable, str(playing), str(SHORT_SEED), str(folder)],
                env={**os.environ, "PYTHONHASHSEED": hash_seed},
                stdout=subprocess.PIPE,
                text=True,
            )
        )
    told = [json.loads(one.communicate(timeout=LONGEST_MATCH_S)[0]) for one in runs]
    assert [one.returncode for one in runs] == [0, 0]
    assert told[0] == told[1]
    assert len(told[0]["digest"]) == 64


def test_another_seed_is_another_match(play, setup_of):
    digests = {
        play(setup_of(SHORT_SEED, seed=seed)).outcome.digest for seed in (SHORT_SEED, SHORT_SEED + 1)
    }
    assert len(digests) == 2
