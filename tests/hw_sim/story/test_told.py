"""How a table is told of, by what its seats have told each other."""

from dataclasses import replace
from random import Random

from game import RULES
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.table import NAMES, TablePart, TableSetup
from hw_sim.table.headless import Story
from tests.support import core_table as cores
from tests.support.tables import fixed


def told_of(folder, game, *here, **options):
    """The story of a table at which only these seats are, from what is in their journals."""
    rules = replace(RULES[game], **options)
    table = TableSetup(rules, seed=2, link=("mqtt",), part=TablePart(here))
    met = {seat: fixed(NAMES[:3], seat, key=cores.KEY, rules=rules) for seat in here}
    setup = WorldSetup(table, people=0, bots=("honest",) * 3)
    world = World(setup, folder, customise=lambda it: replace(it, agreed_tables=met))
    story = Story(world.table, "en")
    story.update()
    world.close()
    return story


def test_of_open_dice_one_seat_tells_all_where_the_others_are_elsewhere(tmp_path):
    table = cores.CoreTable(3, game="sevens", folder=tmp_path, rounds=1)
    table.walk(Random(1))
    assert table.over
    table.close()
    for away in (1, 2):
        for file in tmp_path.glob(f"seat{away}.sqlite*"):
            file.unlink()
    story = told_of(tmp_path, "sevens", 0, rounds=1)
    assert story.match.outcome == table[0].match.outcome
    assert sum(story.match.coasters) == 1
    assert story.lines[-1].startswith("The game")
