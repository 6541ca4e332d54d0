"""A bot's next choice by its display; players by the book, and one who uses others' errors."""

from dataclasses import replace
from math import fsum
from random import Random

import pytest

from firmware.bots import Sight
from firmware.bots.arena import Arena, filled
from firmware.bots.bot import Bot
from firmware.bots.expert import Expert, best, prepare, prepare_round
from firmware.bots.intent import Memory, intent, waits
from firmware.bots.opponents import Shark
from firmware.display.screens import AlertPage
from firmware.display.text.labels import Alert
from firmware.input.controls import Die
from firmware.play.turn.draft import changed
from firmware.play.turn.overlays import Notice
from game import RULES, apply, laid_open, legal_actions, new_match
from game import actions as do
from game.bluff.rules import PLACE
from game.coach import analyse
from game.open_dice import open_rolls
from game.record import Record
from game.strategy import Equilibrium, Known, Round, Standings, open_games
from research.strength.measure import gained, strategy_of
from research.strength.response import BestResponse
from tests.support.bots import Played, thrown, view_of
from tests.support.nights import EACH_GAME, whole

STEADY = Bot(trust=0.0, daring=0.0, lazy=0.0, careless=0.0)
OFFERED = thrown("physicist", (3, 1), do.Announce(66))


@pytest.mark.parametrize(
    "hidden",
    [
        {"notice": Notice(Alert.TOO_DARK, 0)},
        {"part_alert": AlertPage(Alert.DISPLAY)},
        {"announcing": do.Announce(55)},
        {"offer_armed": False},
    ],
)
def test_it_waits_for_the_display(hidden):
    assert not waits(view_of(OFFERED))
    assert waits(view_of(OFFERED, **hidden))


def test_dice_that_were_seen_in_another_turn_are_forgotten():
    memory = Memory(seen=(2, 1), tower=True)
    assert intent(view_of(thrown("class", (3, 1))), memory, STEADY, Random(1)) == do.Look()
    assert (memory.seen, memory.tower) == (None, False)


def test_what_lies_in_the_draft_is_taken_back_by_who_throws_all_again():
    match = thrown("chicago", (4, 3, 1))
    memory = Memory()
    memory.read((4, 3, 1), match.turn)
    memory.draft = view_of(match).draft
    drafted = changed(match, view_of(match).draft, 2)
    assert intent(view_of(match, draft=drafted), memory, STEADY, Random(1)) == Die(2)


@pytest.mark.parametrize("game", ["class", "physicist", "holy-family"])
@pytest.mark.parametrize("actions", [(), (do.Announce(65),), (do.Look(), do.Announce(65))])
def test_dice_under_the_cup_change_nothing(game, actions):
    """Two worlds that differ in hidden dice alone: one display, and so one intent."""
    views = [view_of(thrown(game, dice, *actions)) for dice in ((3, 1), (6, 5))]
    assert views[0] == views[1]
    for seed in range(20):
        first, other = (intent(view, Memory(), STEADY, Random(seed)) for view in views)
        assert first == other


def test_one_seed_is_one_mind():
    def intents():
        return Played("holy-family", 3, replace(STEADY, careless=0.3)).intents

    assert intents() == intents()


NAMES = ("Ana", "Ben", "Cem", "Dora")
EXPERT = Expert(trust=0.2, daring=0.5, lazy=0.0)
CLASS = replace(RULES["class"], fewest_players=2)


def played_by_experts(rules, players, most_rounds):
    """Return the record of a match that all play by the book."""
    rng, arena, actions = Random(1), Arena(rules, NAMES[:players]), []
    while arena.match.to_act is not None and arena.match.round <= most_rounds:
        done = filled(arena.match, EXPERT.decide(arena.sight(), rng), rng)
        actions.append(laid_open(arena.match, done))
        arena.act(actions[-1])
    return Record(rules, arena.match.players, 0, tuple(actions))


@pytest.mark.parametrize(
    ("rules", "unit", "caveat"),
    [
        (RULES["class"], "chance", None),
        (RULES["physicist"], "penalties", "NO_SCORE"),
        whole(replace(RULES["class"], ends="last_standing"), "chance", "BY_LOT"),
        whole(replace(RULES["holy-family"], losers=2, points=3), "chance", "BY_LOT"),
    ],
    ids=["class", "physicist", "last standing", "holy-family"],
)
def test_four_experts_are_charged_next_to_nothing_and_what_they_play_for_is_named(
    rules, unit, caveat
):
    told = analyse(played_by_experts(rules, 4, most_rounds=12))
    assert (told.unit, told.model.caveat) == (unit, caveat)
    assert max(judged.cost for judged in told.decisions) < told.model.precision
    assert fsum(account.skill for account in told.accounts) / 4 > -0.02
    assert min(judged.share for judged in told.decisions) > 0


def test_an_announcement_that_the_book_never_makes_is_taken_at_its_word():
    """Over a 31 that stands nobody hands the dice on: that would be doubted."""
    say = (do.Roll((3, 1)), do.Announce(31), do.Believe(), do.Roll((5, 4)))
    rolled = analyse(Record(RULES["physicist"], NAMES[:2], 0, say)).decisions[-1]
    assert rolled.cost == 0
    assert rolled.chances[do.Announce(32)] < rolled.chances[do.Roll()]
    three = analyse(
        Record(RULES["class"], NAMES[:3], 0, (do.Roll((5, 3)), do.Announce(53), do.Believe()))
    )
    believes = three.decisions[-1]
    assert believes.cost == 0 < believes.share
    assert believes.chances[do.Doubt()] < believes.chances[do.Believe()]


PLAIN = {"trust": 0.2, "daring": 0.5, "lazy": 0.0}
SOLVING, SHARK = Expert(**PLAIN), Shark(**PLAIN)


@pytest.mark.parametrize("game", EACH_GAME)
@pytest.mark.parametrize("bot", [Bot(**PLAIN), replace(SHARK, strength=0.5)])
def test_they_play_every_game_to_its_end_on_the_dial(game, bot):
    options = {"ends": "last_standing"} if game == "class" else {}
    assert Played(game, 1, replace(bot, rounds=20), **options).match.outcome is not None


def test_the_expert_plays_the_equilibrium_and_nothing_else():
    start = new_match(CLASS, ("Ana", "Ben"), 0)
    thrown = apply(apply(start, do.Roll((4, 1))).match, do.Look()).match
    known = Known(thrown, (4, 1))
    fair = Equilibrium(Round(CLASS))(known)
    assert strategy_of(SOLVING)(known) == pytest.approx(fair)
    assert len(fair) > 1


def test_between_two_who_play_for_points_the_score_counts():
    """On the last point a Mäxchen costs no more than anything else."""
    start = new_match(RULES["holy-family"], ("Ana", "Ben"), 0).replace(tally=(9, 9))

    def ends(match):
        return 0.5 - (1 in match.outcome.losers)

    solved = Equilibrium(Standings(RULES["holy-family"]).round(((9, 9), 0))).solved
    worth = BestResponse(strategy_of(SOLVING), 1, ends).worth_over(start, 21)
    assert worth == pytest.approx(solved.believed(1, PLACE[21])[0] - 0.5, abs=1e-9)


def test_lapses_make_an_expert_weaker():
    start = new_match(CLASS, ("Ana", "Ben"), 0)
    worths = [
        BestResponse(strategy_of(bot), 1, gained(1)).worth_over(start, 66)
        for bot in (SOLVING, replace(SOLVING, strength=0.5), Bot(**PLAIN))
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
    actions = [do.Roll((face,) * number) for face in range(1, players + 1)]
    actions += [do.Roll(first), do.Roll(first), do.Stop(), *[do.Roll(first)] * 2 * (players - 2)]
    for action in (*actions, do.Roll((6, 5, 4, 3, 3, 3)[:number])):
        match = apply(match, action).match
    assert (match.to_act, match.throws, match.limit) == (players - 1, 1, 2)

    def gains(bot):
        choice = bot.decide(Sight(match, legal_actions(match), match.dice), Random(1))
        return open_games.worths(match)[choice]

    worths = []
    for roll, _ in open_rolls(number):
        match = match.replace(dice=roll.dice)
        worths.append((gains(SOLVING), gains(Bot(**PLAIN))))
    assert all(book >= house for book, house in worths)
    assert sum(book - house for book, house in worths) > 0.01


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("game", ["maxen", "chicago", "sevens"])
def test_the_tables_of_a_round_are_made_as_it_begins(game, players):
    match = new_match(RULES[game], ("Ana", "Ben", "Cem")[:players], 0)
    prepare_round(match)  # nobody leads so far
    number = getattr(match.rules, "dice", 3)
    for face in range(1, players + 1):
        match = apply(match, do.Roll((face,) * number)).match
    prepare_round(match)
    match = apply(match, do.Roll((6, 5, 4, 4, 4, 4)[:number])).match
    assert best(match) in legal_actions(match)
