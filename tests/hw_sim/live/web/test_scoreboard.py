"""A match on the pages: what is asked, how it stands, what sounds; and for whom."""

import json

from aiohttp import WSMsgType

from game import RULES, apply, new_match
from game import actions as do
from hw_sim.live.web.scoreboard import ladder_of, scoreboard_of
from hw_sim.live.world.world import World
from hw_sim.live.world.world_runner import WorldRunner
from tests.support.pages import connected, hello, serving, told, welcome
from tests.support.worlds import setup

NAMES = ("Ana", "Ben", "Cem")


async def asked_of(page, seat):
    """Return the first question on a seat's display, once it is on."""
    says = ""
    while not says:
        asked = await told(page, "asked")
        assert asked["seat"] == seat
        says = asked["asked"]["says"]
    return says


async def test_only_who_plays_a_seat_is_told_what_its_display_asks(tmp_path):
    async with serving(tmp_path, people=2) as (server, session):
        own = await connected(server, session, hello("seat", 1))
        room = await connected(server, session, hello())
        await welcome(own)
        assert (await welcome(room))["entitled"] == []
        assert await asked_of(own, 1)
        standing = (await told(room, "state"))["standing"]
        assert [score["count"] for score in standing["scores"]] == [3, 3, 3]
        assert standing["bid"] is None
        await own.send_json({"do": "lift", "seat": 1, "on": True})
        news = {}
        while not news.get("seats", {}).get("1", {}).get("lid"):
            message = await room.receive()
            assert message.type is WSMsgType.TEXT
            news = json.loads(message.data)
            assert news["is"] in ("state", "heard", "tones")


async def test_a_panel_speaks_the_language_of_its_page(tmp_path):
    async with serving(tmp_path) as (server, session):
        page = await connected(server, session, hello() | {"language": "de"})
        token = (await welcome(page))["token"]
        german = await asked_of(page, 0)
        await page.close()
        assert server.table.match.world.languages[0] == "de"
        page = await connected(server, session, hello(token=token))
        await welcome(page)
        assert await asked_of(page, 0) != german
        await told(page, "state")
        assert server.table.match.world.languages == {0: "en", 1: "en", 2: "en"}


def test_the_standing_bid_is_told_with_its_words_and_nothing_that_is_covered():
    match = new_match(RULES["class"], NAMES, 0)
    for action in (do.Roll((3, 1)), do.Announce(64)):
        match = apply(match, action).match
    standing = scoreboard_of(match)
    assert (standing.bid.value, standing.bid.by, standing.turn) == (64, 0, 1)
    assert "31" not in str(standing)
    assert ladder_of(match)[-1] == 21
    assert ladder_of(new_match(RULES["maxen"], NAMES, 0)) == []


async def test_time_hurries_only_while_no_person_is_to_act(tmp_path):
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
