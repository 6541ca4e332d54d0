"""The made-up corpus: complete, one per seed, and a folder of recordings like any other."""

import math
from itertools import pairwise

import pytest

from hw_sim.hand.signals.motion import G_MPS2
from hw_sim.trials.gestures.corpus import make_corpus


def contents(recordings):
    return [
        (recording.entry, [(c.t_us, c.x_mps2, c.y_mps2, c.z_mps2) for c in recording.clips])
        for recording in recordings
    ]


def strongest_g(clip, from_us, until_us):
    times_us = range(from_us, until_us, 10_000)
    return max(math.hypot(*clip.acceleration(t_us)) for t_us in times_us) / G_MPS2


@pytest.fixture(scope="module")
def corpus():
    return make_corpus(seed=1, people=2)


def test_it_holds_shakes_and_what_must_not_pass_for_one(corpus):
    minutes: dict[str, float] = {}
    for recording in corpus.recordings:
        minutes.setdefault(recording.label, 0.0)
        minutes[recording.label] += recording.duration_us / 60e6
    still = {"rest", "vehicle_car", "tilting", "put_down"}
    assert set(minutes) == still | {"shake", "walking", "running", "table_knock", "phone_drop"}
    assert min(minutes.values()) > 0.7


def test_events_are_the_shakes_with_rest_between(corpus):
    shaken = [recording for recording in corpus.recordings if recording.label == "shake"]
    assert list(corpus.events) == [recording.file for recording in shaken]
    for recording in shaken:
        (clip,) = recording.clips
        events = corpus.events[recording.file]
        assert len(events) == 12
        for event in events:
            assert strongest_g(clip, event.start_us, event.end_us) > 2.0
        for event, following in pairwise(events):
            assert following.start_us - event.end_us > 2_000_000
            assert strongest_g(clip, event.end_us + 500_000, following.start_us) < 1.4


def test_a_seed_is_one_corpus():
    assert contents(make_corpus(3, 1).recordings) == contents(make_corpus(3, 1).recordings)
    assert contents(make_corpus(3, 1).recordings) != contents(make_corpus(4, 1).recordings)
    with pytest.raises(ValueError, match="0 people make no corpus; give 1 or more"):
        make_corpus(1, 0)
