"""The best play against known ways: nothing is gained from the book, much from others."""

import math
from dataclasses import replace

import numpy as np
import pytest

from firmware.bots.bot import PlayedBy, strategy_of
from game import RULES, new_match
from game.actions import Roll, ShowTower
from game.bluff.rules import PLACE
from game.strategy.against import Against, ByTheBook, CupKnown
from game.strategy.book import counted
from game.strategy.ends import Prices
from game.strategy.signal import CHANCES, PLACES, SignalTerms, signal
from hw_sim.players.bot_kinds import personality_of
from hw_sim.trials.strength.measure import gained
from hw_sim.trials.strength.response import BestResponse

CLASS = replace(RULES["class"], fewest_players=2)
HOLY = RULES["holy-family"]


def best_of(rules, ways, me):
    seats = len(ways)
    others = [None if place == me else way for place, way in enumerate(ways)]
    return Against(rules, others, Prices(rules, seats, None)).worth


@pytest.mark.parametrize("players", [2, 3, 5])
def test_nothing_is_gained_from_players_by_the_book(players):
    book = counted(CLASS, players)
    for me in range(players):
        best = best_of(CLASS, [ByTheBook(book, place) for place in range(players)], me)
        assert best == pytest.approx(book.solved.worths[me], abs=1e-9)


@pytest.mark.parametrize("kind", ["honest", "trusting"])
def test_from_a_bot_as_much_is_gained_as_a_walk_through_the_rules_finds(kind):
    bot, place = personality_of(kind), PLACE[33]
    way, start = PlayedBy(CLASS, bot), new_match(CLASS, ("one", "two"), 0)
    exact = BestResponse(strategy_of(bot), 1, gained(1)).worth_over(start, 33)
    solved = Against(CLASS, [way, None], Prices(CLASS, 2, None))
    rolls = solved.worths(CupKnown(place, 0, place), [Roll()])[Roll()]
    assert rolls == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("roll", [1, 2, 3])
def test_a_shown_tower_is_worth_the_roll_that_takes_its_number(roll):
    bot, place = personality_of("honest"), PLACE[33]
    solved = Against(HOLY, [PlayedBy(HOLY, bot), None], Prices(HOLY, 2, None))
    tower, rolls = CupKnown(place, roll), CupKnown(place, roll - 1)
    worth = solved.worths(rolls, [Roll()])[Roll()]
    assert solved.worths(tower, [ShowTower()]) == {ShowTower(): worth}
    assert 0 < abs(worth) < 10


@pytest.mark.parametrize("last", [0.72, 0.725])
def test_levels_that_differ_by_rounding_are_one(last):
    believed = [last, last, math.nextafter(last, 1), *np.linspace(0.74, 0.81, PLACES - 3)]
    ratios = [(0.811 - each) / (each - 0.55) for each in believed]
    terms = SignalTerms(0, believed, [0.55] * PLACES, [0.811] * PLACES, ratios, 0.56)
    played = signal(terms)
    assert played.level == pytest.approx(last)
    lying = np.dot(CHANCES, played.lied)
    for place, doubt in enumerate(played.doubts):
        told = sum(share for name, share in played.truths[place] if name == place)
        put_up_with = CHANCES[place] * told * ratios[place]
        assert lying * played.lies[place] <= put_up_with + 1e-9 or doubt == 1
        assert lying * played.lies[place] >= put_up_with - 1e-9 or doubt < 1e-9
