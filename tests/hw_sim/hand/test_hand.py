"""A hand and its light: what accelerometer, light sensor and touch pad get to feel."""

import math
from dataclasses import replace
from random import Random

import pytest

from hw_sim.hand.signals import G_MPS2, leaning
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


def test_people_differ():
    people = [Person.drawn(Random(seed)) for seed in range(200)]
    for name in Person.__slots__:
        assert len({getattr(person, name) for person in people}) == 200, name
    assert all(0.001 <= person.leak_share <= 0.02 for person in people)


@pytest.mark.parametrize("seed", range(10))
def test_a_hand_at_rest_holds_its_pose(seed):
    one = hand(seed)
    roll, pitch = pose_deg(mean(one, 0, 2_560_000))
    assert (roll, pitch) == pytest.approx((one.person.roll_deg, one.person.pitch_deg), abs=0.3)
    assert strongest_g(one, 0, 10 * SECOND) < 0.05


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


def test_lifting_and_covering_are_ramps():
    sensor = CoveredSensor(LightScene(Random(1), 50.0), leak_share=0.01)
    sensor.move(1_000_000, 1_150_000, 0.8)
    sensor.move(3_000_000, 3_100_000, 0.0)
    assert (sensor.openness(1_000_000), sensor.openness(1_075_000)) == (0.0, pytest.approx(0.4))
    assert (sensor.openness(2_000_000), sensor.openness(3_050_000)) == (0.8, pytest.approx(0.4))
    assert sensor.openness(9_000_000) == 0.0
    rising = [sensor.illuminance(t_us) for t_us in range(1_000_000, 1_150_001, 5_000)]
    assert rising == sorted(rising)
    assert rising[-1] == pytest.approx(50.0 * (0.01 + 0.99 * 0.8))


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
