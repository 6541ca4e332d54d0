"""The report of an evening: rates with intervals, luck and skill, and three true sentences."""

import json
from random import Random

import pytest

from game import RULES
from game.actions import Announce, Believe, Doubt, Lift, Look, Roll
from game.coach import Suggestion, analyse
from game.record import Record, public_record, write
from hw_sim.cli.main import main
from hw_sim.players.bot_kinds import personality_of
from hw_sim.story.evening_report import (
    EveningCounts,
    Rate,
    as_plain,
    at_table,
    evening,
    mean_of,
    report,
    summed,
)
from hw_sim.story.judging import at_this_table
from tests.support.rules_table import playout

NAMES = ("Ana", "Ben", "Cem")
LIES = (Roll((3, 1)), Look(), Announce(55), Believe(), Roll((6, 6)), Look(), Announce(66), Doubt())
PLAYED = Record(RULES["physicist"], NAMES[:2], 0, (*LIES, Lift((6, 6))))
HONEST = PLAYED._replace(actions=(Roll((3, 1)), Look(), Announce(31), Believe()))


def one_sided():
    """Return matches of chicago that Ana has lost, and that differ."""
    found = []
    for seed in range(40):
        actions, match = playout(RULES["chicago"], NAMES[:2], Random(seed))
        if match.outcome.losers == (0,):
            found.append(Record(RULES["chicago"], NAMES[:2], 0, tuple(actions)))
    return found[:3]


def test_lies_and_doubts_are_counted_by_player_and_value():
    told = evening([PLAYED, PLAYED])
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
    told = evening([public_record(PLAYED)])
    assert told.lies == {("Ben", 66): Rate(0, 1)}
    assert told.doubts == {("Ben", 55): Rate(0, 1), ("Ana", 66): Rate(1, 1)}
    assert told.unit is None
    assert report(told, "x", "de").players.rows[0] == ("Ana", "–", "1 von 1 (21–100 %)", "–", "–")


def test_nobody_lied_and_open_games_have_luck_and_skill_alone():
    assert report(evening([HONEST]), "x", "en").sentences[0] == "Nobody was seen to lie."
    records = []
    for seed in (1, 2):
        actions, _ = playout(RULES["sevens"], NAMES, Random(seed))
        records.append(Record(RULES["sevens"], NAMES, 0, tuple(actions)))
    told = report(evening(records), "x", "en")
    assert (len(told.sentences), told.values.rows, told.picture) == (3, [], "")
    assert all("±" in row[3] and "±" in row[4] for row in told.players.rows)


@pytest.mark.whole
def test_luck_and_skill_name_what_is_an_estimate():
    names = (*NAMES, "Dora", "Eli")[:5]
    actions, _ = playout(RULES["holy-family"], names, Random(1))
    told = evening([Record(RULES["holy-family"], names, 0, tuple(actions))])
    assert (told.unit, told.caveat) == ("chance", "BY_LOT")
    assert report(told, "x", "en").legend.endswith("later is an estimate.")


def test_who_played_against_bots_is_judged_against_them_as_hint_and_coach_do():
    bots = (None, personality_of("honest"))
    told, plain = evening([PLAYED], {PLAYED: bots}), evening([PLAYED])
    accounts = at_table(PLAYED, analyse(PLAYED), bots).accounts
    assert told.skill == {name: [each.skill] for name, each in zip(NAMES, accounts)}
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
    often = Record(RULES["physicist"], NAMES[:2], 0, (*(caught * 6), *caught[:4]))
    here = at_this_table(often, analyse(often))
    said, doubted = 4, 5
    round_on = len(caught)
    assert here[said + round_on].worth < here[said].worth - 1.1  # a lie is doubted, and worth less
    assert here[doubted + round_on].worth > here[doubted].worth + 1.1  # a doubt is worth more
    assert here[doubted + round_on].half < here[doubted].half
    assert len(here) == 14


def test_the_command_reports_several_matches(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text(write(PLAYED))
    (tmp_path / "b.jsonl").write_text(write(PLAYED._replace(actions=PLAYED.actions[:-1])))
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
    told = EveningCounts([*NAMES], 9, last=NAMES, suggestion=found)
    said = " ".join(report(told, "x", language).sentences)
    said = said.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert hundred in said
    assert then in said
    assert "Ana 58, Ben 20, Cem 22" in said
    assert "Ana 35, Ben 33, Cem 32" in said
    assert as_plain(told)["handicap"]["players"] == NAMES


@pytest.mark.whole
def test_a_handicap_is_suggested_after_three_matches_with_an_end():
    matches = one_sided()
    assert evening(matches[:2]).suggestion is None
    weaker, better = evening(matches).suggestion.handicap
    assert weaker == 0 < better
    turned = [each._replace(players=each.players[::-1]) for each in matches]
    said = report(evening([*matches, *turned]), "x", "en").sentences
    assert "No handicap makes them fairer." in said


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("a.jsonl", "o.jsonl"), "a report is of one game: choose of physicist, sevens"),
        (("a.jsonl", "b.jsonl", "--picture", "no/e.svg"), "name a file that can be written"),
    ],
)
def test_bad_input_gets_one_line(tmp_path, monkeypatch, capsys, arguments, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text(write(PLAYED))
    (tmp_path / "b.jsonl").write_text(write(PLAYED._replace(actions=())))
    (tmp_path / "o.jsonl").write_text(write(Record(RULES["sevens"], NAMES, 0, ())))
    assert main(["analyse", *arguments]) == 2
    told = capsys.readouterr().err.strip()
    assert line in told
    assert "\n" not in told
