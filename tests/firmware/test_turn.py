"""What the dial offers in every position of every match."""

from dataclasses import replace
from random import Random

import pytest

from firmware.dial import Go, Scores
from firmware.turn import (
    Offering,
    Position,
    may_look,
    may_look_again,
    may_try_to_show,
    offering,
)
from game import RULES, Phase, apply, legal_actions, new_match
from game.actions import (
    Announce,
    Believe,
    Doubt,
    EndMatch,
    GiveIn,
    Look,
    OwnUp,
    Roll,
    ShowMaexchen,
)
from game.explore import playout

NAMES = ("Ana", "Ben", "Cem", "Dora")
STAKES = ("matches", "drinks")


def play(*actions, **options):
    match = new_match(replace(RULES["class"], **options), NAMES, 0)
    for action in actions:
        match = apply(match, action).match
    return match


def positions_of(seed, stakes):
    """Every match position of a random playout, with its dice."""
    rules = replace(RULES["class"], stakes=stakes)
    actions, _ = playout(rules, NAMES, Random(seed))
    match = new_match(rules, NAMES, 0)
    for action in actions:
        yield match
        match = apply(match, action).match


@pytest.mark.parametrize("stakes", STAKES)
@pytest.mark.parametrize("seed", range(15))
def test_the_dial_offers_exactly_what_is_legal_and_each_by_one_gesture(seed, stakes):
    for match in positions_of(seed, stakes):
        if match.phase is Phase.DOUBTED:
            continue  # the lift follows the doubt by itself
        place = Position.OFFERED if match.phase is Phase.OFFERED else Position.MINE
        found = offering(place, match)
        again = {Look(), ShowMaexchen()} if match.seen else set()
        assert set(found.tapped) | set(found.held) | again == set(legal_actions(match)) | again
        assert not set(found.tapped) & set(found.held)
        assert len(found.tapped + found.held) == len(set(found.tapped + found.held))


def test_what_cannot_be_taken_back_wants_a_hold():
    for seed in range(15):
        for match in positions_of(seed, "drinks"):
            place = Position.OFFERED if match.phase is Phase.OFFERED else Position.MINE
            found = offering(place, match)
            assert all(isinstance(choice, Announce | Believe) for choice in found.tapped)
            assert not any(isinstance(choice, Announce | Believe) for choice in found.held)


@pytest.mark.parametrize("standing", [False, True])
def test_after_a_look_the_dial_does_not_depend_on_the_dice(standing):
    before = (Roll((6, 5)), Announce(42), Believe()) if standing else ()
    dials = {
        offering(Position.MINE, play(*before, Roll(dice), Look()))
        for dice in ((2, 1), (1, 2), (3, 1), (6, 6), (6, 5))
    }
    (found,) = dials
    expected = (Roll(), Look(), ShowMaexchen())
    assert found.held == (*expected, OwnUp()) if standing else expected


def test_a_look_again_is_offered_and_a_blind_roll_never():
    seen = play(Roll((6, 3)), Look())
    assert may_look(seen)
    assert may_look_again(seen)
    assert may_try_to_show(seen)
    assert Look() in offering(Position.MINE, seen).held
    blind = play(Roll((6, 3)), Look(), Roll((2, 1)))
    assert not may_look(blind)
    assert not may_try_to_show(blind)
    assert offering(Position.MINE, blind).held == ()
    assert may_look(play(Roll((6, 3))))


def test_an_announced_maexchen_can_only_be_doubted_or_given_in_to():
    found = offering(Position.OFFERED, play(Roll((6, 3)), Announce(21)))
    assert found == Offering((), (Doubt(), GiveIn()))


def test_a_match_for_drinks_can_be_ended_between_rounds():
    opening = play(Roll((6, 3)), Announce(21), GiveIn(), stakes="drinks")
    assert offering(Position.MINE, opening) == Offering((), (Roll(), EndMatch()))


def test_a_cup_for_another_seat_is_only_handed_on():
    match = play(Roll((6, 3)), Announce(21), GiveIn())
    assert offering(Position.TO_PASS, match) == Offering((Go(),), ())


@pytest.mark.parametrize(
    "place",
    [Position.WATCHING, Position.TAKING, Position.PASSING, Position.OVER, Position.STOPPED],
)
def test_who_cannot_act_has_nothing_but_the_scores(place):
    found = offering(place, play())
    assert found == Offering()
    held, tapped = found.entries()
    assert [entry.choice for entry in held] == [Scores()]
    assert tapped == ()


def test_only_holds_are_marked_as_such():
    held, tapped = offering(Position.OFFERED, play(Roll((6, 3)), Announce(42))).entries()
    assert [(entry.choice, entry.holds) for entry in held] == [(Doubt(), True), (Scores(), False)]
    assert [(entry.choice, entry.holds) for entry in tapped] == [(Believe(), False)]
