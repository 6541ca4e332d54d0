"""How rounds end, read from what the rules core says about them."""

from dataclasses import replace

import pytest

from firmware.display.screens import Judgement
from firmware.play.turn.round_end import BluffRoundEnd, OpenRoundEnd, round_end_of
from game import RULES, Phase, Status, Step, apply, new_match
from game import actions as do
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
    found = ended(do.Roll((4, 2)), do.Announce(62), do.Doubt(), do.Lift((4, 2)))
    assert found == BluffRoundEnd(Judgement.LIE, 0, 1, 2, Status.IN, (4, 2), 62, 0, 1)


def test_the_truth_costs_the_doubter():
    found = ended(
        do.Roll((6, 2)), do.Announce(62), do.Believe(), do.Announce(63), do.Doubt(), do.Lift()
    )
    assert found == BluffRoundEnd(Judgement.LIE, 1, 1, 2, Status.IN, (6, 2), 63, 1, 2)
    found = ended(do.Roll((6, 2)), do.Announce(62), do.Doubt(), do.Lift())
    assert found == BluffRoundEnd(Judgement.TRUE, 1, 1, 2, Status.IN, (6, 2), 62, 0, 1)


def test_a_shown_maexchen_lies_open_and_costs_the_next():
    found = ended(do.Roll((2, 1)), do.Look(), do.ShowMaexchen())
    assert found == BluffRoundEnd(Judgement.SHOWN, 1, 1, 2, Status.IN, (2, 1), lifter=0)


def test_giving_in_shows_no_dice():
    found = ended(do.Roll((2, 1)), do.Announce(21), do.GiveIn())
    assert found == BluffRoundEnd(Judgement.GAVE_IN, 1, 1, 2, Status.IN)


def test_owning_up_shows_no_dice():
    found = ended(do.Roll((6, 5)), do.Announce(65), do.Believe(), do.Roll((3, 1)), do.OwnUp())
    assert found == BluffRoundEnd(Judgement.OWNED_UP, 1, 1, 2, Status.IN)


def test_drinks_are_counted_up():
    found = ended(do.Roll((2, 1)), do.Announce(21), do.GiveIn(), stakes="drinks")
    assert (found.payer, found.cost, found.stands) == (1, 1, 1)


def test_the_last_match_makes_a_swimmer_and_the_next_penalty_ends_it():
    pays = (do.Roll((6, 5)), do.Announce(65), do.Believe(), do.Roll((3, 1)), do.OwnUp())
    swims = ended(*pays, credit=1)
    assert (swims.payer, swims.stands, swims.status) == (1, 0, Status.SWIMS)
    lies = (do.Roll((3, 1)), do.Announce(21), do.Doubt(), do.Lift())
    out = ended(*pays, *lies, credit=1)
    assert (out.payer, out.stands, out.status) == (1, 0, Status.OUT)


@pytest.mark.parametrize(
    "actions",
    [(do.Roll(),), (do.Roll(), do.Announce(31)), (do.Roll(), do.Leave(1)), (do.StopMatch(),)],
)
def test_a_round_that_goes_on_has_no_end(actions):
    assert ended(*actions) is None


def test_a_round_can_end_without_a_penalty():
    assert ended(do.Roll(), do.VoidRound()) == BluffRoundEnd(
        Judgement.VOIDED, None, 0, 0, Status.IN
    )
    assert ended(do.Roll(), do.Leave(0)) == BluffRoundEnd(Judgement.LEFT, 0, 0, 0, Status.LEFT)


def test_two_players_may_pay_for_a_wrong_direction():
    found = ended(do.Roll(), do.Announce(62, wrong_way=True), do.Believe(), game="holy-family")
    assert found == BluffRoundEnd(Judgement.WRONG_WAY, 0, 1, 1, Status.IN, also=2)
    found = ended(do.Roll(), do.Announce(62, wrong_way=True), do.Refuse(), game="holy-family")
    assert found == BluffRoundEnd(Judgement.WRONG_WAY, 0, 1, 1, Status.IN)


@pytest.mark.parametrize(
    ("kind", "judgement", "cost", "seat", "played"),
    [
        (do.FaultKind.DROP, Judgement.DROPPED, 2, 0, (do.Roll(),)),
        (do.FaultKind.MOVE, Judgement.MOVED, 1, 0, (do.Roll(), do.Announce(42))),
        (do.FaultKind.LOOK, Judgement.LOOKED, 1, 1, (do.Roll(), do.Announce(42), do.Believe())),
    ],
)
def test_faults_are_told_by_their_names(kind, judgement, cost, seat, played):
    found = ended(*played, do.Fault(kind, seat), game="physicist")
    assert found == BluffRoundEnd(judgement, seat, cost, cost, Status.IN)


def test_an_inadmissible_announcement_is_told():
    found = ended(do.Roll(), do.Announce(62), do.Believe(), do.Announce(62), game="holy-family")
    assert (found.judgement, found.payer) == (Judgement.INADMISSIBLE, 1)


def test_towers_are_shown_and_spare_their_roller():
    found = ended(do.Roll((4, 2), True), do.Look(), do.ShowTower(), game="holy-family")
    assert (found.judgement, found.cost) == (Judgement.TOWER_SHOWN, 0)
    assert (found.dice, found.tower) == ((4, 2), True)
    thrice = (do.Roll(), do.Roll(), do.Roll((3, 1), True), do.Announce(62), do.Doubt())
    found = ended(*thrice, do.Lift(), game="holy-family")
    assert (found.judgement, found.payer, found.cost) == (Judgement.TOWER_SPARED, 0, 0)


def test_a_lifted_maexchen_turns_the_direction():
    found = ended(do.Roll((2, 1)), do.Announce(62), do.Doubt(), do.Lift(), game="holy-family")
    assert (found.judgement, found.reversed) == (Judgement.TRUE, True)


def thrown(*throws):
    return tuple(do.Roll(dice) for dice in throws)


def test_throws_for_the_lead_are_settled_or_tied():
    found = ended(*thrown((6, 5, 4), (3, 2, 1), (6, 5, 5)), game="chicago")
    assert found == OpenRoundEnd(None, None, (RoundBegan(1, 1),))
    found = ended(*thrown((6, 5, 4), (3, 2, 1), (2, 2, 2)), game="chicago")
    assert found == OpenRoundEnd(None, None, (Tied((1, 2)),))


def test_a_round_of_open_dice_names_the_best_and_the_worst_with_all_their_dice():
    lead = thrown((2, 2, 1), (6, 5, 4), (6, 5, 5))
    turns = (
        do.Roll((5, 1, 1)),
        do.Keep((1, 1)),
        do.Roll((3,)),
        do.Stop(),
        do.Roll((5, 4, 2)),
        do.Stop(),
    )
    found = ended(*lead, *turns, do.Roll((6, 5, 3)), do.Stop(), game="chicago")
    assert found.best == (0, (3, 1, 1))
    assert found.worst == (1, (5, 4, 2))
    assert found.told == (CoastersMoved(None, 1, 1),)


def test_covered_dice_are_told_once_they_are_lifted():
    lead = thrown((2, 2, 1), (6, 5, 4), (6, 5, 5))
    first = (do.Roll((5, 4, 2)), do.Keep((2,)), do.Roll((5, 4)), do.Roll((5, 3)))
    others = (do.Roll((6, 5, 3)), do.Stop(), do.Roll((6, 4, 3)), do.Stop())
    found = ended(*lead, *first, *others, do.Lift(), game="maxen")
    assert found.best == (1, (6, 5, 3))
    assert found.worst == (0, (5, 3, 2))


def test_sevens_names_the_dice_of_the_best_and_the_worst():
    lead = thrown((1,) * 6, (6,) * 6, (6,) * 6)
    turns = (do.Roll((6, 5, 4, 3, 2, 1)), do.Stop(), *thrown((6,) * 6, (5, 5, 5, 2, 2, 2)))
    found = ended(*lead, *turns, game="sevens")
    assert found.best == (0, (6, 5, 4, 3, 2, 1))
    assert found.worst == (1, (6,) * 6)


def test_levelling_is_told_either_way():
    match = new_match(replace(RULES["chicago"], levelling=True), NAMES, 0)
    before = match._replace(phase=Phase.LEVELLING, to_act=0, coasters=(4, 1, 1), leader=1, stage=2)
    found = round_end_of(before, apply(before, do.Give(None)))
    assert found.told == (LevellingDeclined(0),)
    found = round_end_of(before, apply(before, do.Give(2)))
    assert found.told == (CoastersMoved(0, 2, 1),)


def test_a_penalty_without_a_reason_is_a_defect():
    match = new_match(RULES["class"], NAMES, 0)
    with pytest.raises(AssertionError, match="a penalty without a reason"):
        round_end_of(match, Step(match, (Penalised(0, 1, 2),)))
