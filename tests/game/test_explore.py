"""Exploring: chances that add up, counts of positions, expectations, playouts."""

import doctest
import random
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from game import (
    RULES,
    advance,
    apply,
    covers_next,
    dice_to_roll,
    illegality,
    legal_actions,
    new_match,
    public,
    rolls,
    view,
)
from game.actions import Announce, Doubt, Keep, Leave, Lift, Roll
from game.dice import are_dice, throws
from game.status import freeze
from tests.support import expectations
from tests.support.expectations import chances, expectation, successors
from tests.support.expectations import explore as count
from tests.support.rules_table import OpenTable, playout

NAMES = ("Ana", "Ben", "Cem", "Dora")


def test_the_example_of_the_module_is_true():
    tried = doctest.testmod(expectations)
    assert tried.failed == 0
    assert tried.attempted > 5


@pytest.mark.parametrize("number", range(1, 8))
def test_throws_are_all_that_dice_can_show_with_exact_chances(number):
    assert len(throws(number)) == comb(number + 5, 5)
    assert sum(chance for _, chance in throws(number)) == 1
    assert all(are_dice(dice, number) for dice, _ in throws(number))


def test_throws_have_the_chances_of_counting():
    counted = [tuple(sorted(dice, reverse=True)) for dice in product(range(1, 7), repeat=3)]
    assert dict(throws(3)) == {d: Fraction(counted.count(d), 216) for d in counted}


@pytest.mark.parametrize("game", RULES)
def test_what_a_roll_can_be_adds_up_to_one_and_a_tower_is_as_rare_as_the_rules_say(game):
    match = new_match(RULES[game], NAMES, 0)
    assert sum(chance for _, chance in rolls(match)) == 1
    ones = sum(chance for roll, chance in rolls(match) if set(roll.dice) == {1})
    assert ones == Fraction(1, 6 ** dice_to_roll(match))
    towers = sum(chance for roll, chance in rolls(match) if roll.tower)
    assert towers == (Fraction(1, 200) if game == "holy-family" else 0)
    assert chances(match, Roll()) == rolls(match)
    for roll, _ in rolls(match):
        assert are_dice(roll.dice, dice_to_roll(match))
        assert apply(match, roll).match.turn == 1
    assert chances(match, Roll(roll.dice)) == ((Roll(roll.dice), 1),)
    assert chances(match, Leave(1)) == ((Leave(1), 1),)


def test_a_covered_throw_falls_when_it_is_lifted():
    t = OpenTable("maxen", 2).after(Roll((6, 5, 3)), Keep((6,)), Roll((5, 3)))
    assert chances(t.match, Roll()) == ((Roll(), 1),)
    t.do(Roll())
    t.turn((6, 5, 4))
    assert len(chances(t.match, Lift())) == 21
    t = OpenTable("maxen", 2)
    t.turn((6, 5, 3), (6, 5, 3), (5, 3, 2))
    t.turn((6, 5, 4))
    assert chances(t.match, Lift()) == ((Lift((5, 3, 2)), 1),)


def test_the_dice_of_a_doubted_cup_are_known_or_fall_at_the_lift():
    match = new_match(RULES["class"], NAMES, 0)
    for action in (Roll((6, 3)), Announce(63), Doubt()):
        match = apply(match, action).match
    assert chances(match, Lift()) == ((Lift((6, 3)), 1),)
    unknown = chances(view(match, None), Lift())
    assert {lift.dice: chance for lift, chance in unknown} == dict(throws(2))


def test_a_roll_counts_as_covered_where_no_match_is_given():
    match = new_match(RULES["chicago"], NAMES, 0)
    assert public(Roll((6, 5, 3))) == Roll()
    assert public(Roll((6, 5, 3)), match) == Roll((6, 5, 3))
    assert covers_next(new_match(RULES["class"], NAMES, 0))


def naive_second_positions(dice):
    """Return what can follow a first throw of three dice: kept, thrown again, left (T-2, T-3)."""
    found = {("stop",)}
    for again in product(range(1, 7), repeat=3):
        found.add(("threw", tuple(sorted(again))))
    for keep in product((False, True), repeat=3):
        if any(keep) and not all(keep):
            kept = sorted(die for die, stays in zip(dice, keep, strict=True) if stays)
            found.add(("kept", tuple(kept)))
    sixes, others = dice.count(6), [die for die in dice if die != 6]
    if sixes == 2:
        found.add(("kept", (1,)))
        found.add(("kept", tuple(sorted([1, *others]))))
    if sixes == 3:
        found.add(("kept", (1, 1)))
    return found


def test_counts_of_positions():
    """Independent counts: combinations of dice, and a naive list of what follows a throw."""
    assert count(new_match(RULES["sevens"], NAMES[:2], 0), 1) == (1, 462)
    assert count(new_match(RULES["maxen"], NAMES[:3], 0), 2) == (1, 56, 56 * 56)
    for game in ("maxen", "chicago"):
        # The first throw stays to be seen in a hand that stopped; what was kept forgets the rest.
        positions = set()
        for dice in {tuple(sorted(dice)) for dice in product(range(1, 7), repeat=3)}:
            positions |= {
                (*after, dice) if after == ("stop",) else after
                for after in naive_second_positions(dice)
            }
        assert count(OpenTable(game, 2).match, 2) == (1, 56, len(positions))


def test_successors_are_what_legal_actions_lead_to():
    t = OpenTable("sevens", 2).after(Roll((1,) * 6))
    after = dict(successors(t.match))
    assert len(after) == 462 + 1
    assert all(apply(t.match, action).match == match for action, match in after.items())


def test_no_position_follows_the_end():
    t = OpenTable("chicago", 2).after(Leave(0))
    assert count(t.match, 2) == (1, 0, 0)


def test_an_expectation_needs_to_know_what_the_end_is_worth():
    t = OpenTable("chicago", 2).after(Leave(0))
    with pytest.raises(ValueError, match="worth has to say what a match is worth that is over"):
        expectation(t.match, lambda match: None, max)


def test_an_expectation_refuses_play_that_comes_back():
    match = new_match(RULES["maxen"], NAMES[:2], 0)
    with pytest.raises(ValueError, match="play comes back to roll_off of seat 0"):
        expectation(match, lambda match: match.leader, max)


def test_a_tied_roll_off_is_ended_by_worth():
    match = new_match(RULES["maxen"], NAMES[:2], 0)

    def leads(match):
        tied = match.turn == 2 and match.leader is None
        return Fraction(1, 2) if tied else match.leader

    assert expectation(match, leads, max) == Fraction(1, 2)


@pytest.mark.parametrize("game", RULES)
def test_what_is_written_in_place_is_what_applying_leads_to(game):
    actions, end = playout(RULES[game], NAMES[:3], random.Random(7))
    match = new_match(RULES[game], NAMES[:3], 0)
    draft = match.draft()
    for action in actions:
        assert illegality(match, action) is None
        told = advance(draft, action)
        match, events = apply(match, action)
        assert [kind for kind, *_ in told] == [type(event) for event in events]
        assert legal_actions(draft) == legal_actions(match)
    assert match == end == freeze(draft, type(match))


def test_a_playout_is_the_same_for_the_same_chance():
    for rules in RULES.values():
        one = playout(rules, NAMES, random.Random(5), first=1)
        assert one == playout(rules, NAMES, random.Random(5), first=1)
        assert one != playout(rules, NAMES, random.Random(6), first=1)
