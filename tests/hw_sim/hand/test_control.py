"""A person's hand by keys, by a dragged picture and by a phone: what each makes of what comes."""

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw_sim.hand.control.browser_hand import Pacer, PhoneMotion
from hw_sim.hand.control.keyboard_hand import Key, KeyReader
from hw_sim.hand.signals import hand as hands
from hw_sim.hand.signals.light import LightScene


def test_keys_of_a_terminal():
    reader = KeyReader()
    for typed, meant in (
        (b" lLu\r\nth", "SHAKE LIFT LIFT LIFT_TOGGLE TAP TAP TAP HOLD"),
        (b"\x1b[C\x1bOD\x1b[D\x1bOCq\x04", "RIGHT LEFT LEFT RIGHT QUIT QUIT"),
    ):
        assert reader.feed(typed) == [Key[name] for name in meant.split()]


def test_other_keys_mean_nothing():
    assert KeyReader().feed(b"x\x1b[A\x1b[1;5C\x1b[15~\xc3\xa4\x1bxq") == [Key.QUIT]


@given(st.lists(st.integers(1, 3)))
def test_a_sequence_may_come_in_pieces(cuts):
    data = b" \x1b[Cl\x1bOD\x1b[3~q"
    reader, keys = KeyReader(), []
    for cut in (*cuts, len(data)):
        keys += reader.feed(data[:cut])
        data = data[cut:]
    assert keys == [Key.SHAKE, Key.RIGHT, Key.LIFT, Key.LEFT, Key.QUIT]


def test_a_phone_is_felt_only_while_it_tells():
    phone = PhoneMotion()
    assert phone.at(0) is None
    phone.add(1_000_000, (0.0, 0.0, 10.0))
    phone.add(1_100_000, (0.0, 0.0, 20.0))
    assert phone.at(1_050_000) == pytest.approx((0.0, 0.0, 15.0))
    assert phone.at(1_200_000) == (0.0, 0.0, 20.0)
    assert phone.at(2_000_000) is None


def test_samples_get_even_times_that_are_never_past():
    pacer = Pacer(15_000)
    assert pacer.times([100.0, 110.0], 1_000_000, 1.0) == [1_015_000, 1_025_000]
    assert pacer.times([120.0], 1_022_000, 1.0) == [1_035_000]
    late = pacer.times([130.0], 1_100_000, 1.0)
    assert late == [1_115_000]


def test_what_was_long_ago_is_forgotten_and_nothing_else():
    """A hand that never rests keeps seconds of its motion, and samples stay the same."""
    rng, pose = Random(1), hands.Hand(Random(2), LightScene.day(Random(3)))
    for second in range(300):
        pose.tilt(second * 1_000_000, rng.uniform(-20.0, 20.0), 0.0, 0.3)
        pose.tap(second * 1_000_000)
        (pose.lift if second % 2 else pose.cover)(second * 1_000_000)
    late = range(290_000_000, 301_000_000, 7_777)
    before = [(pose.acceleration(t_us), pose.illuminance(t_us)) for t_us in late]
    size = len(pickle.dumps(pose.motion))
    pose.forget(280_000_000)
    assert [(pose.acceleration(t_us), pose.illuminance(t_us)) for t_us in late] == before
    assert len(pickle.dumps(pose.motion)) < size / 3
