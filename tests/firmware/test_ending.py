"""How rounds end, read from what the rules core says about them."""

from dataclasses import replace

import pytest

from firmware.ending import Ending, ending_of
from firmware.screens import Judgement
from game import RULES, Status, Step, apply, new_match
from game.actions import (
    Announce,
    Believe,
    Doubt,
    GiveIn,
    Leave,
    Lift,
    Look,
    OwnUp,
    Roll,
    ShowMaexchen,
    VoidRound,
)
from game.events import Penalised

NAMES = ("Ana", "Ben", "Cem")


def steps(*actions, **options):
    match = new_match(replace(RULES["class"], **options), NAMES, 0)
    for action in actions:
        step = apply(match, action)
        match = step.match
    return step


def test_a_lie_costs_the_announcer():
    found = ending_of(steps(Roll((4, 2)), Announce(62), Doubt(), Lift((4, 2))))
    assert found == Ending(Judgement.LIE, 0, 1, 2, Status.IN, (4, 2), 62, 0, 1)


def test_the_truth_costs_the_doubter():
    found = ending_of(steps(Roll((6, 2)), Announce(62), Believe(), Announce(63), Doubt(), Lift()))
    assert found == Ending(Judgement.LIE, 1, 1, 2, Status.IN, (6, 2), 63, 1, 2)
    found = ending_of(steps(Roll((6, 2)), Announce(62), Doubt(), Lift()))
    assert found == Ending(Judgement.TRUE, 1, 1, 2, Status.IN, (6, 2), 62, 0, 1)


def test_a_shown_maexchen_lies_open_and_costs_the_next():
    found = ending_of(steps(Roll((2, 1)), Look(), ShowMaexchen()))
    assert found == Ending(Judgement.SHOWN, 1, 1, 2, Status.IN, (2, 1), lifter=0)


def test_giving_in_shows_no_dice():
    found = ending_of(steps(Roll((2, 1)), Announce(21), GiveIn()))
    assert found == Ending(Judgement.GAVE_IN, 1, 1, 2, Status.IN)


def test_owning_up_shows_no_dice():
    found = ending_of(steps(Roll((6, 5)), Announce(65), Believe(), Roll((3, 1)), OwnUp()))
    assert found == Ending(Judgement.OWNED_UP, 1, 1, 2, Status.IN)


def test_drinks_are_counted_up():
    found = ending_of(steps(Roll((2, 1)), Announce(21), GiveIn(), stakes="drinks"))
    assert (found.payer, found.cost, found.stands) == (1, 1, 1)


def test_the_last_match_makes_a_swimmer_and_the_next_penalty_ends_it():
    pays = (Roll((6, 5)), Announce(65), Believe(), Roll((3, 1)), OwnUp())
    swims = ending_of(steps(*pays, credit=1))
    assert (swims.payer, swims.stands, swims.status) == (1, 0, Status.SWIMS)
    lies = (Roll((3, 1)), Announce(21), Doubt(), Lift())
    out = ending_of(steps(*pays, *lies, credit=1))
    assert (out.payer, out.stands, out.status) == (1, 0, Status.OUT)


@pytest.mark.parametrize(
    "actions", [(Roll(),), (Roll(), Announce(31)), (Roll(), VoidRound()), (Roll(), Leave(0))]
)
def test_a_round_that_costs_nobody_anything_has_no_such_end(actions):
    assert ending_of(steps(*actions)) is None


def test_a_penalty_without_a_reason_is_a_defect():
    step = Step(steps(Roll()).match, (Penalised(0, 1, 2),))
    with pytest.raises(AssertionError, match="a penalty without a reason"):
        ending_of(step)
