"""Players decide only what is possible, from what they may know, and each game in its manner."""

from dataclasses import replace
from random import Random

import pytest

from firmware.bots.personality import Sight
from firmware.play.turn.offers import offering
from firmware.table.seat.position import Position
from game import (
    RULES,
    CoasterMatch,
    Match,
    Phase,
    apply,
    dice_to_roll,
    illegality,
    laid_open,
    new_match,
    view,
)
from game.actions import (
    Announce,
    Believe,
    Doubt,
    EndMatch,
    Flourish,
    Give,
    Keep,
    Look,
    Refuse,
    Roll,
    Say,
    ShowTower,
    Stop,
)
from game.events import Inadmissible, WentWrongWay
from hw_sim.players.personality import PlayerPersonality

PLAIN = PlayerPersonality(trust=0.2, daring=0.5, lazy=0.1, physical=1.0, nosy=0.0, careless=0.0)
STEADY = replace(PLAIN, lazy=0.0)
NAMES = ("Ana", "Ben", "Cem", "Dea")
MOST_ACTIONS = 5000


def sight_of(match, seen=None, tower=False):
    offers = offering(Position.MINE, match)
    return Sight(view(match, None), (*offers.tapped, *offers.held), seen, tower)


def played(game, seed, manners=PLAIN, **options):
    """Play a match by the rules core and these manners alone: its actions, and its events."""
    rng = Random(f"{game} {seed}")
    match = new_match(replace(RULES[game], **options), NAMES[: 3 + seed % 2], 0)
    actions, events, tower = [], [], False
    while match.outcome is None:
        knows = match.seen if isinstance(match, Match) else match.dice is not None
        sight = sight_of(match, match.dice if knows else None, knows and tower)
        choice = manners.decide(sight, rng)
        assert illegality(match, choice) is None, (match, choice)
        if isinstance(choice, Roll):
            dice = tuple(rng.randint(1, 6) for _ in range(dice_to_roll(match)))
            tower = rng.randrange(4) == 0 if options.get("tower_one_in") else False
            choice = Roll(tuple(sorted(dice, reverse=True)), tower=tower)
        step = apply(match, laid_open(match, choice))
        match = step.match
        actions.append(choice)
        events += step.events
        assert len(actions) < MOST_ACTIONS
    return actions, events


GAMES = {
    "class": ({}, {"ends": "last_standing"}, {"stakes": "drinks"}),
    "physicist": ({},),
    "holy-family": ({"points": 4}, {"tower_one_in": 4}, {"losers": 2}),
    "maxen": ({},),
    "chicago": ({}, {"levelling": True}),
    "sevens": ({}, {"seven_dice": True}),
}


@pytest.mark.parametrize("game", GAMES)
def test_what_they_decide_is_legal_and_matches_end(game):
    for options in GAMES[game]:
        for seed in range(6):
            played(game, seed, PlayerPersonality.drawn(Random(seed)), **options)


def test_b_8_a_match_of_glasses_is_ended_after_some_rounds():
    actions, events = played("physicist", 1, replace(PLAIN, rounds=3))
    assert actions[-1] == EndMatch()
    assert sum(type(event).__name__ == "RoundBegan" for event in events) == 3


def test_r_phys_6_some_announcements_have_air():
    said = [
        action.flourish
        for seed in range(5)
        for action in played("physicist", seed)[0]
        if isinstance(action, Announce)
    ]
    assert {None, Flourish.AIR, Flourish.MUCH_AIR} == set(said)


def test_r_hf_5_mistakes_are_made_by_the_careless_alone():
    mistakes = (Inadmissible, WentWrongWay)

    def made(manners):
        told = [event for seed in range(8) for event in played("holy-family", seed, manners)[1]]
        return {type(event) for event in told} & set(mistakes)

    assert made(PLAIN) == set()
    assert made(replace(PLAIN, careless=0.3)) == set(mistakes)


def test_r_hf_9_they_speak_in_words_and_draw_them_out():
    actions = [action for seed in range(8) for action in played("holy-family", seed)[0]]
    assert len({action.words for action in actions if isinstance(action, Say)}) == 2
    assert Flourish.DRAWN_OUT in {a.flourish for a in actions if isinstance(a, Announce)}


def holy_family(*actions):
    match = new_match(RULES["holy-family"], NAMES, 0)
    for action in actions:
        match = apply(match, action).match
    return match


def answers(match, count=200):
    offers = offering(Position.OFFERED, match)
    sight = Sight(view(match, None), (*offers.tapped, *offers.held))
    return [PLAIN.decide(sight, Random(seed)) for seed in range(count)]


def test_r_hf_10_a_round_opened_with_65_is_believed_by_custom():
    opened = answers(holy_family(Roll((3, 1)), Announce(65)))
    later = answers(holy_family(Roll((3, 1)), Announce(64), Believe(), Roll((4, 1)), Announce(65)))
    assert opened.count(Doubt()) < 0.5 * later.count(Doubt())
    assert 0 < opened.count(Doubt()) < 0.3 * len(opened)


def test_r_hf_5_a_cup_from_the_wrong_side_is_mostly_refused():
    given = answers(holy_family(Roll((3, 1)), Announce(65, wrong_way=True)))
    assert len(given) > given.count(Refuse()) > 0.5 * len(given)


def test_r_hf_8_a_tower_that_was_seen_is_mostly_shown():
    match = holy_family(Roll((3, 1), tower=True), Look())
    shown = [STEADY.decide(sight_of(match, (3, 1), True), Random(n)) for n in range(50)]
    assert shown.count(ShowTower(None)) > 25


def thrown(game, dice, **options):
    """A match in which the leader has thrown these dice first."""
    match = new_match(replace(RULES[game], **options), NAMES[:2], 0)
    size = dice_to_roll(match)
    match = apply(match, Roll((1,) * size)).match
    match = apply(match, Roll((6,) * size)).match
    return apply(match, Roll(dice)).match


def decided(match, manners=STEADY):
    return manners.decide(sight_of(match, match.dice), Random(1))


@pytest.mark.parametrize(
    ("dice", "choice"),
    [
        ((5, 3, 1), Keep((1,))),
        ((2, 1, 1), Keep((1, 1))),
        ((1, 1, 1), Stop()),
        ((4, 3, 2), Roll()),
    ],
)
def test_c_1_ones_are_kept(dice, choice):
    assert decided(thrown("chicago", dice)) == choice


@pytest.mark.parametrize("game", ["maxen", "chicago"])
@pytest.mark.parametrize(
    ("dice", "choice"),
    [
        ((6, 6, 2), Keep((), 1)),
        ((6, 6, 1), Keep((1,), 1)),
        ((6, 6, 6), Keep((), 2)),
    ],
)
def test_t_3_sixes_are_mostly_turned(game, dice, choice):
    sight = sight_of(thrown(game, dice), dice)
    decisions = [STEADY.decide(sight, Random(seed)) for seed in range(100)]
    assert decisions.count(choice) > 50


@pytest.mark.parametrize(
    ("dice", "choice"), [((6, 1, 1), Stop()), ((1, 1, 1), Stop()), ((5, 4, 1), Keep((1,)))]
)
def test_m_1_what_leads_to_a_good_throw_of_maxen_is_kept(dice, choice):
    assert decided(thrown("maxen", dice)) == choice


@pytest.mark.parametrize(
    ("dice", "choice"),
    [((6, 1, 5, 2, 4, 4), Stop()), ((6, 6, 5, 5, 4, 4), Roll()), ((6, 6, 6, 6, 6, 6), Roll())],
)
def test_s_2_a_low_score_is_enough(dice, choice):
    assert decided(thrown("sevens", dice)) == choice


def test_s_4_it_is_enough_not_to_be_the_worst():
    match = apply(thrown("sevens", (6, 6, 6, 6, 6, 6)), Stop()).match
    assert match.limit == 1
    match = match._replace(limit=3)
    match = apply(match, Roll((5, 5, 5, 5, 5, 5))).match
    assert decided(match) == Stop()


def test_r_chi_4_a_coaster_is_given_to_somebody_or_to_nobody():
    match = new_match(replace(RULES["chicago"], levelling=True), NAMES, 0)
    assert isinstance(match, CoasterMatch)
    match = match._replace(phase=Phase.LEVELLING, coasters=(4, 1, 1, 0), leader=0, to_act=0)
    given = {STEADY.decide(sight_of(match), Random(seed)) for seed in range(40)}
    assert given == {Give(None), Give(1), Give(2)}
