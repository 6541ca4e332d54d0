"""The doctor and the calibration at the desk."""

import json
from dataclasses import fields

import pytest

from firmware.input.gestures.calibration import Calibration
from firmware.upkeep.calibrate.file import load
from hw_sim.cli.main import main
from hw_sim.trials.diagnosis.faults import FAULTS


def test_the_doctor_finds_a_simulated_handheld_well(capsys):
    assert main(["doctor", "--hands", "--lang", "en"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "Everything is well."
    assert "> Tap the touch pad …" in said


def test_a_fault_is_diagnosed_and_the_status_says_so(capsys):
    assert main(["doctor", "--fault", "bus slow", "--lang", "de"]) == 1
    assert "! Bustakt: 100 kHz statt 400" in capsys.readouterr().out


def test_faults_are_listed(capsys):
    assert main(["doctor", "--faults"]) == 0
    assert capsys.readouterr().out.splitlines() == list(FAULTS)


@pytest.mark.soak
def test_every_fault_has_one_diagnosis(capsys):
    assert main(["doctor", "--fault", "all", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == list(FAULTS)
    assert {fault for fault, findings in told.items() if len(findings) != 1} == set()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["doctor", "--fault", "rain"], "--fault rain: there is no such one: --faults lists them"),
        (["calibrate", "--lux", "0.3"], "given up, nothing was changed: Too dark"),
    ],
)
def test_nonsense_is_one_line(capsys, arguments, told):
    assert main(arguments) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert told in lines[0]


def test_what_was_measured_is_an_object_and_what_to_do_goes_elsewhere(capsys):
    assert main(["calibrate", "--lang", "en", "--json"]) == 0
    said = capsys.readouterr()
    assert set(json.loads(said.out)) == {each.name for each in fields(Calibration)}
    assert said.err.startswith("> Put down")


def test_a_simulated_hand_is_calibrated(tmp_path, capsys):
    path = tmp_path / "ana.json"
    assert main(["calibrate", "--lang", "en", "--store", str(path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("> Put down")
    assert said[-1].startswith("Shaking: counts")
    calibration = load(path)
    assert calibration.open_counts is not None
    assert calibration.open_counts > 2.5 * (calibration.dark_counts or 0.0)
