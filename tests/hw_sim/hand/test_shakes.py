"""Made-up and recorded shakes."""

import gzip
import math
import os
from array import array
from itertools import pairwise
from random import Random

import pytest

from firmware.upkeep.recording.recorder import MOTION_COLUMNS, RecordingError
from hw_sim.hand.recordings import Clip
from hw_sim.hand.signals import FLAT, G_MPS2, leaning
from hw_sim.hand.signals.shakes import MadeUpShake, RecordedShake, ShakeLibrary, ShakeStyle

END = leaning(3, -20)


def made(
    seed: int, duration_s: float = 2.0, rate_hz: float = 4.0, peak_g: float = 3.0
) -> MadeUpShake:
    style = ShakeStyle.drawn(Random(seed), rate_hz, peak_g, settle_s=0.2)
    return MadeUpShake(1_000_000, duration_s, style, FLAT, leaning(30, 20), END)


def take(start_us: int, x: float, samples: int = 100) -> Clip:
    return Clip(
        array("q", [start_us + 10_000 * index for index in range(samples)]),
        array("d", [x] * samples),
        array("d", [0.0] * samples),
        array("d", [G_MPS2] * samples),
    )


@pytest.mark.parametrize("seed", range(12))
def test_a_shake_swings_at_its_rate_with_its_strength(seed):
    shake = made(seed, duration_s=4.0, rate_hz=4.0, peak_g=3.0)
    felt = [shake.at(t_us) for t_us in range(1_000_000, 5_000_000, 5_000)]
    axis = shake._style.axis
    gravity = sum(axis[i] * sum(vector[i] for vector in felt) / len(felt) for i in range(3))
    along = [sum(a * v for a, v in zip(axis, vector)) - gravity for vector in felt]
    swings = sum(one * other < 0 for one, other in pairwise(along)) / 2 / 4.0
    assert 3.0 < swings < 5.5
    assert 2.0 * G_MPS2 < max(along) < 5.0 * G_MPS2
    assert max(math.hypot(*vector) for vector in felt) < 7.0 * G_MPS2


def test_a_shake_is_without_jumps():
    shake = made(5)
    felt = [shake.at(t_us) for t_us in range(1_000_000, shake.end_us, 100)]
    assert max(math.dist(one, other) for one, other in pairwise(felt)) < 0.5


def test_recorded_takes_follow_each_other_blended():
    shake = RecordedShake(1_000, (take(7_000_000, 10.0), take(0, -20.0)), FLAT, END)
    # Two takes of 0.99 s, each less the 60 ms of its blend, and the last blend.
    assert (shake.shaken_us, shake.end_us) == (1_000 + 2 * 930_000, shake.shaken_us + 60_000)
    assert (shake.at(1_000), shake.at(31_000)[0]) == (FLAT, pytest.approx(5.0))
    assert (shake.at(500_000)[0], shake.at(931_000 + 30_000)[0]) == (10.0, pytest.approx(-5.0))
    assert shake.at(1_500_000)[0] == -20.0
    assert math.dist(shake.at(shake.end_us - 1), END) < 0.001


def folder(tmp_path, index, events=""):
    rows = [f"{i / 50:.2f},{i % 7},0,9.8" for i in range(100)]
    data = gzip.compress("\n".join([MOTION_COLUMNS, *rows]).encode())
    for line in index:
        (tmp_path / line.split(",")[0]).write_bytes(data)
    (tmp_path / "index.csv").write_text("\n".join(["file,label,rate_hz,use", *index]))
    (tmp_path / "events.csv").write_text("file,start_s,end_s,label\n" + events)
    return tmp_path


def test_a_library_takes_events_and_clips_of_trusted_shakes(tmp_path):
    index = (
        "mixed.gz,shake_assembled,50,missed-shake",
        "shake.gz,shake,50,missed-shake (lower bound)",
        "clipped.gz,shake,50,rhythm only (clipped)",
        "walk.gz,walking,50,false-roll",
        "tennis.gz,tennis,50,missed-shake",
    )
    events = "mixed.gz,0.2,1.0,shake\nmixed.gz,1.1,1.3,shake\nmixed.gz,0,1.9,turning\n"
    library = ShakeLibrary(folder(tmp_path, index, events))
    assert [[take.duration_us for take in source] for source in library.sources] == [
        [800_000],
        [1_980_000],
    ]


def test_a_folder_without_shakes_is_said(tmp_path):
    with pytest.raises(RecordingError, match=r"holds no shake of 0.7 s or more; it needs events"):
        ShakeLibrary(folder(tmp_path, ("walk.gz,walking,50,false-roll",)))


def test_real_takes_are_shakes():
    given_folder = os.environ.get("RECORDINGS")
    if not given_folder:
        pytest.skip("RECORDINGS names no folder of recordings")
    library = ShakeLibrary(given_folder)
    for source in library.sources:
        for one in source:
            strongest = max(map(math.hypot, one.x_mps2, one.y_mps2, one.z_mps2))
            assert strongest > 1.2 * G_MPS2
