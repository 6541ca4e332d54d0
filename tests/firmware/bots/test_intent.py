"""A bot's next choice, by its display: in whole matches, and one thing after another."""

from dataclasses import replace
from random import Random

import pytest

from firmware.bots.bot import Bot
from firmware.bots.intent import Memory, intent, waits
from firmware.display.screens import AlertPage
from firmware.display.text.labels import Alert
from firmware.input.controls import Die, ShowThrow
from firmware.play.turn.draft import changed
from firmware.play.turn.overlays import Notice
from game.actions import (
    Announce,
    Believe,
    Doubt,
    Keep,
    Lift,
    Look,
    Refuse,
    Roll,
    Say,
    ShowMaexchen,
    ShowTower,
    Stop,
)
from tests.support.bots import Played, thrown, view_of

STEADY = Bot(trust=0.0, daring=0.0, lazy=0.0, careless=0.0)
GAMES = {
    "class": ({}, {"ends": "last_standing"}, {"stakes": "drinks"}),
    "physicist": ({},),
    "holy-family": ({"points": 4}, {"tower_one_in": 4}, {"losers": 2}),
    "maxen": ({},),
    "chicago": ({}, {"levelling": True}),
    "sevens": ({}, {"seven_dice": True}),
}
BLUFF = {Roll, Look, Announce, Believe, Doubt, Lift}
OPEN = {Roll, ShowThrow, Stop}
KINDS = {
    "class": {*BLUFF, ShowMaexchen},
    "physicist": BLUFF,
    "holy-family": {*BLUFF, Say, Refuse, ShowTower},
    "maxen": {*OPEN, Keep, Die, Lift},
    "chicago": {*OPEN, Keep, Die},
    "sevens": OPEN,
}


@pytest.mark.parametrize("game", GAMES)
def test_every_intent_is_on_the_dial_and_matches_end(game):
    """``Played`` checks that it is on the dial, and that what comes of it is legal."""
    kinds = {
        type(choice)
        for options in GAMES[game]
        for seed in range(6)
        for choice in Played(game, seed, Bot.drawn(Random(seed)), **options).intents
    }
    assert kinds >= KINDS[game]


OFFERED = thrown("physicist", (3, 1), Announce(66))


@pytest.mark.parametrize(
    "hidden",
    [
        {"notice": Notice(Alert.TOO_DARK, 0)},
        {"part_alert": AlertPage(Alert.DISPLAY)},
        {"announcing": Announce(55)},
        {"offer_armed": False},
    ],
)
def test_it_waits_for_the_display(hidden):
    assert not waits(view_of(OFFERED))
    assert waits(view_of(OFFERED, **hidden))


def test_dice_that_were_seen_in_another_turn_are_forgotten():
    memory = Memory(seen=(2, 1), tower=True)
    assert intent(view_of(thrown("class", (3, 1))), memory, STEADY, Random(1)) == Look()
    assert (memory.seen, memory.tower) == (None, False)


def test_what_lies_in_the_draft_is_taken_back_by_who_throws_all_again():
    match = thrown("chicago", (4, 3, 1))
    memory = Memory()
    memory.read((4, 3, 1), match.turn)
    memory.draft = view_of(match).draft
    drafted = changed(match, view_of(match).draft, 2)
    assert intent(view_of(match, draft=drafted), memory, STEADY, Random(1)) == Die(2)


@pytest.mark.parametrize("game", ["class", "physicist", "holy-family"])
@pytest.mark.parametrize("actions", [(), (Announce(65),), (Look(), Announce(65))])
def test_dice_under_the_cup_change_nothing(game, actions):
    """Two worlds that differ in hidden dice alone: one display, and so one intent."""
    views = [view_of(thrown(game, dice, *actions)) for dice in ((3, 1), (6, 5))]
    assert views[0] == views[1]
    for seed in range(20):
        first, other = (intent(view, Memory(), STEADY, Random(seed)) for view in views)
        assert first == other


def test_one_seed_is_one_mind():
    def intents():
        return Played("holy-family", 3, replace(STEADY, careless=0.3)).intents

    assert intents() == intents()
