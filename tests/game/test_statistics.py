"""Statistics of a match: counted from what everybody may know of it."""

import doctest
from random import Random

import pytest

import game.record
from game import RULES
from game.actions import (
    Announce,
    Believe,
    Doubt,
    Fault,
    FaultKind,
    Lift,
    Look,
    Refuse,
    Roll,
    Say,
    Stop,
    Words,
)
from game.record import Record, RecordError, Statistics, replay, statistics
from tests.support.rules_table import playout

NAMES = ("Ana", "Ben", "Cem")


def counted(game, *actions):
    return statistics(len(NAMES), replay(Record(RULES[game], NAMES, 0, actions)))


def test_the_example_is_true():
    assert doctest.testmod(game.record).failed == 0


def test_a_lie_that_was_caught_and_a_truth_that_was_doubted():
    lie = (Roll((3, 1)), Look(), Announce(62), Believe(), Roll((6, 4)), Announce(64), Doubt())
    ana, ben, cem = counted("class", *lie, Lift())
    assert ana == Statistics(throws=1, looks=1, announcements=1)
    assert ben == Statistics(throws=1, announcements=1, truths_doubted=1)
    assert cem == Statistics(doubts=1, penalties=1)
    ana, ben, _ = counted("class", Roll((3, 1)), Announce(62), Doubt(), Lift())
    assert ana == Statistics(throws=1, announcements=1, lies_caught=1, penalties=1)
    assert ben == Statistics(doubts=1, right_doubts=1)


def test_faults_of_every_kind_count():
    ana, ben, cem = counted(
        "holy-family",
        Roll((3, 1)), Announce(62, wrong_way=True), Refuse(),
        Roll((3, 1)), Announce(62), Believe(), Roll(), Say(Words.SAME), Believe(), Announce(31),
        Roll((3, 1)), Fault(FaultKind.DROP, 2),
    )  # fmt: skip
    assert (ana.faults, ben.faults, cem.faults) == (1, 0, 2)
    assert (ana.penalties, ben.penalties, cem.penalties) == (1, 0, 2)


def test_open_rounds_are_won_and_lost():
    lead = (Roll((1, 1, 1)), Roll((6, 6, 5)), Roll((6, 5, 5)))
    rounds = (Roll((6, 1, 1)), Stop(), Roll((3, 2, 1)), Roll((5, 4, 2)))
    ana, ben, cem = counted("chicago", *lead, *rounds)
    assert (ana.rounds_won, ana.rounds_lost, ana.throws) == (1, 0, 2)
    assert (ben.rounds_won, ben.rounds_lost) == (0, 0)
    assert (cem.rounds_won, cem.rounds_lost) == (0, 1)


@pytest.mark.parametrize("game_name", RULES)
def test_everything_adds_up_in_any_match(game_name):
    rules = RULES[game_name]
    for seed in range(10):
        actions, _ = playout(rules, NAMES, Random(seed))
        record = Record(rules, NAMES, 0, tuple(actions))
        everybody = statistics(len(NAMES), replay(record))
        assert sum(one.throws for one in everybody) == sum(isinstance(a, Roll) for a in actions)
        assert sum(one.doubts for one in everybody) == sum(isinstance(a, Doubt) for a in actions)
        assert sum(one.lies_caught for one in everybody) == sum(
            one.right_doubts for one in everybody
        )
        *_, last = replay(record)
        if rules.family == "bluff":
            assert tuple(one.penalties for one in everybody) == last.match.tally


def test_a_record_that_cannot_be_played_is_refused():
    with pytest.raises(RecordError):
        counted("class", Doubt())
