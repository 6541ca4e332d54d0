"""A hand that does anything to its handheld, and then what it is asked to: no match stands."""

import pytest

from game import RULES
from hw_sim.live.world.world import World
from tests.support.hands import RandomHand
from tests.support.worlds import setup

WHIMS = 0.25
"""So often it does anything at all."""
SHORT = {
    "class": {},
    "physicist": {},
    "holy-family": {"points": 2},
    "maxen": {},
    "chicago": {},
    "sevens": {"rounds": 1},
}


def played(folder, game, seed):
    world = World(setup(game, players=3, seed=seed, **SHORT[game]), folder)
    RandomHand(world, seed, WHIMS).play()
    leaks = [leak for seat in world.table.seats[1:] for leak in seat.watch.leaks]
    world.close()
    assert leaks == []


def test_a_match_ends_whatever_a_hand_does(tmp_path):
    played(tmp_path, "sevens", 3)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", RULES)
def test_every_match_ends_whatever_a_hand_does(tmp_path, game, seed):
    assert set(SHORT) == set(RULES)
    played(tmp_path, game, seed)
