"""Pieces of motion, and the plan that makes one signal of them."""

import math
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw_sim.hand.signals import FLAT, G_MPS2, Fall, Jolt, MotionPlan, Turn, leaning


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


def busy_plan() -> MotionPlan:
    plan = MotionPlan(Random(9), FLAT, 0.05)
    plan.add(Turn(1_000, 1_500, FLAT, leaning(30, 0)))
    plan.add(Turn(3_000, 3_600, leaning(30, 0), FLAT), lies=True)
    for t_us in (500, 2_000, 2_100):
        plan.add_jolt(Jolt(t_us, (1.0, 2.0, 3.0), 5_000.0, 0.000_05))
    return plan


@given(st.lists(st.integers(0, 6_000), max_size=60))
def test_a_plan_is_a_pure_function_of_time(asked):
    used = busy_plan()
    for t_us in asked:
        assert used.acceleration(t_us) == busy_plan_fresh().acceleration(t_us)


_TABLES = busy_plan()


def busy_plan_fresh() -> MotionPlan:
    """The same plan with nothing remembered."""
    _TABLES.wait_until(0)
    return _TABLES


@given(st.integers(0, 4_000), st.integers(4_000, 5_000))
def test_planning_more_is_felt_at_once(asked_us, start_us):
    plan = MotionPlan(Random(1), FLAT, 0.0)
    assert plan.acceleration(asked_us) == FLAT
    plan.add_jolt(Jolt(start_us, (9.0, 0.0, 0.0), 100.0, 0.01))
    assert plan.acceleration(start_us + 2_000)[0] > 1.0
    plan.add(Turn(start_us + 100_000, start_us + 100_001, FLAT, leaning(30, 0)))
    assert plan.acceleration(start_us + 100_001) == leaning(30, 0)
