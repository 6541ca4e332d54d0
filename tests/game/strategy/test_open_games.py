"""The best keeping, turning and stopping, against an expectation worked out by the rules alone."""

from dataclasses import replace
from fractions import Fraction

import pytest

from game import RULES, apply, legal_actions, new_match
from game.actions import Keep, Lift, Roll, Stop
from game.explore import expectation
from game.strategy import sevens, three_dice
from game.strategy.coasters import Chicago

NAMES = ("Ana", "Ben", "Cem")
CLOSE = 1e-12


def play(match, *actions):
    for action in actions:
        match = apply(match, action).match
    return match


def begun(game, *actions, players=2):
    """A round that Ana leads."""
    rolls_off = ((1, 1, 1), (2, 2, 2), (3, 3, 3))[:players]
    return play(new_match(RULES[game], NAMES[:players], 0), *map(Roll, rolls_off), *actions)


def fought_over(match, seat, worth):
    """What the match is worth to ``seat`` where all others want the opposite."""

    def choose(match, options):
        return (max if match.to_act == seat else min)(options.values())

    return float(expectation(match, worth, choose))


def ben_has_won(first):
    """Whether Ana was lowest in the round that ``first`` was of; None while it is played."""

    def worth(match):
        if match.round == first.round and match.outcome is None:
            return None
        losers = match.outcome.losers if match.outcome else match.lost
        return int(match.coasters[0] > 0 or 0 in losers)

    return worth


@pytest.mark.parametrize("game", ["chicago", "maxen"])
@pytest.mark.parametrize("dice", [(6, 1, 1), (5, 4, 2)])
@pytest.mark.parametrize("limit", [1, 2])
def test_the_second_player_throws_best_for_the_score_to_beat(game, dice, limit):
    match = begun(game, *[Roll(dice)] * limit, Stop())
    score = three_dice.RANKS[game][dice]
    chance = three_dice.chance_to_beat(game, score, limit)
    assert fought_over(match, 1, ben_has_won(match)) == pytest.approx(chance, abs=CLOSE)


def test_three_throws_of_chicago_and_a_bonus():
    match = begun("chicago", Roll((6, 1, 1)), Roll((6, 1, 1)), Roll((6, 1, 1)))
    chance = three_dice.chance_to_beat("chicago", 260, 3)
    assert fought_over(match, 1, ben_has_won(match)) == pytest.approx(chance, abs=CLOSE)


def coasters_won(first):
    """What the round brings Ben in coasters; a General decides about all of them."""

    def worth(match):
        if match.round == first.round and match.outcome is None:
            return None
        if match.lost:
            return three_dice.ALL * (1 if match.lost == (0,) else -1)
        return match.coasters[0] - match.coasters[1]

    return worth


def test_covered_third_throws_of_maxen():
    """Ana has a one set aside and her third throw covered; Ben has two ones and one throw left."""
    match = begun("maxen", Roll((5, 4, 1)), Keep((1,)), Roll((6, 1)), Keep((6,)), Roll())
    match = play(match, Roll((4, 3, 1)), Keep((1,)), Roll((6, 1)))
    known = three_dice.worths(match)
    for action in legal_actions(match):
        after = play(match, action)
        assert known[action] == pytest.approx(
            fought_over(after, 1, coasters_won(match)), abs=CLOSE
        ), action


@pytest.mark.parametrize(("pile", "own", "other"), [(0, 1, 1), (0, 2, 1), (1, 0, 5)])
def test_with_few_coasters_left_the_match_decides(pile, own, other):
    """Ana has stopped; what is best for Ben is worked out by the rules to the round's end."""
    match = begun("chicago").replace(pile=pile, coasters=(own, other), stage=1 if pile else 2)
    match = play(match, Roll((6, 5, 2)), Stop())
    solved = Chicago()

    def ana(after):
        if after.outcome is not None:
            return Fraction(after.outcome.losers != (0,))
        if after.round == match.round:
            return None
        held = after.coasters if after.leader == 0 else after.coasters[::-1]
        chance = Fraction(solved.chance(after.pile, *held))
        assert 0 < chance < 1
        return chance if after.leader == 0 else 1 - chance

    price = solved.price(pile, own, other)
    ben = three_dice.answer("chicago", three_dice.Hand((), (6, 5, 2)), 1, price)
    worth = fought_over(match, 1, lambda after: None if ana(after) is None else -ana(after))
    assert ben.worth() == pytest.approx(worth, abs=CLOSE)


def test_a_bonus_throw_of_the_first_player_once_all_have_thrown():
    match = begun("maxen", Roll((5, 4, 1)), Roll((5, 4, 3)), Roll())
    match = play(match, Roll((4, 3, 1)), Roll((6, 2, 2)), Roll())
    match = play(match, Lift((6, 6, 1)))
    known = three_dice.worths(match)
    ana = {a: -fought_over(play(match, a), 1, coasters_won(match)) for a in legal_actions(match)}
    assert known == pytest.approx(ana, abs=CLOSE)


def test_the_first_throw_of_two_players_looks_ahead():
    match = begun("chicago", Roll((1, 1, 1)))
    worths = three_dice.worths(match)
    assert max(worths, key=worths.get) == Stop()
    assert worths[Stop()] == pytest.approx(6)


def test_somebody_between_two_others_minds_both():
    match = begun("chicago", Roll((6, 5, 1)), Stop(), players=3)
    worse = play(match, Roll((5, 4, 2)))
    assert worse.to_act == 2, "one throw each: nothing to decide"
    match = begun("chicago", Roll((6, 5, 1)), Roll((6, 5, 2)), Stop(), players=3)
    low, high = play(match, Roll((5, 4, 2))), play(match, Roll((6, 6, 1)))
    assert three_dice.worths(high)[Stop()] == 0.0
    lost = three_dice.chance_to_beat("chicago", 11, 2)
    assert three_dice.worths(low)[Stop()] == pytest.approx(-lost)


def test_covered_dice_of_others_count_by_chance():
    match = begun("maxen", Roll((5, 4, 1)), Roll((5, 4, 3)), Roll(), players=3)
    match = play(match, Roll((4, 3, 1)), Roll((6, 5, 4)), Roll(), Roll((3, 2, 2)))
    worths = three_dice.worths(match)
    assert worths[Stop()] == pytest.approx(-1.0, abs=0.1), "nearly everything beats 322"
    assert worths[Roll()] > worths[Stop()]
    giving = match.replace(stage=2, coasters=(7, 7, 7), pile=0)
    assert three_dice.worths(giving)[Roll()] > worths[Roll()]


@pytest.mark.parametrize("seven_dice", [False, True])
def test_sevens_against_a_score(seven_dice):
    rules = replace(RULES["sevens"], seven_dice=seven_dice)
    dice = (6, 6, 5, 5, 4, 4, 4)[: rules.dice]
    low, high = (1,) * rules.dice, (2,) * rules.dice
    match = play(new_match(rules, NAMES[:2], 0), Roll(low), Roll(high))
    match = play(match, Roll(dice), Roll(dice), *[Stop()] * (not seven_dice))
    match = play(match, Roll(high))
    worths = sevens.worths(match)

    def won(after):
        return None if after.round == match.round else Fraction(1 - 2 * after.coasters[1])

    best = float(expectation(match, won, lambda _, options: options[Roll()]))
    assert worths[Roll()] == pytest.approx(best, abs=CLOSE)


def begun_sevens(players, **options):
    rules = replace(RULES["sevens"], **options)
    offs = [Roll((face,) * rules.dice) for face in range(1, players + 1)]
    return play(new_match(rules, NAMES[:players], 0), *offs)


def test_the_leader_of_sevens_stops_where_three_throws_would_help_the_other():
    match = begun_sevens(2)
    good, bad = play(match, Roll((6, 6, 5, 2, 1, 1))), play(match, Roll((6,) * 6))
    assert sevens.worths(good)[Stop()] > sevens.worths(good)[Roll()]
    assert sevens.worths(bad)[Stop()] < sevens.worths(bad)[Roll()]
    counted = sevens.Round(match.rules, 2, lambda loser: (-1.0, 1.0) if loser == 0 else (1.0, -1.0))
    assert counted.worths[0] == pytest.approx(1 - 2 * 0.377353, abs=1e-6)


def test_between_two_others_everybody_does_what_is_best_for_him():
    """The leader has stopped at 8 after two throws; Ben has 9 and may throw once more."""
    match = play(begun_sevens(3), Roll((6, 6, 6, 5, 5, 4)), Roll((6, 6, 6, 1, 1, 2)), Stop())
    match = play(match, Roll((6, 6, 1, 3, 2, 1)))
    mine, worst = sevens.score(match.dice), sevens.score(match.hands[0])
    chances = sevens.scores(False)

    def cem_loses(most):
        """His best with two throws against the higher score of the two before him."""
        once = sum(chance for points, chance in chances.items() if points >= most)
        return once * once

    def ben_gets(points):
        return 0.5 - 1.5 * (1 - cem_loses(points)) if points >= worst else 0.5

    worths = sevens.worths(match)
    assert worths[Stop()] == pytest.approx(ben_gets(mine), abs=CLOSE)
    again = sum(chance * ben_gets(points) for points, chance in chances.items())
    assert worths[Roll()] == pytest.approx(again, abs=CLOSE)


def test_a_match_of_sevens_is_worth_what_its_rounds_lead_to():
    rules = replace(RULES["sevens"], rounds=2)
    loses = 0.377353  # the leader of two, a round
    solved = sevens.Standings(rules)
    assert solved.round((0, 0), (), 1).worths == pytest.approx((1 - loses, loses), abs=1e-6)
    # Who has lost the first one loses by the second too, or else by the one that decides.
    last = solved.round((1, 0), (0,), 1).worths
    assert last[0] == pytest.approx((1 - loses) * loses, abs=1e-6)
    # Of three the third has lost nothing: if he loses now, the first leads what decides.
    first, second = solved.deciding(2).worths
    ends = ((0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (first, second, 1.0))
    expected = sevens.Round(rules, 3, lambda loser: ends[loser]).worths
    assert solved.round((2, 2, 0), (0, 1), 1).worths == expected
    assert sum(solved.round((0, 0, 0), (), 2).worths) == pytest.approx(2)


def test_in_the_last_round_of_sevens_the_match_counts():
    match = begun_sevens(3, rounds=2)
    match = play(match, Roll((6,) * 6), Stop(), Roll((1,) * 6), Roll((2,) * 6))
    assert match.lost == (0,)
    match = play(match, Roll((6, 6, 5, 5, 4, 4)))
    chances = sevens.match_worths(match)
    assert max(chances, key=chances.get) == Roll()
    match = play(match, Stop(), Roll((6,) * 6), Roll((1,) * 6))  # Ben has lost one as well
    assert match.deciding
    match = play(match, Roll((6, 6, 5, 2, 1, 1)))
    chances = sevens.match_worths(match)
    assert chances[Stop()] > chances[Roll()]
    large = play(begun_sevens(3, rounds=9), Roll((6,) * 6))
    assert sevens.match_worths(large) == sevens.worths(large)


def test_the_lowest_mean_of_sevens():
    """As ``game.explore`` works it out by the rules alone, in its example."""
    assert sevens.lowest_mean(False, 3) == pytest.approx(7.345, abs=1e-3)
    assert sevens.lowest_mean(True, 1) > sevens.lowest_mean(True, 2)
