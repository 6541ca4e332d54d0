# ruff: noqa: N802 - tests are named after rules
"""R-CLASS-1 to R-CLASS-10: Meiern on handhelds."""

import pytest

from game import Outcome, Reason, Status, legal_actions, outcome, view
from game import events as e
from game.actions import Announce, Believe, Doubt, GiveIn, Lift, Look, OwnUp, Roll, ShowMaexchen
from game.bluff.rules import RANKING
from tests.support.rules_table import Table

LIE = (Roll((3, 1)), Announce(32), Doubt(), Lift())
"""The opener lies and is caught."""
TRUTH = (Roll((3, 1)), Announce(31), Doubt(), Lift())
"""The opener is doubted wrongly: the next one pays."""


def values(match):
    return [a.value for a in legal_actions(match) if isinstance(a, Announce)]


def test_R_CLASS_1_three_matches_each_and_a_penalty_costs_one():
    t = Table(players=5)
    assert t.match.matches == (3, 3, 3, 3, 3)
    assert t.do(*LIE)[1] == e.Penalised(0, cost=1, left=2)
    assert t.match.matches == (2, 3, 3, 3, 3)
    assert t.do(*TRUTH)[1] == e.Penalised(1, cost=1, left=2)
    assert t.match.matches == (2, 2, 3, 3, 3)


def test_R_CLASS_2_the_last_match_gone_a_player_swims_and_still_plays():
    t = Table()
    assert t.do(*LIE, *LIE, *LIE)[1:3] == (e.Penalised(0, cost=1, left=0), e.Swam(0))
    assert t.match.status == (Status.SWIMS, Status.IN, Status.IN)
    assert (t.match.matches, t.match.to_act) == ((0, 3, 3), 0)
    assert outcome(t.match) is None


def test_R_CLASS_2_last_standing_lists_everyone_who_went_out_in_order():
    t = Table(ends="last_standing", first=1).after(*LIE * 4)
    assert outcome(t.match) is None
    assert t.match.status == (Status.IN, Status.OUT, Status.IN)
    assert (t.match.to_act, t.match.playing) == (2, (0, 2))
    t.do(Roll((3, 1)), Announce(31))
    assert t.match.to_act == 0, "who is out is passed over"
    t.do(Believe(), Announce(32))
    assert t.match.to_act == 2
    t.do(Believe(), Announce(41))
    assert t.match.to_act == 0
    t.do(Doubt(), Lift(), *LIE * 3)
    assert outcome(t.match) == Outcome("R-CLASS-2", (1, 2), (1, 2), (), (0, 4, 4))


def test_R_CLASS_3_with_drinks_penalties_are_counted_and_nobody_swims():
    t = Table(stakes="drinks")
    assert t.do(*LIE * 6)[1:] == (e.Penalised(0, cost=1, left=None), e.RoundBegan(7, 0))
    assert t.do(*TRUTH)[1] == e.Penalised(1, cost=1, left=None)
    assert (t.match.tally, t.match.matches) == ((6, 1, 0), (0, 0, 0))
    assert t.match.status == (Status.IN,) * 3
    assert outcome(t.match) is None


def test_R_CLASS_4_the_holder_may_roll_twice():
    t = Table().after(Roll((6, 3)), Roll((5, 4)))
    assert (t.match.rolls, t.match.dice) == (2, (5, 4))
    assert t.refusal(Roll((1, 1))) is Reason.NO_ROLL_LEFT
    t.do(Announce(54), Believe())
    assert t.match.rolls == 0, "each holder has his own rolls"
    t.do(Roll((6, 3)), Roll((6, 4)))
    assert t.refusal(Roll()) is Reason.NO_ROLL_LEFT


def test_R_CLASS_4_look_only_after_the_first_roll():
    t = Table().after(Roll((6, 3)))
    assert Look() in legal_actions(t.match)
    t.do(Look())
    assert t.refusal(Look()) is Reason.ALREADY_SEEN
    t.do(Roll((5, 4)))
    assert t.match.seen is False
    assert t.refusal(Look()) is Reason.BLIND
    assert Look() not in legal_actions(t.match)


def test_R_CLASS_5_the_believer_announces_higher_with_or_without_rolling():
    t = Table().after(Roll((6, 3)), Announce(63), Believe())
    assert values(t.match) == list(RANKING[RANKING.index(64) :])
    assert legal_actions(t.match)[0] == Roll()
    assert t.refusal(Announce(63)) is Reason.TOO_LOW
    t.do(Announce(64))
    assert t.match.dice == (6, 3), "the dice stay as they are"
    t.do(Believe(), Roll((1, 1)), Announce(11))
    assert t.match.dice == (1, 1)


def test_R_CLASS_5_over_a_pair_of_sixes_only_a_maexchen_is_left():
    t = Table().after(Roll((6, 3)), Announce(66), Believe())
    assert legal_actions(t.match) == (Roll(), Announce(21))


def test_R_CLASS_6_a_seen_maexchen_may_be_shown_whatever_stands():
    t = Table().after(Roll((6, 3)), Announce(66), Believe(), Roll((1, 2)))
    assert t.refusal(ShowMaexchen()) is Reason.NOT_SEEN
    assert ShowMaexchen() not in legal_actions(t.match)
    t.do(Look())
    assert ShowMaexchen() in legal_actions(t.match)
    events = t.do(ShowMaexchen())
    assert events == (e.MaexchenShown(1), e.Penalised(2, cost=1, left=2), e.RoundBegan(2, 2))


def test_R_CLASS_6_only_a_maexchen_and_never_a_blind_one():
    t = Table().after(Roll((2, 2)), Look())
    assert t.refusal(ShowMaexchen()) is Reason.NO_MAEXCHEN
    assert ShowMaexchen() not in legal_actions(t.match)
    t.do(Roll((2, 1)))
    assert t.refusal(ShowMaexchen()) is Reason.NOT_SEEN


def test_R_CLASS_7_an_announced_maexchen_is_doubted_or_given_in_to():
    t = Table().after(Roll((3, 1)), Announce(21))
    assert legal_actions(t.match) == (Doubt(), GiveIn())
    assert t.refusal(Believe()) is Reason.MAEXCHEN_STANDS
    assert t.do(GiveIn()) == (e.GaveIn(1), e.Penalised(1, cost=1, left=2), e.RoundBegan(2, 1))


@pytest.mark.parametrize("value", [value for value in RANKING if value != 21])
def test_R_CLASS_7_nobody_gives_in_to_less(value):
    t = Table().after(Roll((3, 1)), Announce(value))
    assert t.refusal(GiveIn()) is Reason.NO_MAEXCHEN_STANDS


def test_R_CLASS_8_play_runs_clockwise():
    t = Table(players=5, first=3).after(Roll((3, 1)), Announce(31))
    order = [t.match.to_act]
    for value in (32, 41, 42, 43):
        t.do(Believe(), Announce(value))
        order.append(t.match.to_act)
    assert order == [4, 0, 1, 2, 3]


def test_R_CLASS_9_dice_show_only_to_a_player_entitled_to_look():
    t = Table().after(Roll((6, 3)), Look())
    assert view(t.match, 0).dice == (6, 3)
    assert view(t.match, 1).dice is view(t.match, 2).dice is view(t.match, None).dice is None
    t.do(Roll((5, 4)))
    assert view(t.match, 0).dice is None, "the second roll is blind"
    t.do(Announce(54), Believe())
    assert view(t.match, 1).dice is None, "accepted is not looked at"
    t.do(Roll((6, 4)))
    assert view(t.match, 1).dice is None, "a roll is seen only after the look"
    t.do(Look())
    assert view(t.match, 1).dice == (6, 4)
    assert view(t.match, 0).dice is None


def test_R_CLASS_10_owning_up_costs_a_match_and_nothing_is_checked():
    t = Table().after(Roll((6, 3)), Announce(63), Believe())
    assert t.refusal(OwnUp()) is Reason.NOT_ROLLED
    t.do(Roll((6, 6)))
    assert OwnUp() in legal_actions(t.match)
    assert t.do(OwnUp()) == (e.OwnedUp(1), e.Penalised(1, cost=1, left=2), e.RoundBegan(2, 1))
