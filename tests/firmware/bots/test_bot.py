"""Bots from what a display says, and the shark: what it learns of others, and at what cost."""

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from firmware.bots import Manner, Sight
from firmware.bots.arena import Arena, filled
from firmware.bots.bot import Bot, chances, sight_of
from firmware.bots.expert import Expert
from firmware.bots.intent import options_of
from firmware.bots.opponents import BOTS, Shark, learned_of
from firmware.bots.opponents import _stage as made_stage
from game import RULES, Phase, apply, new_match, view
from game import actions as do
from game.events import Inadmissible, RoundBegan, WentWrongWay
from research.strength.measure import gained, strategy_of
from research.strength.response import BestResponse
from tests.support.bots import NAMES, Played, thrown, view_of

PLAIN = Bot(trust=0.2, daring=0.5, lazy=0.1, careless=0.0)
STEADY = replace(PLAIN, lazy=0.0)
COUNT = 200


def decided(match, seen=None, tower=False, bot=STEADY):
    """Return the bot's decisions with one seed after another."""
    sight = Sight(view(match, None), options_of(view_of(match)), seen, tower)
    return [bot.decide(sight, Random(seed)) for seed in range(COUNT)]


# ---- bluff games ---------------------------------------------------------------------------------


def test_b_8_a_match_of_glasses_is_ended_after_some_rounds():
    played = Played("physicist", 1, replace(PLAIN, rounds=3))
    assert played.actions[-1] == do.EndMatch()
    assert sum(isinstance(event, RoundBegan) for event in played.events) == 3


def test_r_phys_6_some_announcements_have_air():
    actions = [action for seed in range(5) for action in Played("physicist", seed, PLAIN).actions]
    said = {action.flourish for action in actions if isinstance(action, do.Announce)}
    assert said == {None, do.Flourish.AIR, do.Flourish.MUCH_AIR}


def test_r_hf_5_mistakes_are_made_by_the_careless_alone():
    mistakes = {Inadmissible, WentWrongWay}

    def made(bot):
        events = [event for n in range(8) for event in Played("holy-family", n, bot).events]
        return {type(event) for event in events} & mistakes

    assert made(PLAIN) == set()
    assert made(replace(PLAIN, careless=0.3)) == mistakes


@pytest.mark.whole
def test_r_hf_9_they_speak_in_words_and_draw_them_out():
    actions = [action for seed in range(8) for action in Played("holy-family", seed, PLAIN).actions]
    assert len({action.words for action in actions if isinstance(action, do.Say)}) == 2
    assert do.Flourish.DRAWN_OUT in {a.flourish for a in actions if isinstance(a, do.Announce)}


def test_r_hf_10_a_round_opened_with_65_is_believed_by_custom():
    opened = decided(thrown("holy-family", (3, 1), do.Announce(65)))
    higher = (do.Announce(64), do.Believe(), do.Roll((4, 1)), do.Announce(65))
    later = decided(thrown("holy-family", (3, 1), *higher))
    assert opened.count(do.Doubt()) < 0.5 * later.count(do.Doubt())
    assert 0 < opened.count(do.Doubt()) < 0.3 * COUNT


WENT_WRONG_WAY = thrown("holy-family", (3, 1), do.Announce(65, wrong_way=True))
OVER_66 = (do.Announce(66), do.Believe(), do.Roll((4, 1)), do.Look())
SEEN_41_OVER_66 = thrown("class", (3, 1), *OVER_66)


@pytest.mark.parametrize(
    ("match", "seen", "choice", "least", "most"),
    [
        (WENT_WRONG_WAY, None, do.Refuse(), 0.5, 0.9),
        (thrown("class", (3, 1), do.Announce(21)), None, do.GiveIn(), 0.05, 0.3),
        (SEEN_41_OVER_66, (4, 1), do.OwnUp(), 0.01, 0.2),
    ],
)
def test_r_hf_5_r_class_7_r_class_10_some_do_so_and_others_do_not(match, seen, choice, least, most):
    assert least * COUNT < decided(match, seen).count(choice) < most * COUNT


def test_r_hf_8_a_tower_that_was_seen_is_mostly_shown():
    match = apply(thrown("holy-family", (3, 1)), do.Look()).match
    assert decided(match, (3, 1), tower=True).count(do.ShowTower(None)) > 0.5 * COUNT


# ---- open dice -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "dice", "choice"),
    [
        ("chicago", (5, 3, 1), do.Keep((1,))),  # C-1
        ("chicago", (2, 1, 1), do.Keep((1, 1))),
        ("chicago", (1, 1, 1), do.Stop()),
        ("chicago", (4, 3, 2), do.Roll()),
        ("maxen", (6, 1, 1), do.Stop()),  # M-1
        ("maxen", (1, 1, 1), do.Stop()),
        ("maxen", (5, 4, 1), do.Keep((1,))),
        ("sevens", (6, 1, 5, 2, 4, 4), do.Stop()),  # S-2
        ("sevens", (6, 6, 5, 5, 4, 4), do.Roll()),
        ("sevens", (6, 6, 6, 6, 6, 6), do.Roll()),
    ],
)
def test_what_leads_to_a_good_throw_is_kept_and_a_good_one_is_enough(game, dice, choice):
    assert decided(thrown(game, dice), dice)[0] == choice


@pytest.mark.parametrize("game", ["maxen", "chicago"])
@pytest.mark.parametrize(
    ("dice", "choice"),
    [((6, 6, 2), do.Keep((), 1)), ((6, 6, 1), do.Keep((1,), 1)), ((6, 6, 6), do.Keep((), 2))],
)
def test_t_3_sixes_are_mostly_turned(game, dice, choice):
    assert decided(thrown(game, dice), dice).count(choice) > 0.5 * COUNT


def test_s_4_it_is_enough_not_to_be_the_worst():
    match = apply(thrown("sevens", (6, 6, 6, 6, 6, 6)), do.Stop()).match
    assert match.limit == 1
    dice = (5, 5, 5, 5, 5, 5)
    assert set(decided(apply(match.replace(limit=3), do.Roll(dice)).match, dice)) == {do.Stop()}


@pytest.mark.parametrize(
    ("game", "dice", "choice"),
    [
        ("maxen", (6, 6, 1), do.Keep((6, 6))),
        ("maxen", (5, 4, 1), do.Keep((5,))),
        ("chicago", (6, 6, 2), do.Roll()),
        ("maxen", (1, 1, 1), do.Stop()),
        ("sevens", (6, 1, 5, 2, 4, 4), do.Roll()),
        ("sevens", (6, 1, 5, 2, 4, 2), do.Stop()),
    ],
)
def test_a_daring_player_turns_no_six_and_is_never_lazy(game, dice, choice):
    daring = replace(PLAIN, lazy=0.5, manner=Manner.CHASE)
    assert set(decided(thrown(game, dice), dice, bot=daring)) == {choice}


def test_whoever_is_soon_done_leads_with_a_fair_throw_and_beats_one_hand():
    early = replace(STEADY, manner=Manner.EARLY)
    fair = thrown("chicago", (6, 4, 1))
    assert set(decided(fair, (6, 4, 1), bot=early)) == {do.Stop()}
    assert do.Stop() not in decided(fair, (6, 4, 1))
    after = apply(thrown("chicago", (4, 3, 2)), do.Stop()).match.replace(limit=3)
    low = (5, 3, 2)
    assert set(decided(apply(after, do.Roll(low)).match, low, bot=early)) == {do.Stop()}
    assert do.Stop() not in decided(apply(after, do.Roll(low)).match, low)


def test_r_chi_4_a_coaster_is_given_to_somebody_or_to_nobody():
    match = new_match(replace(RULES["chicago"], levelling=True), NAMES, 0)
    match = match.replace(phase=Phase.LEVELLING, coasters=(4, 1, 1, 0), leader=0, to_act=0)
    assert set(decided(match)) == {do.GiveCoaster(None), do.GiveCoaster(1), do.GiveCoaster(2)}


CLASS = replace(RULES["class"], fewest_players=2)
LATER = 999
LONG = {"rounds": LATER}
BOOK = Expert(trust=0.2, daring=0.5, lazy=0.0, **LONG)
SHARK = Shark(trust=0.2, daring=0.5, lazy=0.0, **LONG)
HONEST = Bot(trust=0.25, daring=0.0, lazy=0.0, **LONG)
CHEEKY = Bot(trust=0.1, daring=0.9, lazy=0.0, **LONG)
FOUR = ("Ana", "Ben", "Cem", "Dora")


def met(rules, *others, rounds, seed=1, shark=SHARK):
    """Yield what seat 0 has learned, before each round that it plays with ``others``."""
    arena, rng = Arena(rules, FOUR[: 1 + len(others)]), Random(seed)
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


def worth(bot, tells, other, start):
    return BestResponse(strategy_of(other), 0, gained(0), playing(bot, tells)).worth_over(start, 52)


def test_it_takes_more_from_who_errs_than_the_expert_does():
    tells = last(met(replace(CLASS, stakes="drinks"), HONEST, rounds=100))
    start = new_match(CLASS, FOUR[:2], 1).replace(round=LATER)
    assert worth(SHARK, tells, HONEST, start) > worth(BOOK, tells, HONEST, start) + 0.05


@pytest.mark.whole
def test_of_each_seat_it_thinks_what_that_seat_did():
    tells = last(met(RULES["physicist"], HONEST, CHEEKY, BOOK, rounds=100))
    thought = [learned_of(tells).habits[seat] for seat in (1, 2, 3)]
    ways = [max(zip(each.liar, BOTS.liars))[1] for each in thought]
    doubts = [max(zip(each.doubter, BOTS.doubters))[1] for each in thought]
    assert [way.book > 0 for way in ways] == [False, False, True]
    assert [way.book > 0 for way in doubts] == [False, False, True]
    assert ways[0].lie < ways[1].lie


def test_what_can_be_made_of_it_is_no_more_than_a_round_and_nothing_once_it_has_stopped():
    tells = last(met(replace(CLASS, stakes="drinks"), HONEST, rounds=60))
    start = new_match(CLASS, FOUR[:2], 0).replace(round=LATER)

    def most(shark):
        against = playing(shark, tells)
        return BestResponse(against, 1, gained(1)).worth_over(start, 62)

    fair = most(BOOK)
    learned_of(tells).lost = 0.0
    assert fair + 0.03 < most(SHARK) <= 1.0
    learned_of(tells).lost = SHARK.stake
    assert most(SHARK) == pytest.approx(fair, abs=1e-9)


def test_what_it_looks_up_is_made_before_it_decides():
    rules = replace(CLASS, credit=3)  # no other test's tables
    SHARK.prepare(rules, 2)
    arena, rng, rounds = Arena(rules, FOUR[:2]), Random(4), 0
    while arena.match.outcome is None and arena.match.round <= 6:
        if arena.match.round > rounds:
            rounds = arena.match.round
            SHARK.prepare_round(arena.match)
            made = made_stage.cache_info().misses
        choice = SHARK.decide(arena.sight(), rng)
        arena.act(filled(arena.match, choice, rng))
        assert made_stage.cache_info().misses == made
    assert rounds > 2
