"""Players by the book, and one who leaves it for the errors of others."""

from dataclasses import replace
from random import Random

import pytest

from firmware.bots.arena import Arena, filled
from firmware.bots.bot import Bot
from firmware.bots.chances import chances, strategy_of
from firmware.bots.expert import Expert
from firmware.bots.personality import Sight
from firmware.bots.shark import Shark
from firmware.bots.solved import best, prepare, prepare_round
from firmware.bots.tells import Tells
from firmware.play.turn.round_end import round_end_of
from game import RULES, apply, legal_actions, new_match
from game.actions import Announce, Believe, Doubt, Lift, Look, Roll, Stop, StopMatch
from game.bluff.values import PLACE
from game.open_dice import open_rolls
from game.strategy import BestResponse, Equilibrium, Known, Round, Standings, among, open_games
from game.strategy.book import of_standing
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


def test_in_a_match_of_four_the_standing_counts():
    start = new_match(RULES["class"], ("Ana", "Ben", "Cem", "Dora"), 0)
    offered = apply(apply(start, Roll((4, 1))).match, Announce(44)).match

    def doubts(*tally):
        return strategy_of(EXPERT)(Known(offered.replace(tally=tally))).get(Doubt(), 0.0)

    assert doubts(3, 3, 0, 0) > 0.4, "who is caught is out"
    assert doubts(0, 0, 3, 0) < 0.01, "let the next one bear it"
    assert doubts(0, 0, 0, 0) < 0.05, "hardly ever where all is even"


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


def test_chances_are_those_of_the_draws():
    match = apply(new_match(CLASS, ("Ana", "Ben"), 0), Roll((4, 1))).match
    match = apply(match, Announce(52)).match
    sight = Sight(match, legal_actions(match))
    bot = Bot(trust=0.25, daring=0.5, lazy=0.0)
    exact = chances(bot, sight)
    rng = Random(3)
    doubts = sum(bot.decide(sight, rng) == Doubt() for _ in range(4000)) / 4000
    assert exact[Doubt()] + exact[Believe()] == pytest.approx(1)
    assert exact[Doubt()] == pytest.approx(doubts, abs=0.03)


def test_tells_note_answers_and_what_was_lifted_once():
    tells, match = Tells(), new_match(CLASS, ("Ana", "Ben"), 0)
    ended = None
    for action in (Roll((4, 1)), Announce(52), Believe(), Roll((4, 2)), Announce(61), Doubt()):
        match = apply(match, action).match
        tells.watch(match, ended, 52 if match.announced == 61 else None)
        tells.watch(match, ended, 52 if match.announced == 61 else None)
    step = apply(match, Lift())
    for _ in range(2):
        tells.watch(step.match, round_end_of(match, step), None)
    first, second = tells.answered
    assert (first.seat, first.value, first.doubted, first.lied) == (1, 52, False, None)
    assert (second.seat, second.announcer, second.value) == (0, 1, 61)
    assert (second.stood, second.doubted, second.lied) == (52, True, True)


def test_the_round_of_a_large_table_is_solved_before_anybody_decides():
    match = new_match(RULES["class"], ("Ana", "Ben", "Cem", "Dora"), 0).replace(tally=(1, 3, 0, 2))
    prepare_round(match)
    solved = of_standing.cache_info().misses
    strategy_of(EXPERT)(Known(apply(match, Roll((4, 1))).match))
    assert of_standing.cache_info().misses == solved
    prepare_round(apply(match, StopMatch()).match)
    assert of_standing.cache_info().misses == solved, "there is no round"


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


def test_where_somebody_has_left_nothing_is_worked_out_at_a_decision():
    rules = replace(RULES["maxen"], coasters=5)  # no other test's tables
    arena, rng, left = Arena(rules, ("Ana", "Ben", "Cem", "Dora")), Random(3), set()
    EXPERT.prepare(rules, 4)
    while arena.match.to_act is not None:
        EXPERT.prepare_round(arena.match)
        made = among.facing.cache_info().misses
        left.add(len(arena.match.playing))
        choice = EXPERT.decide(arena.sight(), rng)
        assert among.facing.cache_info().misses == made
        arena.act(filled(arena.match, choice, rng))
    assert {3, 4} <= left
