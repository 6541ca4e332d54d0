"""The measures of whole matches: what a hint, a best response and the coach make of experts."""

import re
from statistics import mean

import pytest

from research.strength import coaching, coaster_gain, fresh_match, hinted, measure, points_gain

PAIR = ("honest", "trusting")
SEEDS = (1, 2, 7)


@pytest.mark.whole
def test_each_player_of_the_page_loses_less_than_one_who_plays_at_random():
    def at_random(_, sight, rng):
        return measure.personality_of("random").decide(sight, rng)

    ways = hinted.hinted(PAIR), *hinted.OTHERS.values()
    most = max(hinted.lost("class", PAIR, chooses, matches=9) for chooses in ways)
    assert most < hinted.lost("class", PAIR, at_random, matches=9)


@pytest.mark.whole
def test_the_gain_from_the_last_standing_is_the_one_that_the_page_measures():
    expert = measure.strategy_of(measure.personality_of("expert"))
    tally, gained = next(fresh_match.gains(3))
    assert tally == (fresh_match.CLASS.credit,) * 3
    page = measure.over_match(fresh_match.CLASS, expert, 3, with_one=0)
    assert max(gained) == pytest.approx(page, abs=1e-9)


@pytest.mark.whole
def test_the_coach_charges_experts_little_but_something():
    line = next(coaching.alone(4, ["class"]))
    charged = re.match(r"class, 3: (0\.\d+) ± 0\.\d+ a seat, (0\.\d+) at the worst place", line)
    each, worst = map(float, charged.groups())
    assert 0 < each <= worst < 3 * each


@pytest.mark.night
@pytest.mark.parametrize("game", ["chicago", "maxen"])
def test_a_best_response_gains_little_over_a_match_of_three(game):
    """One round of two matches each, walked to its end by what experts throw."""
    assert max(gain for _, gain in zip(range(2), coaster_gain.gains(game, 3, 7))) < 0.01


@pytest.mark.night
def test_a_walk_of_holy_family_finds_the_shipped_worths_and_little_to_gain():
    """One round of matches among three; what the bots decide and the rules alone are asked."""
    found = [walk for seed in SEEDS for walk in points_gain.walks(3, 1, seed)]
    assert max(walk.drift for walk in found) < 0.0005
    assert mean(walk.gained for walk in found) < 0.01
