"""A hand: what its accelerometer, its light sensor and its touch pad get to feel."""

import gzip
import math
from dataclasses import replace
from random import Random

import pytest

from firmware.upkeep.recording.files import MOTION_COLUMNS
from hw_sim.hand.signals.hand import Hand, Person
from hw_sim.hand.signals.motion import FLAT, G_MPS2, leaning
from hw_sim.hand.signals.recorded_shakes import ShakeLibrary
from hw_sim.hand.signals.room_light import LightScene

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


def test_vigour_scales_a_shake():
    gentle, strong = hand(3), hand(3)
    gentle.shake(0, 2.0, vigour=0.5)
    strong.shake(0, 2.0, vigour=2.0)
    assert strongest_g(strong, 0, 2 * SECOND) > 2.5 * strongest_g(gentle, 0, 2 * SECOND)


def test_a_shake_of_no_time_is_refused():
    with pytest.raises(ValueError, match="a shake of 0 s is none; give more than 0"):
        hand().shake(0, 0.0)


def test_recorded_shakes_are_used_where_given(tmp_path):
    rows = [f"{i / 100:.2f},{40 if i % 20 < 10 else -40},0,9.8" for i in range(150)]
    data = gzip.compress("\n".join([MOTION_COLUMNS, *rows]).encode())
    (tmp_path / "shake.csv.gz").write_bytes(data)
    index = "file,label,rate_hz,use\nshake.csv.gz,shake,100,missed-shake\n"
    (tmp_path / "index.csv").write_text(index)
    one = hand(shakes=ShakeLibrary(tmp_path))
    end_us = one.shake(SECOND, 1.2)
    assert end_us == SECOND + 1_490_000
    assert {one.acceleration(SECOND + t_us)[0] for t_us in range(110_000, 1_400_000, 200_000)} == {
        -40.0
    }
    assert strongest_g(one, end_us, end_us + SECOND) < 0.05


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


def test_the_speed_of_a_lift_varies_around_the_person_s_own():
    one = hand(1)
    taken = [one.lift(t_us) - t_us for t_us in range(0, 50 * SECOND, SECOND)]
    assert len(set(taken)) > 40
    usual_us = one.person.lift_s * 1e6
    assert all(0.84 * usual_us < took_us < 1.16 * usual_us for took_us in taken)


def test_taps_are_180_to_400_ms_and_hardly_felt():
    for seed in range(20):
        one = hand(seed)
        press = one.tap(SECOND)
        assert press.down_us == SECOND
        assert 180_000 <= press.up_us - press.down_us <= 400_000
        unmoved = strongest_or_sideways_g(one, SECOND - 200_000, SECOND)
        assert unmoved < strongest_or_sideways_g(one, SECOND, SECOND + 50_000) < 0.3


def test_a_hold_lasts_as_long_as_told():
    assert hand().hold(5, 1.5) == (5, 1_500_005)


def test_put_down_it_lies_flat_without_tremor_until_taken_up():
    one = hand(6)
    down_us = one.put_down(SECOND)
    still = {one.acceleration(t_us) for t_us in range(down_us + 200_000, 9 * SECOND, 5_000)}
    assert still == {FLAT}
    assert strongest_g(one, down_us, down_us + 200_000) > 0.05
    up_us = one.take_up(9 * SECOND)
    assert pose_deg(mean(one, up_us, up_us + SECOND)) == pytest.approx(
        (one.person.roll_deg, one.person.pitch_deg), abs=5.0
    )


@pytest.mark.parametrize("seed", range(12))
def test_a_drop_is_free_fall_then_an_impact_then_it_lies(seed):
    one = hand(seed)
    end_us = one.drop(SECOND)
    felt_g = [math.hypot(*one.acceleration(t)) / G_MPS2 for t in range(SECOND, end_us, 10_000)]
    falling = [index for index, g in enumerate(felt_g) if g < 0.3]
    first = falling[0]
    fall = next(i for i in range(first, len(felt_g)) if felt_g[i] >= 0.3) - first
    assert 24 <= fall <= 48
    assert max(felt_g[first + fall : first + fall + 20]) > 3.0
    lying = {one.acceleration(t_us) for t_us in range(end_us, end_us + SECOND, 5_000)}
    assert len(lying) == 1
    assert math.hypot(*lying.pop()) == pytest.approx(G_MPS2)


def test_walking_bounces_at_the_pace_of_the_steps():
    one = hand(8)
    end_us = one.walk(SECOND, 20.0, step_hz=2.0, bounce_g=0.25)
    assert end_us == 21 * SECOND
    assert 0.2 < strongest_g(one, SECOND, end_us) < 1.0
    upright = [math.hypot(*one.acceleration(t)) - G_MPS2 for t in range(2 * SECOND, end_us, 10_000)]
    lag = sum(a * b for a, b in zip(upright, upright[50:]))
    assert lag > 0.5 * sum(a * a for a in upright[50:])


def test_a_ride_is_small_and_grows_with_the_road():
    good, bad = hand(9), hand(9)
    good.ride(0, 10.0)
    bad.ride(0, 10.0, roughness=2.0)
    smooth_g, rough_g = (strongest_g(one, SECOND, 9 * SECOND) for one in (good, bad))
    assert 0.03 < smooth_g < 0.35
    assert rough_g > 1.6 * smooth_g


def test_a_knock_is_short():
    one = hand(10)
    end_us = one.knock(SECOND, peak_g=2.0)
    assert end_us - SECOND <= 150_000
    felt = (one.acceleration(t_us)[2] for t_us in range(SECOND, end_us, 500))
    assert max(felt) > 2.2 * G_MPS2
    assert strongest_g(one, end_us, end_us + SECOND) < 0.05


def test_the_panel_s_light_reaches_the_covered_sensor():
    one = hand(1, glow=lambda t_us: 0.2, glow_lux=5.0)
    assert one.illuminance(0) == pytest.approx(1.0 + hand(1).illuminance(0))


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
