"""The coach's page: for who played a match alone, once it is over."""

import asyncio
import re
from io import BytesIO
from random import Random
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from firmware.bots.hint import hint
from firmware.display.screens import ThrowClosedPage
from game import RULES
from game.actions import Announce, Believe, Doubt, Lift, Look, Roll
from game.record import Record, read
from hw_sim.live.web.answers import answered
from hw_sim.live.web.coach_pages import advice, coach_report, kinds_of, record_of
from hw_sim.live.web.matches_over import keep_record, kept_records
from hw_sim.players.bot_kinds import personality_of
from hw_sim.story.judging import MOST_WAYS
from hw_sim.training.told import MADE
from tests.support.evenings import at
from tests.support.nights import nightly
from tests.support.rules_table import playout
from tests.support.tab import a_tab

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
    assert [len(row) for row in told.decisions.rows] == [9] * len(told.decisions.rows)
    assert [row[0] for row in told.played.rows] == [*NAMES]
    assert sum(int(row[1]) for row in told.played.rows) == len(told.decisions.rows)
    assert all(row[5] != "0.0%" for row in told.decisions.rows), "too little to tell"
    assert [each.head[:2] for each in told.dearest] == ["1.", "2.", "3."]
    assert told.learns == "", "nobody is known to be a person"
    dear = sorted((float(row[5][:-1]) for row in told.decisions.rows if row[5]), reverse=True)
    assert [each.head.split(" costs ")[1] for each in told.dearest] == [
        f"{cost:.0f} of 100 games." for cost in dear[:3]
    ]
    picture = ElementTree.fromstring(told.curve)
    assert [each.tag.split("}")[1] for each in picture].count("polyline") == len(NAMES)
    assert [each.tag.split("}")[1] for each in picture].count("circle") == len(told.dearest)
    assert told.why_not == ""


BESIDE_BOTS = (None, "honest", "trusting")


@pytest.mark.whole
@pytest.mark.parametrize("game", nightly(RULES, "class", "chicago", "sevens"))
def test_the_dearest_decisions_are_those_of_the_person_with_the_table_before_them(game):
    actions, _ = playout(RULES[game], NAMES, Random(1))
    told = coach_report(Record(RULES[game], NAMES, 0, tuple(actions[:60])), "en", BESIDE_BOTS)
    assert [", Ana: " in each.head for each in told.dearest] == [True] * 3
    assert all(each.better.startswith("Better: ") for each in told.dearest)
    assert {each.table.order[0] for each in told.dearest} == {0}
    assert told.dearest[0].table.kinds == ["", *BESIDE_BOTS[1:]]
    assert told.learns == game


@pytest.mark.whole
@at(a_tab)
async def test_the_decisions_of_a_kept_match_are_trained_the_dearest_first(tab):
    actions, _ = playout(RULES["class"], NAMES, Random(5))
    record = Record(RULES["class"], NAMES, 0, tuple(actions))
    keep_record(tab.folder, 0, record, BESIDE_BOTS)
    assert tab.ask("/train.json?add=1&match=7")[0] == 404
    assert tab.json("/train.json")["waiting"] == 0
    assert tab.json("/train.json?add=1&match=0&language=en")["waiting"] > 1
    dearest = tab.json("/judged.json?match=0&language=en")["dearest"]
    posed = tab.json("/train.json?game=class&language=en")
    assert posed["table"] in [each["table"] for each in dearest]


def test_what_cannot_be_judged_says_why():
    told = coach_report(Record(RULES["class"], ("Ana", "Ben", "Cem"), 0, (Roll(None),)), "de")
    assert told.why_not.startswith("line 2: a roll without its dice")


def test_a_hint_says_against_whom():
    opened = Record(RULES["class"], NAMES, 0, (Roll((6, 6)), Look()))
    bots = [None, personality_of("honest"), personality_of("trusting")]
    assert advice(opened, 0, "en", bots).startswith(
        "Best against these players: say 66. The next player would doubt it in 63 of 100 cases: "
        "you lose 5 of 100 games; 6 rolls in 100 are good enough to follow it. "
        "Safe against anybody: say 63. The next player would"
    )
    assert advice(opened, 0, "en").startswith("Safe against anybody: say 63")


LIED = (Roll((3, 1)), Announce(41), Believe(), Roll((3, 2)), Announce(63), Doubt(), Lift((3, 2)))


@at(a_tab, seed=OPENS)
async def test_a_match_is_told_of_at_its_end_and_a_hint_at_once_to_who_plays_alone(tab):
    assert [tab.ask(each)[0] for each in ("/judged.json", "/card.svg")] == [404, 404]
    world = tab.match.world
    assert record_of(world).players == world.table.setup.names
    status, said = tab.ask("/hint?language=de")
    assert (status, said.decode()) == (200, "Am besten: würfeln")
    async with a_tab(tab.folder / "others", people=2) as others:
        assert [others.ask(each)[0] for each in ("/judged.json", "/hint")] == [403, 403]
        for each, is_told in ((tab, True), (others, False)):
            keep_record(each.folder, 0, Record(RULES["class"], NAMES, 0, LIED))
            kept = each.ask("/match.jsonl?match=0")[1]
            assert (b"[3, 1]" in kept) == is_told, "covered dice"
            assert b"[3, 2]" in kept, "everybody saw those"
            with ZipFile(BytesIO(each.ask("/evening.zip")[1])) as archive:
                assert archive.read("match0.jsonl") == kept


@pytest.mark.whole
@at(a_tab, game="sevens", players=2)
async def test_a_hint_tells_no_dice_before_the_cup_is_lifted(tab):
    page, _ = await tab.welcomed("seat", 0)
    own = tab.match.world.table.seats[0]
    while not own.handheld.view().fresh:
        shakes = isinstance(own.handheld.screen, ThrowClosedPage)
        page.tell("key", seat=0, key="shake", on=shakes)
        await asyncio.sleep(2)
    page.tell("key", seat=0, key="shake", on=False)
    assert (own.log.match.throws, tab.ask("/hint")) == (0, (200, b"Lift your cup"))
    page.tell("lift", seat=0, on=True)
    await asyncio.sleep(1)
    assert tab.ask("/hint") == (200, b"There is no hint now.")  # it was for the lead


def test_advice_says_how_often_each_thing_is_done_and_where_there_is_none():
    thrown = Record(RULES["class"], ("Ana", "Ben", "Cem"), 0, (Roll((3, 1)), Look()))
    said = advice(thrown, 0, "en")
    mix = r"Safe against anybody is a mix. So many times in 100 choose: "
    mix += r"\d+ × roll( · \d+ × say \d\d)+\. Mostly roll: .+; if you roll again, \d+"
    assert re.fullmatch(mix, said)
    assert advice(thrown, 1, "de") == "Gerade gibt es keinen Tipp."
    stands = (Roll((6, 6)), Announce(61), Believe(), Roll((3, 1)), Look())
    many = Record(RULES["class"], (*NAMES, "Dora"), 0, stands)
    assert advice(many, 1, "de").count("×") == MOST_WAYS < len(hint(many, 1).ways)
    blind = many._replace(actions=(*stands, Roll(None)))
    assert advice(blind, 1, "en").startswith("Safe against anybody: say 64. The next player would")


@at(a_tab, players=2, game="sevens")
async def test_a_match_that_is_over_is_judged(tab):
    world = tab.match.world
    world.loop.inside(lambda: world.loop.create_task(world.table.players[0].play()))
    while not world.is_over:
        world.advance(world.now_us + 10_000_000)
        assert world.trouble is None
    assert b"verliert" in tab.ask("/card.svg?language=de")[1]
    assert tab.ask("/evening.json?language=de")[0] == 404
    tab.table._stepped()
    title, sentences, *_ = tab.json("/evening.json?language=de")
    assert (title, len(sentences)) == ("Siebener, Spiele an diesem Abend: 1", 3)
    (tab.folder / "over9.jsonl").write_text("cut")
    assert len(kept_records(tab.folder)) == 1
    number, names = tab.table.store.number, [*world.table.setup.names]
    listed = {"matches": [[number, "Siebener", names]], "judges": True}
    assert tab.json("/matches.json?language=de") == listed
    record = tab.ask(f"/match.jsonl?match={number}")[1].decode()
    (kept,) = kept_records(tab.folder)
    assert (kept.record, kept.kinds) == (read(record), kinds_of(world))
    assert tab.ask("//[") == (400, b"This is no address.\n")
    with pytest.raises(ValueError, match="invalid literal"):
        answered("/games", lambda *_: int("a fault of ours"))
    for unknown in ("/match.jsonl?match=77", "/match.jsonl", "/judged.json?match=x"):
        assert tab.ask(unknown)[0] == 404
    told = tab.json("/judged.json?language=de")
    assert tab.json(f"/judged.json?language=de&match={number}") == told
    assert [row[0] for row in told["accounts"][1]] == names
    assert told["notes"][0].startswith("Gerechnet ist, als spielten alle darum")


@at(a_tab)
async def test_a_browser_trains_beside_its_table_with_a_seat_or_without(tab):
    posed = tab.json("/train.json?game=class&language=de")
    assert len(posed["ways"]) > 1
    number, table = posed["number"], posed["table"]
    assert [table["kinds"][seat] for seat in table["order"]].index("") == 0
    assert {way["value"] for way in posed["ways"]} <= {0, *table["ladder"]}
    told = tab.json(f"/train.json?number={number}&choice=1&add=1")
    assert [way for way, _ in told["choices"] if way.endswith(MADE)]
    for wrong in (f"{number}&choice=99", f"{number}&choice=²", "77&choice=0", "x"):
        status, why = tab.ask(f"/train.json?number={wrong}")
        assert (status, why.count(b"\n")) == (400, 0)
    assert len(tab.json("/train.json")["weeks"]) == 2
    assert tab.ask("/train.csv")[1].count(b"\n") == 2
    (tab.folder.parent / "train.sqlite").write_bytes(b"\x17" * 3_000)
    for path in ("/train.csv", "/train.json"):
        status, why = tab.ask(path)
        assert (status, why.count(b"\n")) == (400, 0)
        assert why.endswith(b"train.sqlite: file is not a database: name another file")
