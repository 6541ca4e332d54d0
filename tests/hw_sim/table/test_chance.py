"""Nobody computes dice of people from a command line, a disk or beside foreign bots."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from firmware.cli.console import DONE
from firmware.journal import Append, BeginLog, Put, Survived
from hw_sim.cli import match
from hw_sim.cli.main import _parser, main
from hw_sim.live.page import link_setup
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.world.session import SetFault, load
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.table import Carriage, TableSetup
from hw_sim.table.handheld import MemoryJournal
from hw_sim.table.table import key_of
from tests.support.worlds import digest_again, folder, setup

PLAYED = (
    ("link", ""),
    ("link", "game=sevens&bots=honest,cheeky"),
    ("link", "players=4&people=4"),
    ("play",),
    ("match", "--link", "mqtt", "--broker", "mqtt://127.0.0.1", "--public"),
)


def setup_of(what, *typed):
    if what == "link":
        carried = link_setup.setup_of(*typed, "en")
        return carried[0] if carried else link_setup.usual_setup("en")
    return WorldSetup(match._setup(_parser().parse_args([what, *typed])), 1, ("honest", "honest"))


def secrets(wanted, path):
    """What the dice of all seats come from, and what the seed alone would have made of it."""
    world = World(replace(wanted, table=replace(wanted.table, carriage=Carriage())), path)
    try:
        seats = world.table.seats
        kept = [seat.handheld.own_seat.fair.committer.kept.secret for seat in seats]
    finally:
        world.close()
    seeded = [Random(f"dice {wanted.table.seed}/{at}").randbytes(32) for at in range(len(seats))]
    return kept, seeded


@pytest.mark.parametrize("typed", PLAYED, ids=" ".join)
def test_what_is_typed_tells_no_dice(tmp_path, typed):
    kept, seeded = secrets(setup_of(*typed), folder(tmp_path, "one"))
    others, _ = secrets(setup_of(*typed), folder(tmp_path, "other"))
    assert len({*kept, *seeded, *others}) == 3 * len(kept)


@pytest.mark.parametrize("typed", PLAYED[-1:], ids=" ".join)
def test_what_is_typed_tells_no_key_of_a_table_at_a_broker(typed):
    keys = {key_of(setup_of(*typed).table) for _ in range(2)}
    guessed = {Random(f"table key {seed}").randbytes(32) for seed in (1, 7)}
    assert len(keys) == 2
    assert not keys & guessed


def test_a_match_is_that_of_its_seed():
    for typed in (("match", "--seed", "7"), ("play", "--seed", "7"), ("link", "seed=7")):
        assert setup_of(*typed).table.chance == "", "a match that is played alone can be had again"


def test_a_session_with_dice_of_the_systems_chance_is_the_same_when_played_again(tmp_path):
    file = tmp_path / "session.jsonl"
    wanted = setup(people=0).with_chance()
    world = World(wanted, folder(tmp_path, "live"), file)
    world.advance(30_000_000)
    digest = world.digest()
    world.close()
    assert json.loads(file.read_text().splitlines()[0])["setup"]["chance"] == wanted.table.chance
    assert digest_again(load(file)) == digest


def test_a_table_keeps_its_chance_and_the_next_match_has_another(tmp_path):
    wanted = setup(people=0).with_chance()
    for boot, asked in ((0, wanted), (1, setup(people=0).with_chance())):
        store = MatchStore(tmp_path, asked, any_seed=True)
        assert (store.setup.boot, store.setup.table.chance) == (boot, wanted.table.chance)
    store = MatchStore(tmp_path, None, any_seed=True)
    store.next().close()
    assert store.setup.table.chance not in ("", wanted.table.chance)


def test_a_chance_is_shown_nowhere():
    assert "c0ffee" not in repr(TableSetup(setup().table.rules, chance="c0ffee"))


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
