"""How long people wait for bots, in the real time that a page takes for virtual time."""

import asyncio
from statistics import median

import pytest

from hw_sim.live.world.world import World
from hw_sim.live.world.world_runner import WorldRunner
from tests.support.person import GLANCE_US, Person
from tests.support.worlds import setup

MOST_TURN_S = 6.0
MOST_APART_S = 15.0
MOST_MATCH_S = 180.0
LONGEST_MATCH_US = 900_000_000


class Watch:
    """Return the events at a table of one person and bots, in real seconds.

    Attributes:
        s: since the beginning.
        turns: how long each turn of a bot took.
        apart: how long the person had nothing to do, each time but the first.
    """

    def __init__(self, world, pace):
        self.world, self.pace = world, pace
        self.s = 0.0
        self.turns, self.apart = [], []
        self._began = {}

    def passed(self, lasts_us):
        self.s += lasts_us / 1e6 / self.pace.rate
        for seat in self.world.table.seats:
            self._follow(seat.seat, seat.handheld)

    def _follow(self, seat, handheld):
        busy = handheld.is_asked or handheld.position.name == "TAKING"
        if seat == 0:  # he is not asked between two of his turns
            busy = not busy
        if busy:
            self._began.setdefault(seat, self.s)
        elif seat in self._began:
            lasted_s = self.s - self._began.pop(seat)
            (self.apart if seat == 0 else self.turns).append(lasted_s)


async def watched(folder, seed, until):
    """Let a person who needs 2 s a decision play against two bots until ``until(watch, world)``."""
    world = World(setup("class", seed=seed, kinds=("honest", "cautious")), folder)
    pace = WorldRunner(world, lambda: None)
    watch = Watch(world, pace)
    person = Person(world, 2.0, seed, watch.passed)
    person.play(lambda: until(watch, world) or world.now_us > LONGEST_MATCH_US)
    pace.close()
    world.close()
    assert world.now_us <= LONGEST_MATCH_US
    return watch


def test_a_bot_is_as_quick_as_people_are(tmp_path):
    watch = asyncio.run(watched(tmp_path, 2, lambda watch, _: len(watch.turns) >= 3))
    assert median(watch.turns) <= MOST_TURN_S
    assert max(watch.apart) <= MOST_APART_S


@pytest.mark.soak
def test_a_match_against_two_bots_ends_within_three_minutes(tmp_path):
    matches = []
    for seed in range(1, 11):
        folder = tmp_path / str(seed)
        folder.mkdir()
        matches.append(asyncio.run(watched(folder, seed, lambda _, world: world.is_over)))
    turns = sorted(turn for each in matches for turn in each.turns)
    apart = sorted(each for match in matches for each in match.apart[1:] if each > GLANCE_US / 1e6)
    lasted = sorted(each.s for each in matches)
    print(
        f"matches {lasted[0]:.0f} to {lasted[-1]:.0f} s, median {median(lasted):.0f} s; "
        f"a bot's turn {median(turns):.1f} s, 90 % below {turns[len(turns) * 9 // 10]:.1f} s; "
        f"apart {median(apart):.1f} s, 90 % below {apart[len(apart) * 9 // 10]:.1f} s, "
        f"most {apart[-1]:.1f} s"
    )
    assert median(lasted) <= MOST_MATCH_S
    assert median(turns) <= MOST_TURN_S
    assert apart[len(apart) * 9 // 10] <= MOST_APART_S
