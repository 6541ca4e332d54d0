"""Players by the book, and one who leaves it for the errors of others."""

from dataclasses import replace
from random import Random

import pytest

from firmware.bots import Sight
from firmware.bots.bot import Bot, strategy_of
from firmware.bots.expert import Expert, best, prepare, prepare_round
from firmware.bots.opponents import Shark
from game import RULES, apply, legal_actions, new_match
from game.actions import Look, Roll, Stop
from game.bluff.rules import PLACE
from game.open_dice import open_rolls
from game.strategy import Equilibrium, Known, Round, Standings, open_games
from hw_sim.trials.strength.response import BestResponse
from tests.support.bots import Played

CLASS = replace(RULES["class"], fewest_players=2)
PLAIN = {"trust": 0.2, "daring": 0.5, "lazy": 0.0}
EXPERT, SHARK = Expert(**PLAIN), Shark(**PLAIN)


def gained(match):
    return float(match.tally[1] - match.tally[0])


@pytest.mark.parametrize("game", RULES)
@pytest.mark.parametrize("bot", [EXPERT, SHARK, replace(EXPERT, strength=0.5)])
def test_they_play_every_game_to_its_end_on_the_dial(game, bot):
    options = {"ends": "last_standing"} if game == "class" else {}
    assert Played(game, 1, replace(bot, rounds=20), **options).match.outcome is not None


def test_the_expert_plays_the_equilibrium_and_nothing_else():
    start = new_match(CLASS, ("Ana", "Ben"), 0)
    thrown = apply(apply(start, Roll((4, 1))).match, Look()).match
    known = Known(thrown, (4, 1))
    fair = Equilibrium(Round(CLASS))(known)
    assert strategy_of(EXPERT)(known) == pytest.approx(fair)
    assert len(fair) > 1


def test_between_two_who_play_for_points_the_score_counts():
    """On the last point a Mäxchen costs no more than anything else."""
    start = new_match(RULES["holy-family"], ("Ana", "Ben"), 0).replace(tally=(9, 9))

    def ends(match):
        return 0.5 - (1 in match.outcome.losers)

    solved = Standings(RULES["holy-family"]).round(((9, 9), 0))
    worth = BestResponse(strategy_of(EXPERT), 1, ends).worth_over(start, 21)
    assert worth == pytest.approx(solved.believed(1, PLACE[21])[0] - 0.5, abs=1e-9)


def test_lapses_make_an_expert_weaker():
    start = new_match(CLASS, ("Ana", "Ben"), 0)
    worths = [
        BestResponse(strategy_of(bot), 1, lambda m: -gained(m)).worth_over(start, 66)
        for bot in (EXPERT, replace(EXPERT, strength=0.5), Bot(**PLAIN))
    ]
    assert worths == sorted(worths)
    assert worths[0] < worths[1] < worths[2]


@pytest.mark.parametrize("game", RULES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_tables_are_made_beforehand(game, players):
    prepare(RULES[game], players)


@pytest.mark.parametrize("game", ["maxen", "chicago", "sevens"])
@pytest.mark.parametrize("players", [2, 3])
def test_in_open_games_the_book_gains_over_sensible_play_exactly(game, players):
    """The last one may throw once more: what his choice is worth is exact, and all there is."""
    first = {"sevens": (6, 5, 4, 4, 2, 1)}.get(game, (6, 5, 2))
    match = new_match(RULES[game], ("Ana", "Ben", "Cem")[:players], 0)
    number = getattr(match.rules, "dice", 3)
    actions = [Roll((face,) * number) for face in range(1, players + 1)]
    actions += [Roll(first), Roll(first), Stop(), *[Roll(first)] * 2 * (players - 2)]
    for action in (*actions, Roll((6, 5, 4, 3, 3, 3)[:number])):
        match = apply(match, action).match
    assert (match.to_act, match.throws, match.limit) == (players - 1, 1, 2)

    def gains(bot):
        choice = bot.decide(Sight(match, legal_actions(match), match.dice), Random(1))
        return open_games.worths(match)[choice]

    worths = []
    for roll, _ in open_rolls(number):
        match = match.replace(dice=roll.dice)
        worths.append((gains(EXPERT), gains(Bot(**PLAIN))))
    assert all(book >= house for book, house in worths)
    assert sum(book - house for book, house in worths) > 0.01


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("game", ["maxen", "chicago", "sevens"])
def test_the_tables_of_a_round_are_made_as_it_begins(game, players):
    match = new_match(RULES[game], ("Ana", "Ben", "Cem")[:players], 0)
    prepare_round(match)  # nobody leads so far
    number = getattr(match.rules, "dice", 3)
    for face in range(1, players + 1):
        match = apply(match, Roll((face,) * number)).match
    prepare_round(match)
    match = apply(match, Roll((6, 5, 4, 4, 4, 4)[:number])).match
    assert best(match) in legal_actions(match)
