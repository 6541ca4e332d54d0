# ruff: noqa: N802 - tests are named after rules
"""The rules of ``maxen``: throws, rounds, halves, leavers. Each test carries its rule's id."""

from functools import partial
from itertools import product

import pytest

from game import CoasterHand, Phase, Reason, Status, legal_actions, view
from game import events as e
from game.actions import Announce, GiveCoaster, Keep, Leave, Lift, Roll, Stop, StopMatch, VoidRound
from game.coaster.rules import Kind, kind, maxen_rank, worth
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
    of_seat = Roll(), Stop(), Lift(), Keep(), GiveCoaster(None)
    for action in (*of_seat, Leave(0), VoidRound(), StopMatch()):
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
    assert maxen().refusal(GiveCoaster(0)) is Reason.NOT_LEVELLING


@pytest.mark.parametrize("dice", [(1, 2), (1, 2, 3, 4), (0, 1, 2), (1, 2, 7)])
def test_dice_of_the_wrong_number_or_value_are_refused(dice):
    assert maxen().refusal(Roll(dice)) is Reason.NOT_THE_DICE_IN_PLAY


@pytest.mark.parametrize(
    ("dice", "is_kind", "coasters"),
    [
        ((1, 1, 1), Kind.GENERAL, 0),
        ((1, 3, 1), Kind.MAX, 3),
        ((5, 1, 1), Kind.MAX, 5),
        ((1, 2, 1), Kind.MAX, 2),
        ((2, 2, 2), Kind.PASCH, 3),
        ((6, 6, 6), Kind.PASCH, 3),
        ((3, 1, 2), Kind.STRASSE, 2),
        ((4, 5, 6), Kind.STRASSE, 2),
        ((6, 5, 3), Kind.SCHIET, 1),
        ((6, 1, 2), Kind.SCHIET, 1),
        ((2, 2, 1), Kind.SCHIET, 1),
    ],
)
def test_M_1_what_three_dice_are_and_are_worth(dice, is_kind, coasters):
    assert (kind(dice), worth(dice)) == (is_kind, coasters)


def test_M_1_schiet_is_a_number_and_all_of_a_pasch_and_a_strasse_are_equal():
    assert maxen_rank((3, 6, 5)) == 653 > maxen_rank((5, 6, 2)) > maxen_rank((5, 5, 4))
    assert len({maxen_rank((n, n, n)) for n in range(2, 7)}) == 1
    assert len({maxen_rank((n, n + 1, n + 2)) for n in range(1, 5)}) == 1
    assert [maxen_rank((1, n, 1)) for n in range(2, 7)] == [3002, 3003, 3004, 3005, 3006]


def test_M_2_kinds_never_mix():
    order = [Kind.SCHIET, Kind.STRASSE, Kind.PASCH, Kind.MAX, Kind.GENERAL]
    for one, other in product(product(range(1, 7), repeat=3), repeat=2):
        if order.index(kind(one)) > order.index(kind(other)):
            assert maxen_rank(one) > maxen_rank(other)
    assert maxen_rank((1, 1, 2)) > maxen_rank((6, 6, 6))
    assert worth((1, 1, 2)) < worth((6, 6, 6))


def test_M_3_mit_ist_schitt_the_earlier_of_equal_throws_ranks_higher():
    assert e.RoundDecided(best=1, worst=0) in maxen(3, lead=1).round(
        (2, 2, 2), (6, 6, 6), (3, 3, 3)
    )
    t = maxen(4, lead=2)
    assert e.RoundDecided(best=3, worst=1) in t.round((6, 5, 3), (6, 5, 4), (6, 5, 3), (6, 5, 3))


def test_T_1_the_leader_sets_the_limit_and_the_others_may_stop_earlier():
    t = maxen(3)
    assert t.match.limit == 3
    t.turn((6, 5, 3), (6, 5, 4))
    assert (t.match.to_act, t.match.limit) == (1, 2)
    t.turn((6, 4, 3))
    assert (t.match.to_act, t.match.limit) == (2, 2)
    t.do(Roll((6, 3, 1)))
    assert e.RoundDecided(best=0, worst=2) in t.do(Roll((4, 2, 1)))


def test_T_2_dice_are_set_aside_and_stay():
    t = maxen(2).after(Roll((1, 4, 6)), Keep((1,)))
    assert (t.match.phase, t.match.aside, t.match.in_play) == (Phase.TO_THROW, (1,), 2)
    assert legal_actions(t.match) == (Roll(),)
    assert t.refusal(Roll((1, 2, 3))) is Reason.NOT_THE_DICE_IN_PLAY
    t.do(Roll((6, 2)))
    assert t.keeps() == {Keep((6,)), Keep((2,))}
    t.do(Keep((6,)))
    assert t.match.aside == (6, 1)
    t.do(Roll((5,)))
    assert t.match.hands[0] == CoasterHand((6, 1), (5,), covered=True)


def test_T_2_none_one_or_two_dice_but_at_least_one_is_thrown():
    t = maxen(2).after(Roll((1, 4, 4)))
    assert t.keeps() == {Keep((1,)), Keep((4,)), Keep((4, 1)), Keep((4, 4))}
    assert t.refusal(Keep((4, 4, 1))) is Reason.ALL_ASIDE
    assert t.refusal(Keep()) is Reason.NOTHING_ASIDE
    for wrong in ((1, 4), (5,), (1, 1)):
        assert t.refusal(Keep(wrong)) is Reason.NOT_THESE_DICE
    for wrong in ([4], ("four",), ((4,),), ([4],), "4", (True,)):
        assert t.refusal(Keep(wrong)) is Reason.NOT_WHOLE_NUMBERS
    assert t.refusal(Keep((4,), None)) is Reason.NOT_WHOLE_NUMBERS
    t.do(Roll((6, 5, 2)))
    assert t.match.dice == (6, 5, 2)


def test_T_3_one_of_two_sixes_may_be_turned_and_the_other_is_thrown_again():
    t = maxen(2).after(Roll((6, 3, 6)))
    assert t.keeps() == {
        *(Keep(aside) for aside in ((6,), (3,), (6, 3), (6, 6))),
        *(Keep(aside, 1) for aside in ((), (3,))),
    }
    assert t.refusal(Keep((6,), 1)) is Reason.OTHER_SIX
    assert t.refusal(Keep((), 2)) is Reason.NO_TURN
    t.do(Keep((3,), 1))
    assert t.match.aside == (3, 1)
    assert t.refusals(Stop(), Keep((), 1)) == {Reason.THROW_DUE}


def test_T_4_sixes_of_the_third_throw_bring_one_bonus_throw_and_no_limit_for_others():
    t = maxen(2)
    t.turn((6, 5, 3), (6, 5, 3), (6, 6, 5))
    t.turn((6, 5, 3), (6, 5, 3), (6, 6, 6))
    t.lift()
    assert legal_actions(t.match) == (Keep((), 1), Keep((5,), 1), Stop())
    assert t.refusal(Keep((5,))) is Reason.NO_BONUS
    assert t.refusal(Roll((6, 6, 6))) is Reason.NO_THROW_LEFT
    t.do(Keep((5,), 1))
    assert t.do(Roll((6,)))[0] == e.Threw(0, (6,), 4)
    assert (t.match.phase, t.match.to_act, t.match.limit) == (Phase.TO_LIFT, 1, 3)
    t.lift()
    t.do(Keep((), 2))
    events = t.do(Roll((6,)))  # no turning after a bonus
    assert e.RoundDecided(best=1, worst=0) in events
    assert e.CoastersMoved(None, 0, 6) in events


def test_T_5_a_third_throw_stays_covered_even_for_its_thrower():
    t = maxen(3).after(Roll((6, 1, 2)), Keep((6,)), Roll((4, 2)))
    assert t.do(Roll((5, 3))) == (e.Rolled(0, 3),)
    assert t.match.hands[0] == CoasterHand((6,), (5, 3), covered=True)
    for seat in (None, 0, 1, 2):
        assert view(t.match, seat).hands[0] == CoasterHand((6,), None, covered=True)


def test_T_5_cups_are_lifted_in_playing_order_each_decided_before_the_next():
    t = maxen(3, lead=1)
    t.turn((6, 5, 3), (6, 5, 3), (6, 6, 2))
    t.turn((6, 5, 3))
    t.turn((6, 5, 3), (6, 5, 3), (4, 2, 1))
    assert (t.match.phase, t.match.to_act) == (Phase.TO_LIFT, 1)
    assert legal_actions(t.match) == (Lift(),)
    assert t.refusals(Roll((1, 2, 3)), Stop()) == {Reason.COVERED}
    t.do(Lift())  # whose dice this copy knows
    assert t.match.to_act == 1
    t.do(Stop())
    assert (t.match.phase, t.match.to_act) == (Phase.TO_LIFT, 0)
    assert e.RoundDecided(best=1, worst=0) in t.lift()


def test_T_5_a_lift_brings_the_dice_to_a_copy_that_does_not_know_them():
    t = maxen(2)
    t.turn((6, 5, 3), (6, 5, 3), None)
    t.turn((6, 5, 3))
    assert t.refusal(Lift()) is Reason.COVERED_UNKNOWN
    assert t.refusal(Lift((6, 5))) is Reason.NOT_THE_DICE_IN_PLAY
    assert t.refusal(Lift((6, 5, 4), tower=True)) is Reason.NOT_IN_THIS_GAME
    assert t.lift((6, 5, 4))[0] == e.Lifted(0, (6, 5, 4))


def test_T_5_a_lift_shows_the_dice_that_were_thrown():
    t = maxen(2)
    t.turn((6, 5, 3), (6, 5, 3), (4, 2, 1))
    t.turn((6, 5, 3))
    assert t.refusal(Lift((4, 2, 2))) is Reason.OTHER_COVERED
    assert t.lift((1, 2, 4))[0] == e.Lifted(0, (1, 2, 4))
    assert t.refusal(Lift()) is Reason.THROW_DUE


def test_T_5_open_throws_must_be_told():
    t = maxen(2)
    assert t.refusal(Roll()) is Reason.THROWN_OPENLY
    assert t.refusal(Roll((6, 5, 3), tower=True)) is Reason.NOT_IN_THIS_GAME
    t.do(Roll((6, 5, 3)))
    assert t.refusal(Lift()) is Reason.NOTHING_COVERED
