# ruff: noqa: N802 - tests are named after rules
"""R-HF-1 to R-HF-10: the Holy Family Edition."""

from dataclasses import replace
from functools import partial

import pytest

from game import (
    RULES,
    IllegalAction,
    Outcome,
    Phase,
    Reason,
    SetupError,
    Status,
    apply,
    legal_actions,
    new_match,
    outcome,
    public,
    table_actions,
    view,
)
from game import events as e
from game.actions import (
    Announce,
    Believe,
    Doubt,
    EndMatch,
    Fault,
    FaultKind,
    Flourish,
    GiveIn,
    Lift,
    Look,
    OwnUp,
    Refuse,
    Roll,
    Say,
    ShowMaexchen,
    ShowTower,
    Words,
)
from game.bluff.rules import RANKING
from tests.support.rules_table import LIE, TRUTH, Table

SAME, ONE_MORE = Say(Words.SAME), Say(Words.ONE_MORE)
MAEXCHEN_SHOWN = (Roll((2, 1)), Announce(31), Doubt(), Lift())
"""The next one doubts a Mäxchen that was announced as less: one point for him, and a reversal."""


table = partial(Table, game="holy-family")


def point(seat, cost=1):
    return e.Penalised(seat, cost=cost, left=None)


def test_R_HF_1_three_rolls_of_which_the_first_two_may_be_looked_at():
    t = table()
    for number in (1, 2):
        assert t.do(Roll((6, 3))) == (e.Rolled(0, number),)
        t.do(Look())
        assert t.match.seen
        assert t.refusal(Look()) is Reason.ALREADY_SEEN
        assert t.refusal(Fault(FaultKind.LOOK, 0)) is Reason.MAY_LOOK
    t.do(Roll((6, 4)))
    assert not t.match.seen
    assert t.refusal(Look()) is Reason.BLIND
    assert t.refusal(Roll((6, 4))) is Reason.NO_ROLL_LEFT


def test_R_HF_2_having_rolled_equal_or_higher():
    t = table().after(Roll((6, 3)), Announce(63), Believe(), Roll((3, 1)), Announce(63))
    assert (t.match.announcer, t.match.phase) == (1, Phase.OFFERED)


def test_R_HF_2_unrolled_strictly_higher_and_never_over_a_maexchen():
    for standing, said in ((63, 63), (21, 21)):
        t = table().after(Roll((6, 3)), Announce(standing), Believe())
        assert t.refusal(Look()) is Reason.NOT_ROLLED
        assert e.Inadmissible(1) in t.do(Announce(said))
    t = table().after(Roll((6, 3)), Announce(62), Believe(), Announce(63))
    assert (t.match.dice, t.match.announcer, t.match.announcer_rolls) == ((6, 3), 1, 0)


@pytest.mark.parametrize(
    ("dice", "said", "payer", "cost"),
    [
        ((6, 6), 21, 0, 2),  # the liar
        ((2, 1), 21, 1, 2),  # who lifts it
        ((2, 1), 66, 1, 1),  # announced lower, it costs one
    ],
)
def test_R_HF_3_two_points_if_a_maexchen_was_announced(dice, said, payer, cost):
    assert point(payer, cost) in table().do(Roll(dice), Announce(said), Doubt(), Lift())


@pytest.mark.parametrize("points", [1, 2, 5, 10])
def test_R_HF_4_the_match_ends_when_a_player_has_the_points(points):
    t = table(points=points)
    for _ in range(points - 1):
        t.do(*LIE)
        assert outcome(t.match) is None
    events = t.do(*LIE)
    ended = Outcome("R-HF-4", (0,), out=(0,), left=(), tally=(points, 0, 0))
    assert events[1:] == (point(0), e.WentOut(0), e.MatchEnded(ended))
    assert (t.match.to_act, outcome(t.match)) == (None, ended)


def pass_wrongly(t, answer):
    """The opener offers his cup to the wrong neighbour."""
    return t.do(Roll((6, 3)), Announce(63, wrong_way=True), answer)


def test_R_HF_4_of_two_penalised_by_one_event_the_wrong_passer_loses():
    t = table(points=1)
    events = pass_wrongly(t, Believe())
    ended = Outcome("R-HF-4", (0,), out=(0,), left=(), tally=(1, 0, 1))
    assert events[2:] == (point(0), e.WentOut(0), point(2), e.MatchEnded(ended))


def test_R_HF_4_with_two_losers_the_first_sits_out_and_the_second_ends_it():
    t = table(points=1, losers=2)
    assert t.do(*LIE)[1:] == (point(0), e.WentOut(0), e.RoundBegan(2, 1))
    assert t.match.status == (Status.OUT, Status.IN, Status.IN)
    assert outcome(t.match) is None
    t.do(Roll((3, 1)), Announce(31), Believe(), Announce(32))
    assert t.match.to_act == 1
    t.do(Doubt(), Lift())
    assert outcome(t.match) == Outcome("R-HF-4", (0, 2), (0, 2), (), (1, 0, 1))


def test_R_HF_4_two_losers_need_three_players():
    with pytest.raises(SetupError) as caught:
        new_match(replace(RULES["holy-family"], losers=2), ("Ana", "Ben"), first=0)
    assert str(caught.value) == "losers = 2 needs three or more players, not 2"


@pytest.mark.parametrize(
    ("actions", "kind", "seat"),
    [
        ((Believe(), *[Roll((6, 5))] * 3), FaultKind.LOOK, 1),  # at the third roll
        ((Believe(),), FaultKind.LOOK, 1),  # into another's roll
        ((), FaultKind.MOVE, 0),
        ((), FaultKind.DROP, 0),
        ((Believe(), Roll((6, 5))), FaultKind.DROP, 1),
        ((Doubt(),), FaultKind.DROP, 1),  # the doubt lapses
    ],
)
def test_R_HF_5_a_fault_costs_a_point(actions, kind, seat):
    t = table().after(Roll((6, 3)), Announce(63), *actions)
    assert Fault(kind, seat) in table_actions(t.match)
    assert t.do(Fault(kind, seat)) == (e.Mishandled(seat, kind), point(seat), e.RoundBegan(2, seat))
    assert t.match.dice is t.match.announced is t.match.said is None


@pytest.mark.parametrize("actions", [(), (Believe(),), (Doubt(),), (Believe(), Roll((6, 5)))])
def test_R_HF_5_a_drop_costs_two_while_a_maexchen_stands_announced(actions):
    t = table().after(Roll((6, 3)), Announce(21), *actions)
    offender = 1 if actions else 0
    assert point(offender, 2) in t.do(Fault(FaultKind.DROP, offender))
    t.do(Roll((2, 1)))
    assert point(offender) in t.do(Fault(FaultKind.DROP, offender))


def test_R_HF_5_an_empty_cup_knows_no_faults():
    t = table()
    for kind in FaultKind:
        assert t.refusal(Fault(kind, 0)) is Reason.EMPTY_CUP
    t.do(Roll((6, 3), tower=True), Look(), ShowTower())
    for kind in FaultKind:
        assert t.refusal(Fault(kind, 0)) is Reason.EMPTY_CUP
    assert not any(isinstance(action, Fault) for action in table_actions(t.match))


@pytest.mark.parametrize(
    ("standing", "rolled", "said"),
    [
        (63, True, Announce(62)),
        (63, False, Announce(63)),
        (21, True, Announce(66)),
        (21, True, ONE_MORE),
        (21, False, ONE_MORE),
        (63, False, SAME),
        (63, True, Announce(62, wrong_way=True)),  # he passes nothing on
    ],
)
def test_R_HF_5_an_inadmissible_announcement_costs_a_point(standing, rolled, said):
    t = table().after(Roll((6, 3)), Announce(standing), Believe(), *[Roll((6, 5))] * rolled)
    assert said in legal_actions(t.match)
    events = t.do(said)
    assert isinstance(events[0], e.Announced)
    assert events[1:] == (e.Inadmissible(1), point(1), e.RoundBegan(2, 1))


@pytest.mark.parametrize("said", [SAME, ONE_MORE])
def test_R_HF_5_words_with_nothing_standing_cost_a_point(said):
    assert table().after(Roll((6, 3))).do(said)[1:] == (
        e.Inadmissible(0),
        point(0),
        e.RoundBegan(2, 0),
    )


def test_R_HF_5_a_value_no_dice_show_cannot_be_said():
    t = table().after(Roll((6, 3)))
    assert t.refusal(Announce(36)) is Reason.NO_SUCH_VALUE
    assert t.refusal(Say("more")) is Reason.NO_WORDS


@pytest.mark.parametrize("answer", [Believe(), Doubt()])
def test_R_HF_5_the_wrong_direction_costs_passer_and_taker_a_point(answer):
    t = table(players=4).after(Roll((6, 3)))
    assert t.do(Announce(21, wrong_way=True)) == (e.Announced(0, 21, to=3, wrong_way=True),)
    assert t.match.to_act == 3
    assert legal_actions(t.match) == (Believe(), Doubt(), Refuse())
    assert t.do(answer)[1:] == (e.WentWrongWay(0, taker=3), point(0), point(3), e.RoundBegan(2, 0))
    assert t.match.tally == (1, 0, 0, 1)


def test_R_HF_5_who_refuses_pays_nothing():
    t = table(players=4)
    events = pass_wrongly(t, Refuse())
    assert events == (e.Refused(3), e.WentWrongWay(0, taker=None), point(0), e.RoundBegan(2, 0))


def test_R_HF_5_only_a_cup_from_the_wrong_side_can_be_refused():
    t = table()
    assert t.refusal(Refuse()) is Reason.CUP_EMPTY
    t.do(Roll((6, 3)), Announce(63))
    assert t.refusal(Refuse()) is Reason.RIGHT_WAY
    assert legal_actions(t.match) == (Believe(), Doubt())


def test_R_HF_5_with_two_players_no_direction_is_wrong():
    t = table(players=2).after(Roll((6, 3)))
    assert t.refusal(Announce(63, wrong_way=True)) is Reason.NO_WRONG_WAY
    assert t.refusal(Say(Words.SAME, wrong_way=True)) is Reason.NO_WRONG_WAY
    assert not any(getattr(action, "wrong_way", False) for action in legal_actions(t.match))


def test_R_HF_6_the_last_penalised_opens():
    t = table(players=4).after(*TRUTH)
    assert (t.match.opener, t.match.to_act) == (1, 1)
    t.do(Roll((6, 3)), Announce(63, wrong_way=True), Believe())
    assert t.match.opener == 1


def test_R_HF_7_a_lifted_maexchen_turns_the_direction_and_it_lasts():
    t = table(players=4)
    assert t.do(*MAEXCHEN_SHOWN)[1:] == (e.Reversed(-1), point(1), e.RoundBegan(2, 1))
    assert (t.match.direction, t.match.to_act) == (-1, 1)
    t.do(Roll((6, 3)), Announce(63))
    assert t.match.to_act == 0
    t.do(Doubt(), Lift())
    assert (t.match.direction, t.match.to_act) == (-1, 0)
    assert e.Reversed(1) in t.do(*MAEXCHEN_SHOWN)
    assert (t.match.direction, t.match.to_act) == (1, 3)


def test_R_HF_8_a_seen_tower_may_be_shown_for_an_additional_roll():
    t = table().after(Roll((6, 3)), Look(), Roll((5, 4), tower=True))
    assert ShowTower() not in legal_actions(t.match)
    assert t.refusal(ShowTower()) is Reason.NO_TOWER
    t.do(Look())
    assert ShowTower() in legal_actions(t.match)
    assert t.do(ShowTower()) == (e.TowerShown(0, (5, 4)),)
    assert (t.match.phase, t.match.dice, t.match.tower) == (Phase.ROLL_AGAIN, None, False)
    assert legal_actions(t.match) == (Roll(),)
    for action in (Look(), Announce(66), SAME, ShowTower(), Believe(), Doubt(), Lift()):
        assert t.refusal(action) is Reason.ROLL_DUE
    assert t.refusal(EndMatch()) is Reason.NOT_BETWEEN_ROUNDS


def test_R_HF_8_that_roll_takes_the_number_of_the_shown_one():
    t = table().after(Roll((6, 3)), Roll((5, 4), tower=True), Look(), ShowTower())
    assert t.do(Roll((4, 1), tower=True)) == (e.Rolled(0, 2),)
    t.do(Look())
    assert t.match.seen
    t.do(ShowTower(), Roll((4, 1)), Look(), Roll((3, 1)))
    assert t.match.rolls == 3
    assert t.refusal(Look()) is Reason.BLIND


def test_R_HF_8_only_a_tower_can_be_shown_and_not_the_third_roll():
    t = table().after(Roll((6, 3)), Look())
    assert t.refusal(ShowTower()) is Reason.NO_TOWER
    t.do(Roll((6, 3)), Roll((6, 3), tower=True))
    assert t.refusal(ShowTower()) is Reason.NO_TOWER
    t.do(Announce(63), Believe())
    assert t.refusal(ShowTower()) is Reason.NOT_ROLLED


def third_is_a_tower(t, dice, said):
    t.do(Roll((6, 3)), Roll((6, 3)), Roll(dice, tower=True), Announce(said))


def test_R_HF_8_a_liar_whose_third_roll_is_a_tower_rolls_again():
    t = table(players=4)
    third_is_a_tower(t, (3, 1), 66)
    events = t.do(Doubt(), Lift())
    assert events == (e.Revealed(1, (3, 1), 66, 0, lied=True, tower=True), e.TowerSpared(0))
    match = t.match
    assert (match.to_act, match.phase, match.announced) == (0, Phase.ROLL_AGAIN, 66)
    assert (match.dice, match.tower, match.tally) == (None, False, (0, 0, 0, 0))
    assert legal_actions(match) == (Roll(),)
    assert t.do(Roll((6, 6))) == (e.Rolled(0, 3),)
    match = t.match
    assert (match.to_act, match.phase, match.announced, match.seen) == (1, Phase.DOUBTED, 66, False)
    assert legal_actions(match) == (Lift(),)
    assert t.do(Lift())[1] == point(1)


def test_R_HF_8_a_tower_is_as_hidden_as_its_dice():
    assert public(Roll((6, 3), tower=True)) == Roll(None)
    t = table().after(Roll((6, 3), tower=True))
    assert not any(view(t.match, seat).tower for seat in (0, 1, 2, None))
    t.do(Look())
    assert [view(t.match, seat).tower for seat in (0, 1, 2, None)] == [True, False, False, False]


def test_R_HF_8_who_does_not_know_the_dice_follows():
    t = table().after(Roll(None), Look())
    assert ShowTower() in legal_actions(t.match)
    assert t.do(ShowTower((5, 4))) == (e.TowerShown(0, (5, 4)),)
    t.do(Roll(None), Look())
    assert illegal_to_apply(t, ShowTower()) is Reason.DICE_NEEDED
    t.do(Roll(None), Roll(None), Announce(66), Doubt())
    assert illegal_to_apply(t, Lift()) is Reason.DICE_NEEDED
    assert e.TowerSpared(0) in t.do(Lift((3, 1), tower=True))


def illegal_to_apply(t, action):
    with pytest.raises(IllegalAction) as caught:
        apply(t.match, action)
    return caught.value.reason


def test_R_HF_8_towers_are_two_known_dice_and_the_rolled_ones():
    t = table()
    assert t.refusal(Roll(None, tower=True)) is Reason.NO_SUCH_TOWER
    t.do(Roll((6, 3), tower=True), Look())
    assert t.refusal(ShowTower((5, 3))) is Reason.OTHER_DICE
    assert t.refusal(ShowTower((7, 3))) is Reason.NO_SUCH_DICE
    t.do(Announce(64), Doubt())
    assert t.refusal(Lift((6, 3))) is Reason.OTHER_DICE
    assert t.refusal(Lift(None, tower=True)) is Reason.NO_SUCH_TOWER
    assert t.do(Lift((3, 6), tower=True))[0].tower


def test_R_HF_9_mitgehen_is_the_same_again_after_rolling():
    t = table().after(Roll((6, 3)), Announce(63), Believe(), Roll((3, 1)))
    assert t.do(SAME) == (e.Announced(1, None, to=2, words=Words.SAME),)
    assert (t.match.announced, t.match.said) == (63, SAME)
    assert t.do(Doubt(), Lift())[0] == e.Revealed(2, (3, 1), 63, announcer=1, lied=True)


@pytest.mark.parametrize("rolled", [False, True])
@pytest.mark.parametrize("place", range(len(RANKING) - 1))
def test_R_HF_9_um_1_erhoehen_is_the_next_higher_value(place, rolled):
    t = table().after(Roll((6, 3)), Announce(RANKING[place]), Believe(), *[Roll((3, 1))] * rolled)
    assert t.do(ONE_MORE) == (e.Announced(1, None, to=2, words=Words.ONE_MORE),)
    assert t.match.announced == RANKING[place + 1]


def test_R_HF_9_nothing_warns_a_player():
    """All 21 values and the words are open to every holder, whatever stands."""
    said = []
    for standing in (31, 65, 21):
        for rolled in (False, True):
            t = table().after(Roll((6, 3)), Announce(standing), Believe(), *[Roll((3, 1))] * rolled)
            options = legal_actions(t.match)
            said.append([a for a in options if isinstance(a, Announce | Say)])
    assert all(options == said[0] for options in said)
    assert {a.value for a in said[0] if isinstance(a, Announce)} == set(RANKING)


def test_R_HF_10_a_drawn_out_announcement_is_like_any_other():
    t = table()
    events = t.do(Roll((6, 3)), Announce(44, Flourish.DRAWN_OUT))
    assert events == (e.Announced(0, 44, to=1, flourish=Flourish.DRAWN_OUT),)
    assert t.match.said.flourish is Flourish.DRAWN_OUT
    assert point(0) in t.do(Doubt(), Lift())


def test_what_belongs_to_the_other_games_is_refused():
    t = table().after(Roll((2, 1)), Look())
    assert t.refusals(ShowMaexchen(), OwnUp()) == {Reason.NOT_IN_THIS_GAME}
    assert t.refusal(Announce(31, Flourish.AIR)) is Reason.NO_SUCH_FLOURISH
    t.do(Announce(21))
    assert t.refusal(GiveIn()) is Reason.NOT_IN_THIS_GAME
    t.do(Doubt(), Lift())
    assert t.refusal(EndMatch()) is Reason.HAS_AN_END
