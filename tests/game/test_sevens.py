# ruff: noqa: N802 - tests are named after rules
"""The rules of ``sevens``. Each test carries its rule's id."""

from functools import partial
from itertools import product

import pytest

from game import Phase, Reason, legal_actions, view
from game import events as e
from game.actions import Announce, Leave, Roll, Stop, StopMatch, VoidRound
from game.sevens import score
from tests.support.referees.naive_open_checker import left_in_sevens
from tests.support.rules_table import OpenTable

ZERO = (6, 1, 5, 2, 4, 3)
HIGH = (6, 6, 6, 6, 6, 6)


sevens = partial(OpenTable, "sevens")


@pytest.mark.parametrize(
    ("dice", "left"),
    [
        (ZERO, 0),
        (HIGH, 36),
        ((1, 1, 1, 1, 1, 1), 6),
        ((6, 6, 1, 1, 1, 1), 2),
        ((5, 2, 2, 4, 4, 3), 6),
        ((6, 5, 4, 6, 5, 4), 30),
    ],
)
def test_S_1_pairs_of_seven_are_taken_away(dice, left):
    assert score(dice) == left


def test_S_1_needs_six_dice():
    for dice in ((1, 2, 3), (1, 2, 3, 4, 5, 7), (1,) * 7):
        with pytest.raises(ValueError, match="6 dice of 1 to 6 are needed"):
            score(dice)


def test_S_2_up_to_three_throws_each_replacing_the_one_before():
    t = sevens(2).after(Roll(ZERO))
    assert legal_actions(t.match) == (Roll(), Stop())
    t.do(Roll(ZERO))
    assert t.do(Roll(HIGH)) == (e.Threw(0, HIGH, 3),)
    assert (t.match.to_act, t.match.hands[0]) == (1, HIGH)


def test_S_2_all_dice_are_thrown_openly_each_time():
    t = sevens(2)
    assert t.refusal(Roll()) is Reason.THROWN_BEFORE_ALL
    assert t.refusal(Stop()) is Reason.FIRST_THROW_DUE
    for dice in ((1, 2, 3), (1,) * 7, (0, 1, 2, 3, 4, 5)):
        assert t.refusal(Roll(dice)) is Reason.NOT_ALL_DICE
    assert t.refusals(Roll(ZERO, tower=True), Announce(21)) == {Reason.NOT_IN_THIS_GAME}
    assert view(t.match, 1) is t.match


def test_S_4_no_pile_and_no_second_stage():
    match = sevens(2).match
    assert (match.stage, match.pile) == (0, 0)


def test_S_3_the_source_s_example_scores_four():
    assert score((6, 1, 2, 2, 3, 3, 1), seven_dice=True) == 4


def test_S_3_the_grouping_that_takes_away_most_counts():
    for dice in list(product(range(1, 7), repeat=7))[::2357]:
        assert score(dice, seven_dice=True) == left_in_sevens(dice, any_number=True)


def test_S_3_seven_dice_and_at_most_two_throws():
    t = sevens(2, seven_dice=True)
    assert t.refusal(Roll(ZERO)) is Reason.NOT_ALL_DICE
    t.do(Roll((6,) * 7), Roll((6, 1, 2, 2, 3, 3, 1)))
    assert t.match.to_act == 1
    assert e.RoundDecided(best=0, worst=1) in t.turn((6,) * 7, (6, 1, 2, 2, 3, 3, 1))


def test_S_4_the_highest_score_loses_the_later_of_equals():
    t = sevens(4, lead=1)
    events = t.round(HIGH, ZERO, HIGH, ZERO)
    assert e.RoundDecided(best=2, worst=3) in events
    assert e.CoastersMoved(None, 3, 1) in events
    assert events[-1] == e.RoundBegan(2, 3)
    assert t.match.coasters == (0, 0, 0, 1)


def test_S_4_most_coasters_after_five_rounds_lose_the_match():
    t = sevens(2)
    for _ in range(4):
        t.round(HIGH, ZERO)
    assert t.match.phase is Phase.TO_THROW
    events = t.round(HIGH, ZERO)
    assert isinstance(events[-1], e.MatchEnded)
    outcome = t.match.outcome
    assert (outcome.rule, outcome.losers, outcome.tally) == ("S-4", (0,), (5, 0))
    assert t.refusals(Roll(), Stop(), Leave(0), VoidRound(), StopMatch()) == {Reason.MATCH_OVER}
    assert legal_actions(t.match) == ()


def test_S_4_the_one_of_them_who_lost_a_round_last_leads_the_deciding_round():
    t = sevens(3, rounds=5)
    for throws in (
        (HIGH, ZERO, ZERO),  # Ana
        (HIGH, ZERO, ZERO),  # Ana
        (ZERO, HIGH, ZERO),  # Ben
        (HIGH, ZERO, ZERO),  # Ben
        (ZERO, HIGH, ZERO),  # Cem
    ):
        events = t.round(*throws)
    assert events[-2:] == (e.DecidingRound((0, 1)), e.RoundBegan(6, 1))


def test_S_5_the_lowest_pip_sum_leads_no_sevens_taken_away():
    t = sevens(3, lead=None).after(Roll(ZERO), Roll((2, 2, 2, 2, 2, 2)))
    assert t.do(Roll((1, 1, 1, 1, 4, 4)))[-1] == e.Tied((1, 2))
    t.do(Roll(ZERO))
    assert t.do(Roll((1, 1, 1, 1, 1, 1)))[-1] == e.RoundBegan(1, 2)


def test_B_10_leaving_and_voiding():
    t = sevens(4).set(coasters=(0, 1, 2, 0), lost=(1, 2, 2))
    t.turn(ZERO)
    assert t.do(Leave(2)) == (e.LeftTable(2), e.CoastersMoved(2, None, 2))
    assert (t.match.gone, t.match.order) == (2, (0, 1, 3))
    assert t.do(Leave(1))[-2:] == (e.RoundVoided(1), e.RoundBegan(2, 3))
    assert t.refusal(VoidRound()) is Reason.NO_ROUND
    t.turn(ZERO)
    assert t.do(VoidRound()) == (e.RoundVoided(2), e.RoundBegan(3, 3))
    assert t.refusals(*map(Leave, (1, 4, None, 0.0))) == {Reason.NOT_AT_THE_TABLE}
    t.do(Leave(0))
    assert (t.match.outcome.rule, t.match.outcome.losers) == ("B-10", ())
    assert t.match.outcome.left == (0, 1, 2)


def test_B_10_a_voided_round_does_not_count():
    t = sevens(2, rounds=1).after(Roll(ZERO), VoidRound())
    assert t.match.outcome is None
    t.round(ZERO, HIGH)
    assert t.match.outcome.losers == (1,)


def test_B_10_leaving_a_roll_off():
    t = sevens(4, lead=None).after(Roll(ZERO), Leave(0))
    assert t.match.to_act == 1
    assert t.refusal(VoidRound()) is Reason.NO_ROUND
    t.do(Roll(HIGH), Roll(HIGH))
    assert t.do(Leave(3))[-1] == e.Tied((1, 2))
    t = sevens(3, lead=None).after(Roll(ZERO), Roll(ZERO), Roll(HIGH))
    assert t.do(Leave(1))[-1] == e.RoundBegan(1, 0)


def test_B_10_a_deciding_round_needs_two():
    t = sevens(3, rounds=2)
    t.round(ZERO, ZERO, HIGH)
    t.round(ZERO, HIGH, ZERO)
    t.do(Leave(1))
    assert t.match.deciding
    t.do(Leave(0))
    assert (t.match.outcome.rule, t.match.outcome.losers) == ("B-10", ())
