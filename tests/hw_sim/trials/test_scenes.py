"""Scenes of bad light and motion: what the recognizer must not take for a lift or a throw."""

import json

import pytest

from hw_sim.cli.main import main
from hw_sim.hand.signals.hand import Press
from hw_sim.trials.gestures import EventTally
from hw_sim.trials.gestures.recorded import run_scenes
from hw_sim.trials.gestures.scenes import SCENES, Plan

pytestmark = pytest.mark.whole

DISTURBANCES = (
    "putting down",
    "walking",
    "running",
    "knocking",
    "dropping",
    "bus ride",
    "covered, candle",
    "covered, lamp switched",
)
BAD_LIGHT = ("lifting, dim", "lifting, flickering", "lifting, lamp switched", "lifting, slowly")


@pytest.fixture(scope="module")
def results():
    names = (*DISTURBANCES, *BAD_LIGHT, "lifting, dark room", "tapping", "play, pub")
    return run_scenes(takes=1, take_s=100, seed=3, processes=1, names=names)


def test_no_disturbance_is_a_throw_or_a_lift(results):
    for name in DISTURBANCES:
        assert results[name].tallies["shake"].false == 0, name
        assert results[name].tallies["lift"].false == 0, name


@pytest.mark.parametrize("name", BAD_LIGHT)
def test_lifts_are_seen_in_bad_light(results, name):
    tally = results[name].tallies["lift"]
    assert tally.done > 7
    assert (tally.recognised, tally.false) == (tally.done, 0)


def test_in_a_dark_room_nobody_lifts_and_nothing_is_seen(results):
    assert results["lifting, dark room"].tallies["lift"] == EventTally(0, 0, 0)


def test_a_turn_is_understood(results):
    for kind in ("lift", "shake", "tap"):
        tally = results["play, pub"].tallies[kind]
        assert tally.done > 2
        assert tally.recognised == tally.done, kind


def test_every_tap_is_seen_that_the_pad_can_see(results):
    tally = results["tapping"].tallies["tap"]
    assert tally.done > 8
    assert tally == EventTally(tally.done, tally.done, 0)


def test_a_short_touch_is_a_flick_while_the_pad_dozes():
    plan = Plan()
    for press in (
        Press(0, 219_000),  # nobody touched it before
        Press(1_000_000, 1_220_000),
        Press(12_000_000, 12_100_000),
        Press(30_000_000, 30_219_000),
    ):
        assert plan.touch(press) == press.up_us
    assert plan.flick == [(0, 219_000), (30_000_000, 30_219_000)]
    assert plan.tap == [(1_000_000, 1_220_000), (12_000_000, 12_100_000)]
    assert len(plan.presses) == 4


def test_the_parts_are_used_as_their_sheets_allow(results):
    assert [result.violations for result in results.values()] == [()] * len(results)


def test_the_command_gives_json(capsys, monkeypatch):
    kept = {"walking": SCENES["walking"]}
    monkeypatch.setattr("hw_sim.trials.gestures.recorded.SCENES", kept)
    monkeypatch.setattr("hw_sim.trials.gestures.cpu_count", lambda: 1)
    assert main(["scenes", "--takes", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["walking"]["shake"]["false"] == 0
