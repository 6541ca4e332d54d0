"""A match on the pages: what is asked, how it stands, what sounds; and for whom."""

import json
from itertools import pairwise

import pytest
from aiohttp import WSMsgType

from game import RULES, apply, new_match
from game import actions as do
from hw_sim.live.web.scoreboard import ladder_of, scoreboard_of
from hw_sim.live.web.tone_feed import ToneFeed
from hw_sim.live.world.commands import Drag
from hw_sim.live.world.world import World
from hw_sim.live.world.world_runner import WorldRunner
from tests.support.pages import connected, hello, serving, told, welcome
from tests.support.worlds import drag, setup

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


@pytest.mark.parametrize("game", RULES)
def test_every_game_has_scores(game):
    match = new_match(RULES[game], NAMES, 0)
    scores = scoreboard_of(match).scores
    assert len(scores) == 3
    assert all(score.unit and score.status == "" for score in scores)


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


def test_the_tones_of_a_shake_are_heard_once(tmp_path):
    world = World(setup("sevens", players=2, rounds=1), tmp_path)
    heard = ToneFeed()
    heard.new_tones(world.table.seats)
    while "shake ·" not in world.says(0):
        world.advance(world.now_us + 100_000)
        assert world.now_us < 60_000_000
    heard.new_tones(world.table.seats)
    world.advance(world.now_us + 500_000)
    world.do(Drag(0, drag(world.now_us + 15_000)))
    world.advance(world.now_us + 2_000_000)
    (tones,) = [each for each in heard.new_tones(world.table.seats) if each.seat == 0]
    assert any(hz > 1000 for _, hz, _ in tones.waves)
    assert [wave[0] for wave in tones.waves] == sorted(wave[0] for wave in tones.waves)
    assert heard.new_tones(world.table.seats) == []
    world.close()


async def test_a_hand_that_trembles_is_no_news(tmp_path):
    async with serving(tmp_path, people=3) as (server, _):
        world, frames = server.table.match.world, server.table.match._broadcaster
        world.advance(500_000)
        poses = []
        for _ in range(100):
            world.advance(world.now_us + 22_000)
            poses.append([frames._look(world, seat)["pitch"] for seat in range(3)])
        assert sum(one != other for one, other in pairwise(poses)) <= 3
