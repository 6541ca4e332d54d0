"""A hand and its light: what the parts get to feel; shakes, made up and recorded."""

import gzip
import math
from array import array
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.upkeep.recording import MOTION_COLUMNS, RecordingError
from hw_sim.hand.recordings import Clip
from hw_sim.hand.signals import FLAT, G_MPS2, Fall, Jolt, MotionPlan, Turn, leaning
from hw_sim.hand.signals.hand import Hand, Person
from hw_sim.hand.signals.light import (
    DARK_LUX,
    DAY_LUX,
    GLOW_LUX,
    MAINS_FLICKER,
    PUB_LUX,
    CoveredSensor,
    LightScene,
)
from hw_sim.hand.signals.shakes import MadeUpShake, RecordedShake, ShakeLibrary, ShakeStyle

SECOND = 1_000_000


def hand(seed: int = 1, **parts) -> Hand:
    return Hand(Random(seed), LightScene(Random(0), 40.0), **parts)


def pose_deg(felt) -> tuple[float, float]:
    x, y, z = felt
    return (
        math.degrees(math.atan2(-x, math.hypot(y, z))),
        math.degrees(math.atan2(-y, math.hypot(x, z))),
    )


def mean(one: Hand, from_us: int, until_us: int) -> tuple[float, ...]:
    felt = [one.acceleration(t_us) for t_us in range(from_us, until_us, 5_000)]
    return tuple(sum(axis) / len(felt) for axis in zip(*felt))


def strongest_g(one: Hand, from_us: int, until_us: int) -> float:
    """The strongest departure from 1 g, at the 100 Hz of the handheld."""
    felt = (one.acceleration(t_us) for t_us in range(from_us, until_us, 10_000))
    return max(abs(math.hypot(*vector) / G_MPS2 - 1.0) for vector in felt)


def everything(one: Hand) -> list[object]:
    """Plan one of each and tell all that came of it."""
    t_us = one.shake(1 * SECOND)
    told: list[object] = [one.lift(t_us), one.cover(t_us + SECOND), one.tap(t_us + 2 * SECOND)]
    told += [one.hold(t_us + 3 * SECOND, 1.0), one.tilt(t_us + 5 * SECOND, 25.0, 0.0)]
    told += [one.level(one.free_us), one.knock(one.free_us), one.walk(one.free_us, 2.0)]
    told += [one.ride(one.free_us, 2.0), one.put_down(one.free_us), one.take_up(one.free_us)]
    told += [one.drop(one.free_us), one.take_up(one.free_us), one.rest(one.free_us, 1.0)]
    told += [one.acceleration(t_us) for t_us in range(0, one.free_us, 9_999)]
    told += [one.illuminance(t_us) for t_us in range(0, one.free_us, 9_999)]
    return told


def test_one_seed_is_one_person_and_one_run():
    assert everything(hand(4)) == everything(hand(4))
    assert everything(hand(4)) != everything(hand(5))


@pytest.mark.parametrize("seed", range(10))
def test_a_hand_at_rest_holds_its_pose(seed):
    one = hand(seed)
    roll, pitch = pose_deg(mean(one, 0, 2_560_000))
    assert (roll, pitch) == pytest.approx((one.person.roll_deg, one.person.pitch_deg), abs=0.3)
    assert strongest_g(one, 0, 10 * SECOND) < 0.05


@pytest.mark.whole
@pytest.mark.parametrize("seed", range(20))
def test_a_shake_is_vigorous_and_over_when_told(seed):
    one = hand(seed)
    end_us = one.shake(2 * SECOND, 1.4)
    assert 3.4 * SECOND < end_us < 3.9 * SECOND
    assert strongest_g(one, 2 * SECOND, end_us) > 1.0
    assert strongest_g(one, 0, 2 * SECOND) < 0.05
    assert strongest_g(one, end_us, end_us + SECOND) < 0.05


def test_a_shake_of_no_time_is_refused():
    with pytest.raises(ValueError, match="a shake of 0 s is none; give more than 0"):
        hand().shake(0, 0.0)


@pytest.mark.parametrize(("roll", "pitch"), [(25.0, 0.0), (-40.0, 5.0), (0.0, 30.0)])
def test_tilting_leans_away_from_the_pose_and_levelling_comes_back(roll, pitch):
    one = hand(7)
    tilted_us = one.tilt(SECOND, roll, pitch, over_s=0.4)
    assert tilted_us == 1_400_000
    back_us = one.level(4 * SECOND)
    held = pose_deg(mean(one, 0, SECOND))
    lean = pose_deg(mean(one, tilted_us, 4 * SECOND))
    assert lean[0] - held[0] == pytest.approx(roll, abs=0.5)
    assert lean[1] - held[1] == pytest.approx(pitch, abs=0.5)
    assert pose_deg(mean(one, back_us, back_us + SECOND)) == pytest.approx(held, abs=0.5)


def test_a_motion_waits_for_the_one_before_it():
    one = hand(2)
    shaken_us = one.shake(0, 1.0)
    assert one.tilt(100_000, 30.0, 0.0, over_s=0.5) == shaken_us + 500_000
    assert one.rest(0, 2.0) == one.free_us == shaken_us + 2_500_000
    assert one.level(0, over_s=0.1) == shaken_us + 2_600_000


def test_lifting_lets_the_light_in_and_covering_shuts_it_out():
    one = hand(1)
    assert one.openness(SECOND) == 0.0
    lifted_us = one.lift(SECOND, over_s=0.15)
    covered_us = one.cover(3 * SECOND)
    assert lifted_us == 1_150_000
    assert 3.05 * SECOND < covered_us < 3.3 * SECOND
    assert one.illuminance(0) == one.illuminance(SECOND) <= 0.02 * 40.0
    assert one.illuminance(lifted_us) > 0.69 * 40.0
    assert one.openness(lifted_us) == one.person.open_share
    assert one.illuminance(covered_us) == one.illuminance(0)
    assert 0.005 < strongest_or_sideways_g(one, SECOND, 1_300_000) < 0.2
    assert one.free_us == 0


def strongest_or_sideways_g(one: Hand, from_us: int, until_us: int) -> float:
    rest = leaning(one.person.roll_deg, one.person.pitch_deg)
    felt = (one.acceleration(t_us) for t_us in range(from_us, until_us, 1_000))
    return max(math.dist(vector, rest) for vector in felt) / G_MPS2


def test_a_wrist_gives_way_where_there_is_no_such_pose():
    person = replace(Person.drawn(Random(3)), roll_deg=4.0, pitch_deg=-30.0)
    hand = Hand(Random(3), LightScene.day(Random(3)), person=person)
    end_us = hand.tilt(0, 55.0, -10.0)
    x, y, z = hand.acceleration(end_us + 1_000_000)
    assert math.degrees(math.asin(-x / G_MPS2)) == pytest.approx(59.0, abs=1.0)
    assert math.degrees(math.asin(-y / G_MPS2)) == pytest.approx(-31.0, abs=1.0)
    assert z == pytest.approx(0.0, abs=0.5)
    for roll_deg in (86.0, 500.0, -500.0):
        end_us = hand.tilt(end_us, roll_deg, -10.0)
        x, _, _ = hand.acceleration(end_us + 1_000_000)
        assert abs(x) == pytest.approx(G_MPS2, abs=0.3)


def levels(scene: LightScene, from_us: int, until_us: int, step_us: int) -> list[float]:
    return [scene.ambient(t_us) for t_us in range(from_us, until_us, step_us)]


def test_a_lamp_on_the_mains_flickers_at_100_hz_by_30_percent():
    scene = LightScene(Random(1), 20.0, mains_flicker=MAINS_FLICKER)
    period = levels(scene, 0, 10_000, 100)
    assert max(period) == pytest.approx(26.0, rel=0.01)
    assert min(period) == pytest.approx(14.0, rel=0.01)
    assert sum(period) / len(period) == pytest.approx(20.0, rel=0.01)
    assert levels(scene, 730_000, 740_000, 100) == period
    half = levels(scene, 5_000, 15_000, 100)
    assert all(one + other == pytest.approx(40.0, rel=0.03) for one, other in zip(period, half))


@pytest.mark.whole
@pytest.mark.parametrize(
    ("make", "band"),
    [(LightScene.pub, PUB_LUX), (LightScene.day, DAY_LUX), (LightScene.dark, DARK_LUX)],
)
def test_rooms_keep_their_band(make, band):
    for seed in range(30):
        heard = levels(make(Random(seed)), 0, 10_240_000, 1_003)
        assert band[0] * 0.99 < sum(heard) / len(heard) < band[1] * 1.01


def test_the_room_jumps():
    scene = LightScene(Random(1), 10.0)
    assert scene.jump(2_000_000, 50.0, over_s=0.1) == 2_100_000
    scene.jump(1_000_000, 20.0, over_s=0.0)
    assert levels(scene, 0, 2_000_000, 500_000) == [10.0, 10.0, 20.0, 20.0]
    assert (scene.ambient(2_050_000), scene.ambient(2_100_000)) == (pytest.approx(35.0), 50.0)
    assert scene.ambient(10**9) == 50.0


def test_impossible_rooms_are_refused():
    with pytest.raises(ValueError, match="no room has -1 lx"):
        LightScene(Random(1), -1.0)
    with pytest.raises(ValueError, match=r"a flicker of 0.7 is none"):
        LightScene(Random(1), 1.0, mains_flicker=0.7)
    with pytest.raises(ValueError, match="no room has -2 lx"):
        LightScene(Random(1), 1.0).jump(0, -2.0)


def test_the_panel_glows_on_the_sensor_whether_covered_or_not():
    asked: list[int] = []

    def glow(t_us: int) -> float:
        asked.append(t_us)
        return 0.5

    scene = LightScene(Random(1), 50.0)
    dark, lit = (CoveredSensor(scene, leak_share=0.01, glow=g) for g in (None, glow))
    for t_us in (0, 2_000_000):
        lit.move(1_000_000, 1_100_000, 1.0)
        dark.move(1_000_000, 1_100_000, 1.0)
        assert lit.illuminance(t_us) - dark.illuminance(t_us) == pytest.approx(0.5 * GLOW_LUX)
    assert asked == [0, 2_000_000]


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


def strength_g(vector) -> float:
    return math.hypot(*vector) / G_MPS2


@given(st.floats(-60, 60), st.floats(-30, 30))
def test_a_pose_can_be_read_back_from_its_acceleration(roll_deg, pitch_deg):
    x, y, z = leaning(roll_deg, pitch_deg)
    assert math.degrees(math.atan2(-x, math.hypot(y, z))) == pytest.approx(roll_deg, abs=1e-6)
    assert math.degrees(math.atan2(-y, math.hypot(x, z))) == pytest.approx(pitch_deg, abs=1e-6)
    assert math.hypot(x, y, z) == pytest.approx(G_MPS2)


@pytest.mark.parametrize(("roll", "pitch"), [(60, 60), (100, 0), (0, -91)])
def test_poses_that_do_not_exist_are_refused(roll, pitch):
    with pytest.raises(ValueError, match=r"no pose has a roll of .* lean it less"):
        leaning(roll, pitch)


@pytest.mark.parametrize("after", [leaning(70, 0), (0.0, 0.0, -G_MPS2), (0.0, G_MPS2, 0.0)])
@pytest.mark.parametrize("before", [FLAT, (0.0, -G_MPS2, 0.0), (-G_MPS2, 0.0, 0.0)])
def test_a_turn_feels_gravity_alone_all_the_way(before, after):
    turn = Turn(1_000, 501_000, before, after)
    felt = [turn.at(t_us) for t_us in range(1_000, 501_001, 2_000)]
    assert (felt[0], felt[-1]) == (pytest.approx(before), after)
    assert all(strength_g(vector) == pytest.approx(1.0) for vector in felt)
    assert max(math.dist(one, other) for one, other in pairwise(felt)) < 0.5


def test_a_fall_is_weightless_then_hits_then_lies():
    up = (0.0, 0.0, -G_MPS2)
    fall = Fall(1_000_000, 0.3, FLAT, up, (0.0, 0.0, -90.0), (0.1, 0.0, 0.2))
    assert fall.at(1_000_000) == pytest.approx(FLAT)
    falling = [strength_g(fall.at(t_us)) for t_us in range(1_030_000, 1_330_000, 1_000)]
    assert max(falling) < 0.1
    for offset_us in range(0, 10_000, 1_000):
        times_us = range(1_330_000 + offset_us, fall.end_us, 10_000)
        assert max(strength_g(fall.at(t_us)) for t_us in times_us) > 3.0
    assert math.dist(fall.at(fall.end_us - 1), up) < 0.05


def test_two_pieces_at_one_time_are_refused():
    plan = MotionPlan(Random(1), FLAT, 0.0)
    plan.add(Turn(0, 500_000, FLAT, leaning(40, 0)))
    with pytest.raises(ValueError, match="motion is planned until 500000 µs"):
        plan.add(Turn(400_000, 900_000, FLAT, FLAT))
    assert (plan.wait_until(300_000), plan.wait_until(700_000)) == (500_000, 700_000)


def test_a_held_handheld_trembles_and_a_lying_one_does_not():
    plan = MotionPlan(Random(3), FLAT, 0.08)
    plan.add(Turn(60_000_000, 60_000_001, FLAT, FLAT), lies=True)
    held = [plan.acceleration(t_us) for t_us in range(0, 51_200_000, 5_000)]
    for axis, rest in enumerate(FLAT):
        spread = math.sqrt(sum((felt[axis] - rest) ** 2 for felt in held) / len(held))
        assert spread == pytest.approx(0.08, rel=1e-6)
    assert {plan.acceleration(t_us) for t_us in range(60_000_001, 70_000_000, 5_000)} == {FLAT}


@pytest.mark.whole
@given(st.integers(0, 4_000), st.integers(4_000, 5_000))
def test_planning_more_is_felt_at_once(asked_us, start_us):
    plan = MotionPlan(Random(1), FLAT, 0.0)
    assert plan.acceleration(asked_us) == FLAT
    plan.add_jolt(Jolt(start_us, (9.0, 0.0, 0.0), 100.0, 0.01))
    assert plan.acceleration(start_us + 2_000)[0] > 1.0
    plan.add(Turn(start_us + 100_000, start_us + 100_001, FLAT, leaning(30, 0)))
    assert plan.acceleration(start_us + 100_001) == leaning(30, 0)
