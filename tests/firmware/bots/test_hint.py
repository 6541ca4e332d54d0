"""Hints: what the solved games would do, by what who asks has seen."""

from firmware.bots.hint import hint
from game import RULES
from game.actions import (
    Announce,
    Believe,
    Doubt,
    Fault,
    FaultKind,
    Look,
    Refuse,
    Roll,
    ShowMaexchen,
)
from game.record import Record

NAMES = ("Ana", "Ben", "Cem")


def after(game, *actions, players=NAMES):
    return Record(RULES[game], players, 0, actions)


def test_it_knows_what_its_player_has_seen_and_no_more():
    assert hint(after("class", Roll((2, 1))), 0) == {Look(): 1.0}
    four = (*NAMES, "Dora")
    begun = (Roll((3, 1)), Look(), Announce(65), Believe())
    seen = after("class", *begun, Roll((2, 1)), Look(), players=four)
    assert hint(seen, 1) == {ShowMaexchen(): 1.0}
    low, high = (
        after("class", *begun, Roll(dice), Look(), Announce(55), players=four)
        for dice in ((3, 1), (6, 6))
    )
    assert hint(low, 2) == hint(high, 2)
    assert set(hint(low, 2)) == {Doubt(), Believe()}
    assert hint(low, 0) == {}


def test_what_the_table_did_is_followed():
    fault = Fault(FaultKind.DROP, 0)
    assert hint(after("physicist", Roll((3, 1)), fault), 0) == {Roll(): 1.0}


def test_a_cup_that_comes_the_wrong_way_is_refused():
    wrong = after("holy-family", Roll((3, 1)), Announce(65, None, True))
    assert hint(wrong, 2) == {Refuse(): 1.0}
