"""The coach's judgement of a match, in words."""

from dataclasses import replace
from random import Random

import pytest

from game import RULES
from game.actions import Announce, Believe, Doubt, Lift, Look, Roll, ShowMaexchen
from game.coach import analyse
from game.explore import playout
from game.record import Record
from hw_sim.story.judging import as_json, decisions, moments, reason, unit

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
    players, rules = ("Ana", "Ben", "Cem"), replace(RULES[game], coasters=5)
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
