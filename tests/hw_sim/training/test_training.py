"""The trainer: decisions, their solutions, and what comes again."""

import sqlite3
from dataclasses import replace
from random import Random

import pytest

from game import RULES
from game.actions import Announce, Believe, Doubt, Look, Roll
from game.record import Record, write
from hw_sim.cli.main import main
from hw_sim.cli.train import typed_as
from hw_sim.training.drill import AGAIN_S, DAY_S, Drill, DrillError
from hw_sim.training.spots import WRONG, made, of_record
from hw_sim.training.told import progress, question, solution, ways
from tests.support.rules_table import playout

NAMES = ("Ana", "Ben", "Cem")
LIE = (Roll((4, 2)), Look(), Announce(61), Believe(), Roll((3, 1)), Look())


def wrong_way(spot):
    return min(spot.choices, key=lambda way: spot.judged.chances[way])


def test_a_decision_says_what_its_player_knows_and_no_more():
    spots = list(of_record(Record(RULES["class"], NAMES, 0, (*LIE, Announce(21)))))
    assert [each.kind for each in spots] == ["tell", "answer", "blind", "lie"]
    opens, answers, _, lies = spots
    assert all(Look() not in each.choices for each in spots)
    holds = "Under your cup: 4 2 (rolls: 1)."
    assert question(opens, "en")[1:] == ["Nothing is announced yet.", holds]
    assert question(answers, "en") == [
        "Classic: you are Ben, number 2 of 3 in this round.",
        "Ana said 61 (rolls: 1).",
    ]
    holds = "Under your cup: 3 1 (rolls: 1)."
    assert question(lies, "en")[1:] == ["Ana said 61 (rolls: 1).", holds]
    assert "Say 21: the next player would" in solution(opens, Announce(21), "en").reason
    doubts = solution(answers, Doubt(), "en")
    assert doubts.verdict.endswith("Better: believe.")
    assert "such announcements are lies" in doubts.reason


def test_a_value_is_typed_to_be_announced_and_a_number_for_the_rest():
    *_, lies = of_record(Record(RULES["class"], NAMES, 0, (*LIE, Announce(21))))
    typed = typed_as(lies.choices)
    assert typed["65"] == Announce(65)
    assert sorted(typed.values(), key=lies.choices.index) == list(lies.choices)
    assert Roll() in (typed["1"], typed["2"])


def test_a_decision_tells_of_the_whole_round_how_often_each_rolled():
    done = (Announce(61), Believe(), Announce(62), Believe(), Roll((5, 5)), Roll((3, 1)))
    *_, told = of_record(Record(RULES["class"], NAMES, 0, (Roll((4, 2)), *done, Announce(65))))
    assert question(told, "en")[1:] == [
        "Ana said 61 (rolls: 1).",
        "Ben said 62 (rolls: 0).",
        "You have not seen the dice (rolls: 2).",
    ]
    said = (Roll((4, 2)), *done, Announce(65), Doubt())
    *_, told = of_record(Record(RULES["class"], NAMES, 0, said))
    seen = {"en": "about dice that nobody has seen", "de": "ohne die Würfel", "fr": "sans avoir vu"}
    assert all(text in question(told, language)[-1] for language, text in seen.items())


def test_faults_that_cost_the_same_are_one_choice():
    done = (Roll((4, 2)), Announce(55), Believe(), Roll((3, 1)), Announce(66))
    told = list(of_record(Record(RULES["holy-family"], NAMES, 0, done)))[-1]
    names = ways(told, "en").values()
    assert [name for name in names if "fault" in name] == ["give up with 31 (a fault)"]


def test_a_match_that_is_soon_decided_has_decisions_too():
    assert made("sevens", 2, Random("sevens26")).judged.chances


def test_no_decision_is_of_the_last_two_of_more_where_coasters_are_chances():
    rules = replace(RULES["chicago"], coasters=5)
    actions, _ = playout(rules, NAMES, Random(1))
    found = list(of_record(Record(rules, NAMES, 0, tuple(actions))))
    assert found
    assert all(len(spot.match().playing) == len(NAMES) for spot in found)


@pytest.mark.whole
def test_made_decisions_are_of_later_rounds_where_the_score_counts():
    rounds = {
        game: [made(game, 3, Random(seed)).match() for seed in range(6)]
        for game in ("class", "physicist", "chicago")
    }
    assert {match.round for match in rounds["physicist"]} == {1}
    assert len({match.round for match in rounds["class"]}) > 1
    assert len({match.round for match in rounds["chicago"]}) > 1
    assert any(any(match.tally) for match in rounds["class"])


@pytest.mark.whole
def test_a_solution_names_what_is_an_estimate():
    spot = made("holy-family", 5, Random(1))
    told = solution(spot, spot.choices[0], "en")
    assert told.basis.endswith("later is an estimate.")


def test_a_stored_decision_has_the_same_solution(tmp_path):
    drill, spot = Drill(tmp_path / "train.sqlite"), made("class", 3, Random("read 2"))
    number, done = drill.add(spot, None), wrong_way(spot)
    told = solution(spot, done, "en")
    assert "Safe against anybody" in told.reason
    assert solution(drill.spot(number), done, "en") == told
    with sqlite3.connect(tmp_path / "train.sqlite") as disk:
        disk.execute("UPDATE spots SET content = json_remove(content, '$.whys', '$.caution')")
    assert told.reason.startswith(solution(drill.spot(number), done, "en").reason)


@pytest.mark.whole
def test_covered_third_throws_stay_covered():
    for seed in range(40):
        spot = made("maxen", 3, Random(seed))
        match = spot.match()
        for name, hand in zip(match.players, match.hands):
            if hand is not None and hand.covered:
                dice = " ".join(map(str, (*hand.aside, *hand.dice)))
                assert f"{name} has {dice}." not in question(spot, "en")
                return
    raise AssertionError("none was covered")


@pytest.mark.whole
def test_a_wrong_answer_comes_back_later_and_later(tmp_path):
    drill = Drill(tmp_path / "train.sqlite")
    spot = made("class", 3, Random(1))
    best = max(spot.choices, key=lambda way: spot.judged.chances[way])

    def other():
        return made("class", 3, Random(2))

    number, first = drill.next("class", 0.0, lambda: spot)
    assert first == spot
    assert drill.answer(number, wrong_way(spot), 0.0) > WRONG
    assert drill.next("class", AGAIN_S - 1, other)[0] != number
    now = AGAIN_S
    for days in (1, 2, 4):
        assert drill.waiting(now) == 1
        again, stored = drill.next("class", now, other)
        assert (again, stored.judged.chances) == (number, dict(spot.judged.chances))
        assert drill.answer(number, best, now) == 0
        assert drill.waiting(now + days * DAY_S - 1) == 0
        now += days * DAY_S
    weeks = drill.weeks()
    assert sum(each.answers for each in weeks) == 4
    assert len(progress(weeks, "de")) == 1 + len(weeks)
    head, *rows = drill.csv().splitlines()
    assert head == "utc,game,kind,choice,regret,unit,decision"
    assert len(rows) == 4


def test_a_right_answer_does_not_come_back(tmp_path):
    drill = Drill(tmp_path / "train.sqlite")
    number, spot = drill.next("sevens", 0.0, lambda: made("sevens", 3, Random(1)))
    drill.answer(number, max(spot.choices, key=lambda way: spot.judged.chances[way]), 0.0)
    assert drill.waiting(1e12) == 0


def test_a_file_of_others_is_refused_in_one_line(tmp_path):
    foreign = tmp_path / "other.sqlite"
    with sqlite3.connect(foreign) as disk:
        disk.execute("CREATE TABLE other (x)")
    with pytest.raises(DrillError, match="not a file of this trainer: name another one"):
        Drill(foreign)
    (tmp_path / "text").write_text("no database at all, but long enough to be read as one" * 9)
    with pytest.raises(DrillError, match="file is not a database: name another file"):
        Drill(tmp_path / "text")
    with pytest.raises(DrillError, match="there is no decision 7"):
        Drill(tmp_path / "new.sqlite").spot(7)


@pytest.mark.parametrize("content", ["x", "{}", "[]", '{"record": "x"}'])
def test_a_damaged_decision_gets_one_line(tmp_path, content):
    drill = Drill(tmp_path / "train.sqlite")
    number = drill.add(next(of_record(Record(RULES["class"], NAMES, 0, (*LIE, Announce(21))))), 0.0)
    with sqlite3.connect(tmp_path / "train.sqlite") as disk:
        disk.execute("UPDATE spots SET content = ?", (content,))
    with pytest.raises(DrillError, match="it has a damaged decision: name another file"):
        drill.spot(number)


def test_the_command_asks_solves_and_exports(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    record = Record(RULES["class"], NAMES, 0, (*LIE, Announce(21), Doubt()))
    (tmp_path / "match.jsonl").write_text(write(record))
    answers = iter(["x\n", "0\n", "1\n", "q\n"])
    monkeypatch.setattr("sys.stdin", type("Typed", (), {"readline": lambda _: next(answers)})())
    wanted = ("--record", "match.jsonl", "--name", "Ben", "--lang", "en")
    assert main(["train", *wanted, "--spots", "3"]) == 0
    told = capsys.readouterr().out
    assert "you are Ben, number 2 of 3" in told
    assert told.count("What do you do? A value to say it") == 4
    assert "week" in told.splitlines()[-2]
    assert main(["train", "--export", "answers.csv"]) == 0
    assert (tmp_path / "answers.csv").read_text().count("\n") == 2
    assert main(["train", "--progress", "--lang", "de"]) == 0
    assert "Woche" in capsys.readouterr().out
