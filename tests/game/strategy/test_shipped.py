"""The shipped tables of matches follow from the rules, and experts play by them."""

from dataclasses import replace
from random import Random
from struct import Struct
from zlib import decompress

import pytest

from game import RULES
from game.strategy import FromTable
from game.strategy.shipped import SHIPPED, is_told, told
from tests.game.strategy import shipped
from tests.game.strategy.shipped import KEPT, as_kept, standings

CLASS, HOLY_FAMILY = RULES["class"], RULES["holy-family"]
SAMPLE = 12
TABLES = [(name, players) for name, game in SHIPPED.items() for players in game.players]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_what_is_shipped_follows_from_the_rules(name, players):
    """Each standing from those that may follow it; of them, some are tried."""
    rules, row = SHIPPED[name].rules, Struct(f">{players}e")
    kept, sample = FromTable(rules, told(rules, players)), SAMPLE if rules.credit else SAMPLE // 6
    for standing in Random(players).sample(list(standings(name, players)), sample):
        loses = row.unpack(as_kept(kept.round(standing)))
        assert kept.worths(standing) == tuple(1.0 - each for each in loses), standing


def test_all_of_it_can_be_found_anew(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(shipped, "KEPT", tmp_path)
    shipped.main("class", ["3"])
    made = (tmp_path / "class-3.bin").read_bytes()
    assert decompress(made) == decompress((KEPT / "class-3.bin").read_bytes())
    assert capsys.readouterr().out == f"3 players: {len(made)} bytes\n"


def test_what_is_not_told_goes_by_lot():
    kept = FromTable(CLASS, told(CLASS, 4))
    for standing in (((0, 1, 3, 0), 0), ((1, 1, 1), 0)):
        assert told(CLASS, 4)(standing) is None
        assert sum(kept.worths(standing)) == pytest.approx(len(standing[0]) - 1, abs=1e-3)
    assert is_told(replace(CLASS, fewest_players=2), 4)
    assert not is_told(CLASS, 2)
    for other in ({"credit": 4}, {"ends": "last_standing"}, {"understating": "lie"}):
        assert not is_told(replace(CLASS, **other), 4)
