"""Matches of every game in words."""

import random
from dataclasses import replace
from typing import get_args

import pytest

from firmware.display.text.language import LANGUAGES
from firmware.story import tell
from game import RULES, apply, new_match, table_actions
from game import actions as do
from game.events import Event
from game.record import Record, replay
from tests.support.rules_table import playout

PLAYERS = ("Ana", "Ben", "Cem", "Dea")
OPTIONS = {
    "class": {"ends": "last_standing", "credit": 20},
    "holy-family": {"tower_one_in": 2},
    "chicago": {"levelling": True},
    "sevens": {"rounds": 3},
}
SEEDS = range(30)


TABLE = (do.Roll((4, 2)), do.Look(), do.Announce(62))
WORKED = [
    (
        "physicist",
        (do.Roll((4, 2)), do.Announce(54, do.Flourish.AIR)),
        "Ana says 54 with air to Ben",
    ),
    (
        "physicist",
        (*TABLE, do.Fault(do.FaultKind.DROP, 0)),
        "Ana drops something; Ana drinks 2; round 2: Ana opens",
    ),
    (
        "holy-family",
        (do.Roll((4, 2)), do.Announce(62, wrong_way=True)),
        "Ana says 62 to Cem, the wrong way",
    ),
    (
        "holy-family",
        (do.Roll((4, 2)), do.Announce(62, wrong_way=True), do.Refuse()),
        "Cem refuses the cup; Ana had passed the wrong way; Ana gets 1 point; round 2: Ana opens",
    ),
    (
        "holy-family",
        (*TABLE, do.Believe(), do.Roll((3, 1)), do.Say(do.Words.SAME)),
        "Ben says “the same again” to Cem",
    ),
    ("holy-family", (do.Roll((4, 2), tower=True),), "Ana throws: 4 2 (a tower)"),
    (
        "holy-family",
        (do.Roll((4, 2), tower=True), do.Look(), do.ShowTower((4, 2))),
        "Ana shows a tower, 4 2",
    ),
    (
        "holy-family",
        (do.Roll((2, 1)), do.Announce(62), do.Doubt(), do.Lift((2, 1))),
        "Ben lifts 2 1: Ana had said 62, and it was true; counter-clockwise from now on; "
        "Ben gets 1 point; round 2: Ben opens",
    ),
    (
        "holy-family",
        (
            do.Roll(),
            do.Roll(),
            do.Roll((3, 1), tower=True),
            do.Announce(62),
            do.Doubt(),
            do.Lift((3, 1), tower=True),
        ),
        "Ben lifts 3 1 (a tower): Ana had said 62 and lied; a tower, Ana throws again",
    ),
    ("holy-family", (*TABLE, do.Leave(2)), "Cem leaves"),
]


def recorded(game, seed):
    rules = replace(RULES[game], **OPTIONS.get(game, {}))
    players = PLAYERS[: 2 + seed % 3] if game != "class" else PLAYERS[: 3 + seed % 2]
    return Record(rules, players, 0, tuple(playout(rules, players, random.Random(seed))[0]))


def table_steps():
    """Every table action at the beginning of a round of every game."""
    for rules in RULES.values():
        match = new_match(rules, PLAYERS, 0)
        while match.round == 0 or match.turn < 1:
            match = apply(match, do.Roll(tuple(range(1, 1 + dice_of(match))))).match
            if match.to_act == 3:
                match = apply(match, do.Roll((1,) * dice_of(match))).match
        for action in table_actions(match):
            yield apply(match, action)


def dice_of(match):
    return {"maxen": 3, "chicago": 3, "sevens": 6}.get(match.rules.game, 2)


@pytest.mark.whole
def test_every_kind_of_event_has_words_in_both_languages():
    steps = [step for game in RULES for seed in SEEDS for step in replay(recorded(game, seed))]
    steps += table_steps()
    steps += (last_step(game, actions) for game, actions, _ in WORKED)
    kinds = {type(event) for step in steps for event in step.events}
    assert kinds == set(get_args(Event))
    for step in steps:
        for language in LANGUAGES:
            clauses = tell(step, language)
            assert len(clauses) == len(step.events)
            assert all(clauses)
            assert not any(set("{}") & set(clause) for clause in clauses)


def last_step(game, actions):
    match = new_match(RULES[game], PLAYERS[:3], 0)
    for action in actions:
        step = apply(match, action)
        match = step.match
    return step


def told(game, *actions, language="en"):
    """The last action in words."""
    return "; ".join(tell(last_step(game, actions), language, actions[-1]))


@pytest.mark.parametrize(("game", "actions", "words"), WORKED)
def test_what_happened_is_told(game, actions, words):
    assert told(game, *actions) == words


LED = (do.Roll((2, 1, 1)), do.Roll((6, 5, 4)), do.Roll((6, 5, 3)))


def test_dice_set_aside_and_sixes_turned_are_told():
    thrown = (*LED, do.Roll((6, 6, 5)))
    assert told("chicago", *LED).endswith("round 1: Ana leads")
    kept = told("chicago", *thrown, do.Keep((5,), turned=1))
    assert kept == "Ana sets 5 aside, Ana turns a six to a one"
    assert told("maxen", *LED, do.Roll((6, 6, 6)), do.Keep((), 2), language="de") == (
        "Ana dreht 2 Sechsen zu Einsen"
    )
