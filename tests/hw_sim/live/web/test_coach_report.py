"""The coach's page: for who played a match alone, once it is over."""

import re
from random import Random

from firmware.bots.hint import hint
from game import RULES
from game.actions import Announce, Believe, Look, Roll
from game.explore import playout
from game.record import Record, read
from hw_sim.live.web.access import rights_of
from hw_sim.live.web.answers import work_for
from hw_sim.live.web.coach_report import MOST_WAYS, advice, coach_report, record_of
from hw_sim.live.web.evening_records import kept_records
from hw_sim.players.bot_kinds import personality_of
from hw_sim.training.told import MADE
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
    assert all(row[5] != "0.0%" for row in told.decisions.rows), "too little to tell"
    assert told.why_not == ""


def test_what_cannot_be_judged_says_why():
    told = coach_report(Record(RULES["class"], ("Ana", "Ben", "Cem"), 0, (Roll(None),)), "de")
    assert told.why_not.startswith("line 2: a roll without its dice")


def test_a_hint_names_what_nobody_has_solved():
    estimated = "What each score is worth later is an estimate."
    for game, ends_so in (("holy-family", True), ("class", False), ("physicist", False)):
        told = advice(Record(RULES[game], NAMES, 0, ()), 0, "en")
        assert told.startswith("Best: roll")
        assert told.endswith(estimated) == ends_so


def test_a_hint_says_against_whom():
    opened = Record(RULES["class"], NAMES, 0, (Roll((6, 6)), Look()))
    bots = [None, personality_of("honest"), personality_of("trusting")]
    here = {
        "en": "Best against these players: say 66",
        "de": "Am besten gegen diese Leute: 66 ansagen",
    }
    for language, told in here.items():
        assert advice(opened, 0, language, bots) == told
    assert advice(opened, 0, "en").startswith("Safe against anybody is a mix.")


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
    mix = r"Safe against anybody is a mix. So many times in 100 choose: "
    mix += r"\d+ × roll( · \d+ × say \d\d)+"
    assert re.fullmatch(mix, said)
    assert advice(thrown, 1, "de") == "Gerade gibt es keinen Tipp."
    stands = (Roll((6, 6)), Announce(61), Believe(), Roll((3, 1)), Look())
    many = Record(RULES["class"], ("Ana", "Ben", "Cem"), 0, stands)
    assert advice(many, 1, "de").count("×") == MOST_WAYS < len(hint(many, 1).ways)
    blind = many._replace(actions=(*stands, Roll(None)))
    assert advice(blind, 1, "en") == "Safe against anybody: say 62"


def test_a_fault_on_purpose_is_told_as_giving_up():
    """Over a Mäxchen the expert of ``holy-family`` announces too little: a fault is cheaper."""
    stands = (Roll((2, 1)), Announce(21), Believe(), *(Roll((3, 1)), Look()) * 2, Roll((3, 1)))
    record = Record(RULES["holy-family"], ("Ana", "Ben"), 0, stands)
    assert advice(record, 1, "en") == "Safe against anybody: give up with 31 (a fault)"
    told = coach_report(record._replace(actions=(*stands, Announce(31))), "en")
    assert told.decisions.rows[-1][3] == "give up with 31 (a fault)"


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
        async with session.get("/evening.json?language=de") as answer:
            assert answer.status == 404
        server.table._stepped()
        async with session.get("/evening.json?language=de") as answer:
            title, sentences, *_ = await answer.json()
        assert (title, len(sentences)) == ("Siebener, Spiele an diesem Abend: 1", 3)
        (tmp_path / "over9.jsonl").write_text("cut")
        assert len(kept_records(tmp_path)) == 1
        number, names = server.table.store.number, [*world.table.setup.names]
        async with session.get("/matches.json?language=de") as answer:
            listed = await answer.json()
        assert listed == {"matches": [[number, "Siebener", names]], "judges": True}
        async with session.get(f"/match.jsonl?match={number}") as answer:
            assert read(await answer.text()) == kept_records(tmp_path)[0].record
        for unknown in ("/match.jsonl?match=77", "/match.jsonl", "/judged.json?match=x"):
            async with session.get(unknown) as answer:
                assert answer.status == 404
        async with session.get("/judged.json?language=de") as answer:
            assert answer.status == 200
            told = await answer.json()
        async with session.get(f"/judged.json?language=de&match={number}") as answer:
            assert await answer.json() == told
        assert [row[0] for row in told["accounts"][1]] == [*world.table.setup.names]
        assert told["model"].startswith("Gerechnet ist, als spielten alle darum")


async def test_who_plays_alone_trains_beside_the_table_and_nobody_else(tmp_path):
    async with serving(tmp_path / "alone") as (server, session):
        token = (await welcome(await connected(server, session, hello())))["token"]
        async with session.get("/train.json?game=class") as answer:
            assert answer.status == 403
        mine = {"headers": bearer(token)}
        async with session.get("/train.json?game=class&language=de", **mine) as answer:
            posed = await answer.json()
        assert len(posed["ways"]) > 1
        solved = f"/train.json?number={posed['number']}&choice=1&add=1"
        async with session.get(solved, **mine) as answer:
            told = await answer.json()
        assert [way for way, _ in told["choices"] if way.endswith(MADE)]
        number = posed["number"]
        for wrong in (f"{number}&choice=99", f"{number}&choice=²", "77&choice=0", "x"):
            async with session.get(f"/train.json?number={wrong}", **mine) as answer:
                assert (answer.status, (await answer.text()).count("\n")) == (400, 0)
        async with session.get("/train.json", **mine) as answer:
            assert len((await answer.json())["weeks"]) == 2
        async with session.get("/train.csv", **mine) as answer:
            assert (await answer.text()).count("\n") == 2
        assert (tmp_path / "train.sqlite").exists()


async def test_the_card_of_a_match_counts_lies_but_among_several_people(tmp_path):
    async with serving(tmp_path, people=0) as (server, _session):
        match, rights = server.table.match, rights_of("table", "en", None, 2)
        while not match.world.is_over:
            match.world.advance(match.world.now_us + 10_000_000)
            assert match.world.trouble is None
        for hides_lies in (False, True):
            work = work_for(match, tmp_path, rights, "card.svg", {}, hides_lies=hides_lies)
            assert (b">lied<" in work().body) != hides_lies
