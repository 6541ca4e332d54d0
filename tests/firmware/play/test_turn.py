"""What the dial offers in every position of every match."""

from dataclasses import replace
from random import Random

import pytest

from firmware.input.controls.announcements import plain, variants
from firmware.input.controls.choice import Back, Die, Go, Help, Loudness, More, Scores, ShowThrow
from firmware.play.turn.menu import menu, second_dial
from firmware.play.turn.offering import Offering
from firmware.play.turn.offers import may_look, may_look_again, offering, showable
from firmware.table.seat.position import Position
from game import RULES, Phase, apply, legal_actions, new_match
from game.actions import (
    Announce,
    Believe,
    Doubt,
    EndMatch,
    Flourish,
    Give,
    GiveIn,
    Keep,
    Leave,
    Look,
    OwnUp,
    Refuse,
    Roll,
    Say,
    ShowMaexchen,
    ShowTower,
    StopMatch,
    VoidRound,
    Words,
)
from game.explore import playout

NAMES = ("Ana", "Ben", "Cem", "Dora")
STAKES = ("matches", "drinks")


GAMES = tuple(RULES)


def play(*actions, game="class", **options):
    match = new_match(replace(RULES[game], **options), NAMES, 0)
    for action in actions:
        match = apply(match, action).match
    return match


def positions_of(seed, game, **options):
    """Every match position of a random playout, with its dice."""
    rules = replace(RULES[game], **options)
    actions, _ = playout(rules, NAMES, Random(seed))
    match = new_match(rules, NAMES, 0)
    for action in actions:
        yield match
        match = apply(match, action).match


def place_of(match):
    return Position.OFFERED if match.phase is Phase.OFFERED else Position.MINE


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(8))
def test_the_dials_offer_exactly_what_is_legal_and_each_by_one_gesture(seed, game):
    for match in positions_of(seed, game):
        found = offering(place_of(match), match)
        first = found.tapped + found.held
        assert len(first) == len(set(first))
        said = [choice for choice in first if isinstance(choice, Announce | Say)]
        reached = set(first) - set(said)
        for choice in said:
            second = second_dial(match, choice)
            assert second.tapped[0] == choice
            assert (second.held, second.last) == ((), Back())
            reached |= set(second.tapped)
        legal = set(legal_actions(match))
        keeps = {action for action in legal if isinstance(action, Keep)}
        dice = {choice for choice in reached if isinstance(choice, Die)}
        assert len(dice) == (len(match.dice) if keeps else 0)
        extra = dice | ({Roll()} if keeps else set()) | set(showable(match))
        extra |= {Look()} if may_look_again(match) else set()
        assert reached | extra == (legal - keeps) | extra


@pytest.mark.parametrize("game", GAMES)
def test_what_cannot_be_taken_back_wants_a_hold(game):
    taps = Announce | Say | Believe | Refuse | Give | Die
    for seed in range(8):
        for match in positions_of(seed, game):
            found = offering(place_of(match), match)
            assert all(isinstance(choice, taps) for choice in found.tapped)
            assert not any(isinstance(choice, taps) for choice in found.held)


@pytest.mark.parametrize("standing", [False, True])
@pytest.mark.parametrize(
    ("game", "shown"),
    [("class", ShowMaexchen()), ("holy-family", ShowTower()), ("physicist", None)],
)
def test_after_a_look_the_dial_does_not_depend_on_the_dice(standing, game, shown):
    before = (Roll((6, 5)), Announce(42), Believe()) if standing else ()
    dials = {
        offering(Position.MINE, play(*before, Roll(dice, tower), Look(), game=game))
        for dice in ((2, 1), (1, 2), (3, 1), (6, 6), (6, 5))
        for tower in ((False, True) if game == "holy-family" else (False,))
    }
    (found,) = dials
    throws = () if game == "physicist" and not standing else (Roll(),)
    shows = () if shown is None else (shown,)
    owns_up = (OwnUp(),) if game == "class" and standing else ()
    assert found.held == (*throws, Look(), *shows, *owns_up)


def test_a_flourish_is_chosen_on_a_second_dial():
    match = play(Roll((6, 3)), game="physicist")
    air, much = Announce(62, Flourish.AIR), Announce(62, Flourish.MUCH_AIR)
    assert variants(match, Announce(62)) == (Announce(62), air, much)
    assert air not in offering(Position.MINE, match).tapped
    assert plain(much) == Announce(62)
    assert variants(play(Roll((6, 3))), Announce(62)) == (Announce(62),)


def test_the_neighbour_is_chosen_on_a_second_dial_where_there_are_two():
    match = play(Roll((6, 3)), game="holy-family")
    words = Say(Words.SAME)
    assert variants(match, words) == (words, Say(Words.SAME, wrong_way=True))
    assert Announce(62, wrong_way=True) in variants(match, Announce(62))


def test_holy_family_always_offers_all_values_from_the_same_start():
    opening = offering(Position.MINE, play(Roll((6, 3)), game="holy-family"))
    later = play(Roll((6, 3)), Announce(66), Believe(), Roll((6, 3)), game="holy-family")
    assert offering(Position.MINE, later).tapped == opening.tapped
    assert sum(isinstance(choice, Announce) for choice in opening.tapped) == 21


def test_a_cup_that_came_the_wrong_way_can_be_refused():
    match = play(Roll((6, 3)), Announce(62, wrong_way=True), game="holy-family")
    assert offering(Position.OFFERED, match) == Offering((Believe(), Refuse()), (Doubt(),))


def test_dice_are_set_aside_one_by_one_and_the_throw_follows():
    match = new_match(RULES["chicago"], NAMES, 0)
    for dice in ((3, 2, 1), (6, 5, 5), (6, 6, 5), (6, 5, 4)):
        match = apply(match, Roll(dice)).match
    match = apply(match, Roll((6, 4, 2))).match
    found = offering(Position.MINE, match, shows=True)
    assert found.tapped == (Die(0), Die(1), Die(2))
    assert found.held[:2] == (Roll(), ShowThrow())


def test_who_is_done_shows_his_throw_or_hands_the_cup_on():
    match = new_match(RULES["sevens"], NAMES, 0)
    found = offering(Position.TO_PASS, apply(match, Roll((6, 5, 4, 3, 2, 1))).match, shows=True)
    assert found == Offering((Go(),), (ShowThrow(),))


@pytest.mark.parametrize("game", GAMES)
def test_the_menu_reads_on_with_a_tap_and_ends_things_with_a_hold(game):
    match = new_match(RULES[game], NAMES, 0)
    found = menu(match, 2)
    assert found == Offering((Scores(), Help(), Loudness()), (Leave(2), StopMatch()), last=Back())
    match = apply(match, Leave(2)).match
    assert Leave(2) not in menu(match, 2).held
    stopped = apply(match, StopMatch()).match
    assert menu(stopped, 0).held == ()


def test_a_round_under_way_can_be_voided():
    assert VoidRound() in menu(play(Roll((6, 3))), 0).held


def test_a_look_again_is_offered_and_a_blind_roll_never():
    seen = play(Roll((6, 3)), Look())
    assert may_look(seen)
    assert may_look_again(seen)
    assert showable(seen) == (ShowMaexchen(),)
    assert Look() in offering(Position.MINE, seen).held
    blind = play(Roll((6, 3)), Look(), Roll((2, 1)))
    assert not may_look(blind)
    assert showable(blind) == ()
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
    assert [entry.choice for entry in held] == [More()]
    assert tapped == ()


def test_only_holds_are_marked_as_such():
    held, tapped = offering(Position.OFFERED, play(Roll((6, 3)), Announce(42))).entries()
    assert [(entry.choice, entry.holds) for entry in held] == [(Doubt(), True), (More(), False)]
    assert [(entry.choice, entry.holds) for entry in tapped] == [(Believe(), False)]
