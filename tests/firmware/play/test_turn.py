"""The entries of the dial in every position of every match."""

from dataclasses import replace
from random import Random

import pytest

from firmware.input.controls import Back, Die, Help, Loudness, More, Scores
from firmware.play.turn.offers import (
    Offering,
    may_look,
    may_look_again,
    menu,
    offering,
    second_dial,
    showable,
)
from firmware.table.seat.cup_custody import Position
from game import RULES, Phase, apply, legal_actions, new_match
from game import actions as do
from tests.support.bots import after
from tests.support.rules_table import playout

NAMES = ("Ana", "Ben", "Cem", "Dora")
GAMES = tuple(RULES)


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
        said = [choice for choice in first if isinstance(choice, do.Announce | do.Say)]
        reached = set(first) - set(said)
        for choice in said:
            second = second_dial(match, choice)
            assert second.tapped[0] == choice
            assert (second.held, second.last) == ((), Back())
            reached |= set(second.tapped)
        legal = set(legal_actions(match))
        keeps = {action for action in legal if isinstance(action, do.Keep)}
        dice = {choice for choice in reached if isinstance(choice, Die)}
        assert len(dice) == (len(match.dice) if keeps else 0)
        extra = dice | ({do.Roll()} if keeps else set()) | set(showable(match))
        extra |= {do.Look()} if may_look_again(match) else set()
        assert reached | extra == (legal - keeps) | extra


@pytest.mark.parametrize("game", GAMES)
def test_what_cannot_be_taken_back_wants_a_hold(game):
    taps = do.Announce | do.Say | do.Believe | do.Refuse | do.Give | Die
    for seed in range(8):
        for match in positions_of(seed, game):
            found = offering(place_of(match), match)
            assert all(isinstance(choice, taps) for choice in found.tapped)
            assert not any(isinstance(choice, taps) for choice in found.held)


@pytest.mark.parametrize("standing", [False, True])
@pytest.mark.parametrize(
    ("game", "shown"),
    [("class", do.ShowMaexchen()), ("holy-family", do.ShowTower()), ("physicist", None)],
)
def test_after_a_look_the_dial_does_not_depend_on_the_dice(standing, game, shown):
    before = (do.Roll((6, 5)), do.Announce(42), do.Believe()) if standing else ()
    dials = {
        offering(Position.MINE, after(*before, do.Roll(dice, tower), do.Look(), game=game))
        for dice in ((2, 1), (1, 2), (3, 1), (6, 6), (6, 5))
        for tower in ((False, True) if game == "holy-family" else (False,))
    }
    (found,) = dials
    throws = () if game == "physicist" and not standing else (do.Roll(),)
    shows = () if shown is None else (shown,)
    owns_up = (do.OwnUp(),) if game == "class" and standing else ()
    assert found.held == (*throws, do.Look(), *shows, *owns_up)


@pytest.mark.parametrize("game", GAMES)
def test_the_menu_reads_on_with_a_tap_and_ends_things_with_a_hold(game):
    match = new_match(RULES[game], NAMES, 0)
    found = menu(match, 2)
    assert found == Offering(
        (Scores(), Help(), Loudness()), (do.Leave(2), do.StopMatch()), last=Back()
    )
    match = apply(match, do.Leave(2)).match
    assert do.Leave(2) not in menu(match, 2).held
    stopped = apply(match, do.StopMatch()).match
    assert menu(stopped, 0).held == ()


def test_a_look_again_is_offered_and_a_blind_roll_never():
    seen = after(do.Roll((6, 3)), do.Look())
    assert may_look(seen)
    assert may_look_again(seen)
    assert showable(seen) == (do.ShowMaexchen(),)
    assert do.Look() in offering(Position.MINE, seen).held
    blind = after(do.Roll((6, 3)), do.Look(), do.Roll((2, 1)))
    assert not may_look(blind)
    assert showable(blind) == ()
    assert offering(Position.MINE, blind).held == ()
    assert may_look(after(do.Roll((6, 3))))


@pytest.mark.parametrize(
    "place", [Position.WATCHING, Position.TAKING, Position.PASSING, Position.OVER, Position.STOPPED]
)
def test_who_cannot_act_has_nothing_but_the_scores(place):
    found = offering(place, after())
    assert found == Offering()
    held, tapped = found.entries()
    assert [entry.choice for entry in held] == [More()]
    assert tapped == ()
