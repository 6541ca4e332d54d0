"""A hand finds its way on a dial: it tilts, taps or holds, and gives up what is not there."""

import asyncio
from math import atan2, degrees
from random import Random

import pytest

from firmware.input.controls.choice import Help
from firmware.input.controls.dial import Dial, Entry
from firmware.input.gestures.gesture import Pose
from game.actions import Announce, Lift, Look, Roll
from game.bluff.values import RANKING
from hw_sim.clock.virtual import run
from hw_sim.hand.signals.hand import Hand
from hw_sim.hand.signals.room_light import LightScene
from hw_sim.players.handling import Handling

HELD = tuple(Entry(choice, holds=True) for choice in (Roll(), Look(), Lift()))
TAPPED = tuple(Entry(Announce(value)) for value in RANKING)
POSE_S = 0.1
STILL_DEG = 4.0
"""A hand that turns less than this between two poses is at rest."""


class Grasp:
    """A handheld that is but a dial and a pad, in somebody's hand."""

    def __init__(self, seed):
        rng = Random(seed)
        self.now_s = asyncio.get_running_loop().time
        self.hand = Hand(rng, LightScene.pub(rng))
        self.place = 0
        self.restless = False
        self.leant_deg = 0.0
        self.touches = []
        self.handling = Handling(
            lambda: self.dial, self._touch, self.hand, rng, None, lambda: self.place
        )
        self.open()
        self._feeling = asyncio.ensure_future(self._feel())

    def open(self):
        self.dial = Dial(HELD, TAPPED, self.now_us)

    @property
    def now_us(self):
        return round(self.now_s() * 1e6)

    def _touch(self, down):
        self.touches.append((down, self.now_s()))

    async def _feel(self):
        before_deg = 0.0
        while True:
            x, _, z = self.hand.acceleration(self.now_us)
            roll_deg = degrees(atan2(-x, z))
            self.leant_deg = max(self.leant_deg, abs(roll_deg))
            still = abs(roll_deg - before_deg) < STILL_DEG and not self.restless
            self.dial.tilt(Pose(self.now_us, roll_deg, 0.0, still), False)
            before_deg = roll_deg
            await asyncio.sleep(POSE_S)


def grasping(script, seed=1):
    async def main():
        grasp = Grasp(seed)
        return await script(grasp), grasp

    return run(main(), limit_s=120.0)


@pytest.mark.parametrize("choice", [Announce(31), Announce(64), Announce(21), Roll(), Lift()])
@pytest.mark.parametrize("seed", range(3))
def test_it_tilts_to_an_entry_and_taps_or_holds_as_the_dial_says(choice, seed):
    done, grasp = grasping(lambda grasp: grasp.handling.choose(choice, hold_s=1.5), seed)
    (_, down_s), (_, up_s) = grasp.touches
    assert done
    assert grasp.dial.entry.choice == choice
    assert (up_s - down_s > 1.4) == grasp.dial.entry.holds


@pytest.mark.parametrize("bent_deg", [-30.0, 30.0])
def test_it_finds_out_that_level_is_not_level(bent_deg):
    """A dial that opens while the handheld is tilted takes that pose for the neutral one."""

    async def script(grasp):
        grasp.hand.tilt(grasp.now_us, bent_deg, 0.0)
        await asyncio.sleep(2.0)
        grasp.open()
        await asyncio.sleep(0.8)
        grasp.dial.follows = False  # the first neutral pose stays
        return await grasp.handling.choose(Announce(54))

    done, grasp = grasping(script)
    assert done
    assert grasp.dial.entry.choice == Announce(54)


@pytest.mark.parametrize("choice", [Announce(54), Look()])
def test_a_dial_that_does_not_move_bends_nobody_over(choice):
    """Noise keeps a dial from moving; once it is gone everything goes on as before."""

    async def script(grasp):
        grasp.restless = True
        for _ in range(2):
            assert not await grasp.handling.choose(choice)
        grasp.restless = False
        grasp.leant_deg = 0.0
        return await grasp.handling.choose(choice)

    done, grasp = grasping(script)
    assert done
    assert grasp.dial.entry.choice == choice
    assert grasp.leant_deg < 85.0


@pytest.mark.parametrize("change", ["place", "entry"])
def test_it_gives_up_what_has_gone(change):
    async def script(grasp):
        choosing = asyncio.ensure_future(grasp.handling.choose(Announce(21)))
        await asyncio.sleep(1.0)
        if change == "place":
            grasp.place += 1
        else:
            grasp.dial = Dial(HELD, (Entry(Help()),), grasp.now_us)
        return await choosing

    done, grasp = grasping(script)
    assert not done
    assert grasp.touches == []
