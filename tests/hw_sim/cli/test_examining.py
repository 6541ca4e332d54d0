"""The doctor and the calibration at the desk."""

import json
from collections import Counter
from dataclasses import fields
from itertools import permutations

import pytest

from firmware.input.gestures import Calibration
from firmware.upkeep.calibrate import load
from hw_sim.board import PARTS
from hw_sim.cli.main import main
from hw_sim.trials.diagnosis.wiring import built, dangers, effects_of
from hw_sim.trials.faults import FAULTS


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


def test_a_calibration_in_the_dark_is_given_up_in_one_line(capsys):
    assert main(["calibrate", "--lux", "0.3"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "given up, nothing was changed: Too dark" in line


@pytest.mark.whole
def test_what_was_measured_is_an_object_and_what_to_do_goes_elsewhere(capsys):
    assert main(["calibrate", "--lang", "en", "--json"]) == 0
    said = capsys.readouterr()
    assert set(json.loads(said.out)) == {each.name for each in fields(Calibration)}
    assert said.err.startswith("> Put down")


@pytest.mark.whole
def test_a_simulated_hand_is_calibrated(tmp_path, capsys):
    path = tmp_path / "ana.json"
    assert main(["calibrate", "--lang", "en", "--store", str(path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("> Put down")
    assert said[-1].startswith("Shaking: counts")
    calibration = load(path)
    assert calibration.open_counts is not None
    assert calibration.open_counts > 2.5 * (calibration.dark_counts or 0.0)


LEGS = [f"{name}.{leg}" for name, part in PARTS.items() for leg in part.legs]
TWO_LEGGED = ("swap", "move", "short")


@pytest.mark.whole
def test_every_mistake_with_two_legs_has_one_line_or_a_verdict(capsys):
    refused, done = Counter(), {}
    for mistake in ((what, *legs) for legs in permutations(LEGS, 2) for what in TWO_LEGGED):
        try:
            done.setdefault(effects_of(built([mistake])), mistake)
        except ValueError as error:
            (line,) = str(error).splitlines()
            refused[line.split()[0], "take the power off" in line] += 1
    assert {(word, True) for word in ("3V3", "5V", "5")} == set(refused)
    assert min(refused.values()) > 50
    assert len(done) > 80
    for mistake in done.values():  # one of each kind of mistake is examined
        status = main(["doctor", "--hands", "--lang", "en", "--wires", " ".join(mistake)])
        said = capsys.readouterr()
        assert status in (0, 1), mistake
        assert said.err.count("\n") == any(dangers(built([mistake]))), mistake
        assert said.out.splitlines()[-1].startswith(("Everything is well.", "Wrong: ")), mistake


@pytest.mark.parametrize(
    "mistake", ["move Pi.1 Pi.17", "swap Pi.39 Pi.6", "move Pi.2 Pi.4", "short Pi.2 Pi.4"]
)
def test_a_pin_that_carries_the_same_changes_nothing(mistake):
    assert effects_of(built([mistake.split()])) == effects_of(built([]))


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        ("short ADXL345.INT1 ADXL345.INT2", "! INT1 wire: INT1 does not move"),
        ("short Pi.1 Pi.3", "! I2C bus: not one part answers"),
        ("short Pi.12 Pi.39", "! infrared: the own light is not heard"),
        ("swap C1.+ C1.-", "! infrared: the own light is not heard"),
        ("short Pi.15 Pi.16", "! tapping: reports no touch"),
        ("short Pi.33 Pi.34", "! piezo: the pin stays at 0 V"),
        ("short Pi.33 Pi.17", "! piezo: the pin stays at 3.3 V"),
        ("short Pi.5 Pi.15", "! I2C bus: SCL (header 5) is held at 0 V"),
        ("swap VEML7700.GND VEML7700.SCL", "! I2C bus: SCL (header 5) is held at 0 V"),
    ],
)
def test_signals_that_touch_are_not_well(capsys, mistake, told):
    assert main(["doctor", "--hands", "--lang", "en", "--wires", mistake]) == 1
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        ("swap SSD1306.VCC SSD1306.GND", "SSD1306.GND, which belongs on GND: its supply is rev"),
        ("swap TSOP38238.VS TSOP38238.GND", "TSOP38238.GND, which belongs on GND: its supply"),
        ("move TTP223.GND Pi.17", "TTP223.GND, which belongs on GND: its supply is reversed"),
        ("swap C1.+ C1.-", "C1.-, which belongs on GND: C1 is the wrong way round"),
        ("short Pi.1 Pi.3", "BCM 2 drives against 3V3"),
        ("short Pi.11 Pi.1", "ADXL345.INT1 drives against 3V3"),
        ("short Pi.12 Pi.39", "BCM 18 drives against GND"),
        ("short Pi.16 Pi.17", "TSOP38238.OUT drives against 3V3"),
        ("short ADXL345.INT1 ADXL345.INT2", "ADXL345.INT1 drives against ADXL345.INT2"),
        ("short Pi.15 Pi.5", "TTP223.Q drives against BCM 3"),
        ("short R2.1 R2.2", "BCM 18 on Q1.B without R2"),
        ("short Pi.1 Q1.B", "3.3 V on Q1.B without R2"),
        ("move D1.A Pi.1", "3.3 V on D1.A without R1"),
    ],
)
def test_what_burns_although_the_pi_starts_is_named(mistake, told):
    assert any(told in danger for danger in dangers(built([mistake.split()])))


@pytest.mark.parametrize(
    "mistake",
    ["short Pi.3 Pi.5", "swap SSD1306.SDA SSD1306.SCL", "swap TTP223.Q TTP223.VCC", "open Pi.1"],
)
def test_a_mistake_that_burns_nothing_has_no_such_line(mistake):
    assert not list(dangers(built([mistake.split()])))
