"""The simulator can replay and judge the recordings of a Pi."""

import asyncio
from random import Random

import pytest

from drivers.errors import PartError
from firmware.cli.main import main
from firmware.display.text.language import say
from firmware.upkeep.recording import (
    LIFT,
    SHAKE,
    TAP,
    Cue,
    RecordingError,
    Take,
    asked_within,
    keep,
    record,
)
from hw_sim.clock import run
from hw_sim.hand.recordings import load_motion
from hw_sim.hand.signals.hand import Hand, Person
from hw_sim.hand.signals.light import LightScene
from hw_sim.trials.gestures import EventTally
from hw_sim.trials.gestures.recorded import run_trial
from tests.support.rigs import assembled


def taken(seconds, act, seed=1, after=None):
    """A take of a hand that acts, and the board's violations; ``after`` is done to the board."""

    async def main():
        rng = Random(f"recorded {seed}")
        hand = Hand(rng, LightScene.day(rng), person=Person.drawn(rng))
        act(hand)
        found = Take()
        with assembled(seed) as (board, parts):
            board.acceleration, board.illuminance = hand.acceleration, hand.illuminance
            if after is not None:
                after(asyncio.get_running_loop(), board)
            await record(parts, found, seconds)
        return found, board.violations

    return run(main(), limit_s=600)


def test_what_was_lost_begins_a_new_clip(tmp_path):
    def stall(loop, board):
        """The bus is busy elsewhere for 0.6 s, and the FIFO runs over."""

        def block():
            board.bus._free_ns += 600_000_000

        loop.call_later(2.0, block)

    found, violations = taken(5, lambda hand: None, after=stall)
    assert found.clips == 2
    keep(found, tmp_path, "lossy", "rest")
    (recording,) = load_motion(tmp_path)
    assert len(recording.clips) == 2
    assert any("overrun" in line for line in violations)


def acted(tmp_path, cue, seconds=32, seed=1, lux=None):
    """Record a hand that does what it is asked to, in a room, and judge the recording."""

    async def main():
        loop = asyncio.get_running_loop()
        rng = Random(f"asked {seed}")
        hand = Hand(rng, LightScene.pub(rng) if lux is None else LightScene(rng, lux))
        began_us = 1_000_000
        found = Take()
        with assembled(seed) as (board, parts):
            for asked in asked_within(cue, seconds):
                start_us = began_us + asked.start_us + rng.randrange(200_000, 600_000)
                if cue is Cue.SHAKE:
                    hand.shake(start_us, 1.6)
                elif cue is Cue.LIFT:
                    hand.lift(start_us)
                    hand.cover(start_us + 2_300_000)
                else:
                    press = hand.hold(start_us, 0.25)
                    loop.call_at(press.down_us / 1e6, board.touch, True)
                    loop.call_at(press.up_us / 1e6, board.touch, False)
            board.acceleration, board.illuminance = hand.acceleration, hand.illuminance
            await asyncio.sleep(began_us / 1e6)
            await record(parts, found, seconds, cue, lambda key: print(say(key, "de")))
        return found, board.violations

    found, violations = run(main(), limit_s=600)
    assert violations == []
    keep(found, tmp_path, "ana", f"asked_{cue.value}")
    return run_trial(tmp_path, processes=1)[f"asked_{cue.value}"].tallies


@pytest.mark.whole
def test_what_was_asked_for_is_what_is_recognised(tmp_path, capsys):
    for cue, count in ((Cue.SHAKE, 4), (Cue.LIFT, 4), (Cue.TAP, 7)):
        nothing = dict.fromkeys((SHAKE, LIFT, TAP), EventTally())
        asked = {cue.value: EventTally(count, count, 0)}
        assert acted(tmp_path / cue.value, cue) == nothing | asked
    said = capsys.readouterr().out.splitlines()
    assert said.count("Schütteln …") == said.count("… und ruhig.") == 4
    assert (said.count("Heben …"), said.count("Tippen.")) == (4, 7)


def test_lifts_in_a_room_too_dark_to_tell_are_missed(tmp_path):
    result = acted(tmp_path, Cue.LIFT, lux=0.3)
    assert result[LIFT] == EventTally(4, 0, 0)


@pytest.mark.whole
def test_what_was_not_asked_for_is_false(tmp_path):
    acted(tmp_path, Cue.LIFT)
    events = tmp_path / "events.csv"
    header, *lines = events.read_text().splitlines()
    events.write_text("\n".join([header, *lines[:-2]]) + "\n")
    assert run_trial(tmp_path, processes=1)["asked_lift"].tallies[LIFT] == EventTally(2, 2, 2)


def test_a_part_that_is_missing_is_named():
    with pytest.raises(PartError, match="ADXL345 accelerometer at 0x53: no answer"):
        taken(3, lambda hand: None, after=lambda loop, board: board.unplug("accelerometer"))


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordingError, match="name a folder that can be written"):
        keep(Take(), tmp_path / "file", "x", "rest")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["Big Name", "--label", "rest"], "name 'Big Name': write a-z"),
        (["x", "--label", "a b"], "label 'a b': write a-z"),
    ],
)
def test_what_is_wrong_with_the_arguments_is_one_line(capsys, arguments, told):
    assert main(["record", *arguments]) == 2
    assert told in capsys.readouterr().err
