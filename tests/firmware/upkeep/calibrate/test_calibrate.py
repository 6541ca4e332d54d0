"""The calibration: simulated hands do what they are told, or something else."""

import asyncio
import sys
from dataclasses import replace
from random import Random

import pytest

from firmware.cli.upkeep import Terminal
from firmware.display.text.language import LANGUAGES
from firmware.input.gestures import (
    MOST_COUNTS,
    MOST_GAIN,
    UNCALIBRATED,
    AccelBatch,
    Calibration,
    CalibrationError,
    Pose,
)
from firmware.input.gestures.recognizer import Recognizer
from firmware.upkeep.calibrate import (
    Complaint,
    GuideStep,
    beside,
    calibrate,
    height,
    load,
    panel_picture,
    plot,
    save,
    summary,
)
from hw_sim.clock import run
from hw_sim.hand.signals.hand import Person
from hw_sim.trials.diagnosis import Pupil
from tests.support.rigs import assembled

S = 1_000_000


def calibrated(seed=1, light="veml7700", also=lambda guide: None, language="de", **habits):
    """The calibration of a hand with habits, what it was asked for, and the board's violations."""

    async def main():
        with assembled(seed, light) as (board, parts):
            await asyncio.sleep(0.6)
            pupil = Pupil(board, asyncio.get_running_loop(), seed, **habits)
            tell = lambda guide: (pupil(guide), also(guide))  # noqa: E731
            return await calibrate(parts, language, tell), pupil, board.violations

    return run(main(), limit_s=900)


@pytest.mark.whole
@pytest.mark.parametrize(("seed", "light"), [(0, "veml7700"), (1, "bh1750")])
def test_willing_hands_are_led_through_all_steps(seed, light):
    calibration, pupil, violations = calibrated(seed, light=light)
    assert violations == []
    steps = ["PUT_DOWN", "UNCOVER", "COVER", "LIFT", "SHAKE", "TILT", "DONE"]
    assert list(dict.fromkeys(pupil.steps)) == [GuideStep[name] for name in steps]
    assert calibration.open_counts > 2.5 * calibration.dark_counts
    assert 1.0 <= calibration.shake_gain <= MOST_GAIN


@pytest.mark.whole
def test_a_hand_that_does_nothing_is_given_up_on():
    with pytest.raises(CalibrationError, match="nothing was changed: Nothing was noticed"):
        calibrated(shake=lambda hand, t_us: None)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("habits", "reason"),
    [
        ({"cover": lambda hand, t_us: None}, "too much light"),
        ({"lux": 0.4}, "Too dark"),
        ({"person": replace(Person.drawn(Random(3)), shake_g=0.8)}, "too weak|Nothing"),
        (
            {
                "person": replace(Person.drawn(Random(3)), pitch_deg=-28.0, tremor_mps2=0.02),
                "put_down": lambda hand, t_us: None,
            },
            "not level",
        ),
        ({"tilt": lambda hand, t_us: hand.tilt(t_us, -40.0, 0.0)}, "That was left"),
    ],
    ids=["uncovered", "dark", "weak", "in the hand", "left"],
)
def test_nonsense_is_refused(habits, reason):
    with pytest.raises(CalibrationError, match=reason):
        calibrated(**habits)


@pytest.mark.whole
def test_a_gentle_shaker_is_heard_better_and_a_strong_one_as_before():
    gentle = replace(Person.drawn(Random(3)), shake_g=1.25, shake_hz=4.0)
    strong = replace(gentle, shake_g=4.5)
    assert calibrated(person=gentle)[0].shake_gain > 1.0
    assert calibrated(person=strong)[0].shake_gain == 1.0


# ---- what is stored ------------------------------------------------------------------------------


def test_it_comes_back_as_it_was_stored(tmp_path):
    path = beside(tmp_path / "new" / "journal.sqlite")
    assert load(path) is UNCALIBRATED
    calibration = Calibration((4, -7, 12), 1.1, 2.5, 300.0)
    save(calibration, path)
    assert load(path) == calibration
    assert [each.name for each in path.parent.iterdir()] == ["calibration.json"]


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[1]", '{"offset_counts": [1, 2], "shake_gain": 1, "dark_counts": 1}', "\x00"],
)
def test_a_file_that_makes_no_sense_is_refused(tmp_path, text):
    path = tmp_path / "calibration.json"
    path.write_text(text)
    with pytest.raises(CalibrationError, match="makes no sense: remove it and run"):
        load(path)


@pytest.mark.parametrize(
    "values",
    [
        {"offset_counts": (200, 0, 0)},
        {"shake_gain": 3.0},
        {"shake_gain": float("nan")},
        {"open_counts": -1.0},
    ],
)
def test_values_that_cannot_be_are_refused(values):
    with pytest.raises(CalibrationError, match="calibrate again"):
        Calibration(**values)


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CalibrationError, match="name a file that can be written"):
        save(UNCALIBRATED, tmp_path / "file" / "calibration.json")


def test_the_offset_is_taken_off_before_anything_is_judged():
    recognizer = Recognizer(Calibration((60, 0, 0)))
    batch = AccelBatch(S, ((60, 0, 256),) * 10)
    (pose,) = [one for one in recognizer.feed(batch, S) if isinstance(one, Pose)]
    assert pose.roll_deg == 0.0


# ---- what is shown -------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_and_complaint_fits_the_panel(language):
    for step in GuideStep:
        for complaint in (None, *Complaint):
            picture = panel_picture(step, complaint, 0.5, language)
            assert (picture.width, picture.height) == (128, 64)


def test_the_plot_shows_the_newest_between_nothing_and_all():
    assert plot([0.0, 0.25, 0.5, 1.0]) == " ▂▄█"
    assert plot([-1.0, 2.0]) == " █"
    assert len(plot([1.0] * 500)) == 48


def test_light_is_plotted_by_its_logarithm_and_motion_evenly():
    assert height(GuideStep.LIFT, 0.0) == 0.0
    assert height(GuideStep.LIFT, 5000.0) == pytest.approx(1.0)
    assert height(GuideStep.LIFT, 5.0) - height(GuideStep.LIFT, 0.5) == pytest.approx(
        height(GuideStep.LIFT, 50.0) - height(GuideStep.LIFT, 5.0)
    )
    assert height(GuideStep.SHAKE, 2.0) == 0.5


def test_a_terminal_gets_a_live_plot_of_one_line_with_what_must_be_reached(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    terminal = Terminal("en", sys.stdout)
    calibrated(also=terminal)
    frames = capsys.readouterr().out.replace("\x1b[K", "").split("\r")
    plots = [frame for frame in frames if frame.startswith("  ")]
    assert len(plots) > 200
    assert max(map(len, plots)) <= 80
    for must in ("≤ 0.06 g", "≥ 1 lx", "≥ 0.64 g", "≥ 20°"):
        assert any(must in plot for plot in plots), must


MEASURED = {
    "de": """\
Lage: bis zu 47 mg Versatz abgezogen.
Licht: zugedeckt 0.4 lx, offen 54 lx; gehoben ab 7.5 lx.
Schütteln: zählt 1.10-fach.""",
    "en": """\
Level: an offset of up to 47 mg is off.
Light: covered 0.4 lx, open 54 lx; lifted from 7.5 lx.
Shaking: counts 1.10 times.""",
}


@pytest.mark.parametrize("language", MEASURED)
def test_at_the_end_it_is_said_what_was_measured(language):
    told = summary(Calibration((-12, 5, 7), 1.1, 3.0, 401.0), language)
    assert told == MEASURED[language].splitlines()
    assert len(summary(UNCALIBRATED, language)) == 2
    loose = summary(Calibration((0, 0, 0), 1.0, 20.0, 400.0), language)
    assert len(loose) == 4
    assert loose[2].startswith(("5% comes in", "Unter dem Daumen bleiben 5%"))
    told = summary(Calibration((0, 0, 0), 1.0, 13_000.0, MOST_COUNTS), language)
    assert len(told) == 4
    assert told[2].startswith(("The sensor tells no more", "Mehr zeigt der Sensor nicht an"))
