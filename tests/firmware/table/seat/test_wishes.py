"""The wishes of players, their votes, and when they are forgotten (B-10)."""

from functools import reduce
from hashlib import sha512

import pytest

from firmware.table.log.entries import Wished
from firmware.table.protocol.messages import AskedFault, Question, Wish, WishKind
from firmware.table.seat.wishes import QUESTION_US, REPEAT_US, Wishes
from game import RULES, apply, new_match
from game.actions import Announce, Believe, Fault, FaultKind, Leave, Roll, StopMatch, VoidRound

ROUND = 4
THREE = (0, 1, 2)


@pytest.fixture
def wishes():
    return wishes_of(0)


def wishes_of(seat):
    return Wishes(seat, 16, lambda statement: sha512(b"%d" % seat + statement).digest())


def granted(wishes, at_table):
    return tuple(action for action, _ in wishes.granted(at_table))


@pytest.mark.parametrize("action", [
    Leave(0), VoidRound(), StopMatch(), *(Fault(FaultKind.OTHER, seat) for seat in range(9)),
])  # fmt: skip
def test_every_wish_is_told_and_understood(wishes, action):
    other = wishes_of(1)
    other.receive(0, wishes.wish(action, ROUND, 0), ROUND)
    assert other.open == wishes.open == ((0, action),)


@pytest.mark.parametrize(("action", "wished"), [
    (VoidRound(), WishKind.VOID_ROUND),
    (StopMatch(), WishKind.STOP_MATCH),
    (Fault(FaultKind.OTHER, 2), WishKind.MISTAKE_OF_2),
])  # fmt: skip
@pytest.mark.parametrize(("seats", "needed"), [(2, 2), (3, 2), (4, 3), (5, 3), (8, 5)])
def test_the_rest_wants_more_than_half(wishes, action, wished, seats, needed):
    at_table = tuple(range(seats))
    for votes in range(1, seats + 1):
        wishes.receive(votes - 1, Wish(ROUND, wished), ROUND)
        assert granted(wishes, at_table) == ((action,) if votes >= needed else ())


def test_wishes_of_another_round_or_of_who_left_are_forgotten(wishes):
    wishes.receive(1, Wish(ROUND - 1, WishKind.VOID_ROUND), ROUND)
    wishes.receive(2, Wish(ROUND, WishKind.STOP_MATCH), ROUND)
    wishes.forget(ROUND, THREE, 0)
    assert wishes.open == ((2, StopMatch()),)
    wishes.forget(ROUND, (0, 1), 0)
    assert wishes.open == ()


def test_the_own_wish_to_leave_outlives_the_round_and_is_repeated(wishes):
    said = wishes.wish(Leave(0), ROUND, 0)
    wishes.wish(VoidRound(), ROUND, 0)
    wishes.forget(ROUND + 1, THREE, 0)
    assert wishes.open == ((0, Leave(0)),)
    assert wishes.due(REPEAT_US - 1) == ()
    assert wishes.next_timer_us == REPEAT_US
    assert wishes.due(REPEAT_US) == (said,)
    assert wishes.next_timer_us == 2 * REPEAT_US
    wishes.forget(ROUND + 1, (1, 2), REPEAT_US)
    assert wishes.next_timer_us is None


BLIND = (Announce(65), Believe())
"""What brings the cup from Cem to Ana, who may not look into it."""


def thrown(seat, game="physicist"):
    """Round 1, and ``seat`` has dice under the cup."""
    return apply(new_match(RULES[game], ("Ana", "Ben", "Cem"), seat), Roll()).match


def test_a_question_stands_until_it_is_answered_or_old(wishes):
    asked = Question(1, AskedFault.DROP)
    wishes.receive_question(2, asked, thrown(2), 0)
    assert wishes.question[:2] == (2, FaultKind.DROP)
    wishes.receive_question(1, Question(1, AskedFault.NOTHING), thrown(2), 0)
    assert wishes.question is not None, "another one's answer"
    wishes.receive_question(2, Question(1, AskedFault.NOTHING), thrown(2), 0)
    assert wishes.question is None
    wishes.receive_question(2, asked, thrown(2), 0)
    assert wishes.next_timer_us == QUESTION_US
    wishes.forget(1, THREE, QUESTION_US - 1)
    assert wishes.question is not None
    wishes.forget(1, THREE, QUESTION_US)
    assert wishes.question is None


@pytest.mark.parametrize(
    ("seat", "question", "match"),
    [
        (2, Question(0, AskedFault.DROP), thrown(2)),
        (1, Question(1, AskedFault.DROP), thrown(2)),
        (2, Question(1, AskedFault.MOVE), thrown(2)),
        (2, Question(1, AskedFault.LOOK), thrown(2)),
        (2, Question(1, AskedFault.DROP), thrown(2, "class")),
        (2, Question(1, AskedFault.DROP), new_match(RULES["physicist"], ("Ana", "Ben", "Cem"), 2)),
    ],
    ids=["other-round", "other-holder", "not-passed", "may-look", "other-game", "empty-cup"],
)
def test_a_question_about_what_cannot_be_a_fault_is_none(wishes, seat, question, match):
    wishes.receive_question(seat, question, match, 0)
    assert wishes.question is None


@pytest.mark.parametrize("kind", [FaultKind.DROP, FaultKind.MOVE, FaultKind.LOOK])
def test_what_is_asked_is_told_and_understood(wishes, kind):
    match = thrown(0)
    if kind is FaultKind.MOVE:
        match = apply(match, Announce(65)).match
    elif kind is FaultKind.LOOK:
        match = reduce(lambda match, action: apply(match, action).match, BLIND, thrown(2))
    other = wishes_of(1)
    other.receive_question(0, wishes.own_question(kind, 1), match, 0)
    assert other.question[1] == kind
    other.receive_question(0, wishes.own_question(None, 1), match, 0)
    assert other.question is None


def test_a_wish_for_a_later_round_leaves_that_of_this_round():
    wishes = wishes_of(0)
    for number in (ROUND, ROUND + 1):
        wishes.receive(1, Wish(number, WishKind.VOID_ROUND), ROUND)
    wishes.forget(ROUND, (0, 1), 0)
    assert wishes.open == ((1, VoidRound()),)


def test_what_is_granted_tells_who_wished_for_it_and_no_more_than_it_takes(wishes):
    said = {0: wishes.wish(VoidRound(), ROUND, 0)}
    for seat in (1, 3, 4):
        said[seat] = wishes_of(seat).wish(VoidRound(), ROUND, 0)
        wishes.receive(seat, said[seat], ROUND)
    ((action, by),) = wishes.granted(range(5))
    assert action == VoidRound()
    assert by == Wished(tuple((seat, said[seat].signature) for seat in (0, 1, 3)))
