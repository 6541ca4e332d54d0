"""Chances of dice that are known from elsewhere, and a referee from outside that catches faults."""

import json
import random
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from game import RULES, dice_to_roll, new_match, rolls
from game.coaster.rules import Kind, chicago_points, kind
from game.dice import are_dice, throws
from game.record import Record, write
from game.sevens import score
from tests.support.referees import naive_bluff_checker
from tests.support.rules_table import NAMES, playout


@pytest.mark.parametrize("number", range(1, 8))
def test_throws_are_all_that_dice_can_show_with_exact_chances(number):
    assert len(throws(number)) == comb(number + 5, 5)
    assert sum(chance for _, chance in throws(number)) == 1
    assert all(are_dice(dice, number) for dice, _ in throws(number))


def test_throws_have_the_chances_of_counting():
    counted = Counter(tuple(sorted(d, reverse=True)) for d in product(range(1, 7), repeat=3))
    assert dict(throws(3)) == {dice: Fraction(ways, 216) for dice, ways in counted.items()}


@pytest.mark.parametrize("game", RULES)
def test_what_a_roll_can_be_adds_up_to_one_and_a_tower_is_as_rare_as_the_rules_say(game):
    match = new_match(RULES[game], NAMES[:4], 0)
    assert sum(chance for _, chance in rolls(match)) == 1
    ones = sum(chance for roll, chance in rolls(match) if set(roll.dice) == {1})
    assert ones == Fraction(1, 6 ** dice_to_roll(match))
    towers = sum(chance for roll, chance in rolls(match) if roll.tower)
    assert towers == (Fraction(1, 200) if game == "holy-family" else 0)


def mean(worth, dice):
    return sum(chance * worth(thrown) for thrown, chance in throws(dice))


def test_means_of_one_throw_are_those_of_the_sources():
    assert mean(score, 6) == Fraction(1631, 144)
    assert mean(chicago_points, 3) == 3 * Fraction(100 + 2 + 3 + 4 + 5 + 60, 6)


def test_the_kinds_of_one_throw_in_maxen():
    ways = {each: 216 * mean(lambda dice, each=each: kind(dice) is each, 3) for each in Kind}
    # 1-1-1; 1-1-n in three orders each; five other triples; four runs in six orders; the rest
    assert ways == {
        Kind.GENERAL: 1,
        Kind.MAX: 5 * 3,
        Kind.PASCH: 5,
        Kind.STRASSE: 4 * 6,
        Kind.SCHIET: 216 - 1 - 15 - 5 - 24,
    }


RULE_SET = RULES["class"]
PLAYERS = ("Ana", "Ben", "Cem")


def lines_of(seed):
    actions, match = playout(RULE_SET, PLAYERS, random.Random(seed))
    record = Record(RULE_SET, PLAYERS, 0, tuple(actions))
    return [json.loads(line) for line in write(record).splitlines()], match


@pytest.mark.parametrize("seed", range(20))
def test_a_line_that_is_missing_is_caught(seed):
    lines, match = lines_of(seed)
    removed = random.Random(seed).randrange(1, len(lines))
    verdict = naive_bluff_checker.judge(lines[:removed] + lines[removed + 1 :])
    unchanged = verdict.over and tuple(verdict.paid) == match.tally
    optional = lines[removed]["action"] in ("look", "roll")
    assert verdict.disagreement or not verdict.over or (unchanged and optional)


@pytest.mark.parametrize(
    ("actions", "complaint"),
    [
        ([{"action": "announce", "value": 31}], "nothing can be announced"),
        ([{"action": "roll", "dice": [6, 3]}] * 3, "no roll is due"),
        ([{"action": "roll", "dice": None}], "these are no two dice"),
        ([{"action": "roll", "dice": [7, 1]}], "these are no two dice"),
        ([{"action": "look"}], "no look is due"),
        ([{"action": "lift", "dice": [6, 3]}], "nobody has doubted"),
        ([{"action": "end_match"}], "the match cannot be ended here"),
        ([{"action": "void_round"}], "there is no round to void"),
        ([{"action": "leave", "seat": 3}], "nobody sits there"),
        ([{"action": "stop_match"}, {"action": "look"}], "the match is over"),
        ([{"action": "juggle"}], "unknown to this game"),
    ],
)
def test_the_checker_refuses_what_is_not_in_the_rules(actions, complaint):
    header = lines_of(1)[0][0]
    assert naive_bluff_checker.judge([header, *actions]).disagreement.endswith(complaint)
