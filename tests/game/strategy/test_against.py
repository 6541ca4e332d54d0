"""The best play against known ways, and a stage of a round against linear programs.

Nothing is gained from the book, and as much as may be from others. Neither of two can make sure of
more than the solved stage gives.
"""

import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from firmware.bots.bot import PlayedBy
from game import RULES, new_match
from game.actions import Roll, ShowTower
from game.bluff.rules import PLACE
from game.strategy.against import Against, ByTheBook, CupKnown
from game.strategy.bluff import lowest_over
from game.strategy.book import counted
from game.strategy.ends import Prices
from game.strategy.signal import CHANCES, PLACES, TOP, SignalTerms, signal
from hw_sim.players.bot_kinds import personality_of
from research.strength.measure import gained, strategy_of
from research.strength.response import BestResponse
from tests.support.round_programs import two_sides

CLASS = replace(RULES["class"], fewest_players=2)
HOLY = RULES["holy-family"]


def best_of(rules, ways, me):
    seats = len(ways)
    others = [None if place == me else way for place, way in enumerate(ways)]
    return Against(rules, others, Prices(rules, seats, None)).worth


@pytest.mark.whole
@pytest.mark.parametrize("players", [2, 3, 5])
def test_nothing_is_gained_from_players_by_the_book(players):
    book = counted(CLASS, players)
    for me in range(players):
        best = best_of(CLASS, [ByTheBook(book, place) for place in range(players)], me)
        assert best == pytest.approx(book.solved.worths[me], abs=1e-9)


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["honest", "trusting"])
def test_from_a_bot_as_much_is_gained_as_a_walk_through_the_rules_finds(kind):
    bot, place = personality_of(kind), PLACE[33]
    way, start = PlayedBy(CLASS, bot), new_match(CLASS, ("one", "two"), 0)
    exact = BestResponse(strategy_of(bot), 1, gained(1)).worth_over(start, 33)
    solved = Against(CLASS, [way, None], Prices(CLASS, 2, None))
    rolls = solved.worths(CupKnown(place, 0, place), [Roll()])[Roll()]
    assert rolls == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("game", ["class", "physicist", "holy-family"])
@pytest.mark.parametrize("stands", [8, 19])
def test_all_dice_that_may_not_be_announced_are_played_alike(game, stands):
    rules = RULES[game]
    dice = range(lowest_over(rules, stands))
    for way in (ByTheBook(counted(rules, 3), 0), PlayedBy(rules, personality_of("cheeky"))):
        lowest, *others = [way.throws(stands, 1, rolled) for rolled in dice]
        assert others == [lowest] * len(others)


@pytest.mark.parametrize("roll", [1, 2, 3])
def test_a_shown_tower_is_worth_the_roll_that_takes_its_number(roll):
    bot, place = personality_of("honest"), PLACE[33]
    solved = Against(HOLY, [PlayedBy(HOLY, bot), None], Prices(HOLY, 2, None))
    tower, rolls = CupKnown(place, roll), CupKnown(place, roll - 1)
    worth = solved.worths(rolls, [Roll()])[Roll()]
    assert solved.worths(tower, [ShowTower()]) == {ShowTower(): worth}
    assert 0 < abs(worth) < 10


NEVER = float("-inf")
CLOSE = 1e-9


def drawn(rng):
    """The terms of a stage where each of two may have anything at stake."""
    lied_as_maexchen, lied = sorted(rng.uniform(-1, 0) for _ in range(2))
    told, told_as_maexchen = sorted(rng.uniform(0, 1) for _ in range(2))
    equal = rng.choice(("lie", "truth", "none"))
    lie = [lied] * TOP + [lied if equal == "lie" else lied_as_maexchen]
    truth = [told] * TOP + [told if equal == "truth" else told_as_maexchen]
    believed = sorted(rng.uniform(lied, told) for _ in range(PLACES))
    ratios = [(t - b) / (b - li) for b, li, t in zip(believed, lie, truth)]
    outside = rng.choice((NEVER, rng.uniform(lied, told)))
    towers = rng.choice((0.0, 0.5, 0.1, 0.005))
    shown = max(outside, rng.uniform(believed[PLACES // 2], believed[TOP]))
    back = sorted((rng.uniform(lie[TOP], believed[0]) for _ in range(2)), reverse=True)
    lowest = rng.choice((0, 5, 12, 17, 18, 19, 20))
    return SignalTerms(lowest, believed, lie, truth, ratios, outside, towers, shown, told, back)


def answers(terms, place, rolls):
    """Return by roll the worth of each answer to a place to the roller, and the answers."""
    hidden = [terms.hidden if rolled == TOP > place else terms.truth[place] for rolled in rolls]
    doubted = [h if r >= place else terms.lie[place] for r, h in zip(rolls, hidden)]
    ways, worths = ["doubt", "believe"], [doubted, [terms.believed[place]] * len(rolls)]
    for higher in range(max(place + 1, TOP - 1), PLACES):
        right, wrong = terms.back[higher - TOP - 1], terms.truth[higher]
        worths.append([right if rolled >= higher else wrong for rolled in rolls])
        ways.append(higher)
    return ways, np.array(worths)


def sides(terms):
    """Return both players' guaranteed worths: as solved, and by a linear program."""
    played, places = signal(terms), range(terms.lowest, PLACES)
    seen = (False, True) if terms.towers else (False,)
    kinds = [(rolled, tower) for rolled in range(PLACES) for tower in seen]
    rolls = [rolled for rolled, _ in kinds]
    chances = np.array([CHANCES[r] * abs(1 - t - terms.towers) for r, t in kinds])
    besides = np.array([max(terms.outside, terms.shown) if t else terms.outside for _, t in kinds])
    told, best, low = np.zeros((PLACES, len(kinds))), besides.copy(), 0.0
    for number, (rolled, tower) in enumerate(kinds):
        shown = played.towers[rolled] if tower else 0.0
        for place, share in played.truths[rolled]:
            told[place, number] += (1 - shown) * share * chances[number]
        lying = (1 - shown) * played.lied[rolled] * chances[number]
        told[:, number] += lying * np.array(played.lies)
        rest = chances[number] * (1 - shown) - told[:, number].sum()
        low += chances[number] * shown * terms.shown
        low += rest * terms.outside if rest > CLOSE else 0.0
    payoffs = []
    for place in places:
        ways, worths = answers(terms, place, rolls)
        higher, often = played.handed_on[place]
        shares = {"doubt": played.doubts[place], higher: often}
        shares["believe"] = 1 - sum(shares.values())
        assert min(shares.values()) > -CLOSE
        best = np.maximum(best, np.array([shares.get(way, 0.0) for way in ways]) @ worths)
        low += (worths @ told[place]).min()
        payoffs.append(worths)
    return low, chances @ best, *two_sides(chances, besides, payoffs)


def test_neither_of_two_can_make_sure_of_more():
    rng, tried = Random(85), 0
    while tried < 60:
        terms = drawn(rng)
        if terms.towers and signal(terms).level > terms.shown:
            continue  # to show a tower is worth no less than the stage
        low, *others = sides(terms)
        assert others == pytest.approx([low] * 3, abs=CLOSE), terms
        tried += 1


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
