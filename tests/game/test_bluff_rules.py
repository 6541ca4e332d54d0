# ruff: noqa: N802 - tests are named after rules
"""B-1 to B-10: what all bluff games share, as `class` plays it."""

import pytest

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
from game.bluff.rules import RANKING
from tests.support.rules_table import Table


def test_B_1_the_holder_rolls_looks_announces_and_offers():
    t = Table()
    assert (t.match.to_act, t.match.phase) == (0, Phase.OPENING)
    assert t.do(Roll((6, 3))) == (e.Rolled(0, 1),)
    assert t.do(Look()) == (e.Looked(0),)
    assert t.do(Announce(66)) == (e.Announced(0, 66, to=1),)
    assert (t.match.to_act, t.match.phase) == (1, Phase.OFFERED)
    assert (t.match.announced, t.match.announcer, t.match.turn) == (66, 0, 3)


def test_B_2_the_next_player_believes_or_doubts_and_does_nothing_else():
    t = Table().after(Roll((6, 3)), Announce(63))
    assert legal_actions(t.match) == (Believe(), Doubt())
    assert t.refusals(Roll(), Look(), Announce(64), OwnUp(), ShowMaexchen()) == {Reason.ANSWER_DUE}
    assert t.refusal(Lift()) is Reason.NOTHING_DOUBTED
    assert t.do(Believe()) == (e.Believed(1),)
    assert (t.match.to_act, t.match.phase) == (1, Phase.BELIEVED)


def test_B_2_who_doubts_lifts_the_cup():
    t = Table().after(Roll((6, 3)), Announce(63))
    assert t.do(Doubt()) == (e.Doubted(1),)
    assert (t.match.to_act, t.match.phase) == (1, Phase.DOUBTED)
    assert legal_actions(t.match) == (Lift(),)
    for action in (Believe(), Doubt(), GiveIn(), Roll(), Look(), Announce(64)):
        assert t.refusal(action) is Reason.LIFT_DUE


def test_B_2_there_is_nothing_to_answer_before_an_offer():
    t = Table()
    assert t.refusals(Believe(), Doubt(), GiveIn(), Lift()) == {Reason.CUP_EMPTY}
    t.do(Roll((6, 3)))
    assert t.refusals(Believe(), Doubt(), GiveIn()) == {Reason.NOTHING_OFFERED}
    assert t.refusal(Lift()) is Reason.NOTHING_DOUBTED


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


def test_B_7_nobody_but_the_looking_holder_sees_dice_before_they_lie_open():
    t = Table()

    def seen_by():
        return [seat for seat in (0, 1, 2, None) if view(t.match, seat).dice is not None]

    t.do(Roll((6, 3)))
    assert seen_by() == []
    t.do(Look())
    assert seen_by() == [0]
    assert view(t.match, 0).dice == (6, 3)
    t.do(Announce(63))
    assert seen_by() == []
    t.do(Doubt())
    assert seen_by() == []
    assert t.do(Lift())[0].dice == (6, 3)


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
    t.do(Announce(32), Doubt(), Lift())
    assert legal_actions(t.match) == (Roll(), EndMatch())
    events = t.do(EndMatch())
    ended = Outcome("B-8", losers=(0,), out=(), left=(), tally=(1, 0, 0))
    assert events == (e.MatchEnded(ended),)
    assert outcome(t.match) == ended


def test_B_8_equals_share_the_most_glasses_and_who_left_does_not():
    t = Table(players=4, stakes="drinks")
    lie = (Roll((3, 1)), Announce(32), Doubt(), Lift())
    fair = (Roll((3, 1)), Announce(31), Doubt(), Lift())
    t.do(*lie, *fair, *fair, *fair)
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
    for _ in range(4):
        t.do(Roll((3, 1)), Announce(32), Doubt(), Lift())
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
