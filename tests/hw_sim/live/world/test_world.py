"""A table in virtual time that is dealt out: done again it is the same, and faults are survived."""

import pickle
from random import Random

import pytest

from firmware.table.seat.cup_custody import Position
from hw_sim.hand.control.browser_hand import Pacer, PhoneMotion
from hw_sim.hand.signals import hand as hands
from hw_sim.hand.signals.light import LightScene
from hw_sim.live.web.bench import decode_packet
from hw_sim.live.world import session
from hw_sim.live.world.session import FAULTS, SetBusErrors, SetFault
from hw_sim.live.world.world import World
from tests.support.worlds import hops, setup


def test_what_was_long_ago_is_forgotten_and_nothing_else(tmp_path):
    """Of a hand that never rests, hours must not be kept; and nobody notices that they are not."""
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


LEAKY_THUMB = 322
"""A seed: so much of the room's light comes in under the thumb that the cup could be open."""


@pytest.mark.parametrize("seed", [7, LEAKY_THUMB])
def test_a_shake_counts_from_the_first_moment_on(tmp_path, seed):
    world = World(setup(people=1, seed=seed), tmp_path)
    while "throw" not in world.says(0):
        world.advance(world.now_us + 10_000)
    for down in (True, False):
        world.do(session.PressKey(0, "shake", down))
    world.advance(world.now_us + 3_000_000)
    assert world.says(0).startswith("Throw 1")
    world.close()


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_survived(tmp_path, fault):
    world = World(setup(people=0), tmp_path)
    world.advance(3_000_000)
    world.do(SetFault(1, fault, there=True))
    world.advance(5_000_000)
    if fault != "brownout":
        assert world.power.broken(1) == [fault]
        world.do(SetFault(1, fault, there=False))
    world.advance(8_000_000)
    assert world.power.broken(1) == []
    before = max(seat.hop for seat in world.table.seats)
    while max(seat.hop for seat in world.table.seats) == before:
        world.advance(world.now_us + 1_000_000)
        assert world.trouble is None
        assert world.now_us < 100_000_000
    assert all(seat.handheld.position is not Position.STOPPED for seat in world.table.seats)
    world.close()


@pytest.mark.whole
@pytest.mark.parametrize("plague", [session.SetNoise(4.0), SetBusErrors(20.0)])
def test_a_table_outlives_noise_and_errors_on_every_bus(tmp_path, plague):
    """However long it lasted, and were the handhelds asleep: then everybody plays on."""
    world = World(setup(people=0, seed=1), tmp_path)
    world.advance(5_000_000)
    world.do(plague)
    world.advance(60_000_000)
    assert world.trouble is None
    assert max(seat.board.bus.failures_due for seat in world.table.seats) <= 3
    world.do(type(plague)(0.0))
    before = hops(world)
    while hops(world) < before + 2:
        world.advance(world.now_us + 5_000_000)
        assert world.now_us < 400_000_000
    world.close()


def test_a_bot_that_fails_begins_anew_and_the_others_play_on(tmp_path, caplog):
    world = World(setup(people=0), tmp_path)
    world.advance(5_000_000)
    before = hops(world)
    world.table.players[1].personality = None  # it cannot decide anything any more
    world.advance(50_000_000)
    (told,) = caplog.messages
    assert told == "Ben's handheld failed and begins anew from its journal"
    assert world.trouble is None
    assert hops(world) > before
    world.close()


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


def test_the_air_is_told_by_what_its_frames_say_in_clear(tmp_path):
    world = World(setup(people=0), tmp_path)
    told = []
    world.table.air.observers.append(lambda heard: told.append(decode_packet(heard.payload)))
    world.advance(60_000_000)
    world.close()
    assert {"L2CAP: asks for a channel", "L2CAP: opens the channel"} <= set(told)
    assert told.index("PROPOSE 1") < told.index("ANSWER 1") < told.index("GIVE 1")
    assert "LOG 0, 1 entries" in told
    assert decode_packet(bytes.fromhex("0700 0400 01 02 03 04 05 06 07")) == "ATT"
    assert decode_packet(bytes.fromhex("0400 4000 ff ff ff ff")) == "part of a frame"
