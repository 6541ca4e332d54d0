"""The referee of house rules, which shares no code with the core, agrees with it on each preset."""

import random
from dataclasses import asdict

import pytest

from game import PRESETS, apply, laid_open, legal_actions, new_match, rule_set, seat_actions
from game.actions import Roll
from game.record import to_plain
from tests.support.referees.naive_bluff_checker import Referee
from tests.support.rules_table import NAMES, drawn

TABLES = ("class", "physicist", *PRESETS)


def plain_actions(rules, players):
    """Every action of a seat without flourishes, words and the wrong way, with its record."""
    every = seat_actions(rules, players)
    found = [(each, to_plain(each)) for each in every if not getattr(each, "flourish", None)]
    return [(each, plain) for each, plain in found if not plain.get("wrong_way")]


def agrees(rules, players, actions, seed):
    """Play so many actions at random; the referee watches. Returns how many were compared."""
    chance, compared = random.Random(seed), 0
    every = plain_actions(rules, players)
    while compared < actions:
        first = chance.randrange(players)
        match = new_match(rules, NAMES[:players], first)
        house = Referee(asdict(rules), players, first)
        while match.to_act is not None and compared < actions:
            legal = {repr(each) for each in legal_actions(match)}
            told = {repr(each) for each, plain in every if house.can(plain)}
            assert told == {each for each in legal if "flourish=<" not in each}, match
            action = chance.choice([each for each, _ in every if repr(each) in told])
            if isinstance(action, Roll):
                action = Roll((chance.randint(1, 6), chance.randint(1, 6)))
            action = laid_open(match, action)
            match = apply(match, action).match
            house.do(to_plain(action))
            compared += 1
            assert list(match.tally) == house.paid
            if match.outcome is not None:
                assert sorted(match.outcome.losers) == sorted(house.losers)
                continue
            assert not house.over
            ours = match.to_act, match.opener, match.round
            assert ours == (house.turn, house.opener, house.rounds)
    return compared


@pytest.mark.whole
@pytest.mark.parametrize("seed", range(10))
def test_the_referee_agrees_about_house_rules_drawn_by_lot(seed):
    assert agrees(drawn(random.Random(seed), TABLES), 3 + seed % 3, 200, seed) == 200


@pytest.mark.whole
@pytest.mark.parametrize(
    ("players", "actions"),
    [
        (4, 600),
        pytest.param(5, 100_000, marks=pytest.mark.night),
    ],
)
@pytest.mark.parametrize("table", TABLES)
def test_the_referee_agrees_about_every_preset(table, players, actions):
    assert agrees(rule_set(table, {}), players, actions, seed=table) == actions
