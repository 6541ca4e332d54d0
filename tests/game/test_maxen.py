# ruff: noqa: N802 - tests are named after rules
"""The rules of ``maxen``: rounds, coasters, halves, leavers. Each test carries its rule's id."""

from functools import partial

import pytest

from game import Phase, Reason, Status, legal_actions
from game import events as e
from game.actions import Announce, Give, Keep, Leave, Lift, Roll, Stop, StopMatch, VoidRound
from tests.support.rules_table import OpenTable

GENERAL = (1, 1, 1)
LOW = (2, 2, 1)
"""The lowest throw of all, Schiet 221."""
maxen = partial(OpenTable, "maxen")


def test_R_MAX_1_the_lowest_sum_leads_and_the_tied_throw_again():
    t = maxen(4, lead=None)
    assert t.match.leader is None
    t.do(Roll((1, 1, 1)), Roll((2, 1, 1)), Roll((1, 1, 1)))
    assert t.do(Roll((1, 1, 1)))[-1] == e.Tied((0, 2, 3))
    t.do(Roll((5, 1, 1)), Roll((3, 3, 1)))
    assert t.do(Roll((4, 3, 3)))[-1] == e.Tied((0, 2))
    assert t.refusal(Stop()) is Reason.THROW_DUE
    t.do(Roll((6, 6, 5)))
    assert t.do(Roll((6, 6, 4)))[-1] == e.RoundBegan(1, 2)
    assert t.match.order == (2, 3, 0, 1)


def test_R_MAX_2_the_lowest_takes_what_the_highest_is_worth_from_the_pile():
    t = maxen(3)
    assert e.CoastersMoved(None, 2, 5) in t.round((1, 1, 5), (4, 4, 4), LOW)
    assert (t.match.pile, t.match.coasters) == (16, (0, 0, 5))


def test_R_MAX_3_who_holds_all_has_lost_the_half_at_once():
    t = maxen(3)
    t.set(pile=0, stage=2, coasters=(0, 1, 20), status=(Status.WAITS, Status.IN, Status.IN))
    t.set(order=(1, 2), leader=1, to_act=1)
    assert e.HalfLost(2, 1, "R-MAX-3") in t.round((6, 5, 3), LOW)
    assert t.match.half == 2


def test_R_MAX_4_a_general_ends_the_half_in_phase_one():
    events = maxen(3).set(pile=5, coasters=(16, 0, 0)).round(GENERAL, (6, 5, 3), LOW)
    assert e.HalfLost(2, 1, "R-MAX-4") in events
    assert not any(isinstance(event, e.CoastersMoved) for event in events)


def test_R_MAX_5_who_loses_both_halves_has_lost_the_match():
    t = maxen(3)
    t.round(GENERAL, (6, 5, 3), LOW)
    events = t.round(LOW, GENERAL, (6, 5, 3))
    assert isinstance(events[-1], e.MatchEnded)
    outcome = t.match.outcome
    assert (outcome.rule, outcome.losers, outcome.tally) == ("R-MAX-5", (2,), (0, 0, 2))
    assert (t.match.phase, t.match.to_act, legal_actions(t.match)) == (Phase.OVER, None, ())
    for action in (Roll(), Stop(), Lift(), Keep(), Give(None), Leave(0), VoidRound(), StopMatch()):
        assert t.refusal(action) is Reason.MATCH_OVER


def test_R_MAX_5_a_third_half_between_the_two_losers():
    t = maxen(4)
    t.round((6, 5, 3), GENERAL, LOW, (6, 5, 3))
    events = t.round((6, 5, 3), GENERAL, (6, 5, 3), LOW)
    assert t.match.lost == (2, 1)
    assert e.HalfBegan(3, (1, 2)) in events
    assert events[-1] == e.RoundBegan(3, 2)
    assert (t.match.order, t.match.pile) == ((2, 1), 21)
    assert t.match.status == (Status.WAITS, Status.IN, Status.IN, Status.WAITS)
    t.round(LOW, (6, 5, 3))
    assert t.match.coasters == (0, 0, 1, 0)
    t.round(GENERAL, LOW)
    assert (t.match.outcome.rule, t.match.outcome.losers) == ("R-MAX-5", (1,))
    assert t.match.outcome.tally == (0, 2, 1, 0)


def test_B_10_a_leaver_takes_his_coasters_and_all_21_reads_all_in_play():
    t = maxen(3).set(pile=0, stage=2, coasters=(10, 6, 5)).after(Roll((6, 5, 3)))
    assert t.do(Leave(2)) == (e.LeftTable(2), e.CoastersMoved(2, None, 5))
    assert (t.match.gone, t.match.order) == (5, (0, 1))
    t.do(Stop())
    t.set(coasters=(1, 15, 0))
    t.do(Roll(LOW))
    assert (t.match.lost, t.match.pile, t.match.gone) == ((1,), 21, 0)


def test_B_10_who_is_left_with_all_in_play_has_lost_the_half():
    t = maxen(3)
    t.set(pile=0, stage=2, coasters=(0, 1, 20), status=(Status.WAITS, Status.IN, Status.IN))
    t.set(order=(1, 2), leader=1, to_act=1)
    assert e.HalfLost(2, 1, "R-MAX-3") in t.do(Leave(1))
    assert t.match.status == (Status.IN, Status.LEFT, Status.IN)


def test_B_10_the_round_is_void_if_the_leaver_was_to_act():
    t = maxen(3)
    t.turn((6, 5, 3))
    assert t.do(Leave(1)) == (e.LeftTable(1), e.RoundVoided(1), e.RoundBegan(2, 2))
    assert t.match.order == (2, 0)


def test_B_10_the_round_is_void_if_the_leaver_has_covered_dice():
    t = maxen(3)
    t.turn((6, 5, 3), (6, 5, 3), (6, 5, 3))
    t.do(Roll((6, 5, 3)))
    assert e.RoundVoided(1) in t.do(Leave(0))
    assert t.match.leader == 1


def test_B_10_the_round_goes_on_without_a_leaver_whose_throw_lies_open():
    t = maxen(4)
    t.turn(LOW)
    assert t.do(Leave(0)) == (e.LeftTable(0),)
    assert (t.match.to_act, t.match.order, t.match.limit) == (1, (1, 2, 3), 1)
    assert t.do(Leave(3)) == (e.LeftTable(3),)
    t.turn((6, 5, 3))
    assert e.RoundDecided(1, 2) in t.turn((6, 5, 2))
    assert t.refusal(Leave(0)) is Reason.NOT_AT_THE_TABLE
    assert t.refusals(*map(Leave, (4, -1, None, 1.0))) == {Reason.NOT_AT_THE_TABLE}


def test_B_10_leaving_a_roll_off():
    t = maxen(4, lead=None).after(Roll((1, 1, 1)), Leave(0))
    assert t.match.to_act == 1
    t.do(Leave(1), Roll((6, 6, 6)))
    assert t.match.to_act == 3
    t.do(Roll((6, 6, 6)))
    assert t.events[-1] == e.Tied((2, 3))

    t = maxen(3, lead=None).after(Roll((1, 1, 1)), Roll((1, 1, 1)))
    assert t.do(Leave(2))[-1] == e.Tied((0, 1))
    t = maxen(3, lead=None).after(Roll((1, 1, 1)), Roll((1, 1, 1)), Roll((6, 6, 6)))
    assert t.do(Leave(0))[-1] == e.RoundBegan(1, 1)


def test_B_10_one_player_left_ends_the_match_without_a_loser():
    t = maxen(2).after(Leave(0))
    assert (t.match.outcome.rule, t.match.outcome.losers) == ("B-10", ())
    assert t.match.outcome.left == (0,)


def test_B_10_a_third_half_needs_both_its_players():
    t = maxen(3)
    t.round(GENERAL, LOW, (6, 5, 3))
    t.round((6, 5, 3), GENERAL, LOW)
    assert t.match.half == 3
    t.do(Leave(2))
    assert t.match.phase is Phase.TO_THROW
    t.do(Leave(0))
    assert (t.match.outcome.rule, t.match.outcome.losers) == ("B-10", ())

    t = maxen(3)
    t.round(GENERAL, LOW, (6, 5, 3))
    t.do(Leave(1))
    t.round(GENERAL, LOW)
    assert (t.match.outcome.rule, t.match.outcome.losers) == ("B-10", ())


def test_B_10_the_table_voids_a_round_or_stops():
    t = maxen(3)
    assert t.refusal(VoidRound()) is Reason.NO_ROUND
    t.do(Roll((6, 5, 3)))
    assert t.do(VoidRound()) == (e.RoundVoided(1), e.RoundBegan(2, 0))
    t.turn((6, 5, 3))
    t.do(Leave(0), VoidRound())
    assert t.match.leader == 1
    t.do(StopMatch())
    assert (t.match.outcome.rule, t.match.outcome.losers) == ("B-10", ())
    assert maxen(3, lead=None).refusal(VoidRound()) is Reason.NO_ROUND


def test_actions_of_other_games_are_refused():
    assert maxen().refusal(Announce(21)) is Reason.NOT_IN_THIS_GAME
    assert maxen().refusal(Give(0)) is Reason.NOT_LEVELLING


@pytest.mark.parametrize("dice", [(1, 2), (1, 2, 3, 4), (0, 1, 2), (1, 2, 7)])
def test_dice_of_the_wrong_number_or_value_are_refused(dice):
    assert maxen().refusal(Roll(dice)) is Reason.NOT_THE_DICE_IN_PLAY
