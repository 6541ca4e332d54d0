"""How rounds end, read from what the rules core says about them."""

from dataclasses import replace

import pytest

from firmware.display.screens import Judgement
from firmware.play.turn.round_end import BluffRoundEnd, OpenRoundEnd, round_end_of
from game import RULES, Phase, Status, Step, apply, new_match
from game.actions import (
    Announce,
    Believe,
    Doubt,
    Fault,
    FaultKind,
    Give,
    GiveIn,
    Keep,
    Leave,
    Lift,
    Look,
    OwnUp,
    Refuse,
    Roll,
    ShowMaexchen,
    ShowTower,
    Stop,
    StopMatch,
    VoidRound,
)
from game.events import CoastersMoved, LevellingDeclined, Penalised, RoundBegan, Tied

NAMES = ("Ana", "Ben", "Cem")


def ended(*actions, game="class", **options):
    """How the last of some actions ended a round."""
    match = new_match(replace(RULES[game], **options), NAMES, 0)
    for action in actions:
        before, step = match, apply(match, action)
        match = step.match
    return round_end_of(before, step)


def test_a_lie_costs_the_announcer():
    found = ended(Roll((4, 2)), Announce(62), Doubt(), Lift((4, 2)))
    assert found == BluffRoundEnd(Judgement.LIE, 0, 1, 2, Status.IN, (4, 2), 62, 0, 1)


def test_the_truth_costs_the_doubter():
    found = ended(Roll((6, 2)), Announce(62), Believe(), Announce(63), Doubt(), Lift())
    assert found == BluffRoundEnd(Judgement.LIE, 1, 1, 2, Status.IN, (6, 2), 63, 1, 2)
    found = ended(Roll((6, 2)), Announce(62), Doubt(), Lift())
    assert found == BluffRoundEnd(Judgement.TRUE, 1, 1, 2, Status.IN, (6, 2), 62, 0, 1)


def test_a_shown_maexchen_lies_open_and_costs_the_next():
    found = ended(Roll((2, 1)), Look(), ShowMaexchen())
    assert found == BluffRoundEnd(Judgement.SHOWN, 1, 1, 2, Status.IN, (2, 1), lifter=0)


def test_giving_in_shows_no_dice():
    found = ended(Roll((2, 1)), Announce(21), GiveIn())
    assert found == BluffRoundEnd(Judgement.GAVE_IN, 1, 1, 2, Status.IN)


def test_owning_up_shows_no_dice():
    found = ended(Roll((6, 5)), Announce(65), Believe(), Roll((3, 1)), OwnUp())
    assert found == BluffRoundEnd(Judgement.OWNED_UP, 1, 1, 2, Status.IN)


def test_drinks_are_counted_up():
    found = ended(Roll((2, 1)), Announce(21), GiveIn(), stakes="drinks")
    assert (found.payer, found.cost, found.stands) == (1, 1, 1)


def test_the_last_match_makes_a_swimmer_and_the_next_penalty_ends_it():
    pays = (Roll((6, 5)), Announce(65), Believe(), Roll((3, 1)), OwnUp())
    swims = ended(*pays, credit=1)
    assert (swims.payer, swims.stands, swims.status) == (1, 0, Status.SWIMS)
    lies = (Roll((3, 1)), Announce(21), Doubt(), Lift())
    out = ended(*pays, *lies, credit=1)
    assert (out.payer, out.stands, out.status) == (1, 0, Status.OUT)


@pytest.mark.parametrize(
    "actions", [(Roll(),), (Roll(), Announce(31)), (Roll(), Leave(1)), (StopMatch(),)]
)
def test_a_round_that_goes_on_has_no_end(actions):
    assert ended(*actions) is None


def test_a_round_can_end_without_a_penalty():
    assert ended(Roll(), VoidRound()) == BluffRoundEnd(Judgement.VOIDED, None, 0, 0, Status.IN)
    assert ended(Roll(), Leave(0)) == BluffRoundEnd(Judgement.LEFT, 0, 0, 0, Status.LEFT)


def test_two_players_may_pay_for_a_wrong_direction():
    found = ended(Roll(), Announce(62, wrong_way=True), Believe(), game="holy-family")
    assert found == BluffRoundEnd(Judgement.WRONG_WAY, 0, 1, 1, Status.IN, also=2)
    found = ended(Roll(), Announce(62, wrong_way=True), Refuse(), game="holy-family")
    assert found == BluffRoundEnd(Judgement.WRONG_WAY, 0, 1, 1, Status.IN)


@pytest.mark.parametrize(
    ("kind", "judgement", "cost", "seat", "played"),
    [
        (FaultKind.DROP, Judgement.DROPPED, 2, 0, (Roll(),)),
        (FaultKind.MOVE, Judgement.MOVED, 1, 0, (Roll(), Announce(42))),
        (FaultKind.LOOK, Judgement.LOOKED, 1, 1, (Roll(), Announce(42), Believe())),
    ],
)
def test_faults_are_told_by_their_names(kind, judgement, cost, seat, played):
    found = ended(*played, Fault(kind, seat), game="physicist")
    assert found == BluffRoundEnd(judgement, seat, cost, cost, Status.IN)


def test_an_inadmissible_announcement_is_told():
    found = ended(Roll(), Announce(62), Believe(), Announce(62), game="holy-family")
    assert (found.judgement, found.payer) == (Judgement.INADMISSIBLE, 1)


def test_towers_are_shown_and_spare_their_roller():
    found = ended(Roll((4, 2), True), Look(), ShowTower(), game="holy-family")
    assert (found.judgement, found.cost) == (Judgement.TOWER_SHOWN, 0)
    assert (found.dice, found.tower) == ((4, 2), True)
    thrice = (Roll(), Roll(), Roll((3, 1), True), Announce(62), Doubt())
    found = ended(*thrice, Lift(), game="holy-family")
    assert (found.judgement, found.payer, found.cost) == (Judgement.TOWER_SPARED, 0, 0)


def test_a_lifted_maexchen_turns_the_direction():
    found = ended(Roll((2, 1)), Announce(62), Doubt(), Lift(), game="holy-family")
    assert (found.judgement, found.reversed) == (Judgement.TRUE, True)


def thrown(*throws):
    return tuple(Roll(dice) for dice in throws)


def test_throws_for_the_lead_are_settled_or_tied():
    found = ended(*thrown((6, 5, 4), (3, 2, 1), (6, 5, 5)), game="chicago")
    assert found == OpenRoundEnd(None, None, (RoundBegan(1, 1),))
    found = ended(*thrown((6, 5, 4), (3, 2, 1), (2, 2, 2)), game="chicago")
    assert found == OpenRoundEnd(None, None, (Tied((1, 2)),))


def test_a_round_of_open_dice_names_the_best_and_the_worst_with_all_their_dice():
    lead = thrown((2, 2, 1), (6, 5, 4), (6, 5, 5))
    turns = (Roll((5, 1, 1)), Keep((1, 1)), Roll((3,)), Stop(), Roll((5, 4, 2)), Stop())
    found = ended(*lead, *turns, Roll((6, 5, 3)), Stop(), game="chicago")
    assert found.best == (0, (3, 1, 1))
    assert found.worst == (1, (5, 4, 2))
    assert found.told == (CoastersMoved(None, 1, 1),)


def test_covered_dice_are_told_once_they_are_lifted():
    lead = thrown((2, 2, 1), (6, 5, 4), (6, 5, 5))
    first = (Roll((5, 4, 2)), Keep((2,)), Roll((5, 4)), Roll((5, 3)))
    others = (Roll((6, 5, 3)), Stop(), Roll((6, 4, 3)), Stop())
    found = ended(*lead, *first, *others, Lift(), game="maxen")
    assert found.best == (1, (6, 5, 3))
    assert found.worst == (0, (5, 3, 2))


def test_sevens_names_the_dice_of_the_best_and_the_worst():
    lead = thrown((1,) * 6, (6,) * 6, (6,) * 6)
    turns = (Roll((6, 5, 4, 3, 2, 1)), Stop(), *thrown((6,) * 6, (5, 5, 5, 2, 2, 2)))
    found = ended(*lead, *turns, game="sevens")
    assert found.best == (0, (6, 5, 4, 3, 2, 1))
    assert found.worst == (1, (6,) * 6)


def test_levelling_is_told_either_way():
    match = new_match(replace(RULES["chicago"], levelling=True), NAMES, 0)
    before = match._replace(phase=Phase.LEVELLING, to_act=0, coasters=(4, 1, 1), leader=1, stage=2)
    found = round_end_of(before, apply(before, Give(None)))
    assert found.told == (LevellingDeclined(0),)
    found = round_end_of(before, apply(before, Give(2)))
    assert found.told == (CoastersMoved(0, 2, 1),)


def test_a_penalty_without_a_reason_is_a_defect():
    match = new_match(RULES["class"], NAMES, 0)
    with pytest.raises(AssertionError, match="a penalty without a reason"):
        round_end_of(match, Step(match, (Penalised(0, 1, 2),)))
