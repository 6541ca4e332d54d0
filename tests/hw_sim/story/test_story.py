"""A match in words: how it is told, its card, its statistics, the judgement of the coach."""

from dataclasses import replace
from random import Random
from xml.etree import ElementTree

import pytest

from firmware.display.text.language import LANGUAGES
from game import RULES, apply, new_match
from game.actions import Announce, Believe, Doubt, Lift, Look, Roll, ShowMaexchen
from game.coach import analyse
from game.record import Record
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.story.card import WIDE, Card, card, moments_of, svg
from hw_sim.story.evening_report import counts
from hw_sim.story.judging import as_json, decisions, moments, reason, unit
from hw_sim.table import NAMES, TablePart, TableSetup
from hw_sim.table.headless import Story
from tests.support import core_table as cores
from tests.support.rules_table import playout
from tests.support.tables import fixed

MARKED_UP = ("<b>Ana", "Ben", "Cem")
CAUGHT = (
    Roll((3, 1)), Look(), Announce(62), Believe(), Roll((6, 3)), Look(), Announce(63), Doubt(),
    Lift(), Roll((4, 1)), Announce(65), Doubt(), Lift(),
)  # fmt: skip


def test_a_card_counts_lies_that_nobody_saw_and_those_that_were_caught():
    told = card(Record(RULES["class"], MARKED_UP, 0, CAUGHT), "en")
    assert told.rows == (
        ("<b>Ana", (1, 0, 1, 1)),
        ("Ben", (0, 0, 0, 0)),
        ("Cem", (1, 1, 1, 0)),
    )
    assert told.facts == (
        "Lied most: <b>Ana, Cem (1×)",
        "Longest chain: 2 announcements in round 1, up to 63",
    )
    assert told.title == "Nobody loses"


def test_a_card_of_a_party_tells_nothing_of_lies_that_nobody_found_out():
    told = card(Record(RULES["class"], MARKED_UP, 0, CAUGHT), "en", lies_are_told=False)
    assert told.head == ("caught", "doubted", "rightly")
    assert told.rows == (("<b>Ana", (0, 1, 1)), ("Ben", (0, 0, 0)), ("Cem", (1, 1, 0)))
    assert told.facts == ("Longest chain: 2 announcements in round 1, up to 63",)


@pytest.mark.parametrize("game", RULES)
def test_every_game_has_a_card_that_is_a_picture(game):
    actions, _ = playout(RULES[game], MARKED_UP, Random(1))
    for language in LANGUAGES:
        told = card(Record(RULES[game], MARKED_UP, 0, tuple(actions)), language)
        texts = ["".join(each.itertext()) for each in ElementTree.fromstring(svg(told)).iter()]
        assert {told.title, *told.head, *told.facts, *MARKED_UP} <= set(texts)
        assert all(len(numbers) == len(told.head) for _, numbers in told.rows)


def test_long_names_stay_on_the_card():
    rows = tuple((name, (0,) * 4) for name in ("Maximiliane", "Wolfgang Am.", "Hannelore W."))
    names = ", ".join(name for name, _ in rows)
    told = Card("Physiker-Meiern", f"{names} verlieren", ("",) * 4, rows, (f"{names} (12×)",) * 2)
    texts = [each for each in ElementTree.fromstring(svg(told)).iter() if each.text]
    for each in texts:
        ends = float(each.get("x")) + 0.6 * float(each.get("font-size")) * len(each.text)
        assert each.get("text-anchor") == "end" or ends < WIDE - 20, each.text


def test_all_look_up_for_lifted_cups_and_for_who_swims_or_goes_out():
    match, seen = new_match(RULES["class"], MARKED_UP, 0), []
    round_ = (Roll((3, 1)), Announce(62), Doubt(), Lift())
    while match.outcome is None:
        for action in round_:
            step = apply(match, action)
            match = step.match
            seen += moments_of(step)
    assert all(moment.lied and moment.dice == (3, 1) for moment in seen)
    swam = [moment.swims for moment in seen if moment.swims]
    assert [moment.payers for moment in seen if moment.out] == [seen[-1].out]
    assert seen[-1].out in swam


PLAYED = (Roll((3, 1)), Look(), Announce(62), Believe(), Roll((3, 2)), Announce(63), Doubt())
RECORD = Record(RULES["class"], ("Ana", "Ben", "Cem"), 0, (*PLAYED, Lift()))


def test_everybody_has_a_line_of_what_he_did():
    assert counts(RECORD, "en") == [
        "Ana: 1 throw, 1 look",
        "Ben: 1 throw, 1 lie caught",
        "Cem: 1 right doubt",
    ]
    assert counts(RECORD, "de")[1] == "Ben: 1 Wurf, 1 Lüge ertappt"


BLUFF = (Roll((3, 1)), Look(), Announce(55), Believe(), Roll((6, 6)), Look(), Announce(66))
SILLY = (Doubt(), Lift((6, 6)), Roll((4, 1)), Look(), Announce(41), Doubt(), Lift((4, 1)))


def judged(*actions):
    return analyse(Record(RULES["physicist"], ("Ana", "Ben"), 0, actions))


def test_moments_say_which_way_penalties_went():
    found = judged(*BLUFF, *SILLY)
    said = moments(found, "en")
    assert said[0].startswith("Best bluff: round 1, Ana: say 55 (")
    assert said[0].endswith(" penalties fewer)")
    assert said[1].startswith("Worst doubt: round 2, Ben: doubt (")
    assert said[1].endswith(" penalties more)")
    assert not any(sign in line for line in said for sign in "+-")
    assert moments(found, "de")[1].endswith(" Strafen mehr)")
    plain = as_json(found)
    assert (plain["worst_doubt"], plain["best_bluff"], plain["worst_choice"]) == (14, 4, 14)


@pytest.mark.parametrize(
    ("best", "told"),
    [
        (Look(), "whoever has peeked can choose by the dice"),
        (ShowMaexchen(), "the next player pays, and cannot doubt it"),
    ],
)
def test_a_better_choice_without_numbers_has_a_reason_too(best, told):
    done = next(each for each in judged(*BLUFF).decisions if each.action == Announce(55))
    dear = done._replace(best=best, instead=None, cost=0.1)
    assert reason(dear, True, "penalties", "en").endswith(f". Better: {told}")
    assert told not in reason(dear, False, "penalties", "en")


def test_a_moment_that_would_show_as_nothing_never_came():
    found = judged(*BLUFF, *SILLY)
    small = [each._replace(swing=each.swing / 1e4, cost=0.0) for each in found.decisions]
    said = moments(found._replace(decisions=tuple(small)), "en")
    assert said[:3] == ["Best bluff: none", "Worst doubt: none", "Worst decision: none"]


def test_moments_that_never_came_are_said_so():
    assert moments(judged(), "de") == [
        "Bester Bluff: gab es nicht",
        "Teuerster Zweifel: gab es nicht",
        "Teuerste Entscheidung: gab es nicht",
        "Wendepunkt: gab es nicht",
    ]


@pytest.mark.parametrize("game", ["maxen", "chicago"])
def test_worths_of_the_last_two_are_told_as_chances(game):
    players = ("Ana", "Ben", "Cem")
    rules = replace(RULES[game], coasters=5)  # with the usual ones, three play for the match
    actions, _ = playout(rules, players, Random(1))
    found = analyse(Record(rules, players, 0, tuple(actions)))
    last = [each for each in found.decisions if each.whole]
    among = [each for each in found.decisions if not each.whole]
    assert last, "two are left at some time"
    assert all(0 <= worth <= each.whole for each in last for worth in each.chances.values())
    worths = [row[4] for row in decisions(found, "en").rows]
    assert [worth.endswith("%") for worth in worths] == [bool(d.whole) for d in found.decisions]
    assert "the other one loses" in unit(found, "en")
    assert "the other one loses" not in unit(found._replace(decisions=tuple(among)), "en")
    costly = max(last, key=lambda each: each.cost)
    worst = moments(found._replace(decisions=(costly,)), "en")[0]
    assert worst.endswith(f" (-{100 * costly.cost / costly.whole:.1f}%)")


def told_of(folder, game, *here, **options):
    """The story of a table at which only these seats are, from what is in their journals."""
    rules = replace(RULES[game], **options)
    table = TableSetup(rules, seed=2, link=("mqtt",), part=TablePart(here))
    met = {seat: fixed(NAMES[:3], seat, key=cores.KEY, rules=rules) for seat in here}
    setup = WorldSetup(table, people=0, bots=("honest",) * 3)
    world = World(setup, folder, customise=lambda it: replace(it, agreed_tables=met))
    story = Story(world.table, "en")
    story.update()
    world.close()
    return story


def test_of_open_dice_one_seat_tells_all_where_the_others_are_elsewhere(tmp_path):
    table = cores.CoreTable(3, game="sevens", folder=tmp_path, rounds=1)
    table.walk(Random(1))
    assert table.over
    table.close()
    for away in (1, 2):
        for file in tmp_path.glob(f"seat{away}.sqlite*"):
            file.unlink()
    story = told_of(tmp_path, "sevens", 0, rounds=1)
    assert story.match.outcome == table[0].match.outcome
    assert sum(story.match.coasters) == 1
    assert story.lines[-1].startswith("The game")
