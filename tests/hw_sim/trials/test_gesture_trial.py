"""Recordings and filmed scenes through simulated accelerometer, driver and recognizer."""

import gzip
import json
import math
import os
from array import array
from pathlib import Path

import pytest

from firmware.input.gestures import Calibration
from firmware.upkeep.calibrate import save
from firmware.upkeep.recording import RecordingError
from hw_sim.cli.main import main
from hw_sim.hand.recordings import Clip, RecordedEvent, Recording
from hw_sim.trials.gestures import (
    EventTally,
    Interval,
    TrialResult,
    count_interval,
    share_interval,
    table,
)
from hw_sim.trials.gestures.recorded import run_scenes, run_trial, score
from hw_sim.trials.gestures.scenes import film
from tests.support.corpus import write_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    write_corpus(folder, seed=5, people=1)
    return folder


@pytest.fixture(scope="module")
def report(corpus):
    return run_trial(corpus, processes=1)


@pytest.mark.whole
def test_made_up_shakes_roll_and_nothing_else_does(report):
    assert report["shake"].tallies["shake"] == EventTally(12, 12, 0)
    assert {result.tallies["shake"].false for result in report.values()} == {0}
    assert {"walking", "table_knock", "phone_drop", "rest", "vehicle_car"} <= set(report)


def test_the_driver_does_nothing_the_sheet_forbids(report):
    assert not any(result.violations for result in report.values())


def test_the_report_says_all_in_json_and_in_text(report):
    said = json.loads(json.dumps({label: result.as_json() for label, result in report.items()}))
    shake = said["shake"]
    assert shake["violations"] == []
    assert shake["hours"] == pytest.approx(report["shake"].hours, abs=0.00001)
    assert [shake["shake"][name] for name in ("done", "recognised", "false")] == [12, 12, 0]
    assert said["rest"]["shake"]["recognised_share_95"] is None
    lines = table(report).splitlines()
    assert any(line.startswith("walking") for line in lines)
    assert any("73.5% to 100.0%" in line for line in lines)


# ---- what counts as what -----------------------------------------------------------------------


def recording(label="mixed", use="false-roll"):
    clip = Clip(array("q", [0, 60_000_000]), *(array("d", [0, 0]) for _ in range(3)))
    return Recording("a.csv.gz", label, 50.0, use, (clip,))


def heard(*rolls):
    return {"shake": list(rolls), "lift": [], "tap": []}


SHAKES = [
    RecordedEvent("a.csv.gz", 2_000_000, 3_000_000, "shake"),
    RecordedEvent("a.csv.gz", 6_000_000, 8_000_000, "shake"),
]


@pytest.mark.parametrize(
    ("rolls_s", "recognised", "false_rolls"),
    [
        ([], 0, 0),
        ([3.3, 8.3], 2, 0),
        ([3.3, 3.9, 8.3], 1, 1),
        ([1.9, 3.3], 1, 1),
        ([4.6], 0, 1),
        ([4.5], 1, 0),
        ([2.5, 3.0, 3.5], 0, 2),
    ],
)
def test_one_roll_an_event_and_the_others_are_false(rolls_s, recognised, false_rolls):
    result = score(recording(), SHAKES, heard(*(round(t_s * 1e6) for t_s in rolls_s)))
    assert result == TrialResult(1 / 60, {"shake": EventTally(2, recognised, false_rolls)})
    assert result.tallies["shake"].missed == 2 - recognised


def test_shakes_without_events_are_neither_missed_nor_false():
    assert score(recording("shake"), [], heard(5, 6)) == TrialResult(1 / 60, {}, other_rolls=2)


def test_shakes_cut_off_by_their_sensor_are_not_judged():
    result = score(recording("shake_2g", "rhythm only (clipped)"), SHAKES, heard(3_300_000))
    assert result == TrialResult(1 / 60, {}, other_rolls=1)


# ---- intervals, against published tables ---------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "low", "high"),
    [(0, 0.0, 3.6889), (1, 0.0253, 5.5716), (3, 0.6187, 8.7673), (10, 4.7954, 18.3904)],
)
def test_poisson_intervals(count, low, high):
    assert count_interval(count) == pytest.approx(Interval(low, high), abs=1e-4)


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [
        (0, 10, 0.0, 0.3085),
        (1, 10, 0.0025, 0.4450),
        (5, 10, 0.1871, 0.8129),
        (10, 10, 0.6915, 1.0),
        (206, 210, 0.9520, 0.9948),
    ],
)
def test_share_intervals(hits, trials, low, high):
    assert share_interval(hits, trials) == pytest.approx(Interval(low, high), abs=1e-4)


# ---- real motion ---------------------------------------------------------------------------------

NOT_A_ROLL = ("walking", "sit_stand_walk_turn", "table_knock", "rest", "vehicle_car")


@pytest.mark.skipif("RECORDINGS" not in os.environ, reason="RECORDINGS names no folder")
def test_recorded_people():
    report = run_trial(Path(os.environ["RECORDINGS"]))
    assert not any(result.violations for result in report.values())
    shakes = report["shake_assembled"].tallies["shake"]
    assert shakes.recognised >= 0.97 * shakes.done
    assert shakes.false == 0
    for label in NOT_A_ROLL:
        if label in report:
            assert report[label].tallies["shake"].false == 0, label


def folder_of(folder, rate=100, unit=9.80665, rest=1.0, listed=100, event="a.csv.gz,3.0,5.0,shake"):
    """A folder with 8 s of motion, which shakes from 3 s to 5 s, in some unit."""
    shaken = ((at / rate, 2.2 * math.sin(10 * math.pi * at / rate)) for at in range(8 * rate))
    rows = [f"{t:.4f},{unit * x * (3 <= t < 5):.4f},0,{unit * rest:.4f}\n" for t, x in shaken]
    text = "t_s,ax_mps2,ay_mps2,az_mps2\n" + "".join(rows)
    (folder / "a.csv.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    index = f"file,label,rate_hz,use,clips\na.csv.gz,shake,{listed},missed-shake,1\n"
    (folder / "index.csv").write_text(index)
    (folder / "events.csv").write_text(f"file,start_s,end_s,label\n{event}\n")
    return folder


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ({"unit": 1.0}, "a.csv.gz: it measures 1 m/s² at rest"),
        ({"unit": 256.0}, "a.csv.gz: it measures 256 m/s² at rest"),
        ({"rest": 0.0}, "a.csv.gz: it measures 0 m/s² at rest"),
        ({"rate": 25}, "a.csv.gz: it has 25 samples a second, and index.csv says 100"),
        ({"event": "a.csv.gz,3,5,Shake"}, "label 'Shake' of a.csv.gz: write shake"),
        ({"event": "a.csv,3,5,shake"}, "index.csv does not list a.csv; write a.csv.gz"),
        ({"event": "a.csv.gz,300,302,shake"}, "begins at 300 s, and the recording ends at 7.99 s"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(tmp_path, made, told):
    with pytest.raises(RecordingError) as raised:
        run_trial(folder_of(tmp_path, **made), processes=1)
    assert told in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.whole
def test_a_unit_that_is_given_or_known_by_gravity_is_used(tmp_path):
    wanted = run_trial(folder_of(tmp_path), processes=1)
    assert run_trial(folder_of(tmp_path, unit=256.0), processes=1, unit="256") == wanted
    file = folder_of(tmp_path, unit=1.0) / "a.csv.gz"
    text = gzip.decompress(file.read_bytes()).replace(b"_mps2", b"")
    file.write_bytes(gzip.compress(text, mtime=0))
    told = []
    assert run_trial(tmp_path, processes=1, tell=told.append) == wanted
    assert len(told) == 1
    assert "so it is read as g" in told[0]


NAMES = ("play, pub",)


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
    assert seen["tap"].done > 2


def test_the_command_films_into_a_new_folder(tmp_path, monkeypatch):
    monkeypatch.setattr("hw_sim.trials.gestures.scenes.SCENES", {})
    assert main(["scenes", "--film", str(tmp_path / "new")]) == 0


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
