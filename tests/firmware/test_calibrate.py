"""The calibration: simulated hands do what they are told, or something else."""

import asyncio
from dataclasses import replace
from random import Random

import pytest

from firmware.board import assemble
from firmware.calibrate.command import Terminal, calibrate
from firmware.calibrate.guide import Complaint, Step
from firmware.calibrate.picture import panel_picture, plot
from firmware.calibrate.sayings import COMPLAINTS, STEPS
from firmware.calibration import (
    MOST_GAIN,
    UNCALIBRATED,
    Calibration,
    CalibrationError,
    beside,
    load,
    save,
)
from firmware.console import CommandError
from firmware.gestures import Pose
from firmware.inputs import AccelBatch
from firmware.recognizer import Recognizer
from hw_sim.board import SimulatedBoard
from hw_sim.clock import run
from hw_sim.hand import Hand, Person
from hw_sim.light import LightScene

S = 1_000_000


class Pupil:
    """A hand that does what the guide says one second after it was said."""

    def __init__(self, board, loop, seed=1, person=None, lux=60.0, **habits):
        rng = Random(f"pupil {seed}")
        self.hand = Hand(rng, LightScene(rng, lux), person=person or Person.drawn(rng))
        self.loop = loop
        self.habits = habits
        self.steps = []
        self._told = None
        board.acceleration = self.hand.acceleration
        board.illuminance = self.hand.illuminance

    def __call__(self, guide):
        now = (guide.step, guide.complaints)
        if now == self._told:
            return
        self._told = now
        self.steps.append(guide.step)
        act = self.habits.get(guide.step.name.lower(), getattr(self, guide.step.name.lower(), None))
        if act is not None:
            act(self.hand, round(self.loop.time() * 1e6) + S)

    @staticmethod
    def put_down(hand, t_us):
        hand.lift(t_us)
        hand.put_down(t_us)

    @staticmethod
    def uncover(hand, t_us):
        hand.lift(t_us)

    @staticmethod
    def cover(hand, t_us):
        hand.cover(hand.take_up(t_us))

    @staticmethod
    def lift(hand, t_us):
        for turn in range(3):
            hand.lift(t_us + 3 * turn * S)
            hand.cover(t_us + 3 * turn * S + S)

    @staticmethod
    def shake(hand, t_us):
        for _ in range(3):
            t_us = hand.shake(t_us, 1.4) + 2 * S

    @staticmethod
    def tilt(hand, t_us):
        hand.tilt(t_us, 40.0, 0.0)


def calibrated(seed=1, light="veml7700", **habits):
    async def main():
        loop = asyncio.get_running_loop()
        board = SimulatedBoard(seed, loop)
        if light == "bh1750":
            board.fit_foreign("light")
        await asyncio.sleep(0.6)
        pupil = Pupil(board, loop, seed, **habits)
        parts = assemble(board.bus, board.bus.execute, board.gpio, loop, light)
        try:
            return await calibrate(parts, "de", pupil), pupil, board.violations
        finally:
            parts.motion_pin.close()
            board.close()

    return run(main(), limit_s=900)


@pytest.mark.parametrize("light", ["veml7700", "bh1750"])
@pytest.mark.parametrize("seed", range(6))
def test_willing_hands_are_led_through_all_steps(seed, light):
    calibration, pupil, violations = calibrated(seed, light=light)
    assert violations == []
    assert list(dict.fromkeys(pupil.steps)) == [
        Step.PUT_DOWN,
        Step.UNCOVER,
        Step.COVER,
        Step.LIFT,
        Step.SHAKE,
        Step.TILT,
        Step.DONE,
    ]
    assert calibration.open_counts > 2.5 * calibration.dark_counts
    assert 1.0 <= calibration.shake_gain <= MOST_GAIN


def test_a_hand_that_does_nothing_is_given_up_on():
    with pytest.raises(CommandError, match="given up, nothing was changed: Nothing was noticed"):
        calibrated(shake=lambda hand, t_us: None)


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
    with pytest.raises(CommandError, match=reason):
        calibrated(**habits)


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


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_step_and_complaint_fits_the_panel(language):
    assert set(STEPS) == set(Step)
    assert set(COMPLAINTS) == set(Complaint)
    for step in Step:
        for complaint in (None, *Complaint):
            picture = panel_picture(step, complaint, 0.5, language)
            assert picture.size == (128, 64)


def test_the_plot_is_scaled_to_its_highest_and_shows_the_newest():
    assert plot([0.0, 1.0, 2.0, 4.0]) == " ▂▄█"
    assert len(plot([1.0] * 500)) == 60
    assert plot([0.0, 0.0]) == "  "


def test_the_terminal_says_each_step_once(capsys):
    async def main():
        loop = asyncio.get_running_loop()
        board = SimulatedBoard(1, loop)
        await asyncio.sleep(0.6)
        pupil, terminal = Pupil(board, loop), Terminal("en")
        parts = assemble(board.bus, board.bus.execute, board.gpio, loop)
        await calibrate(parts, "en", lambda guide: (pupil(guide), terminal(guide)))
        parts.motion_pin.close()
        board.close()

    run(main(), limit_s=900)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "> Put down", "> Uncover", "> Cover", "> Lift", "> Shake", "> Tilt", "> Done",
    ]  # fmt: skip
