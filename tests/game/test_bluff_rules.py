# ruff: noqa: N802 - tests are named after rules
"""B-1 to B-10, R-CLASS-1 to R-CLASS-10, V-1 to V-5: what all bluff games share, Meiern, values."""

from collections import Counter

import pytest

from firmware.display.text.language import spoken
from game import Outcome, Phase, Reason, Status, legal_actions, outcome, table_actions, view
from game import events as e
from game.actions import (
    Announce,
    Believe,
    Doubt,
    EndMatch,
    Fault,
    FaultKind,
    GiveIn,
    Leave,
    Lift,
    Look,
    OwnUp,
    Roll,
    ShowMaexchen,
    StopMatch,
    VoidRound,
    public,
)
from game.bluff.rules import DICE, MAEXCHEN, RANKING, is_pair, is_pair_of_dice, rank, value_of
from tests.support.rules_table import LIE, TRUTH, Table


def test_B_1_the_holder_rolls_looks_announces_and_offers():
    t = Table()
    assert (t.match.to_act, t.match.phase) == (0, Phase.OPENING)
    assert t.do(Roll((6, 3))) == (e.Rolled(0, 1),)
    assert t.do(Look()) == (e.Looked(0),)
    assert t.do(Announce(66)) == (e.Announced(0, 66, to=1),)
    assert (t.match.to_act, t.match.phase) == (1, Phase.OFFERED)
    assert (t.match.announced, t.match.announcer, t.match.turn) == (66, 0, 3)


def test_B_2_the_next_player_believes_or_doubts_and_who_doubts_lifts_the_cup():
    t = Table()
    assert t.refusals(Believe(), Doubt(), GiveIn(), Lift()) == {Reason.CUP_EMPTY}
    t.do(Roll((6, 3)))
    assert t.refusals(Believe(), Doubt(), GiveIn()) == {Reason.NOTHING_OFFERED}
    t.do(Announce(63))
    assert legal_actions(t.match) == (Believe(), Doubt())
    assert t.refusals(Roll(), Look(), Announce(64), OwnUp(), ShowMaexchen()) == {Reason.ANSWER_DUE}
    assert t.refusal(Lift()) is Reason.NOTHING_DOUBTED
    assert t.do(Doubt()) == (e.Doubted(1),)
    assert (t.match.to_act, t.match.phase) == (1, Phase.DOUBTED)
    assert legal_actions(t.match) == (Lift(),)
    others = Believe(), Doubt(), GiveIn(), Roll(), Look(), Announce(64)
    assert t.refusals(*others) == {Reason.LIFT_DUE}
    t = Table().after(Roll((6, 3)), Announce(63))
    assert t.do(Believe()) == (e.Believed(1),)
    assert (t.match.to_act, t.match.phase) == (1, Phase.BELIEVED)


def test_B_3_an_announcement_is_strictly_higher_and_the_opener_is_free():
    t = Table().after(Roll((6, 3)))
    assert [a.value for a in legal_actions(t.match) if isinstance(a, Announce)] == list(RANKING)
    t.do(Announce(65), Believe(), Roll((3, 1)))
    assert t.refusals(Announce(65), Announce(31)) == {Reason.TOO_LOW}
    higher = [a.value for a in legal_actions(t.match) if isinstance(a, Announce)]
    assert higher == [11, 22, 33, 44, 55, 66, 21]
    t.do(Announce(11))


def test_B_4_announcing_more_than_the_dice_is_a_lie_and_less_is_none():
    for said, liar in ((64, True), (63, False), (31, False)):
        events = Table().do(Roll((3, 6)), Announce(said), Doubt(), Lift())
        assert events[0] == e.Revealed(1, (3, 6), said, announcer=0, lied=liar)
        assert events[1].seat == (0 if liar else 1)


def test_B_4_with_understating_a_lie_any_difference_is_one():
    for said, liar in ((64, True), (63, False), (31, True)):
        events = Table(understating="lie").do(Roll((3, 6)), Announce(said), Doubt(), Lift())
        assert events[0].lied is liar
        assert events[1] == e.Penalised(0 if liar else 1, cost=1, left=2)


def test_B_4_lifted_dice_are_the_rolled_ones_in_any_order():
    t = Table().after(Roll((3, 6)), Announce(63), Doubt())
    assert t.refusal(Lift((5, 6))) is Reason.OTHER_DICE
    assert t.refusal(Lift((3, 7))) is Reason.NO_SUCH_DICE
    assert t.do(Lift((6, 3)))[0].lied is False


def test_B_5_the_answer_is_about_the_last_announcement_whoever_rolled():
    t = Table().after(Roll((3, 1)), Announce(31), Believe(), Announce(32), Doubt())
    assert t.match.to_act == 2
    revealed, penalised, *_ = t.do(Lift())
    assert revealed == e.Revealed(2, (3, 1), 32, announcer=1, lied=True)
    assert penalised.seat == 1


@pytest.mark.parametrize(
    ("ending", "penalised"),
    [
        ((Announce(66), Doubt(), Lift()), 1),
        ((Announce(21), Doubt(), Lift()), 2),
        ((Announce(21), GiveIn()), 2),
        ((OwnUp(),), 1),
        ((Look(), ShowMaexchen()), 2),
    ],
)
def test_B_6_after_a_penalty_the_penalised_opens_with_an_empty_cup(ending, penalised):
    dice = (2, 1) if ShowMaexchen() in ending or penalised == 2 else (3, 1)
    t = Table()
    events = t.do(Roll((3, 1)), Announce(31), Believe(), Roll(dice), *ending)
    assert e.Penalised(penalised, cost=1, left=2) in events
    assert events[-1] == e.RoundBegan(2, penalised)
    match = t.match
    assert (match.to_act, match.opener, match.phase) == (penalised, penalised, Phase.OPENING)
    assert (match.announced, match.announcer, match.dice) == (None, None, None)
    assert (match.rolls, match.seen) == (0, False)
    assert legal_actions(match) == (Roll(),)
    assert t.refusals(Look(), Announce(31), ShowMaexchen(), OwnUp()) == {Reason.CUP_EMPTY}


def test_B_7_a_public_roll_has_no_dice_and_a_lift_has():
    assert public(Roll((6, 3))) == Roll(None)
    assert public(Roll(None)) == Roll(None)
    for action in (Look(), Announce(31), Lift((6, 3)), ShowMaexchen(), Leave(1)):
        assert public(action) is action


def test_B_8_with_drinks_the_opener_may_end_the_match_between_two_rounds():
    t = Table(stakes="drinks")
    assert t.refusal(EndMatch()) is Reason.NOT_BETWEEN_ROUNDS
    t.do(Roll((3, 1)))
    assert t.refusal(EndMatch()) is Reason.NOT_BETWEEN_ROUNDS
    t.do(*LIE[1:])
    assert legal_actions(t.match) == (Roll(), EndMatch())
    events = t.do(EndMatch())
    ended = Outcome("B-8", losers=(0,), out=(), left=(), tally=(1, 0, 0))
    assert events == (e.MatchEnded(ended),)
    assert outcome(t.match) == ended


def test_B_8_equals_share_the_most_glasses_and_who_left_does_not():
    t = Table(players=4, stakes="drinks")
    t.do(*LIE, *TRUTH * 3)
    assert t.match.tally == (1, 1, 1, 1)
    t.do(Leave(3), Leave(2), EndMatch())
    assert outcome(t.match) == Outcome("B-8", (0, 1), out=(), left=(2, 3), tally=(1, 1, 1, 1))


@pytest.mark.parametrize("kind", FaultKind)
def test_B_9_class_names_no_faults(kind):
    t = Table()
    offered(t)
    assert t.refusal(Fault(kind, 0)) is Reason.NO_SUCH_FAULT
    assert not any(isinstance(action, Fault) for action in table_actions(t.match))


def offered(t):
    t.do(Roll((6, 3)), Announce(63))


@pytest.mark.parametrize(
    ("actions", "leaver", "opener"),
    [
        ((), 0, 1),  # holds the empty cup
        ((Roll((6, 3)),), 0, 1),  # holds the cup and his roll
        ((Roll((6, 3)), Announce(63)), 0, 1),  # made the standing announcement
        ((Roll((6, 3)), Announce(63), Believe()), 0, 1),  # it still stands
        ((Roll((6, 3)), Announce(63), Believe()), 1, 2),  # holds the believed cup
        ((Roll((6, 3)), Announce(63), Believe(), Roll((1, 1))), 0, 1),
        ((Roll((6, 3)), Announce(63), Doubt()), 1, 2),  # is about to lift
        ((Roll((6, 3)), Announce(63), Doubt()), 0, 1),
    ],
)
def test_B_10_the_round_is_void_if_the_leaver_was_part_of_it(actions, leaver, opener):
    t = Table(players=4)
    if actions:
        t.do(*actions)
    turn = t.match.turn
    assert t.do(Leave(leaver)) == (e.LeftTable(leaver), e.RoundVoided(1), e.RoundBegan(2, opener))
    assert t.match.status[leaver] is Status.LEFT
    assert (t.match.to_act, t.match.phase, t.match.announced) == (opener, Phase.OPENING, None)
    assert (t.match.tally, t.match.turn) == ((0, 0, 0, 0), turn + 1)


def test_B_10_without_the_leaver_the_round_goes_on():
    t = Table(players=4)
    offered(t)
    assert t.do(Leave(2)) == (e.LeftTable(2),)
    assert (t.match.to_act, t.match.announced, t.match.round) == (1, 63, 1)
    t.do(Believe(), Announce(64))
    assert t.match.to_act == 3


def test_B_10_if_the_one_to_answer_leaves_the_next_has_to():
    t = Table(players=4)
    offered(t)
    assert t.do(Leave(1)) == (e.LeftTable(1),)
    assert (t.match.to_act, t.match.phase, t.match.announced) == (2, Phase.OFFERED, 63)
    assert t.refusals(Leave(1), Leave(4), Leave(-1)) == {Reason.NOT_AT_THE_TABLE}


def test_B_10_one_player_left_ends_the_match_without_a_loser():
    t = Table(players=3, ends="last_standing")
    t.do(*LIE * 4)
    events = t.do(Leave(2))
    ended = Outcome("B-10", losers=(), out=(0,), left=(2,), tally=(4, 0, 0))
    assert events == (e.LeftTable(2), e.MatchEnded(ended))
    assert t.match.to_act is None


def test_B_10_a_void_round_is_opened_again_by_its_opener():
    t = Table(players=4, first=1)
    assert t.refusal(VoidRound()) is Reason.NO_ROUND
    t.do(Roll((6, 3)), Announce(63), Believe(), Announce(64))
    assert t.do(VoidRound()) == (e.RoundVoided(1), e.RoundBegan(2, 1))
    t.do(Roll((6, 3)), Announce(63), Believe(), Announce(64), Leave(1))
    assert t.do(VoidRound()) == (e.RoundVoided(2), e.RoundBegan(3, 2))


def test_B_10_the_table_may_end_the_match_early():
    t = Table()
    offered(t)
    everything = (Leave(0), Leave(1), Leave(2), VoidRound(), StopMatch())
    assert table_actions(t.match) == everything
    assert t.do(StopMatch()) == (e.MatchEnded(Outcome("B-10", (), (), (), (0, 0, 0))),)
    assert table_actions(t.match) == legal_actions(t.match) == ()
    for action in (*everything, EndMatch(), Roll(), Look(), Believe(), Lift(), Announce(31)):
        assert t.refusal(action) is Reason.MATCH_OVER


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
    t = Table().after(Roll((6, 3)), Announce(66), Believe(), Roll((2, 2)), Look())
    assert t.refusal(ShowMaexchen()) is Reason.NO_MAEXCHEN
    t.do(Roll((2, 1)))
    assert t.refusal(ShowMaexchen()) is Reason.NOT_SEEN, "a blind one is none"
    t = Table().after(Roll((6, 3)), Announce(66), Believe(), Roll((1, 2)))
    assert t.refusal(ShowMaexchen()) is Reason.NOT_SEEN
    assert ShowMaexchen() not in legal_actions(t.match)
    t.do(Look())
    assert ShowMaexchen() in legal_actions(t.match)
    events = t.do(ShowMaexchen())
    assert events == (e.MaexchenShown(1), e.Penalised(2, cost=1, left=2), e.RoundBegan(2, 2))


def test_R_CLASS_7_an_announced_maexchen_is_doubted_or_given_in_to():
    t = Table().after(Roll((3, 1)), Announce(21))
    assert legal_actions(t.match) == (Doubt(), GiveIn())
    assert t.refusal(Believe()) is Reason.MAEXCHEN_STANDS
    assert t.do(GiveIn()) == (e.GaveIn(1), e.Penalised(1, cost=1, left=2), e.RoundBegan(2, 1))
    for value in RANKING[:-1]:
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


def test_V_1_the_higher_die_is_the_tens_digit():
    assert value_of((3, 6)) == value_of((6, 3)) == 63
    assert value_of((1, 3)) == 31
    assert value_of((4, 4)) == 44
    assert value_of((1, 2)) == 21


def test_V_2_the_ranking_has_21_values_in_the_order_of_the_book():
    book = "31 32 41 42 43 51 52 53 54 61 62 63 64 65 11 22 33 44 55 66 21"
    assert " ".join(map(str, RANKING)) == book
    assert [rank(value) for value in RANKING] == list(range(21))
    assert {value_of(dice) for dice in DICE} == set(RANKING)


def test_V_3_a_pair_beats_every_mixed_value_and_a_maexchen_everything():
    pairs = [value for value in RANKING if is_pair(value)]
    mixed = [value for value in RANKING if not is_pair(value) and value != MAEXCHEN]
    assert pairs == [11, 22, 33, 44, 55, 66]
    assert len(mixed) == 14
    assert min(map(rank, pairs)) > max(map(rank, mixed))
    assert all(rank(MAEXCHEN) > rank(value) for value in pairs + mixed)
    assert not is_pair(77)


def test_V_4_chances_of_a_single_roll():
    ways = Counter(value_of(dice) for dice in DICE)
    assert sum(ways.values()) == 36
    for value in RANKING:
        assert ways[value] == (1 if is_pair(value) else 2)


def test_V_5_german_names():
    names = " ".join(spoken(value, "de") for value in RANKING)
    assert names == (
        "Einunddreißig Zweiunddreißig Einundvierzig Zweiundvierzig Dreiundvierzig Einundfünfzig "
        "Zweiundfünfzig Dreiundfünfzig Vierundfünfzig Einundsechzig Zweiundsechzig "
        "Dreiundsechzig Vierundsechzig Fünfundsechzig Einserpasch Zweierpasch Dreierpasch "
        "Viererpasch Fünferpasch Sechserpasch Mäxchen"
    )


def test_V_5_english_names():
    names = [spoken(value, "en") for value in RANKING]
    assert names[:5] == ["thirty-one", "thirty-two", "forty-one", "forty-two", "forty-three"]
    assert names[5:9] == ["fifty-one", "fifty-two", "fifty-three", "fifty-four"]
    assert names[9:14] == ["sixty-one", "sixty-two", "sixty-three", "sixty-four", "sixty-five"]
    assert names[14:17] == ["pair of ones", "pair of twos", "pair of threes"]
    assert names[17:] == ["pair of fours", "pair of fives", "pair of sixes", "Mäxchen"]


@pytest.mark.parametrize("value", [0, 12, 20, 36, 67, 77, -21, None])
def test_a_number_no_dice_show_has_no_place_and_no_name(value):
    with pytest.raises(ValueError, match="is no value of two dice"):
        rank(value)
    with pytest.raises(ValueError, match="is no value of two dice"):
        spoken(value, "en")


@pytest.mark.parametrize("dice", [(0, 1), (1, 7), (3,), (1, 2, 3), (), None, [6, 3], "63"])
def test_anything_but_two_dice_has_no_value(dice):
    assert not is_pair_of_dice(dice)
    with pytest.raises(ValueError, match="two dice of 1 to 6 are needed"):
        value_of(dice)
