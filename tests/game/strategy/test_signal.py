"""A stage as it is solved, against linear programs: neither of two can make sure of more."""

import math
from random import Random

import numpy as np
import pytest

from game.strategy.signal import CHANCES, PLACES, TOP, SignalTerms, signal
from tests.support.round_programs import two_sides

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
