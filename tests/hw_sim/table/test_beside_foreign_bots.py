"""Beside foreign bots, neither the disk nor the command line tells dice."""

import json
from pathlib import Path
from random import Random

import pytest

from firmware.cli.console import DONE
from firmware.journal import Append, BeginLog, Put, Survived
from hw_sim.cli import match
from hw_sim.cli.main import _parser, main
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.world.commands import SetFault
from hw_sim.table.handheld import MemoryJournal
from tests.support.worlds import setup

CAREFUL = f"{Path(__file__).parents[3]}/docs/bots/careful.py:Careful"
SPY = "tests.support.foreign_bots:Spies"


def test_the_seed_that_was_typed_makes_no_dice():
    typed = ["match", "--seed", "7", "--bot", CAREFUL]
    one, other = (match._setup(_parser().parse_args(typed)) for _ in range(2))
    drawn = {each.entropy("7/0")(32) for each in (one, other)}
    assert len(drawn - {Random("dice 7/0").randbytes(32)}) == 2
    assert not one.on_disk


def test_a_bot_finds_no_journal_of_a_match(caplog):
    short = ("--game", "sevens", "--option", "rounds=1", "--players", "2")
    assert main(["match", *short, "--bot", SPY]) == DONE
    assert caplog.messages == [], "a bot that is in trouble is told of"


def test_a_table_writes_nothing_down_from_which_dice_come(tmp_path):
    wanted = setup(people=0, kinds=(CAREFUL, "honest")).with_chance()
    store = MatchStore(tmp_path, wanted, any_seed=True)
    world = store.world()
    for seat in world.table.seats:
        secret = seat.handheld.own_seat.fair.committer.kept.secret
        assert secret == wanted.table.entropy(seat.name)(32)
    world.advance(8_000_000)
    world.do(SetFault(1, "brownout", there=True))
    known = world.table.seats[1].log.index
    assert known > 0
    world.advance(12_000_000)
    assert world.power.is_on(1)
    assert world.table.seats[1].log.index >= known, "a loss of power forgets nothing"
    assert world.trouble is None
    assert world.session is None
    assert list((tmp_path / "match0").iterdir()) == []
    assert json.loads((tmp_path / "table.json").read_text())["setup"]["chance"] == ""
    world.close()
    again = MatchStore(tmp_path, None, any_seed=True)
    assert again.setup.table.chance not in ("", wanted.table.chance), "it begins anew"


def test_a_journal_in_memory_keeps_what_one_on_the_disk_does():
    shelf = {}
    journal = MemoryJournal(Path("a"), shelf)
    assert journal.survived == Survived.nothing()
    journal.write((BeginLog(b"header"), Append(0, b"entry"), Put("key", b"value")))
    assert journal.length == 1
    with pytest.raises(ValueError, match="not the next one"):
        journal.write((Put("key", b"other"), Append(3, b"entry")))
    journal.close()
    survived = MemoryJournal(Path("a"), shelf).survived
    assert survived == Survived({"key": b"value"}, 1, b"header", (b"entry",))
    assert MemoryJournal(Path("b"), shelf).survived == Survived.nothing()
