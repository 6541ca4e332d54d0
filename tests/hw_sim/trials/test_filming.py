"""Scenes as recordings: what a handheld recorded is judged as it would have been live."""

import json

import pytest

from firmware.input.gestures import Calibration
from firmware.upkeep.calibrate.guide import save
from hw_sim.cli.main import main
from hw_sim.trials.gestures import EventTally
from hw_sim.trials.gestures.recorded import run_scenes, run_trial
from hw_sim.trials.gestures.scenes import film

NAMES = ("play, pub", "tapping", "covered, lamp switched", "lifting, dark room")


@pytest.fixture(scope="module")
def labels(tmp_path_factory):
    folder = tmp_path_factory.mktemp("film")
    film(folder, 1, 4, NAMES, 80)
    results = run_trial(folder, processes=1)
    assert not any(result.violations for result in results.values())
    return {label: result.tallies for label, result in results.items()}


@pytest.fixture(scope="module")
def live():
    return run_scenes(1, 4, 1, NAMES, 80)


@pytest.mark.whole
def test_play_is_recognised_from_its_recording_as_it_was_live(labels, live):
    seen, tallies = labels["play_pub"], live["play, pub"].tallies
    assert seen["shake"] == tallies["shake"]
    assert seen["shake"].done > 2
    assert seen["lift"] == tallies["lift"] + EventTally(1, 1, 0)  # the look at the beginning
    assert seen["tap"] == tallies["tap"] + tallies["flick"]


@pytest.mark.whole
def test_taps_come_through(labels, live):
    tallies = live["tapping"].tallies
    assert labels["tapping"]["tap"] == tallies["tap"] + tallies["flick"]
    assert labels["tapping"]["tap"].done > 5


def test_the_command_films_into_a_new_folder_only(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("hw_sim.trials.gestures.scenes.SCENES", {})
    assert main(["scenes", "--film", str(tmp_path / "new")]) == 0
    assert main(["scenes", "--film", str(tmp_path)]) == 2
    assert "is there already: name a new folder" in capsys.readouterr().err


def test_a_calibration_of_other_light_hides_the_first_lift(tmp_path, capsys):
    film(tmp_path / "film", 1, 4, ("lifting, dim",), 60)
    kept = tmp_path / "calibration.json"
    save(Calibration(dark_counts=20_000.0, open_counts=60_000.0), kept)
    seen = []
    for calibration in ((), ("--calibration", str(kept))):
        assert main(["gestures", str(tmp_path / "film"), "--json", *calibration]) == 0
        lifts = json.loads(capsys.readouterr().out)["lifting_dim"]["lift"]
        seen.append(lifts["done"] - lifts["recognised"])
    assert seen == [0, 1]


@pytest.mark.parametrize("text", [None, "{}"])
def test_a_calibration_that_is_none_is_one_line(tmp_path, capsys, text):
    path = tmp_path / "calibration.json"
    if text is not None:
        path.write_text(text)
    assert main(["gestures", str(tmp_path), "--calibration", str(path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
