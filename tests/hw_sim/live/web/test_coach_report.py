"""The coach's page: for who played a match alone, once it is over."""

import re
from random import Random

from firmware.bots.hint import hint
from game import RULES
from game.actions import Announce, Believe, Look, Roll
from game.explore import playout
from game.record import Record
from hw_sim.live.web.coach_report import MOST_WAYS, advice, coach_report, record_of
from tests.support.pages import bearer, connected, hello, serving, welcome

OPENS = 6
"""A seed of which the first seat opens."""
NAMES = ("Ana", "Ben", "Cem")


def test_every_decision_is_judged():
    actions, _ = playout(RULES["class"], NAMES, Random(1))
    told = coach_report(Record(RULES["class"], NAMES, 0, tuple(actions)), "en")
    assert [row[0] for row in told.accounts.rows] == [*NAMES]
    assert len(told.decisions.rows) > 10
    kinds = [line.split(":")[0] for line in told.moments]
    assert kinds == ["Best bluff", "Worst doubt", "Worst decision", "Turning point"]
    assert len(told.legend) == len(told.accounts.head) - 1
    assert all(row[-3] != "0.0%" for row in told.decisions.rows), "too little to tell"
    assert told.why_not == ""


def test_what_cannot_be_judged_says_why():
    told = coach_report(Record(RULES["class"], ("Ana", "Ben", "Cem"), 0, (Roll(None),)), "de")
    assert told.why_not.startswith("line 2: a roll without its dice")


async def test_nobody_is_told_before_the_end_or_at_a_table_with_others(tmp_path):
    async with serving(tmp_path / "alone") as (server, session):
        token = (await welcome(await connected(server, session, hello())))["token"]
        async with session.get("/judged.json") as answer:
            assert answer.status == 403
        async with session.get("/judged.json", headers=bearer(token)) as answer:
            assert answer.status == 404
        async with session.get("/card.svg") as answer:
            assert answer.status == 404
        world = server.table.match.world
        assert record_of(world).players == world.table.setup.names
    async with serving(tmp_path / "others", people=2) as (server, session):
        token = (await welcome(await connected(server, session, hello("seat", 0))))["token"]
        async with session.get("/judged.json", headers=bearer(token)) as answer:
            assert answer.status == 403


async def test_who_plays_alone_may_ask_what_to_do_and_nobody_else(tmp_path):
    async with serving(tmp_path / "alone", seed=OPENS) as (server, session):
        token = (await welcome(await connected(server, session, hello())))["token"]
        async with session.get("/hint") as answer:
            assert answer.status == 403
        async with session.get("/hint?language=de", headers=bearer(token)) as answer:
            assert (answer.status, await answer.text()) == (200, "Am besten: würfeln")
    async with serving(tmp_path / "open", people=2, all_panels=True) as (server, session):
        token = (await welcome(await connected(server, session, hello("seat", 0))))["token"]
        async with session.get("/hint", headers=bearer(token)) as answer:
            assert answer.status == 403


def test_advice_says_how_often_each_thing_is_done_and_where_there_is_none():
    thrown = Record(RULES["class"], ("Ana", "Ben", "Cem"), 0, (Roll((3, 1)), Look()))
    said = advice(thrown, 0, "en")
    mix = r"Best is a mix. So many times in 100 choose: \d+ × roll( · \d+ × say \d\d)+"
    assert re.fullmatch(mix, said)
    assert advice(thrown, 1, "de") == "Gerade gibt es keinen Tipp."
    stands = (Roll((6, 6)), Announce(61), Believe(), Roll((3, 1)), Look())
    many = Record(RULES["class"], ("Ana", "Ben", "Cem"), 0, stands)
    assert advice(many, 1, "de").count("×") == MOST_WAYS < len(hint(many, 1))
    blind = many._replace(actions=(*stands, Roll(None)))
    assert advice(blind, 1, "en") == "Best: say 62"


async def test_a_match_that_is_over_is_judged(tmp_path):
    wanted = {"people": 0, "players": 2, "game": "sevens"}
    async with serving(tmp_path, all_panels=True, **wanted) as (server, session):
        world = server.table.match.world
        while not world.is_over:
            world.advance(world.now_us + 10_000_000)
            assert world.trouble is None
        async with session.get("/card.svg?language=de") as answer:
            assert answer.content_type == "image/svg+xml"
            assert "verliert" in await answer.text()
        async with session.get("/judged.json?language=de") as answer:
            assert answer.status == 200
            told = await answer.json()
        assert [row[0] for row in told["accounts"][1]] == [*world.table.setup.names]
        assert told["model"].startswith("Gerechnet ist, als spielten alle darum")
