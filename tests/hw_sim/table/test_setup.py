"""Simulated tables: how they are set up; and nobody computes the dice of people from that."""

import asyncio
import json
import re
import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from drivers.light_sensor import LIGHT_SENSORS
from firmware.cli.console import DONE, CommandError
from firmware.display.text.language import LANGUAGES
from firmware.journal import Append, BeginLog, Put, Survived
from firmware.runtime.board import light_part
from firmware.settings import Settings
from game import RULES, SetupError
from hw_sim.cli import match
from hw_sim.cli.main import _parser, main
from hw_sim.live.page import link_setup
from hw_sim.live.page.link_setup import setup_of
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.world.session import SetFault
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.panel import panel, png
from hw_sim.players.bot_kinds import KINDS, personality_of
from hw_sim.table import Carriage, Conditions, TableSetup
from hw_sim.table.handheld import MemoryJournal
from hw_sim.table.headless import FrameWriter
from hw_sim.table.table import key_of
from tests.support.matches import playing
from tests.support.worlds import folder, setup


def table(**changed):
    return TableSetup(RULES["class"], **changed)


LIGHTS = f"one of {', '.join(LIGHT_SENSORS)}"
WRONG = {
    "bots of a world": (lambda: WorldSetup(table(), 1, ("usual", "usual")), "bot usual: .*honest"),
    "too few bots": (lambda: WorldSetup(table(), 1, KINDS[:1]), "1 people and 1 bots .* 3 seats"),
    "bots": (lambda: table(bots=("grandma",)), "bot grandma: .*honest, trusting"),
    "a bot of two lines": (lambda: table(bots=("a\nb",)), r"bot 'a\\nb': "),
    "bot": (lambda: personality_of("usual"), "bot usual: choose of honest"),
    "link": (lambda: table(link=("smoke",)), "bluetooth, ir, mqtt"),
    "link as one word": (lambda: table(link="ir"), "bluetooth, ir, mqtt"),
    "links": (lambda: Carriage(links=(("ir",), ())), "bluetooth, ir, mqtt"),
    "scene": (lambda: Conditions(scene="moon"), "one of pub, day"),
    "faults": (lambda: Conditions(faults="none"), "one of ask, strict, off"),
    "controller": (lambda: Carriage(controller="best"), "one of ideal, pi"),
    "language": (lambda: table(language="xx"), "one of de, en, fr"),
    "a handheld's light": (lambda: Settings(light="tsl2561"), LIGHTS),
    "a driver's light": (lambda: light_part(None, "tsl2561"), LIGHTS),
    "a handheld's language": (lambda: Settings(language="xx"), "one of de, en, fr"),
    "a handheld's link": (lambda: Settings(link=("both",)), "bluetooth, ir, mqtt"),
    "a handheld's faults": (lambda: Settings(faults="none"), "one of ask, strict, off"),
    "an opponent": (lambda: Settings(opponent="cheeky"), "one of usual, honest"),
}


@pytest.mark.parametrize(("make", "told"), WRONG.values(), ids=WRONG)
def test_a_word_that_there_is_not_is_told_in_one_line(make, told):
    with pytest.raises(ValueError, match=told) as refused:
        make()
    assert "\n" not in str(refused.value)


def test_a_stored_setup_has_bots_that_there_are():
    plain = WorldSetup(table(), 1, KINDS[:2]).to_json()
    with pytest.raises(SetupError, match="bot usual: "):
        WorldSetup.from_json(plain | {"bots": ["usual", "honest"]})


def test_a_link_of_a_language_alone_is_no_table():
    assert [setup_of(f"lang={each}", "en") for each in LANGUAGES] == [None] * len(LANGUAGES)


NAME = re.compile(r"(\d{6}\.\d{3})-seat(\d)-(ana|ben|cem)\.png")
SETTLED_S = 0.15
"""A picture is kept when nothing has been written for so long."""
STILL_S = 2 * SETTLED_S


@pytest.fixture
def watched(tmp_path):
    """Plays the beginning of a match before a writer."""

    def watched(writer):
        return playing(TableSetup(RULES["class"], seed=1), tmp_path, writer.follow)

    return watched


@pytest.mark.whole
async def test_a_panel_that_has_settled_on_something_new_is_kept(tmp_path, watched):
    folder = tmp_path / "deep" / "frames"
    writer = FrameWriter(folder)
    async with watched(writer) as table:
        await asyncio.sleep(25.0)
        memories = None  # until no panel has changed for a while, as all players think at times
        while memories != (memories := [seat.board.display.memory for seat in table.seats]):
            await asyncio.sleep(STILL_S)
    files = sorted(folder.iterdir())
    assert writer.count == len(files) > 10
    assert all(NAME.fullmatch(file.name) for file in files)
    for seat, name in enumerate(("ana", "ben", "cem")):
        mine = [file for file in files if file.name.endswith(f"-seat{seat}-{name}.png")]
        times_s = [float(file.name[:10]) for file in mine]
        assert all(b - a > SETTLED_S for a, b in pairwise(times_s))
        pictures = [file.read_bytes() for file in mine]
        assert all(a != b for a, b in pairwise(pictures))
        assert pictures[-1] == png(panel(memories[seat]))
    assert writer.summary() == f"frames: {len(files)} pictures in {folder}"


@pytest.mark.whole
async def test_no_more_pictures_than_the_limit(tmp_path, watched):
    writer = FrameWriter(tmp_path / "frames", most=4)
    async with watched(writer):
        await asyncio.sleep(20.0)
    assert writer.count == len(list((tmp_path / "frames").iterdir())) == 4
    assert re.search(r"4 pictures in .*, the limit; none after \d+\.\d{3} s$", writer.summary())


@pytest.mark.whole
async def test_a_disk_that_takes_no_more_is_told_and_the_match_goes_on(tmp_path, watched):
    writer = FrameWriter(tmp_path / "frames")
    async with watched(writer) as table:
        await asyncio.sleep(5.0)
        kept = writer.count
        shutil.rmtree(tmp_path / "frames")
        await asyncio.sleep(20.0)
        assert writer.count == kept
        assert max(seat.handheld.match.turn for seat in table.seats) > 3
    assert re.fullmatch(r"frames .*\.png: No such file or directory: make room, .*", writer.trouble)


def test_a_folder_that_cannot_be_one(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CommandError, match="name a folder that may be written to"):
        FrameWriter(tmp_path / "file")


PLAYED = (
    ("link", ""),
    ("link", "game=sevens&bots=honest,cheeky"),
    ("link", "players=4&people=4"),
    ("play",),
    ("match", "--link", "mqtt", "--broker", "mqtt://127.0.0.1", "--public"),
)


def chance_setup(what, *typed):
    if what == "link":
        carried = link_setup.setup_of(*typed, "en")
        return carried[0] if carried else link_setup.usual_setup("en")
    return WorldSetup(match._setup(_parser().parse_args([what, *typed])), 1, ("honest", "honest"))


def secrets(wanted, path):
    """The secrets behind the dice of all seats, and those that the seed alone would have made."""
    world = World(replace(wanted, table=replace(wanted.table, carriage=Carriage())), path)
    try:
        seats = world.table.seats
        kept = [seat.handheld.own_seat.fair.committer.kept.secret for seat in seats]
    finally:
        world.close()
    seeded = [Random(f"dice {wanted.table.seed}/{at}").randbytes(32) for at in range(len(seats))]
    return kept, seeded


@pytest.mark.whole
@pytest.mark.parametrize("typed", PLAYED, ids=" ".join)
def test_what_is_typed_tells_no_dice(tmp_path, typed):
    kept, seeded = secrets(chance_setup(*typed), folder(tmp_path, "one"))
    others, _ = secrets(chance_setup(*typed), folder(tmp_path, "other"))
    assert len({*kept, *seeded, *others}) == 3 * len(kept)


@pytest.mark.parametrize("typed", PLAYED[-1:], ids=" ".join)
def test_what_is_typed_tells_no_key_of_a_table_at_a_broker(typed):
    keys = {key_of(chance_setup(*typed).table) for _ in range(2)}
    guessed = {Random(f"table key {seed}").randbytes(32) for seed in (1, 7)}
    assert len(keys) == 2
    assert not keys & guessed


def test_a_match_is_that_of_its_seed():
    for typed in (("match", "--seed", "7"), ("play", "--seed", "7"), ("link", "seed=7")):
        assert chance_setup(*typed).table.chance == "", (
            "a match that is played alone can be had again"
        )


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


@pytest.mark.whole
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
