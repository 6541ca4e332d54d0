"""The table of a page, without its page: what is kept, from whatever version it comes."""

import asyncio
import json
import tomllib
from pathlib import Path
from typing import get_args
from urllib.parse import parse_qsl

import pytest
from steckbrett.parts.catalogue import KINDS

from drivers.light_sensor import LIGHT_SENSORS
from firmware.cli.console import REFUSED
from game import PRESETS, RULES, TABLES, rule_set
from game.record import Record
from hw_sim.cli.main import main
from hw_sim.live.page.link_setup import LinkError, link_of, setup_of
from hw_sim.live.page.page_table import (
    MOST_ACTIONS,
    DroppedError,
    PageFile,
    judge,
    kind_of,
    open_page_table,
)
from hw_sim.live.site.pack import ENTRIES
from hw_sim.live.web import incoming
from hw_sim.live.web.bench import Decoder
from hw_sim.live.web.evening_card import MatchResult
from hw_sim.live.web.pages_table import HANDLERS, SEATS
from hw_sim.live.world.setup import FORMAT, TABLE_VERSION, WorldSetup
from hw_sim.live.world.world import World
from hw_sim.table import TableSetup
from tests.support.long_records import drinks
from tests.support.tab import Page, hello
from tests.support.worlds import folder as journals
from tests.support.worlds import setup

REFUSED_LINKS = tomllib.loads(Path(__file__).with_name("refused_links.toml").read_text("utf-8"))
LONG_LINK = ("names=" + 1_000 * "A", "1000 Zeichen")


def opened(folder, link=""):
    """What a page is told at its beginning, and the number and seed of its match."""
    table = open_page_table(folder, link, "en", lambda *_: None)
    try:
        return table.told, table.store.number, table.store.setup.table.seed
    finally:
        table.close()


def seats_in(folder):
    table = open_page_table(folder, "", "en", lambda *_: None)
    table.close()
    return table.seats


def test_each_message_of_a_page_has_a_handler_that_says_who_may_ask():
    assert {*HANDLERS, incoming.Hello} == {*get_args(incoming.AnyIncoming)}


@pytest.mark.whole
async def test_a_match_goes_on_and_a_link_that_is_none_leaves_it(tmp_path):
    folder = tmp_path / "table"
    told, number, seed = opened(folder)
    assert told is None
    assert opened(folder) == (None, number, seed)
    (why, detail), *same = opened(folder, "game=chess")
    assert (why, same) == ("site_badLink", [number, seed])
    assert detail.startswith("game=chess: choose from class, ")


def test_a_link_names_the_people_and_no_bot_is_called_like_one():
    carried = setup_of("game=class&players=4&names=Zoé,  Ana ", "en")
    assert carried is not None
    setup = carried[0]
    assert (setup.people, setup.table.names) == (2, ("Zoé", "Ana", "Ben", "Cem"))
    again = setup_of(link_of(setup), "en")
    assert again is not None
    assert again[0].table.names == setup.table.names


@pytest.mark.whole
@pytest.mark.parametrize("light", LIGHT_SENSORS)
def test_a_tab_plays_with_the_light_sensor_of_a_link(light, tmp_path):
    (world_setup, _), part = setup_of(f"light={light}&seed=7", "en"), LIGHT_SENSORS[light]
    assert setup_of(link_of(world_setup), "en")[0].table.conditions.light == light
    world = World(world_setup, journals(tmp_path, "played"), tmp_path / "session.jsonl")
    board = world.table.at(1).board
    board.bus.trace = []
    world.advance(5_000_000)
    decoder = Decoder()
    lines = [decoder.decode(each) for each in board.bus.trace if each.address == part.address]
    world.close()
    assert {each.part for each in lines} == {part.name}
    assert {each.register for each in lines} <= {"", *part.registers}
    assert any(each.meaning.endswith(" counts") for each in lines if each.read)
    assert board.violations == []
    module = KINDS[light].partition(":")[0]
    assert f"steckbrett.parts{module}" in ENTRIES, "the site has its model"


@pytest.mark.parametrize("table", TABLES)
def test_a_link_carries_a_preset_and_what_differs(table):
    link = f"game={table}&hand_on=once" if table in PRESETS else f"game={table}"
    carried = setup_of(link, "en")
    assert carried is not None
    rules = carried[0].table.rules
    assert rules == rule_set(table, {"hand_on": "once"} if table in PRESETS else {})
    parts = dict(parse_qsl(link_of(carried[0])))
    assert parts["game"] == table
    assert set(parts) - {"game", "bots", "seed"} == ({"hand_on"} if table in PRESETS else set())
    again = setup_of(link_of(carried[0]), "en")
    assert again is not None
    assert again[0].table.rules == rules


@pytest.mark.parametrize(("link", "told"), [*REFUSED_LINKS.items(), LONG_LINK], ids=range(19))
def test_a_link_that_is_none_is_refused_in_the_language_of_the_page(link, told):
    with pytest.raises(LinkError, match=told):
        setup_of(link, "de")


@pytest.mark.whole
async def test_a_folder_of_an_older_version_goes_on(tmp_path):
    _, number, seed = opened(tmp_path)
    table = json.loads((tmp_path / "table.json").read_text())
    assert table.pop("version") == TABLE_VERSION
    (tmp_path / "table.json").write_text(json.dumps(table))
    tally = {"Ana": {"played": 2, "lost": 1}}
    (tmp_path / SEATS).write_text(json.dumps({"digests": {"0": "ab" * 32}, "tally": tally}))
    assert opened(tmp_path) == (None, number, seed)
    assert json.loads((tmp_path / "table.json").read_text())["version"] == TABLE_VERSION
    assert seats_in(tmp_path).tally["Ana"].played == 2


@pytest.mark.whole
async def test_a_folder_of_a_newer_version_is_left_to_it(tmp_path):
    folder = tmp_path / "table"
    opened(folder)
    table = json.loads((folder / "table.json").read_text())
    newer = json.dumps(table | {"version": TABLE_VERSION + 1})
    (folder / "table.json").write_text(newer)
    told, *other = opened(folder)
    assert told == ("site_newerStore", "")
    assert opened(folder) == (told, *other)
    assert (folder / "table.json").read_text() == newer


@pytest.mark.whole
@pytest.mark.parametrize("name", ["table.json", "match0/seat0.sqlite"])
async def test_a_damaged_folder_is_put_aside_but_for_its_tally(tmp_path, name):
    folder = tmp_path / "table"
    opened(folder)
    seats = seats_in(folder)
    result = MatchResult(Record(RULES["class"], ("Ana",), 0, ()), ("Ana",), ("Ana",), ())
    seats.count(0, result)
    seats.count(0, result)
    (folder / name).write_bytes(b"\x17" * 3_000)
    told, number, _ = opened(folder)
    assert (told, number) == (("site_badStore", ""), 0)
    assert (tmp_path / "table-aside" / name).read_bytes() == b"\x17" * 3_000
    again = seats_in(folder)
    for count in (1, 2):
        tally = [(who, each.played, each.lost) for who, each in again.tally.items()]
        assert tally == [("Ana", count, count)]
        again.count(0, result)  # the new match has the number of the old one
    seats_in(folder).count(0, result)
    assert seats_in(folder).tally["Ana"].played == 2, "a match that goes on is counted once"
    assert opened(folder)[0] is None


def session_of(tmp_path, until_us):
    """The text of a session of three bots, and what it came to."""
    world = World(setup(people=0), journals(tmp_path, "played"), tmp_path / "session.jsonl")
    world.advance(until_us)
    digest = world.digest()
    world.close()
    return (tmp_path / "session.jsonl").read_text(), digest


async def test_a_session_is_played_again_on_the_bench(tmp_path):
    text, digest = session_of(tmp_path, 20_000_000)
    lines, told = Page(), []
    file = PageFile(text, lines.take, told.append)

    def ask(**what):
        file.take("one", json.dumps(what))

    file.open("one")
    file.take("one", hello("bench"))
    welcome = await lines.told("welcome")
    assert (welcome["entitled"], welcome["rights"]) == ([0, 1, 2], True)
    ask(do="seek", s=19.0)
    there = await lines.told("bench", t=19.0)
    assert there["end"] == 20.0
    assert told
    assert told == sorted(told)
    assert 0 < told[0] <= told[-1] < 1
    assert there["seats"]["1"]["points"]
    ask(do="fault", seat=0, name="light", on=True)
    await lines.told("refused", why="rights")
    status, _, body = file.ask("/export/session.jsonl?seat=2")
    assert (status, body[: len(text)]) == (200, text.encode())
    ask(do="speed", x=50.0)
    ask(do="pause", on=False)
    await lines.told("state", paused=False)
    await lines.told("state", paused=True)
    past = file._shown.match.world
    assert past.now_us == 20_000_000
    assert past.digest() == digest
    file.take("one", None)
    await asyncio.sleep(0)
    assert past.is_closed


@pytest.mark.parametrize(
    "text", ["", "[]\n", '{"format": "maexchen session 1"}\n', "x" * 4_000_001]
)
async def test_a_file_that_is_neither_is_refused_in_one_line(tmp_path, text):
    lines = Page()
    table = open_page_table(tmp_path / "table", "", "en", lines.take)
    file = PageFile(text, lines.take, lambda share: None)
    for status, kind, body in (table.read(text), file.ask("/judged.json")):
        assert (status, kind, body.count(b"\n")) == (400, "text/plain", 0), body
        assert b"/tmp" not in body
    file.open("one")
    code, reason = (await lines.told("ended"))["what"]
    assert (code, "\n" in reason) == (4400, False)
    table.close()


def head_of(link, players):
    """The first line of a session that somebody made up."""
    table = TableSetup(rule_set("sevens", {}), players, link=link)
    plain = WorldSetup(table, players, ()).to_json()
    return json.dumps({"format": FORMAT, "setup": plain, "journals": {}})


LONG = {
    "a day by light": (("ir",), 6, ['[86399000000, -1, "end", ["ab"]]']),
    "a day over a broker": (("mqtt",), 2, ['[86399000000, -1, "end", ["ab"]]']),
    "a day over all": (("bluetooth", "ir", "mqtt"), 6, ['[86399000000, 0, "drop", []]']),
    "a torn last line": (("ir",), 6, ['[86399000000, 0, "drop", []]', "[864"]),
    "power cuts": (("ir",), 2, ['[1, 0, "fault", ["battery", true]]'] * 30_000),
}


@pytest.mark.whole
@pytest.mark.parametrize("what", LONG)
async def test_a_session_that_takes_long_is_refused_at_once(tmp_path, capsys, what):
    link, players, lines = LONG[what]
    text = "\n".join((head_of(link, players), *lines))
    with pytest.raises(DroppedError, match="times what is played again: give a shorter one"):
        judge(text, "en")
    lines = Page()
    PageFile(text, lines.take, lambda share: None).open("one")
    _, reason = (await lines.told("ended"))["what"]
    assert "give a shorter one" in reason
    (tmp_path / "long.jsonl").write_text(text)
    assert main(["replay", str(tmp_path / "long.jsonl")]) == REFUSED
    (line,) = capsys.readouterr().err.splitlines()
    assert "give a shorter one" in line
    if what != "power cuts":  # a glance counts no commands
        with pytest.raises(DroppedError, match="give a shorter one"):
            kind_of(text)


def test_a_record_that_is_long_is_refused_at_once():
    text = drinks(10)
    line = text.splitlines()[1]
    text += f"{line}\n" * MOST_ACTIONS
    for read in (kind_of, lambda text: judge(text, "en")):
        with pytest.raises(DroppedError, match="longer than 5,000 actions"):
            read(text)


def test_a_session_that_is_judged_tells_how_far_it_is(tmp_path):
    text, _ = session_of(tmp_path, 61_000_000)
    told = []
    assert b"decisions" in judge(text, "en", told.append)
    assert told == [pytest.approx(part / 30.5) for part in range(1, 31)]
