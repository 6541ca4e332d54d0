"""Chances of dice that are known from elsewhere."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from game import RULES, dice_to_roll, new_match, rolls
from game.coaster.rules import Kind, chicago_points, kind
from game.dice import are_dice, throws
from game.sevens import score
from tests.support.rules_table import NAMES


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
