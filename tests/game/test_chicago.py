# ruff: noqa: N802 - tests are named after rules
"""The rules of ``chicago``: values, throws, phases, levelling. Each test carries its rule's id."""

from functools import partial
from itertools import product

import pytest

from game import Phase, Reason, Status, legal_actions, view
from game import events as e
from game.actions import GiveCoaster, Keep, Leave, Lift, Roll, Stop, VoidRound
from game.coaster.rules import chicago_points
from tests.support.rules_table import OpenTable

CHICAGO = (1, 1, 1)
GOOD, FAIR, LOW = (6, 6, 5), (6, 4, 2), (2, 2, 3)


chicago = partial(OpenTable, "chicago")


@pytest.mark.parametrize(
    ("dice", "points"),
    [((5, 4, 2), 11), ((6, 4, 2), 66), ((6, 6, 3), 123), ((6, 1, 3), 163), ((2, 2, 2), 6)],
)
def test_C_1_what_a_throw_is_worth(dice, points):
    assert chicago_points(dice) == points


def test_C_2_chicago_is_above_everything():
    others = [dice for dice in product(range(1, 7), repeat=3) if dice != CHICAGO]
    assert max(map(chicago_points, others)) < chicago_points(CHICAGO)


def test_T_2_one_or_two_dice_are_set_aside_or_none():
    t = chicago(2).after(Roll((1, 4, 2)))
    assert t.keeps() == {Keep(a) for a in ((1,), (4,), (2,), (4, 1), (2, 1), (4, 2))}
    t.do(Roll((1, 5, 5)), Keep((1,)))
    assert t.refusal(Roll((1, 5, 5))) is Reason.NOT_THE_DICE_IN_PLAY
    t.do(Roll((6, 6)))
    assert t.match.aside == (1,)
    assert t.refusal(Keep((6, 6, 6, 6))) is Reason.NOT_THESE_DICE


def test_T_4_a_bonus_throw_needs_that_every_die_set_aside_is_a_one():
    t = chicago(2).after(Roll((5, 4, 2)), Keep((5,)), Roll((4, 2)), Roll((6, 6)))
    assert t.match.to_act == 1
    t.do(Roll((5, 4, 2)), Roll((5, 4, 2)), Roll((6, 6, 4)))
    assert t.keeps() == {Keep((), 1)}
    assert t.refusal(Keep((4,), 1)) is Reason.ONLY_ONES
    t.do(Keep((), 1))
    assert e.RoundDecided(best=1, worst=0) in t.do(Roll((1, 1)))


def test_T_5_every_throw_is_open():
    t = chicago(2).after(Roll(FAIR), Roll(FAIR))
    assert t.refusal(Roll()) is Reason.THROWN_OPENLY
    t.do(Roll(FAIR))
    assert view(t.match, 1) == t.match
    assert t.refusal(Lift()) is Reason.THROW_DUE


def test_R_CHI_1_the_worst_throw_takes_one_of_six_and_leads():
    t = chicago(3)
    assert t.match.pile == 6
    events = t.round(GOOD, LOW, FAIR)
    assert e.CoastersMoved(None, 1, 1) in events
    assert events[-1] == e.RoundBegan(2, 1)
    assert (t.match.pile, t.match.coasters) == (5, (0, 1, 0))


def test_R_CHI_2_who_throws_chicago_leaves_once_the_round_is_played():
    t = chicago(3).set(coasters=(2, 0, 0), pile=4)
    t.turn(CHICAGO)
    assert t.match.status[0] is Status.IN
    t.turn(FAIR)
    events = t.turn(LOW)
    assert events[-5:] == (
        e.RoundDecided(0, 2),
        e.CoastersMoved(None, 2, 1),
        e.CoastersMoved(0, None, 2),
        e.GotSafe(0),
        e.RoundBegan(2, 2),
    )
    assert t.match.status == (Status.SAFE, Status.IN, Status.IN)
    assert (t.match.coasters, t.match.gone, t.match.pile) == ((0, 0, 1), 2, 3)
    assert t.match.order == (2, 1)


def test_R_CHI_2_the_only_player_left_has_lost():
    t = chicago(2)
    events = t.round(LOW, CHICAGO)
    assert isinstance(events[-1], e.MatchEnded)
    outcome = t.match.outcome
    assert (outcome.rule, outcome.losers, outcome.out) == ("R-CHI-2", (0,), (1,))
    assert outcome.tally == (1, 0)
    for action in (Roll(), Stop(), Keep(), Lift(), GiveCoaster(0), Leave(0), VoidRound()):
        assert t.refusal(action) is Reason.MATCH_OVER


def test_R_CHI_2_the_only_player_left_by_leaving_even_without_a_coaster():
    t = chicago(2).after(Leave(0))
    assert (t.match.outcome.rule, t.match.outcome.losers) == ("R-CHI-2", (1,))
    assert t.match.outcome.left == (0,)


def test_R_CHI_3_who_has_none_when_all_are_dealt_is_safe():
    t = chicago(4).set(coasters=(3, 0, 2, 0), pile=1)
    events = t.round(FAIR, GOOD, GOOD, LOW)
    assert events[-3:] == (e.PhaseTwoBegan(), e.GotSafe(1), e.RoundBegan(2, 3))
    assert (t.match.order, t.match.stage, t.match.safe) == ((3, 0, 2), 2, (1,))


def test_R_CHI_3_several_are_safe_in_playing_order_from_who_leads():
    t = chicago(4).set(coasters=(5, 0, 0, 0), pile=1)
    t.round(FAIR, GOOD, LOW, GOOD)
    assert (t.match.order, t.match.safe) == ((2, 0), (3, 1))


def test_R_CHI_3_the_last_one_holding_a_coaster_has_lost():
    t = chicago(2).set(stage=2, pile=0, coasters=(1, 1), gone=4)
    t.round(GOOD, LOW)
    outcome = t.match.outcome
    assert (outcome.rule, outcome.losers, outcome.tally) == ("R-CHI-3", (1,), (0, 1))
    assert outcome.out == (0,)


def test_R_CHI_3_at_once_if_there_is_only_one_when_the_phase_begins():
    t = chicago(3).set(pile=1, coasters=(0, 0, 5))
    t.round(GOOD, FAIR, LOW)
    assert (t.match.outcome.rule, t.match.outcome.losers) == ("R-CHI-3", (2,))
    assert t.match.outcome.out == (0, 1)


def levelling(coasters, pile=1, throws=None):
    """A table at which the last coaster goes to the seat that is third in playing order."""
    t = chicago(len(coasters), levelling=True).set(pile=pile, coasters=coasters)
    t.round(*(throws or (*(FAIR,) * (len(coasters) - 1), LOW)))
    return t


def test_R_CHI_4_one_coaster_may_be_given_to_a_player_with_exactly_one():
    t = levelling((3, 1, 0))
    assert (t.match.phase, t.match.to_act) == (Phase.LEVELLING, 0)
    assert legal_actions(t.match) == (GiveCoaster(1), GiveCoaster(2), GiveCoaster(None))
    assert t.do(GiveCoaster(1)) == (e.CoastersMoved(0, 1, 1), e.RoundBegan(2, 1))
    assert t.match.coasters == (2, 2, 1)


def test_R_CHI_4_nobody_is_asked_where_no_player_has_exactly_one():
    t = levelling((3, 2, 1))
    assert t.match.coasters == (3, 2, 2)
    assert (t.match.phase, t.match.to_act) == (Phase.TO_THROW, 2)


def test_R_CHI_4_of_two_who_could_give_the_first_in_playing_order_does():
    t = chicago(4, levelling=True, coasters=12).set(pile=1, coasters=(4, 1, 3, 3))
    t.round(FAIR, GOOD, LOW, FAIR)
    assert (t.match.phase, t.match.to_act) == (Phase.LEVELLING, 2)


def test_R_CHI_4_nothing_else_while_a_coaster_is_to_be_given():
    t = levelling((3, 1, 0))
    assert t.refusals(Roll((1, 2, 3)), Stop(), Keep((1,)), Lift()) == {Reason.LEVELLING_DUE}
    assert t.refusals(*map(GiveCoaster, (0, 3, -1, True, "1"))) == {Reason.NOT_WITH_ONE}
    assert t.refusal(VoidRound()) is Reason.NO_ROUND


def test_R_CHI_4_leaving_while_a_coaster_is_to_be_given():
    t = levelling((3, 1, 0))
    assert t.do(Leave(0)) == (e.LeftTable(0), e.CoastersMoved(0, None, 3), e.RoundBegan(2, 2))
    t = levelling((3, 1, 0))
    assert t.do(Leave(2)) == (e.LeftTable(2), e.CoastersMoved(2, None, 1))
    assert t.match.phase is Phase.LEVELLING
    # The worst has left, so the next in play leads.
    assert t.do(GiveCoaster(None))[-1] == e.RoundBegan(2, 0)
    assert levelling((3, 2, 0)).do(Leave(2))[-1] == e.RoundBegan(2, 0)  # nobody with one is left


def test_R_CHI_5_the_lowest_pip_sum_leads_and_the_tied_throw_again():
    t = chicago(3, lead=None)
    t.do(Roll((1, 1, 1)), Roll((2, 2, 2)))  # pips: three ones are the lowest, not 300
    assert t.do(Roll((1, 1, 1)))[-1] == e.Tied((0, 2))
    t.do(Roll((6, 6, 6)))
    assert t.do(Roll((1, 1, 1)))[-1] == e.RoundBegan(1, 2)


def test_B_10_leaving_and_voiding():
    t = chicago(4).set(coasters=(1, 1, 1, 1), pile=2)
    t.turn(GOOD)
    assert t.do(Leave(1))[-2:] == (e.RoundVoided(1), e.RoundBegan(2, 2))
    assert (t.match.gone, t.match.pile) == (1, 2)
    t.turn(GOOD)
    assert t.do(Leave(2)) == (e.LeftTable(2), e.CoastersMoved(2, None, 1))
    assert t.match.order == (3, 0)
    t.do(VoidRound())
    assert t.match.leader == 3
