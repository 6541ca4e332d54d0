"""Matches and evenings in words and pictures."""

import json
from dataclasses import replace
from random import Random
from xml.etree import ElementTree

import pytest

from firmware.display.text.language import LANGUAGES
from game import RULES, apply, new_match
from game.actions import Announce, Believe, Doubt, Lift, Look, Roll, ShowMaexchen
from game.coach import Suggestion, analyse
from game.record import Record, public_record, write
from hw_sim.cli.main import main
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.players.bot_kinds import personality_of
from hw_sim.story.card import WIDE, Card, card, moments_of, svg
from hw_sim.story.evening_report import (
    EveningCounts,
    Rate,
    as_plain,
    at_table,
    counts,
    evening,
    mean_of,
    report,
    summed,
)
from hw_sim.story.judging import as_json, at_this_table, decisions, moments, unit
from hw_sim.story.reasons import reason
from hw_sim.table import NAMES, TablePart, TableSetup
from hw_sim.table.headless import Story
from tests.support import core_table as cores
from tests.support.nights import lengthy
from tests.support.rules_table import playout
from tests.support.tables import fixed

MARKED_UP = ("<b>Ana", "Ben", "Cem")
CAUGHT = (
    Roll((3, 1)), Look(), Announce(62), Believe(), Roll((6, 3)), Look(), Announce(63), Doubt(),
    Lift(), Roll((4, 1)), Announce(65), Doubt(), Lift(),
)  # fmt: skip


def test_a_card_counts_lies_that_nobody_saw_and_those_that_were_caught():
    told = card(Record(RULES["class"], MARKED_UP, 0, CAUGHT), "en")
    assert told.rows == (("<b>Ana", (1, 0, 1, 1)), ("Ben", (0, 0, 0, 0)), ("Cem", (1, 1, 1, 0)))
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
    ("best", "how", "told"),
    [
        (Look(), "peek", "whoever has peeked can choose by the dice"),
        (ShowMaexchen(), "show the Mäxchen", "the next player pays, and cannot doubt it: {}"),
    ],
)
def test_a_better_choice_without_numbers_has_a_reason_too(best, how, told):
    done = next(each for each in judged(*BLUFF).decisions if each.action == Announce(55))
    dear = done._replace(best=best, chances={**done.chances, best: 0.5}, cost=0.1)
    told = told.format("it is worth 0.50")
    assert reason(dear, True, "penalties", "en").endswith(f". Instead, {how}: {told}")
    assert told not in reason(dear, False, "penalties", "en")


def test_moments_that_never_came_are_said_so():
    assert moments(judged(), "de") == [
        "Bester Bluff: gab es nicht",
        "Teuerster Zweifel: gab es nicht",
        "Teuerste Entscheidung: gab es nicht",
        "Wendepunkt: gab es nicht",
    ]


@pytest.mark.parametrize("game", lengthy(("maxen", "chicago"), "chicago"))
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
    assert worst.endswith(f" (-{100 * costly.cost / costly.whole:.0f} of 100 games)")


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


@pytest.mark.whole
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


EVENING_NAMES = ("Ana", "Ben", "Cem")
LIES = (Roll((3, 1)), Look(), Announce(55), Believe(), Roll((6, 6)), Look(), Announce(66), Doubt())
EVENING_PLAYED = Record(RULES["physicist"], EVENING_NAMES[:2], 0, (*LIES, Lift((6, 6))))
HONEST = EVENING_PLAYED._replace(actions=(Roll((3, 1)), Look(), Announce(31), Believe()))


def one_sided():
    """Return matches of chicago that Ana has lost, and that differ."""
    found = []
    for seed in range(40):
        actions, match = playout(RULES["chicago"], EVENING_NAMES[:2], Random(seed))
        if match.outcome.losers == (0,):
            found.append(Record(RULES["chicago"], EVENING_NAMES[:2], 0, tuple(actions)))
    return found[:3]


def test_lies_and_doubts_are_counted_by_player_and_value():
    told = evening([EVENING_PLAYED, EVENING_PLAYED])
    assert told.lies == {("Ana", 55): Rate(2, 2), ("Ben", 66): Rate(0, 2)}
    assert told.doubts == {("Ben", 55): Rate(0, 2), ("Ana", 66): Rate(2, 2)}
    assert told.finds == {"Ana": Rate(0, 2)}
    assert summed(told.lies, None, None) == Rate(2, 4)
    said = report(told, "Physicist", "en").sentences
    assert said[0] == "Ana lied most: 2 of 2 announcements."
    assert said[1] == "Ana found most lies: 0 in 2 doubts."
    assert len(said) == 3
    assert json.loads(json.dumps(as_plain(told)))["matches"] == 2


def test_covered_dice_tell_of_lies_after_a_doubt_alone():
    told = evening([public_record(EVENING_PLAYED)])
    assert told.lies == {("Ben", 66): Rate(0, 1)}
    assert told.doubts == {("Ben", 55): Rate(0, 1), ("Ana", 66): Rate(1, 1)}
    assert told.unit is None
    assert report(told, "x", "de").players.rows[0] == ("Ana", "–", "1 von 1 (21–100 %)", "–", "–")


def test_nobody_lied_and_open_games_have_luck_and_skill_alone():
    assert report(evening([HONEST]), "x", "en").sentences[0] == "Nobody was seen to lie."
    records = []
    for seed in (1, 2):
        actions, _ = playout(RULES["sevens"], EVENING_NAMES, Random(seed))
        records.append(Record(RULES["sevens"], EVENING_NAMES, 0, tuple(actions)))
    told = report(evening(records), "x", "en")
    assert (len(told.sentences), told.values.rows, told.picture) == (3, [], "")
    assert all("±" in row[3] and "±" in row[4] for row in told.players.rows)


@pytest.mark.whole
def test_luck_and_skill_name_what_is_an_estimate():
    names = (*EVENING_NAMES, "Dora", "Eli")[:5]
    actions, _ = playout(RULES["holy-family"], names, Random(1))
    told = evening([Record(RULES["holy-family"], names, 0, tuple(actions))])
    assert (told.unit, told.caveat) == ("chance", "BY_LOT")
    assert report(told, "x", "en").legend.endswith("later is an estimate.")


def test_who_played_against_bots_is_judged_against_them_as_hint_and_coach_do():
    bots = (None, personality_of("honest"))
    told, plain = evening([EVENING_PLAYED], {EVENING_PLAYED: bots}), evening([EVENING_PLAYED])
    accounts = at_table(EVENING_PLAYED, analyse(EVENING_PLAYED), bots).accounts
    assert told.skill == {name: [each.skill] for name, each in zip(EVENING_NAMES, accounts)}
    assert told.skill["Ana"] != plain.skill["Ana"]
    assert told.skill["Ben"] == plain.skill["Ben"]
    legend = report(told, "x", "en").legend
    assert "against the players who sat there" in legend
    assert legend.startswith(report(plain, "x", "en").legend)


def test_intervals_are_those_of_wilson_and_of_student():
    assert Rate(2, 10).interval() == pytest.approx((0.0567, 0.5098), abs=1e-3)
    assert Rate().interval() == (0.0, 1.0)
    assert mean_of([1.0]).half is None
    assert mean_of([1.0, 2.0, 3.0]) == pytest.approx((2.0, 4.30 / 3**0.5))
    assert mean_of([0.0, 1.0] * 20).half == pytest.approx(2.23 * 0.5064 / 40**0.5, rel=1e-3)


def test_the_worth_of_a_choice_here_follows_the_habits_that_were_shown():
    """Each round costs Ana one penalty; what is more is what the coach has learned."""
    caught = (Roll((3, 1)), Look(), Announce(63), Doubt(), Lift((3, 1)))
    often = Record(RULES["physicist"], EVENING_NAMES[:2], 0, (*(caught * 6), *caught[:4]))
    here = at_this_table(often, analyse(often))
    said, doubted = 4, 5
    round_on = len(caught)
    assert here[said + round_on].worth < here[said].worth - 1.1  # a lie is doubted, and worth less
    assert here[doubted + round_on].worth > here[doubted].worth + 1.1  # a doubt is worth more
    assert here[doubted + round_on].half < here[doubted].half
    assert len(here) == 14


def test_the_command_reports_several_matches(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text(write(EVENING_PLAYED))
    (tmp_path / "b.jsonl").write_text(
        write(EVENING_PLAYED._replace(actions=EVENING_PLAYED.actions[:-1]))
    )
    assert main(["analyse", "a.jsonl", "b.jsonl", "--lang", "de", "--picture", "e.svg"]) == 0
    assert "Ana hat am meisten gelogen: 2 von 2 Ansagen." in capsys.readouterr().out
    assert (tmp_path / "e.svg").read_text().startswith("<svg")
    assert main(["analyse", "a.jsonl", "b.jsonl", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 2


@pytest.mark.parametrize(
    ("language", "hundred", "then"),
    [
        ("en", "A hundred games at these levels", "Lost before the first round: Ben 2, Cem 1."),
        ("de", "Hundert Spiele", "Vor der ersten Runde schon verloren: Ben 2, Cem 1."),
        ("fr", "Cent parties", "Perdu avant la première manche : Ben 2, Cem 1."),
    ],
)
def test_a_suggested_handicap_is_told_in_words(language, hundred, then):
    found = Suggestion((0, 2, 1), (0.58, 0.2, 0.22), (0.35, 0.33, 0.32))
    told = EveningCounts([*EVENING_NAMES], 9, last=EVENING_NAMES, suggestion=found)
    said = " ".join(report(told, "x", language).sentences)
    said = said.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert hundred in said
    assert then in said
    assert "Ana 58, Ben 20, Cem 22" in said
    assert "Ana 35, Ben 33, Cem 32" in said
    assert as_plain(told)["handicap"]["players"] == EVENING_NAMES


@pytest.mark.whole
def test_a_handicap_is_suggested_after_three_matches_with_an_end():
    matches = one_sided()
    assert evening(matches[:2]).suggestion is None
    weaker, better = evening(matches).suggestion.handicap
    assert weaker == 0 < better
    turned = [each._replace(players=each.players[::-1]) for each in matches]
    said = report(evening([*matches, *turned]), "x", "en").sentences
    assert "No handicap makes them fairer." in said
