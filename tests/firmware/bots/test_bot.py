"""Bots decide from what they may know alone, and play each game in its manner."""

from dataclasses import replace
from random import Random

import pytest

from firmware.bots import Manner, Sight
from firmware.bots.bot import Bot
from firmware.bots.intent import options_of
from game import RULES, Phase, apply, new_match, view
from game.actions import (
    Announce,
    Believe,
    Doubt,
    EndMatch,
    Flourish,
    Give,
    GiveIn,
    Keep,
    Look,
    OwnUp,
    Refuse,
    Roll,
    Say,
    ShowTower,
    Stop,
)
from game.events import Inadmissible, RoundBegan, WentWrongWay
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
    assert played.actions[-1] == EndMatch()
    assert sum(isinstance(event, RoundBegan) for event in played.events) == 3


def test_r_phys_6_some_announcements_have_air():
    actions = [action for seed in range(5) for action in Played("physicist", seed, PLAIN).actions]
    said = {action.flourish for action in actions if isinstance(action, Announce)}
    assert said == {None, Flourish.AIR, Flourish.MUCH_AIR}


def test_r_hf_5_mistakes_are_made_by_the_careless_alone():
    mistakes = {Inadmissible, WentWrongWay}

    def made(bot):
        events = [event for n in range(8) for event in Played("holy-family", n, bot).events]
        return {type(event) for event in events} & mistakes

    assert made(PLAIN) == set()
    assert made(replace(PLAIN, careless=0.3)) == mistakes


def test_r_hf_9_they_speak_in_words_and_draw_them_out():
    actions = [action for seed in range(8) for action in Played("holy-family", seed, PLAIN).actions]
    assert len({action.words for action in actions if isinstance(action, Say)}) == 2
    assert Flourish.DRAWN_OUT in {a.flourish for a in actions if isinstance(a, Announce)}


def test_r_hf_10_a_round_opened_with_65_is_believed_by_custom():
    opened = decided(thrown("holy-family", (3, 1), Announce(65)))
    higher = (Announce(64), Believe(), Roll((4, 1)), Announce(65))
    later = decided(thrown("holy-family", (3, 1), *higher))
    assert opened.count(Doubt()) < 0.5 * later.count(Doubt())
    assert 0 < opened.count(Doubt()) < 0.3 * COUNT


@pytest.mark.parametrize(
    ("match", "seen", "choice", "least", "most"),
    [
        (thrown("holy-family", (3, 1), Announce(65, wrong_way=True)), None, Refuse(), 0.5, 0.9),
        (thrown("class", (3, 1), Announce(21)), None, GiveIn(), 0.05, 0.3),
        (
            thrown("class", (3, 1), Announce(66), Believe(), Roll((4, 1)), Look()),
            (4, 1), OwnUp(), 0.01, 0.2,
        ),
    ],
)  # fmt: skip
def test_r_hf_5_r_class_7_r_class_10_some_do_so_and_others_do_not(match, seen, choice, least, most):
    assert least * COUNT < decided(match, seen).count(choice) < most * COUNT


def test_r_hf_8_a_tower_that_was_seen_is_mostly_shown():
    match = apply(thrown("holy-family", (3, 1)), Look()).match
    assert decided(match, (3, 1), tower=True).count(ShowTower(None)) > 0.5 * COUNT


# ---- open dice -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "dice", "choice"),
    [
        ("chicago", (5, 3, 1), Keep((1,))),  # C-1
        ("chicago", (2, 1, 1), Keep((1, 1))),
        ("chicago", (1, 1, 1), Stop()),
        ("chicago", (4, 3, 2), Roll()),
        ("maxen", (6, 1, 1), Stop()),  # M-1
        ("maxen", (1, 1, 1), Stop()),
        ("maxen", (5, 4, 1), Keep((1,))),
        ("sevens", (6, 1, 5, 2, 4, 4), Stop()),  # S-2
        ("sevens", (6, 6, 5, 5, 4, 4), Roll()),
        ("sevens", (6, 6, 6, 6, 6, 6), Roll()),
    ],
)
def test_what_leads_to_a_good_throw_is_kept_and_a_good_one_is_enough(game, dice, choice):
    assert decided(thrown(game, dice), dice)[0] == choice


@pytest.mark.parametrize("game", ["maxen", "chicago"])
@pytest.mark.parametrize(
    ("dice", "choice"),
    [((6, 6, 2), Keep((), 1)), ((6, 6, 1), Keep((1,), 1)), ((6, 6, 6), Keep((), 2))],
)
def test_t_3_sixes_are_mostly_turned(game, dice, choice):
    assert decided(thrown(game, dice), dice).count(choice) > 0.5 * COUNT


def test_s_4_it_is_enough_not_to_be_the_worst():
    match = apply(thrown("sevens", (6, 6, 6, 6, 6, 6)), Stop()).match
    assert match.limit == 1
    dice = (5, 5, 5, 5, 5, 5)
    assert set(decided(apply(match.replace(limit=3), Roll(dice)).match, dice)) == {Stop()}


@pytest.mark.parametrize(
    ("game", "dice", "choice"),
    [
        ("maxen", (6, 6, 1), Keep((6, 6))),
        ("maxen", (5, 4, 1), Keep((5,))),
        ("chicago", (6, 6, 2), Roll()),
        ("maxen", (1, 1, 1), Stop()),
        ("sevens", (6, 1, 5, 2, 4, 4), Roll()),
        ("sevens", (6, 1, 5, 2, 4, 2), Stop()),
    ],
)
def test_a_daring_player_turns_no_six_and_is_never_lazy(game, dice, choice):
    daring = replace(PLAIN, lazy=0.5, manner=Manner.CHASE)
    assert set(decided(thrown(game, dice), dice, bot=daring)) == {choice}


def test_whoever_is_soon_done_leads_with_a_fair_throw_and_beats_one_hand():
    early = replace(STEADY, manner=Manner.EARLY)
    fair = thrown("chicago", (6, 4, 1))
    assert set(decided(fair, (6, 4, 1), bot=early)) == {Stop()}
    assert Stop() not in decided(fair, (6, 4, 1))
    after = apply(thrown("chicago", (4, 3, 2)), Stop()).match.replace(limit=3)
    low = (5, 3, 2)
    assert set(decided(apply(after, Roll(low)).match, low, bot=early)) == {Stop()}
    assert Stop() not in decided(apply(after, Roll(low)).match, low)


def test_r_chi_4_a_coaster_is_given_to_somebody_or_to_nobody():
    match = new_match(replace(RULES["chicago"], levelling=True), NAMES, 0)
    match = match.replace(phase=Phase.LEVELLING, coasters=(4, 1, 1, 0), leader=0, to_act=0)
    assert set(decided(match)) == {Give(None), Give(1), Give(2)}
