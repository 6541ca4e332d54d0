"""A bot's next choice, by its display: in whole matches, and one thing after another."""

from dataclasses import replace
from random import Random

import pytest

from firmware.bots.bot import Bot
from firmware.bots.intent import Memory, intent, waits
from firmware.display.screens import AlertPage
from firmware.display.text.alerts import Alert
from firmware.input.controls.choice import Back, Die, Go, ShowThrow
from firmware.play.turn.draft import changed, keep_of
from firmware.play.turn.overlays import Notice
from firmware.table.seat.position import Position
from game import RULES, new_match
from game.actions import (
    Announce,
    Believe,
    Doubt,
    Flourish,
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
from tests.support.bots import NAMES, Played, thrown, view_of

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


def fresh(game):
    return new_match(RULES[game], NAMES, 0)


LIE = Announce(55, Flourish.AIR)
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


@pytest.mark.parametrize(
    ("view", "memory", "wanted"),
    [
        (view_of(fresh("class"), Position.WATCHING), Memory(), None),
        (view_of(fresh("class"), Position.PASSING), Memory(), None),
        (view_of(fresh("class"), Position.TO_PASS), Memory(), Go()),
        (view_of(fresh("class")), Memory(), Roll()),
        (view_of(fresh("class"), menu_open=True), Memory(), Back()),
        (view_of(OFFERED), Memory(), Doubt()),
        (view_of(thrown("class", (3, 1))), Memory(), Look()),
        (view_of(thrown("physicist", (5, 5)), choosing=Announce(55)), Memory(said=LIE), LIE),
        (view_of(thrown("physicist", (5, 5)), choosing=Announce(55)), Memory(), Back()),
        (view_of(thrown("sevens", (6, 5, 5, 4, 4, 4)), shows=True), Memory(), ShowThrow()),
        (view_of(fresh("sevens"), Position.TO_PASS, shows=True), Memory(), ShowThrow()),
    ],
)
def test_what_the_position_asks_for_is_done(view, memory, wanted):
    assert intent(view, memory, STEADY, Random(1)) == wanted


def test_an_announcement_is_chosen_plainly_and_then_with_what_is_added():
    seen = view_of(thrown("physicist", (5, 5), Look()))
    for seed in range(100):
        memory, rng = Memory(seen=(5, 5)), Random(seed)
        assert intent(seen, memory, STEADY, rng) in (Announce(55), Announce(memory.said.value))
        assert memory.said.flourish in (None, Flourish.AIR, Flourish.MUCH_AIR)
        second = view_of(thrown("physicist", (5, 5), Look()), choosing=Announce(memory.said.value))
        assert intent(second, memory, STEADY, rng) == memory.said


def test_dice_that_were_seen_in_another_turn_are_forgotten():
    memory = Memory(seen=(2, 1), tower=True)
    assert intent(view_of(thrown("class", (3, 1))), memory, STEADY, Random(1)) == Look()
    assert (memory.seen, memory.tower) == (None, False)


@pytest.mark.parametrize(
    ("dice", "keep", "taps"),
    [
        ((5, 3, 1), Keep((1,)), [Die(2)]),
        ((2, 1, 1), Keep((1, 1)), [Die(1), Die(2)]),
        ((6, 6, 1), Keep((1,), 1), [Die(0), Die(0), Die(2)]),
    ],
)
def test_t_2_t_3_dice_are_drafted_one_by_one_and_then_the_rest_is_thrown(dice, keep, taps):
    match = thrown("chicago", dice)
    draft, memory, rng, done = (), Memory(), Random(1), []
    memory.read(dice, match.turn)
    while not done or done[-1] != Roll():
        seen = view_of(match, draft=draft) if draft else view_of(match)
        done.append(intent(seen, memory, STEADY, rng))
        if isinstance(done[-1], Die):
            draft = changed(match, seen.draft, done[-1].place)
    assert done == [keep, *taps, Roll()]
    assert keep_of(match, draft) == keep
    assert memory.draft is None


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
