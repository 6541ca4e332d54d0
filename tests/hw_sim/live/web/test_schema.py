"""What pages get: messages by the schema, a standing, and the differences of a view."""

import asyncio
import json
import re
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from game import RULES, apply, new_match
from game.actions import Announce, Believe, Roll
from hw_sim.clock import run
from hw_sim.live.web import outgoing
from hw_sim.live.web.client import Client, LineConnection, PageView
from hw_sim.live.web.incoming import MESSAGES_PER_S, MOST_BYTES
from hw_sim.live.web.match_plan import MatchPlan
from hw_sim.live.web.schema import schema
from hw_sim.live.world.running import WorldRunner
from hw_sim.live.world.world import World
from tests.support.evenings import at
from tests.support.tab import a_tab
from tests.support.worlds import NAMES, setup

DOCS = Path(__file__).parents[4] / "docs"


def test_the_schema_in_the_documents_is_the_one_that_is_spoken():
    assert json.loads((DOCS / "pages.schema.json").read_text()) == schema(), "make schema"


def test_every_message_says_what_it_is_for():
    parts = schema()["$defs"]
    told = {
        name: parts[ref["$ref"].rsplit("/", 1)[1]]
        for which, key in (("message", "do"), ("news", "is"))
        for ref in parts[which]["anyOf"]
        for name in parts[ref["$ref"].rsplit("/", 1)[1]]["properties"][key]["enum"]
    }
    assert {"hello", "lift", "welcome", "state"} <= set(told)
    assert [name for name, part in told.items() if not part.get("description")] == []
    page = (DOCS / "pages.md").read_text()
    assert f"{MESSAGES_PER_S} messages a second, {MOST_BYTES} characters each" in page


async def play_program(folder, capsys):
    (program,) = re.findall(r"```python\n(.*?)```", (DOCS / "pages.md").read_text(), re.DOTALL)
    names = {"__name__": "pages"}
    exec(program, names)
    playing, told = asyncio.create_task(names["play"](folder)), ""
    async with asyncio.timeout(1000):
        while "Ana throws." not in told.splitlines():
            await asyncio.sleep(1)
            assert not playing.done()
            told += capsys.readouterr().out
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing


@pytest.mark.whole
def test_the_program_in_the_documents_plays(tmp_path, capsys):
    run(play_program(tmp_path, capsys))


@at(a_tab, people=2)
async def test_a_panel_speaks_the_language_of_its_page_and_asks_nobody_else(tab):
    (watcher, _), asked = await tab.welcomed(), []
    for language in ("de", "en"):
        page, _ = await tab.welcomed("seat", 0, language=language)
        asked.append(await page.told("asked", lambda news: news["asked"]["says"]))
        assert tab.match.world.languages[0] == language
        page.vanish()
    assert ([each["seat"] for each in asked], asked[0] == asked[1]) == ([0, 0], False)
    assert tab.match.world.languages == {0: "en", 1: "en", 2: "en"}
    assert not {"asked", "says"} & watcher.kinds


def after(game, *actions):
    match = new_match(RULES[game], NAMES, 0)
    for action in actions:
        match = apply(match, action).match
    return match


def test_the_standing_bid_is_told_with_its_words_and_nothing_that_is_covered():
    throws = ((3, 1), (6, 2), (2, 1), (6, 6))
    shown = [outgoing.scoreboard_of(after("class", Roll(dice), Announce(64))) for dice in throws]
    assert shown == shown[:1] * 4
    assert (shown[0].bid.value, shown[0].bid.by, shown[0].turn) == (64, 0, 1)
    for game, is_again in (("class", False), ("holy-family", True)):
        match = after(game, Roll((5, 2)), Announce(52), Believe(), Roll((3, 1)))
        assert outgoing.scoreboard_of(match).bid.again == is_again, game
    assert outgoing.ladder_of(match)[-1] == 21
    assert outgoing.ladder_of(new_match(RULES["maxen"], NAMES, 0)) == []


@pytest.mark.whole
def test_time_hurries_only_while_no_person_is_to_act(tmp_path):
    async def main():
        world = World(setup(seed=4), tmp_path)
        pace = WorldRunner(world, lambda: None)
        pace.speed = 50.0
        rates = set()
        while len(rates) < 2:
            world.advance(world.now_us + 500_000)
            assert world.now_us < 120_000_000
            assert pace.rate == (1.0 if world.table.seats[0].handheld.is_asked else 50.0)
            rates.add(pace.rate)
        pace.speed = 0.1
        assert pace.rate == 0.1
        pace.close()
        world.close()

    run(main())


LOBBY = outgoing.LobbyState(False, None, [], MatchPlan(), "", [], False, "", [], None)
VIEW = PageView(
    {"over": False, "here": [0]},
    {0: {"lid": 0.0, "doing": ""}, 1: {"lid": 0.0, "doing": ""}},
    ("Ana throws.",),
)


def test_each_part_that_changes_is_sent_alone():
    sent = []
    client = Client(LineConnection(sent.append, print))
    for part, *messages in (
        ({},),
        ({"table": {"over": True, "here": [0]}}, outgoing.TableState(over=True, seats={})),
        (
            {"looks": {**VIEW.looks, 1: {"lid": 0.5, "doing": ""}}},
            outgoing.TableState(seats={"1": outgoing.HandheldLook(lid=0.5)}),
        ),
        ({"lines": ("Ana throws.", "Ben doubts.")}, outgoing.StoryLines(["Ben doubts."])),
    ):
        client.show(VIEW)
        sent.clear()
        client.show(VIEW._replace(**part))
        assert sent == [msgspec.json.encode(each).decode() for each in messages]
    sent.clear()
    for dark in (b"\x01\x00\x00dark", b"\x01\x00\x09lit!"):
        for is_up in (False, True, True):
            client.tell({"eyes": outgoing.EyesUp(is_up), ("panel", 0): dark, "lobby": LOBBY})
    eyes = ['{"is":"eyes","up":true}', '{"is":"eyes","up":false}']
    lobby = msgspec.json.encode(LOBBY).decode()
    assert sent == [b"\x01\x00\x00dark", lobby, *eyes, b"\x01\x00\x09lit!", eyes[0]]
    client.forget()
    client.tell({("panel", 0): dark})
    assert sent[6:] == [dark]
