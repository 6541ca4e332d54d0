# ruff: noqa: N802 - tests are named after rules
"""R-PHYS-1 to R-PHYS-7: Mäxchen with the Physikerregeln."""

from functools import partial

import pytest

from game import Outcome, Phase, Reason, Status, illegality, legal_actions, table_actions
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
    StopMatch,
    Words,
)
from game.bluff.rules import RANKING
from game.events import Announced, MatchEnded, Mishandled, Penalised, Revealed, RoundBegan
from tests.support.rules_table import Table

table = partial(Table, game="physicist")


def values(match):
    """The values that may be announced plainly."""
    actions = legal_actions(match)
    return [a.value for a in actions if isinstance(a, Announce) and a.flourish is None]


def test_R_PHYS_1_an_opener_has_no_second_roll():
    t = table()
    for before in ((), (Look(),)):
        t = table().after(Roll((6, 3)), *before)
        assert Roll() not in legal_actions(t.match)
        assert t.refusal(Roll((1, 1))) is Reason.ONE_ROLL


@pytest.mark.parametrize("look", [(), (Look(),)])
def test_R_PHYS_1_everybody_else_may_roll_once_more_and_passes_on_blind(look):
    t = table().after(Roll((6, 3)), Announce(63), Believe(), Roll((6, 5)), *look)
    assert Roll() in legal_actions(t.match)
    t.do(Roll((3, 1)))
    assert t.refusal(Look()) is Reason.BLIND
    assert t.refusal(Roll((1, 1))) is Reason.NO_ROLL_LEFT
    assert not t.match.seen
    t.do(Announce(64))
    assert t.match.to_act == 2


def test_R_PHYS_2_an_announcement_is_strictly_higher():
    t = table().after(Roll((6, 3)), Announce(63), Believe(), Roll((6, 5)))
    assert values(t.match) == list(RANKING[RANKING.index(63) + 1 :])
    assert t.refusals(Announce(63), Announce(62)) == {Reason.TOO_LOW}


@pytest.mark.parametrize("dice", [(2, 1), (3, 1)])
def test_R_PHYS_2_a_maexchen_over_a_maexchen_true_or_not(dice):
    t = table().after(Roll((2, 1)), Announce(21), Believe(), Roll(dice))
    assert values(t.match) == [21]
    t.do(Announce(21))
    assert (t.match.announced, t.match.announcer, t.match.to_act) == (21, 1, 2)
    revealed, penalised, began = t.do(Doubt(), Lift())
    lied = dice != (2, 1)
    assert revealed == Revealed(2, dice, 21, announcer=1, lied=lied)
    assert penalised == Penalised(1 if lied else 2, cost=2, left=None)
    assert began == RoundBegan(2, penalised.seat)


def test_R_PHYS_3_who_believes_rolls_or_raises_unseen():
    t = table().after(Roll((6, 3)), Announce(61), Believe())
    assert t.refusal(Look()) is Reason.NOT_ROLLED
    assert t.refusal(Announce(61)) is Reason.TOO_LOW
    t.do(Announce(62))
    assert (t.match.dice, t.match.announcer_rolls) == ((6, 3), 0)
    t.do(Believe())
    assert {type(action) for action in legal_actions(t.match)} == {Roll, Announce}


def test_R_PHYS_3_over_a_maexchen_he_must_roll():
    t = table().after(Roll((2, 1)), Announce(21), Believe())
    assert legal_actions(t.match) == (Roll(),)
    assert t.refusal(Announce(21)) is Reason.MUST_ROLL
    assert t.refusal(Announce(66)) is Reason.TOO_LOW


@pytest.mark.parametrize(
    ("dice", "said", "payer", "cost"),
    [
        ((6, 3), 63, 1, 1),
        ((6, 3), 64, 0, 1),
        ((2, 1), 21, 1, 2),  # an announced one, rightly
        ((6, 6), 21, 0, 2),  # a lied one
        ((2, 1), 66, 1, 2),  # a lifted one, announced lower
    ],
)
def test_R_PHYS_4_a_maexchen_costs_two_glasses_for_liar_and_doubter_alike(dice, said, payer, cost):
    t = table()
    events = t.do(Roll(dice), Announce(said), Doubt(), Lift())
    assert events[1] == Penalised(payer, cost=cost, left=None)
    assert t.match.tally[payer] == sum(t.match.tally) == cost


def test_R_PHYS_5_nobody_is_ever_out_and_the_opener_ends_the_match():
    t = table(players=2)
    assert t.refusal(EndMatch()) is Reason.NOT_BETWEEN_ROUNDS
    for _ in range(30):
        t.do(Roll((3, 1)), Announce(21), Doubt(), Lift())
    assert t.match.status == (Status.IN, Status.IN)
    assert (t.match.tally, t.match.matches) == ((60, 0), (0, 0))
    assert legal_actions(t.match) == (Roll(), EndMatch())
    assert t.do(EndMatch()) == (MatchEnded(Outcome("B-8", (0,), (), (), (60, 0))),)
    assert t.match.phase is Phase.OVER


@pytest.mark.parametrize("flourish", [Flourish.AIR, Flourish.MUCH_AIR])
def test_R_PHYS_6_air_travels_with_any_announcement_and_binds_nobody(flourish):
    t = table().after(Roll((3, 1)))
    assert {Announce(value, flourish) for value in RANKING} <= set(legal_actions(t.match))
    assert t.do(Announce(66, flourish)) == (Announced(0, 66, to=1, flourish=flourish),)
    assert t.match.said == Announce(66, flourish)
    t.do(Believe(), Announce(21))
    assert t.match.said == Announce(21)
    assert t.do(Doubt(), Lift())[1] == Penalised(1, cost=2, left=None)


def test_R_PHYS_6_air_makes_no_announcement_higher():
    t = table().after(Roll((3, 3)), Announce(11), Believe())
    assert t.refusal(Announce(11, Flourish.MUCH_AIR)) is Reason.TOO_LOW
    assert t.refusal(Announce(22, Flourish.DRAWN_OUT)) is Reason.NO_SUCH_FLOURISH


@pytest.mark.parametrize(
    ("actions", "kind", "seat", "cost"),
    [
        ((), FaultKind.MOVE, 0, 1),  # while the cup is on offer
        ((Believe(),), FaultKind.LOOK, 1, 1),  # into another's roll
        ((Believe(), Roll((6, 5)), Roll((6, 5))), FaultKind.LOOK, 1, 1),  # at the blind roll
        ((Believe(), Announce(64)), FaultKind.LOOK, 1, 1),  # at dice he handed on unseen
        ((), FaultKind.DROP, 0, 2),
        ((Believe(),), FaultKind.DROP, 1, 2),
        ((Believe(), Roll((6, 5))), FaultKind.DROP, 1, 2),
        ((Doubt(),), FaultKind.DROP, 1, 2),
    ],
)
def test_R_PHYS_7_a_mistake_costs_one_glass_and_a_grave_one_two(actions, kind, seat, cost):
    t = table().after(Roll((6, 3)), Announce(63), *actions)
    assert Fault(kind, seat) in table_actions(t.match)
    events = t.do(Fault(kind, seat))
    assert events == (
        Mishandled(seat, kind),
        Penalised(seat, cost=cost, left=None),
        RoundBegan(2, seat),
    )
    assert (t.match.phase, t.match.dice, t.match.announced) == (Phase.OPENING, None, None)


def test_R_PHYS_7_no_fault_where_there_is_none():
    t = table()
    assert t.refusal(Fault(FaultKind.DROP, 0)) is Reason.EMPTY_CUP
    t.do(Roll((6, 3)))
    assert t.refusal(Fault(FaultKind.LOOK, 0)) is Reason.MAY_LOOK
    assert t.refusal(Fault(FaultKind.MOVE, 0)) is Reason.NOT_PASSED
    assert t.refusal(Fault(FaultKind.DROP, 1)) is Reason.NOT_THE_HOLDER
    assert t.refusal(Fault("juggle", 0)) is Reason.NO_SUCH_FAULT
    t.do(Announce(63))
    assert t.refusal(Fault(FaultKind.LOOK, 0)) is Reason.MAY_LOOK
    assert t.refusal(Fault(FaultKind.DROP, 1)) is Reason.NOT_THE_HOLDER
    t.do(Doubt())
    assert t.refusal(Fault(FaultKind.LOOK, 1)) is Reason.MAY_LOOK
    t.do(StopMatch())
    assert t.refusal(Fault(FaultKind.DROP, 0)) is Reason.MATCH_OVER


def test_what_belongs_to_the_other_games_is_refused():
    t = table().after(Roll((2, 1)), Look())
    assert t.refusals(ShowMaexchen(), ShowTower(), OwnUp()) == {Reason.NOT_IN_THIS_GAME}
    assert t.refusal(Say(Words.SAME)) is Reason.NO_WORDS
    assert t.refusal(Announce(21, wrong_way=True)) is Reason.NO_WRONG_WAY
    t.do(Announce(21))
    assert t.refusal(GiveIn()) is Reason.NOT_IN_THIS_GAME
    assert t.refusal(Refuse()) is Reason.RIGHT_WAY
    assert t.do(Believe())
    assert t.refusal(Roll((6, 3), tower=True)) is Reason.NO_SUCH_TOWER


def test_R_PHYS_7_any_other_mistake_costs_its_player_one_glass_whoever_has_the_cup():
    t = table(3).after(Roll((6, 3)))
    for offender in (0, 1, 2):
        assert illegality(t.match, Fault(FaultKind.OTHER, offender)) is None
    assert t.refusal(Fault(FaultKind.OTHER, 3)) is Reason.NOT_AT_THE_TABLE
    events = t.do(Fault(FaultKind.OTHER, 2))
    assert events[:2] == (Mishandled(2, FaultKind.OTHER), Penalised(2, 1, None))
    assert (t.match.phase, t.match.to_act, t.match.tally) == (Phase.OPENING, 2, (0, 0, 1))
    assert t.refusal(Fault(FaultKind.OTHER, 1)) is Reason.EMPTY_CUP
