"""The shark: what it learns of others, what it makes of that, and what that can cost it."""

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from firmware.bots.arena import Arena, filled
from firmware.bots.bot import Bot, chances, sight_of, strategy_of
from firmware.bots.expert import Expert
from firmware.bots.opponents import DOUBTERS, LIARS, Shark, learned_of
from firmware.bots.opponents import _stage as made_stage
from game import RULES, new_match
from hw_sim.trials.strength.response import BestResponse

CLASS = replace(RULES["class"], fewest_players=2)
LATER = 999
LONG = {"rounds": LATER}
BOOK = Expert(trust=0.2, daring=0.5, lazy=0.0, **LONG)
SHARK = Shark(trust=0.2, daring=0.5, lazy=0.0, **LONG)
HONEST = Bot(trust=0.25, daring=0.0, lazy=0.0, **LONG)
CHEEKY = Bot(trust=0.1, daring=0.9, lazy=0.0, **LONG)
NAMES = ("Ana", "Ben", "Cem", "Dora")


def met(rules, *others, rounds, seed=1, shark=SHARK):
    """Yield what seat 0 has learned, before each round that it plays with ``others``."""
    arena, rng = Arena(rules, NAMES[: 1 + len(others)]), Random(seed)
    bots, number = (shark, *others), 0
    while arena.match.to_act is not None and arena.match.round <= rounds:
        sight = arena.sight()
        choice = bots[arena.match.to_act].decide(sight, rng)
        if arena.match.to_act == 0:
            if sight.match.round != number:
                yield sight.tells
            number = sight.match.round
        arena.act(filled(arena.match, choice, rng))


def last(found):
    *_, tells = found
    return tells


def playing(bot, tells):
    """How a bot plays that has seen this much, for those who reckon with chances."""
    return cache(lambda known: chances(bot, sight_of(known)._replace(tells=tells)))


def gained(match):
    return float(match.tally[1] - match.tally[0])


def worth(bot, tells, other, start):
    return BestResponse(strategy_of(other), 0, gained, playing(bot, tells)).worth_over(start, 52)


def test_it_takes_more_from_who_errs_than_the_expert_does():
    tells = last(met(replace(CLASS, stakes="drinks"), HONEST, rounds=100))
    start = new_match(CLASS, NAMES[:2], 1).replace(round=LATER)
    assert worth(SHARK, tells, HONEST, start) > worth(BOOK, tells, HONEST, start) + 0.05


def test_of_each_seat_it_thinks_what_that_seat_did():
    tells = last(met(RULES["physicist"], HONEST, CHEEKY, BOOK, rounds=100))
    thought = [learned_of(tells).habits[seat] for seat in (1, 2, 3)]
    ways = [max(zip(each.liar, LIARS))[1] for each in thought]
    doubts = [max(zip(each.doubter, DOUBTERS))[1] for each in thought]
    assert [way.book > 0 for way in ways] == [False, False, True]
    assert [way.book > 0 for way in doubts] == [False, False, True]
    assert ways[0].lie < ways[1].lie


@pytest.mark.parametrize("players", [2, 4])
def test_it_stops_once_its_stake_is_lost(players):
    rules, stopped = replace(CLASS, stakes="drinks"), 0
    shark = replace(SHARK, stake=1.0)
    for seed in range(6):
        others = [(CHEEKY, BOOK, BOOK)[(seed + n) % 3] for n in range(players - 1)]
        for tells in met(rules, *others, rounds=60, seed=seed, shark=shark):
            learned = learned_of(tells)
            assert learned.lost < shark.stake + 1.5
        stopped += learned.lost >= shark.stake
    assert stopped


def test_what_can_be_made_of_it_is_no_more_than_a_round_and_nothing_once_it_has_stopped():
    tells = last(met(replace(CLASS, stakes="drinks"), HONEST, rounds=60))
    start = new_match(CLASS, NAMES[:2], 0).replace(round=LATER)

    def most(shark):
        against = playing(shark, tells)
        return BestResponse(against, 1, lambda m: -gained(m)).worth_over(start, 62)

    fair = most(BOOK)
    learned_of(tells).lost = 0.0
    assert fair + 0.03 < most(SHARK) <= 1.0
    learned_of(tells).lost = SHARK.stake
    assert most(SHARK) == pytest.approx(fair, abs=1e-9)


def test_what_it_looks_up_is_made_before_it_decides():
    rules = replace(CLASS, credit=3)  # no other test's tables
    SHARK.prepare(rules, 2)
    arena, rng, rounds = Arena(rules, NAMES[:2]), Random(4), 0
    while arena.match.outcome is None and arena.match.round <= 6:
        if arena.match.round > rounds:
            rounds = arena.match.round
            SHARK.prepare_round(arena.match)
            made = made_stage.cache_info().misses
        choice = SHARK.decide(arena.sight(), rng)
        arena.act(filled(arena.match, choice, rng))
        assert made_stage.cache_info().misses == made
    assert rounds > 2
