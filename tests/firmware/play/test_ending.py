"""Turns and the ends of rounds, read from what the rules core says about them."""

from dataclasses import replace

import pytest

from firmware.display.screens import Judgement
from firmware.input.controls import LocalChoice
from firmware.play.turn import offers
from firmware.play.turn.round_end import BluffRoundEnd, round_end_of
from firmware.table.seat.cup_custody import Position
from game import RULES, Phase, Status, Step, apply, new_match
from game import actions as do
from game.events import CoastersMoved, LevellingDeclined, Penalised
from tests.support.bots import after

NAMES = ("Ana", "Ben", "Cem")


def ended(*actions, game="class", **options):
    """How the last of some actions ended a round."""
    match = new_match(replace(RULES[game], **options), NAMES, 0)
    for action in actions:
        before, step = match, apply(match, action)
        match = step.match
    return round_end_of(before, step)


LIED = (do.Roll((6, 5)), do.Announce(65), do.Believe(), do.Roll((3, 1)), do.OwnUp())
SAID = (do.Roll((6, 2)), do.Announce(62))


@pytest.mark.parametrize(
    ("actions", "judgement", "rest"),
    [
        ((do.Roll((4, 2)), do.Announce(62), do.Doubt(), do.Lift((4, 2))), Judgement.LIE,
         (0, 1, 2, Status.IN, (4, 2), 62, 0, 1)),
        ((*SAID, do.Believe(), do.Announce(63), do.Doubt(), do.Lift()), Judgement.LIE,
         (1, 1, 2, Status.IN, (6, 2), 63, 1, 2)),
        ((*SAID, do.Doubt(), do.Lift()), Judgement.TRUE, (1, 1, 2, Status.IN, (6, 2), 62, 0, 1)),
        ((do.Roll((2, 1)), do.Look(), do.ShowMaexchen()), Judgement.SHOWN,
         (1, 1, 2, Status.IN, (2, 1), None, None, 0)),
        ((do.Roll((2, 1)), do.Announce(21), do.GiveIn()), Judgement.GAVE_IN, (1, 1, 2, Status.IN)),
        (LIED, Judgement.OWNED_UP, (1, 1, 2, Status.IN)),
        ((do.Roll(), do.VoidRound()), Judgement.VOIDED, (None, 0, 0, Status.IN)),
        ((do.Roll(), do.Leave(0)), Judgement.LEFT, (0, 0, 0, Status.LEFT)),
    ],
)  # fmt: skip
def test_a_round_of_the_class_game_ends(actions, judgement, rest):
    assert ended(*actions) == BluffRoundEnd(judgement, *rest)


def test_the_last_match_makes_a_swimmer_and_the_next_penalty_ends_it():
    swims = ended(*LIED, credit=1)
    assert (swims.payer, swims.stands, swims.status) == (1, 0, Status.SWIMS)
    out = ended(*LIED, do.Roll((3, 1)), do.Announce(21), do.Doubt(), do.Lift(), credit=1)
    assert (out.payer, out.stands, out.status) == (1, 0, Status.OUT)


@pytest.mark.parametrize("actions", [(), (do.Announce(31),), (do.Leave(1),), (do.StopMatch(),)])
def test_a_round_that_goes_on_has_no_end(actions):
    assert ended(do.Roll(), *actions) is None


WRONG_WAY = (do.Roll(), do.Announce(62, wrong_way=True))
THRICE = (do.Roll(), do.Roll(), do.Roll((3, 1), True), do.Announce(62), do.Doubt(), do.Lift())


@pytest.mark.parametrize(
    ("actions", "told"),
    [
        ((*WRONG_WAY, do.Believe()),
         {"judgement": Judgement.WRONG_WAY, "payer": 0, "also": 2, "dice": None}),
        ((*WRONG_WAY, do.Refuse()), {"judgement": Judgement.WRONG_WAY, "payer": 0, "also": None}),
        ((do.Roll(), do.Announce(62), do.Believe(), do.Announce(62)),
         {"judgement": Judgement.INADMISSIBLE, "payer": 1}),
        ((do.Roll((4, 2), True), do.Look(), do.ShowTower()),
         {"judgement": Judgement.TOWER_SHOWN, "cost": 0, "dice": (4, 2), "tower": True}),
        (THRICE, {"judgement": Judgement.TOWER_SPARED, "payer": 0, "cost": 0}),
        ((do.Roll((2, 1)), do.Announce(62), do.Doubt(), do.Lift()),
         {"judgement": Judgement.TRUE, "reversed": True}),
    ],
)  # fmt: skip
def test_a_round_of_the_holy_family_ends(actions, told):
    found = ended(*actions, game="holy-family")
    assert {name: getattr(found, name) for name in told} == told


@pytest.mark.parametrize(
    ("kind", "judgement", "cost", "seat", "played"),
    [
        (do.FaultKind.DROP, Judgement.DROPPED, 2, 0, ()),
        (do.FaultKind.MOVE, Judgement.MOVED, 1, 0, (do.Announce(42),)),
        (do.FaultKind.LOOK, Judgement.LOOKED, 1, 1, (do.Announce(42), do.Believe())),
    ],
)
def test_faults_are_told_by_their_names(kind, judgement, cost, seat, played):
    found = ended(do.Roll(), *played, do.Fault(kind, seat), game="physicist")
    assert found == BluffRoundEnd(judgement, seat, cost, cost, Status.IN)


def thrown(*throws):
    return tuple(do.Roll(dice) for dice in throws)


def test_a_round_of_open_dice_names_the_best_and_the_worst_with_all_their_dice():
    lead = thrown((2, 2, 1), (6, 5, 4), (6, 5, 5))
    first = (do.Roll((5, 1, 1)), do.Keep((1, 1)), do.Roll((3,)), do.Stop())
    others = (do.Roll((5, 4, 2)), do.Stop(), do.Roll((6, 5, 3)), do.Stop())
    found = ended(*lead, *first, *others, game="chicago")
    assert found.best == (0, (3, 1, 1))
    assert found.worst == (1, (5, 4, 2))
    assert found.notes == (CoastersMoved(None, 1, 1),)


def test_levelling_is_told_either_way():
    match = new_match(replace(RULES["chicago"], levelling=True), NAMES, 0)
    before = match.replace(phase=Phase.LEVELLING, to_act=0, coasters=(4, 1, 1), leader=1, stage=2)
    found = round_end_of(before, apply(before, do.GiveCoaster(None)))
    assert found.notes == (LevellingDeclined(0),)
    found = round_end_of(before, apply(before, do.GiveCoaster(2)))
    assert found.notes == (CoastersMoved(0, 2, 1),)


def test_a_penalty_without_a_reason_is_a_defect():
    match = new_match(RULES["class"], NAMES, 0)
    with pytest.raises(AssertionError, match="a penalty without a reason"):
        round_end_of(match, Step(match, ((Penalised, 0, 1, 2),)))


FOUR = ("Ana", "Ben", "Cem", "Dora")


@pytest.mark.parametrize("standing", [False, True])
@pytest.mark.parametrize(
    ("game", "shown"),
    [("class", do.ShowMaexchen()), ("holy-family", do.ShowTower()), ("physicist", None)],
)
def test_after_a_look_the_dial_does_not_depend_on_the_dice(standing, game, shown):
    before = (do.Roll((6, 5)), do.Announce(42), do.Believe()) if standing else ()
    dials = {
        offers.offering(Position.MINE, after(*before, do.Roll(dice, tower), do.Look(), game=game))
        for dice in ((2, 1), (1, 2), (3, 1), (6, 6), (6, 5))
        for tower in ((False, True) if game == "holy-family" else (False,))
    }
    (found,) = dials
    throws = () if game == "physicist" and not standing else (do.Roll(),)
    shows = () if shown is None else (shown,)
    owns_up = (do.OwnUp(),) if game == "class" and standing else ()
    assert found.held == (*throws, do.Look(), *shows, *owns_up)


@pytest.mark.parametrize("game", RULES)
def test_the_menu_reads_on_with_a_tap_and_ends_things_with_a_hold(game):
    match = new_match(RULES[game], FOUR, 0)
    found = offers.menu(match, 2)
    assert found == offers.Offering(
        (LocalChoice.SCORES, LocalChoice.HELP, LocalChoice.LOUDER),
        (do.Leave(2), do.StopMatch()),
        last=LocalChoice.BACK,
    )
    match = apply(match, do.Leave(2)).match
    assert do.Leave(2) not in offers.menu(match, 2).held
    stopped = apply(match, do.StopMatch()).match
    assert offers.menu(stopped, 0).held == ()


def test_a_look_again_is_offered_and_a_blind_roll_never():
    seen = after(do.Roll((6, 3)), do.Look())
    assert offers.may_look(seen)
    assert offers.may_look_again(seen)
    assert offers.showable(seen) == (do.ShowMaexchen(),)
    assert do.Look() in offers.offering(Position.MINE, seen).held
    blind = after(do.Roll((6, 3)), do.Look(), do.Roll((2, 1)))
    assert not offers.may_look(blind)
    assert offers.showable(blind) == ()
    assert offers.offering(Position.MINE, blind).held == ()
    assert offers.may_look(after(do.Roll((6, 3))))


@pytest.mark.parametrize(
    "place", [Position.WATCHING, Position.TAKING, Position.PASSING, Position.OVER, Position.STOPPED]
)
def test_who_cannot_act_has_nothing_but_the_scores(place):
    found = offers.offering(place, after())
    assert found == offers.Offering()
    held, tapped = found.entries()
    assert [entry.choice for entry in held] == [LocalChoice.MORE]
    assert tapped == ()
