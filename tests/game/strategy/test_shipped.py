"""The shipped tables of matches follow from the rules, and experts play by them."""

import shutil
import subprocess
import sys
from dataclasses import replace
from random import Random
from struct import Struct
from zlib import decompress

import pytest

from game import RULES
from game.strategy import coasters, three_dice
from game.strategy.ends import table
from game.strategy.standings import SHIPPED, FromTable, is_told, told
from hw_sim.live.site.pack import LARGE_TABLES
from tests.game.strategy import coaster_tables, shipped
from tests.game.strategy.shipped import KEPT, as_kept, standings

CLASS, HOLY_FAMILY = RULES["class"], RULES["holy-family"]
SAMPLE = 12
COASTERS = [(name, n) for name, most in (("chicago", 5), ("maxen", 8)) for n in range(3, most + 1)]
TABLES = [(name, players) for name, game in SHIPPED.items() for players in game.players]


@pytest.mark.whole
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_what_is_shipped_follows_from_the_rules(name, players):
    """Each standing from those that may follow it; of them, some are tried."""
    rules, row = SHIPPED[name].rules, Struct(f">{players}e")
    kept, sample = FromTable(rules, told(rules, players)), SAMPLE if rules.credit else SAMPLE // 6
    for standing in Random(players).sample(list(standings(name, players)), sample):
        loses = row.unpack(as_kept(kept.round(standing)))
        assert kept.worths(standing) == tuple(1.0 - each for each in loses), standing


@pytest.mark.whole
def test_all_of_it_can_be_found_anew(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(shipped, "KEPT", tmp_path)
    shipped.main("class", ["3"])
    made = (tmp_path / "class-3.bin").read_bytes()
    assert decompress(made) == decompress((KEPT / "class-3.bin").read_bytes())
    assert capsys.readouterr().out == f"3 players: {len(made)} bytes\n"


WITHOUT_LARGE_TABLES = """
from game import RULES
from game.strategy.book import goal
from game.strategy.three_dice import for_the_match
print(*[goal(RULES["class"], n, n) for n in (7, 8)])
print(*[for_the_match(RULES["maxen"], n) for n in (2, 3, 4, 8)])
"""


def test_a_copy_without_its_large_tables_plays_for_less(tmp_path):
    """As a page has it."""
    shutil.copytree(KEPT.parents[1], tmp_path / "game")
    for name in LARGE_TABLES:
        (tmp_path / "game" / "strategy" / "tables" / name).unlink()
    command = (sys.executable, "-c", WITHOUT_LARGE_TABLES)
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert told.stdout.splitlines() == ["match lot", "True True False False"]


def test_what_is_not_told_goes_by_lot():
    kept = FromTable(CLASS, told(CLASS, 4))
    for standing in (((0, 1, 3, 0), 0), ((1, 1, 1), 0)):
        assert told(CLASS, 4)(standing) is None
        assert sum(kept.worths(standing)) == pytest.approx(len(standing[0]) - 1, abs=1e-3)
    assert is_told(replace(CLASS, fewest_players=2), 4)
    assert not is_told(CLASS, 2)
    for other in ({"credit": 4}, {"ends": "last_standing"}, {"understating": "lie"}):
        assert not is_told(replace(CLASS, **other), 4)


@pytest.mark.parametrize(("name", "players"), COASTERS)
def test_somebody_loses_from_each_shipped_standing_of_coasters(name, players):
    """A player with more coasters is worse off."""
    rules = RULES[name]
    every = list(coasters.standings(rules, players))
    assert len(every) * players * 2 == len(table(name, players))
    for standing in Random(players).sample(every, SAMPLE):
        worths, others = three_dice.told(rules).worths(standing), standing[1][1:]
        assert sum(worths) == pytest.approx(players - 1, abs=2e-3), standing
        assert list(worths[1:]) == sorted(worths[1:], reverse=True), standing
        assert len(set(worths[1:])) == len(set(others)), standing


@pytest.mark.whole
@pytest.mark.parametrize(("name", "players"), [("chicago", 5), ("maxen", 3)])
def test_the_worths_of_coasters_can_be_found_anew(name, players):
    assert coaster_tables.found(RULES[name], players) == table(name, players)
