"""The best keeping, turning and stopping, against an expectation worked out by the rules alone."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from firmware.bots.arena import filled
from firmware.bots.expert import best
from game import RULES, Phase, apply, legal_actions, new_match
from game.actions import GiveCoaster, Keep, Leave, Lift, Roll, Stop
from game.coaster.rules import RANKS
from game.status import IN, SAFE
from game.strategy import among, open_games, sevens, three_dice
from game.strategy.among import NOT_LOWEST, facing
from game.strategy.coasters import solved, standings
from tests.game.strategy.two_players import PLAYED
from tests.support.expectations import expectation, successors

NAMES = ("Ana", "Ben", "Cem", "Dora")
CLOSE = 1e-12
MORE_COASTERS = replace(RULES["maxen"], coasters=22)


def play(match, *actions):
    for action in actions:
        match = apply(match, action).match
    return match


def begun(game, *actions, players=2):
    """A round that Ana leads."""
    rolls_off = ((1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4))[:players]
    return play(new_match(RULES[game], NAMES[:players], 0), *map(Roll, rolls_off), *actions)


def fought_over(match, seat, worth, action=None):
    """Return a match's worth to ``seat`` after ``action`` if all others want the opposite."""

    def choose(after, options):
        if action is not None and after.turn == match.turn:
            return options[action]
        return (max if after.to_act == seat else min)(options.values())

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
    chance = 1 - facing(game, NOT_LOWEST, 0, limit, RANKS[game][dice]).up_to(RANKS[game][dice])
    assert fought_over(match, 1, ben_has_won(match)) == pytest.approx(chance, abs=CLOSE)


def test_three_throws_of_chicago_and_a_bonus():
    match = begun("chicago", Roll((6, 1, 1)), Roll((6, 1, 1)), Roll((6, 1, 1)))
    chance = 1 - facing("chicago", NOT_LOWEST, 0, 3, 260).up_to(260)
    assert fought_over(match, 1, ben_has_won(match)) == pytest.approx(chance, abs=CLOSE)


def agrees(match):
    """Every choice is worth what the rules make of it to the round's end."""
    seat = match.to_act

    def worth(after):
        if after.outcome is not None:
            return Fraction(seat not in after.outcome.losers)
        if after.round == match.round or after.phase is Phase.LEVELLING:
            return None
        return Fraction(three_dice.chances(after)[seat])

    known = three_dice.worths(match)
    assert set(known) == set(legal_actions(match))
    for action, each in known.items():
        assert each == pytest.approx(fought_over(match, seat, worth, action), abs=1e-11), action


def test_covered_third_throws_of_maxen():
    """Ana has a one set aside and her third throw covered; Ben has two ones and one throw left."""
    match = begun("maxen", Roll((5, 4, 1)), Keep((1,)), Roll((6, 1)), Keep((6,)), Roll())
    agrees(play(match, Roll((4, 3, 1)), Keep((1,)), Roll((6, 1))))


def test_a_bonus_throw_of_the_first_player_once_all_have_thrown():
    match = begun("maxen", Roll((5, 4, 1)), Roll((5, 4, 3)), Roll())
    match = play(match, Roll((4, 3, 1)), Roll((6, 2, 2)), Roll())
    agrees(play(match, Lift((6, 6, 1))))
    agrees(play(match, Lift((6, 2, 1)), Lift((6, 6, 2))))


@pytest.mark.parametrize("coasters", [(0, 20, 1), (0, 10, 11), (4, 8, 9), (21, 0, 0)])
def test_the_standing_of_a_half_decides(coasters):
    pile, *held = coasters
    match = begun("maxen").replace(pile=pile, coasters=tuple(held), stage=1 if pile else 2)
    agrees(play(match, Roll((6, 5, 2)), Roll((3, 3, 3)), Stop(), Roll((6, 6, 3))))


@pytest.mark.parametrize("lost", [(0,), (1,), (0, 1), (1, 0)])
def test_the_halves_before_decide(lost):
    match = begun("maxen").replace(lost=lost, half=len(lost) + 1)
    agrees(play(match, Roll((6, 5, 2)), Roll((3, 3, 3)), Stop(), Roll((6, 6, 3))))


@pytest.mark.parametrize(("pile", "own", "other"), [(0, 1, 1), (0, 2, 1), (1, 0, 5), (1, 4, 1)])
@pytest.mark.parametrize("levelling", [False, True])
def test_with_few_coasters_left_the_match_decides(pile, own, other, levelling):
    match = begun("chicago").replace(pile=pile, coasters=(own, other), stage=1 if pile else 2)
    match = match.replace(rules=replace(match.rules, levelling=levelling))
    agrees(play(match, Roll((6, 5, 2)), Roll((6, 5, 3)), Stop(), Roll((6, 4, 2))))


@pytest.mark.parametrize("leader", [0, 1])
def test_giving_a_coaster_away_is_worth_what_follows(leader):
    rules = replace(RULES["chicago"], levelling=True)
    match = new_match(rules, NAMES[:2], 0).replace(phase=Phase.LEVELLING, order=(), stage=2, pile=0)
    match = match.replace(to_act=0, leader=leader, coasters=(5, 1), round=6)
    worths = three_dice.worths(match)
    assert set(worths) == set(legal_actions(match))
    for action, worth in worths.items():
        assert worth == pytest.approx(three_dice.chances(play(match, action))[0])


def test_among_three_a_coaster_is_given_away():
    rules = replace(RULES["chicago"], levelling=True)
    match = new_match(rules, NAMES[:3], 0).replace(phase=Phase.LEVELLING, order=(), stage=2, pile=0)
    match = match.replace(to_act=0, leader=0, coasters=(4, 1, 1), round=6)
    worths = three_dice.worths(match)
    for action, worth in worths.items():
        assert worth == pytest.approx(three_dice.chances(play(match, action))[0])
    assert max(worths, key=worths.get) != GiveCoaster(None)
    more = match.replace(rules=replace(rules, coasters=11))
    worths = {GiveCoaster(1): 1.5, GiveCoaster(2): 1.5, GiveCoaster(None): 0.0}
    assert three_dice.worths(more) == worths


@pytest.mark.parametrize("rules", PLAYED, ids=lambda rules: f"{rules.game} {rules.levelling}")
def test_what_is_shipped_follows_from_the_rules(rules):
    """Each standing from the next ones, of which every seventeenth is tried."""
    kept = solved(rules)
    for standing in list(standings(rules, 2))[::17]:
        worth = kept.duel(standing).opening().worth
        assert kept.chance(standing) == pytest.approx(worth, abs=1e-12)


def test_a_half_with_few_coasters_is_solved_on_the_spot():
    rules = replace(RULES["maxen"], coasters=3)
    found = solved(rules)
    for standing in standings(rules, 2):
        assert found.chance(standing) == pytest.approx(found.duel(standing).opening().worth)
    more = begun("maxen").replace(rules=replace(RULES["maxen"], coasters=22), pile=22)
    assert not open_games.for_the_match(more.rules, 2)
    worths = three_dice.worths(play(more, Roll((6, 5, 2))))
    assert worths[Stop()] < 0


def test_the_first_throw_of_two_players_looks_ahead():
    match = begun("chicago", Roll((1, 1, 1)))
    worths = three_dice.worths(match)
    assert max(worths, key=worths.get) == Stop()
    assert worths[Stop()] == pytest.approx(1)


def test_who_follows_a_leader_that_left_has_his_throws():
    match = begun("maxen", Roll((5, 4, 1)), Roll((5, 4, 1)), Stop(), Roll((6, 4, 2)), players=3)
    match = play(match, Leave(0))
    assert (match.to_act, match.order, match.limit) == (1, (1, 2), 2)

    def worth(after):
        return None if after.round == match.round else Fraction(three_dice.chances(after)[1])

    assert three_dice.worths(match)[Stop()] == pytest.approx(
        fought_over(match, 1, worth, Stop()), abs=1e-11
    )


@pytest.mark.parametrize(
    ("game", "stage", "held", "lost"),
    [
        ("maxen", 1, (6, 6, 6), ()),
        ("maxen", 2, (5, 15, 1), (1,)),
        ("maxen", 2, (19, 1, 1), (2,)),
        ("chicago", 1, (1, 1, 1), ()),
        ("chicago", 2, (1, 2, 1), ()),
        ("chicago", 1, (0, 0, 0), ()),
    ],
)
def test_the_last_of_three_knows_what_he_throws_for(game, stage, held, lost):
    """Ana and Ben have stopped after two throws, Cem may throw once more: he minds them both."""
    pile = (2 - stage) * (3 if any(held) else 1)
    match = begun(game, players=3).replace(stage=stage, pile=pile, coasters=held)
    match = match.replace(lost=lost, half=1 + len(lost))
    agrees(play(match, *[Roll((6, 5, 1))] * 2, Stop(), *[Roll((6, 4, 2))] * 2, Roll((6, 6, 2))))


def test_with_other_coasters_than_usual_the_last_of_three_throws_for_those_of_the_round():
    match = begun("maxen", players=3)
    match = match.replace(stage=2, pile=0, coasters=(8, 7, 7), rules=MORE_COASTERS)
    match = play(match, *[Roll((6, 5, 1))] * 2, Stop(), *[Roll((6, 4, 2))] * 2, Roll((6, 6, 2)))

    def took(after):
        """The round took this from Cem, more than the mean of the others."""
        if after.lost:
            ana, ben, cem = (-22 * (seat == after.lost[0]) for seat in range(3))
        elif after.round == match.round:
            return None
        else:
            ana, ben, cem = (old - new for old, new in zip(match.coasters, after.coasters))
        return Fraction(cem) - Fraction(ana + ben, 2)

    assert not open_games.for_the_match(match.rules, 3)
    for action, worth in three_dice.worths(match).items():
        assert worth == pytest.approx(fought_over(match, 2, took, action), abs=CLOSE), action


def test_with_other_coasters_the_last_two_of_three_throw_for_a_part_of_all():
    """Ben is safe. Two alone have the same chances in a match of their own."""
    rules = replace(RULES["chicago"], coasters=5)
    pair = begun("chicago").replace(rules=rules, stage=2, pile=0, coasters=(2, 1))
    three = begun("chicago", players=3).replace(rules=rules, stage=2, pile=0, coasters=(2, 0, 1))
    three = three.replace(status=(IN, SAFE, IN), safe=(1,), order=(0, 2))
    alone = three_dice.worths(play(pair, Roll((6, 5, 2))))
    for action, worth in three_dice.worths(play(three, Roll((6, 5, 2)))).items():
        assert worth == pytest.approx(5 * alone[action])


def test_tables_of_a_round_that_is_played_for_itself_are_made_beforehand():
    """Many rounds of sevens, and other coasters than usual."""
    rules = replace(RULES["sevens"], rounds=10)
    sevens.counted.cache_clear()
    open_games.prepare(rules, 5)
    assert sevens.counted.cache_info().currsize == 1
    match = begun("maxen", players=3)
    match = match.replace(rules=replace(match.rules, coasters=5))
    open_games.prepare_round(match)
    made = among._turn.cache_info().misses
    three_dice.worths(play(match, Roll((6, 5, 2))))
    assert among._turn.cache_info().misses == made


@pytest.mark.parametrize("lost", [(), (2,)])
def test_the_chances_of_three_add_up(lost):
    match = begun("maxen", players=3).replace(coasters=(0, 14, 7), pile=0, stage=2, lost=lost)
    match = match.replace(half=1 + len(lost), order=(2, 1), leader=2, to_act=2)
    chances = three_dice.chances(match)
    assert sum(chances.values()) == pytest.approx(2, abs=1e-3)
    assert chances[0] > max(chances[1], chances[2]) or lost
    third = begun("maxen", players=3).replace(order=(0, 1), lost=(0, 1), half=3)
    assert three_dice.chances(third)[2] == 1


def test_who_leaves_with_coasters_leaves_an_estimate():
    match = begun("maxen", players=4).replace(coasters=(4, 5, 6, 6), pile=0, stage=2)
    match = play(match, Leave(3))
    first, *others = three_dice.told(match.rules).worths((0, match.coasters[:3]))
    assert (first, *others) == (1 - 4 / 15, 1 - 5 / 15, 1 - 6 / 15)


def test_a_chicago_is_worth_what_it_gets_rid_of():
    match = begun("chicago", Roll((6, 5, 1)), Stop(), players=3)
    dealt = match.replace(stage=2, pile=0, coasters=(1, 2, 3))
    alone, richer = (
        among.turn(each, among.ends(each, 1)).worth
        for each in (dealt, dealt.replace(coasters=(1, 5, 3)))
    )
    assert richer > alone
    first = among.stakes(match, 1)
    assert first[-1] == (300, 1.0, 2.0), "a share of six"


def test_covered_dice_of_others_count_by_chance():
    match = begun("maxen", Roll((5, 4, 1)), Roll((5, 4, 3)), Roll(), players=3)
    match = play(match, Roll((4, 3, 1)), Roll((6, 5, 4)), Roll(), Roll((3, 2, 2)))
    worths = three_dice.worths(match)
    assert worths[Roll()] > worths[Stop()] + 0.005, "nearly everything beats 322"
    lifted = play(match, Stop(), Lift((6, 6, 2)))
    worths = three_dice.worths(lifted)
    assert max(worths, key=worths.get) == Keep((), 1)


@pytest.mark.parametrize("seven_dice", [False, True])
def test_sevens_against_a_score(seven_dice):
    rules = replace(RULES["sevens"], seven_dice=seven_dice, rounds=99)
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
    counted = sevens.SevensRound(
        match.rules, 2, lambda loser: (-1.0, 1.0) if loser == 0 else (1.0, -1.0)
    )
    assert counted.worths[0] == pytest.approx(1 - 2 * 0.377353, abs=1e-6)


def test_between_two_others_everybody_does_what_is_best_for_him():
    """The leader has stopped at 8 after two throws; Ben has 9 and may throw once more."""
    match = begun_sevens(3, rounds=99)
    match = play(match, Roll((6, 6, 6, 5, 5, 4)), Roll((6, 6, 6, 1, 1, 2)), Stop())
    match = play(match, Roll((6, 6, 1, 3, 2, 1)))
    mine, worst = sevens.score(match.dice), sevens.score(match.hands[0])
    chances = sevens.scores(match.rules)

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


def test_the_limit_of_throws_outlives_the_leader_who_set_it():
    """Ana has thrown twice and leaves: Ben may stop at once, and Cem throw twice all the same."""
    match = begun_sevens(3, rounds=1)
    match = play(match, Roll((6,) * 6), Roll((1,) * 6), Stop(), Leave(0), Roll((6, 6, 6, 1, 1, 2)))
    chances = sevens.scores(match.rules)
    mine = sevens.score(match.dice)
    once = sum(chance for points, chance in chances.items() if points >= mine)
    assert sevens.worths(match)[Stop()] == pytest.approx(float(once * once), abs=CLOSE)


def test_a_match_of_sevens_is_worth_what_its_rounds_lead_to():
    rules = replace(RULES["sevens"], rounds=2)
    loses = 0.377353  # the leader of two, a round
    solved = sevens.SevensStandings(rules, 3)
    assert solved.round((0, 0), (), 1).worths == pytest.approx((1 - loses, loses), abs=1e-6)
    # The loser of the first round also loses by the second, or else by the deciding one.
    last = solved.round((1, 0), (0,), 1).worths
    assert last[0] == pytest.approx((1 - loses) * loses, abs=1e-6)
    # The third of three has lost nothing: after a loss now, the first leads the deciding round.
    first, second = solved.deciding(2).worths
    ends = ((0.0, 1.0, 1.0), (1.0, 0.0, 1.0), (first, second, 1.0))
    expected = sevens.SevensRound(rules, 3, lambda loser: ends[loser]).worths
    assert solved.round((2, 2, 0), (0, 1), 1).worths == expected
    assert sum(solved.round((0, 0, 0), (), 2).worths) == pytest.approx(2)


def test_in_the_last_round_of_sevens_the_match_counts():
    match = begun_sevens(3, rounds=2)
    match = play(match, Roll((6,) * 6), Stop(), Roll((1,) * 6), Roll((2,) * 6))
    assert match.lost == (0,)
    match = play(match, Roll((6, 6, 5, 5, 4, 4)))
    chances = sevens.worths(match)
    assert max(chances, key=chances.get) == Roll()
    match = play(match, Stop(), Roll((6,) * 6), Roll((1,) * 6))  # Ben has lost one as well
    assert match.deciding
    match = play(match, Roll((6, 6, 5, 2, 1, 1)))
    chances = sevens.worths(match)
    assert chances[Stop()] > chances[Roll()]
    large = play(begun_sevens(3, rounds=30), Roll((6,) * 6))
    assert not open_games.for_the_match(large.rules, 3)
    assert sevens.worths(large)[Roll()] > sevens.worths(large)[Stop()]


def test_a_large_match_of_sevens_is_nearly_worth_what_the_whole_solution_says():
    rules = replace(RULES["sevens"], rounds=3)
    whole, shared = sevens.SevensStandings(rules, 3), sevens.SevensStandings(rules, 99)
    for lost, losers, left in (((0, 0, 0), (), 3), ((1, 0, 0), (0,), 2), ((1, 1, 0), (0, 1), 1)):
        found = shared.round(lost, losers, left).worths
        assert sum(found) == pytest.approx(2)
        assert found == pytest.approx(whole.round(lost, losers, left).worths, abs=0.01)


def test_in_the_last_round_of_a_large_match_of_sevens_two_have_lost_already():
    """Four play five rounds: the first two are tied at the top, and Cem is out of danger."""
    match = begun_sevens(4).replace(round=5, lost=(0, 1, 0, 1), coasters=(2, 2, 0, 0))
    assert open_games.for_the_match(match.rules, 4)
    chances = sevens.chances(match)
    assert chances[2] == chances[3] == pytest.approx(1)
    assert sum(chances.values()) == pytest.approx(3)


def may_end_well(match, seat, known):
    """Return whether ``seat`` can still be spared in this round, by the rules alone."""
    if match.outcome is not None or match.round != known["round"]:
        return match.outcome is None or seat not in match.outcome.losers
    position = match.replace(turn=0)
    if position not in known:
        known[position] = False
        known[position] = any(may_end_well(after, seat, known) for _, after in successors(match))
    return known[position]


def gives_in(before, action, after):
    """Return whether a choice loses the match that another one could still win."""
    seat = before.to_act
    if isinstance(action, Roll) or after.outcome is None or seat not in after.outcome.losers:
        return False
    return may_end_well(before, seat, {"round": before.round})


def test_who_stops_below_the_other_with_a_throw_left_gives_in():
    """Ana puts her last coaster out of the game; Ben could have thrown better."""
    match = begun("chicago", Roll((6, 6, 5)), Roll((6, 6, 5)), Stop(), Roll((2, 2, 3)))
    match = match.replace(pile=0, stage=2, coasters=(1, 5))
    assert gives_in(match, Stop(), play(match, Stop()))


@pytest.mark.night
@pytest.mark.parametrize(("game", "matches"), [("chicago", 100), ("maxen", 5), ("sevens", 100)])
def test_no_expert_loses_a_match_by_a_choice_while_another_may_win_it(game, matches):
    """Five play; the last to throw could stop too early."""
    rng = Random(5)
    for _ in range(matches):
        match = new_match(RULES[game], (*NAMES, "Emil"), rng.randrange(5))
        while match.outcome is None:
            action = filled(match, best(match) or legal_actions(match)[0], rng)
            before, match = match, apply(match, action).match
            assert not gives_in(before, action, match)
