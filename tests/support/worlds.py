"""Tables as the browser has them, and what is done to their handhelds."""

from math import pi, sin

from game import rule_set
from hw_sim.live.world.setup import WorldSetup
from hw_sim.players.bot_kinds import KINDS
from hw_sim.table import TableSetup


def setup(game="class", players=3, people=1, seed=3, kinds=KINDS, **options):
    table = TableSetup(rule_set(game, options), players, seed)
    return WorldSetup(table, people, tuple(kinds[i % len(kinds)] for i in range(players - people)))


def drag(since_us, lasts_s=1.8, hz=3.5, reach_m=0.06):
    """Samples of a picture that is dragged to and fro."""
    count = round(lasts_s * 60)
    return tuple(
        (since_us + round(i / 60 * 1e6), reach_m * sin(2 * pi * hz * i / 60), 0.0)
        for i in range(count)
    )


def folder(path, name):
    made = path / name
    made.mkdir()
    return made


def hops(world):
    return max(seat.hop for seat in world.table.seats)
