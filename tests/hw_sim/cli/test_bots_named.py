"""Bots that the command line names."""

from asyncio import Runner
from pathlib import Path

from hw_sim.cli import match
from hw_sim.cli.main import _parser
from hw_sim.players.bot_kinds import personality_of
from hw_sim.table.table import SimulatedTable


def test_bots_by_name_sit_down_first(tmp_path):
    named = ["--bot", "docs/bots/careful.py:Careful", "--bot", "shark"]
    careful = f"{Path('docs/bots/careful.py').resolve()}:Careful"
    asked = _parser().parse_args(["play", "--seat", "1", *named])
    setup = match._setup(asked)
    assert [setup.bot_of(seat) for seat in range(3)] == [careful, None, "shark"]
    with Runner() as runner:
        runner.run(_plays(setup, tmp_path, careful))


async def _plays(setup, folder, careful):
    first, _, third = (player.personality for player in SimulatedTable(setup, folder).players)
    assert (first.name, type(third)) == (careful, type(personality_of("shark")))
