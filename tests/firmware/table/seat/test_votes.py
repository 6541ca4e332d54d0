"""Votes for a new epoch, and the wishes of players.

A seat has one vote in an epoch; a majority of all seats and one keeper decide. Wishes are forgotten
in time (B-10).
"""

from hashlib import sha512

import pytest

from firmware.table.log.entries import Wished
from firmware.table.protocol import LogPosition, MessageError
from firmware.table.protocol import messages as cups
from firmware.table.seat import votes as ballots
from firmware.table.seat.wishes import QUESTION_US, Wishes
from firmware.table.seat.wishes import REPEAT_US as SAID_AGAIN_US
from game import RULES, apply, new_match
from game.actions import Fault, FaultKind, Leave, Roll, StopMatch, VoidRound

EPOCH = 16
ANA, BEN, CEM, DORA, EMIL = range(5)
NONE, WITHOUT_ANA, WITHOUT_BEN = frozenset(), frozenset({ANA}), frozenset({BEN})


def at(index):
    return LogPosition(index, index.to_bytes(8, "big"))


def here(index, epoch=EPOCH, since=None):
    return ballots.Here(epoch, epoch if since is None else since, at(index))


def test_who_has_left_keeps_nothing():
    assert ballots.Votes(ANA, 5).vote(CEM, frozenset({ANA, EMIL}), NONE, here(7), 0).keeper == BEN


def test_those_who_want_the_same_come_together_at_the_lowest_epoch_that_is_open_to_a_majority():
    votes = ballots.Votes(CEM, 5)
    votes.receive(cups.Vote(20, WITHOUT_ANA, BEN, EPOCH, at(9), DORA), EPOCH)
    assert votes.vote(ANA, NONE, NONE, here(7), 0) == cups.Vote(
        17, WITHOUT_ANA, BEN, EPOCH, at(7), CEM
    )
    votes.receive(cups.Vote(18, WITHOUT_ANA, BEN, EPOCH, at(9), EMIL), EPOCH)
    for epoch in (18, 19, 20):
        assert votes.reconsider(NONE, NONE, here(7), (epoch - 17) * ballots.STEP_US - 1) is None
        stepped = votes.reconsider(NONE, NONE, here(7), (epoch - 17) * ballots.STEP_US)
        assert stepped == cups.Vote(epoch, WITHOUT_ANA, BEN, EPOCH, at(7), CEM)
    assert votes.reconsider(NONE, NONE, here(7), 9 * ballots.STEP_US) is None


def test_nobody_follows_far_where_it_is_not_needed():
    votes = ballots.Votes(CEM, 5)
    votes.receive(cups.Vote(31, WITHOUT_ANA, BEN, EPOCH, at(9), EMIL), EPOCH)
    votes.receive(cups.Vote(17, WITHOUT_ANA, BEN, EPOCH, at(9), DORA), EPOCH)
    votes.receive(cups.Vote(17, WITHOUT_ANA, BEN, EPOCH, at(9), BEN), EPOCH)
    assert votes.vote(ANA, NONE, NONE, here(7), 0).epoch == 17
    assert votes.reconsider(NONE, NONE, here(7), 9 * ballots.STEP_US) is None
    assert votes.decided(17).keeper == BEN


def test_a_vote_is_cast_anew_without_the_others_alone():
    votes = ballots.Votes(ANA, 5)
    votes.vote(CEM, NONE, NONE, here(7), 0)
    votes.vote(BEN, NONE, NONE, here(7), 0)
    assert votes.reconsider(NONE, frozenset({CEM}), here(7), 0) == cups.Vote(
        19, WITHOUT_BEN, ANA, EPOCH, at(7)
    )


@pytest.mark.parametrize(
    ("gone", "keeper", "packed"),
    [({0, 7}, 1, "81 01"), ({*range(1, 9)}, 0, "fe 10"), ({0, *range(7, 12)}, 1, "81 f1")],
)
def test_a_vote_has_bits_for_twelve_seats_in_two_bytes(gone, keeper, packed):
    """At a table of eight these are the bytes of earlier releases."""
    vote = cups.Vote(17, frozenset(gone), keeper, EPOCH, at(7), 2)
    assert cups.encode(vote).body[:2] == bytes.fromhex(packed) == vote.statement[19:21]
    assert cups.decode(cups.encode(vote)) == vote
    assert ballots.unpacked_votes(ballots.packed_votes([vote])) == (vote,)


@pytest.mark.parametrize(("gone", "keeper"), [(12, 0), (0, 12), (-1, 0)])
def test_a_vote_about_a_thirteenth_seat_does_not_fit(gone, keeper):
    with pytest.raises(MessageError, match="do not fit 12 seats"):
        cups.encode(cups.Vote(17, frozenset({gone}), keeper, EPOCH, at(7), 2))


@pytest.mark.parametrize(("seats", "needed"), [(2, 2), (3, 2), (4, 3), (5, 3), (8, 5), (9, 5)])
def test_more_than_half_of_all_seats_decide(seats, needed):
    votes = ballots.Votes(0, seats)
    for seat in range(1, needed):
        assert votes.decided(17) is None
        votes.receive(cups.Vote(17, WITHOUT_ANA, BEN, EPOCH, at(seat), seat), EPOCH)
    if needed < seats:
        assert votes.decided(17) is None
        votes.receive(cups.Vote(17, WITHOUT_ANA, BEN, EPOCH, at(needed), needed), EPOCH)
        decided = votes.decided(17)
        assert decided.base == {seat: at(seat) for seat in range(1, needed + 1)}
        assert (decided.epoch, decided.gone, decided.keeper) == (17, {0}, 1)
        assert decided.longest == needed
    assert votes.decided(18) is None


def test_a_seat_votes_once_for_an_epoch():
    votes = ballots.Votes(ANA, 3)
    assert votes.receive(cups.Vote(17, WITHOUT_ANA, BEN, EPOCH, at(7), BEN), EPOCH)
    assert not votes.receive(cups.Vote(17, frozenset({CEM}), ANA, EPOCH, at(7), BEN), EPOCH)
    assert votes.open_of_others(EPOCH, at(7)) == (
        (BEN, cups.Vote(17, WITHOUT_ANA, BEN, EPOCH, at(7), BEN)),
    )
    assert votes.open_of_others(EPOCH, at(8)) == (), "the match has gone on"
    mine = cups.Vote(17, frozenset({CEM}), ANA, EPOCH, at(7))
    assert not votes.receive(mine, EPOCH), "nobody votes in my name"


def test_the_keeper_begins_with_the_longest_record():
    votes = ballots.Votes(ANA, 3, (cups.Vote(17, WITHOUT_BEN, ANA, EPOCH, at(7)),))
    votes.receive(cups.Vote(17, WITHOUT_BEN, ANA, EPOCH, at(9), CEM), EPOCH)
    assert votes.to_begin(here(7)) == ballots.Decision(
        17, {BEN}, ANA, EPOCH, {ANA: at(7), CEM: at(9)}
    )
    assert votes.to_begin(here(7)).longest == CEM
    assert votes.to_begin(here(9)) is not None


@pytest.mark.parametrize(("mine", "theirs"), [(10, 9), (9, 10)])
def test_a_match_that_has_gone_on_is_not_begun_anew(mine, theirs):
    votes = ballots.Votes(ANA, 3, (cups.Vote(17, WITHOUT_BEN, ANA, EPOCH, at(7)),))
    votes.receive(cups.Vote(17, WITHOUT_BEN, ANA, EPOCH, at(9), CEM), EPOCH)
    votes.note_want(CEM, theirs)
    assert votes.to_begin(here(mine)) is None


def test_an_open_vote_is_said_again():
    votes = ballots.Votes(CEM, 5)
    vote = votes.vote(ANA, NONE, NONE, here(7), 0)
    assert votes.next_timer_us == ballots.REPEAT_US
    assert votes.due(EPOCH, at(7), ballots.REPEAT_US - 1) is None
    assert votes.due(EPOCH, at(7), ballots.REPEAT_US) == vote
    assert votes.next_timer_us == 2 * ballots.REPEAT_US
    assert votes.due(17, at(7), 2 * ballots.REPEAT_US) is None, "its epoch has begun"
    assert votes.next_timer_us is None


def test_after_a_restart_an_open_vote_is_said_again():
    vote = cups.Vote(17, WITHOUT_ANA, BEN, EPOCH, at(7), CEM)
    votes = ballots.Votes(CEM, 5, ballots.unpacked_votes(ballots.packed_votes([vote])))
    votes.resumed(EPOCH, 1_000)
    assert votes.due(EPOCH, at(7), 1_000 + ballots.REPEAT_US) == vote


def test_a_match_has_so_many_epochs_and_no_more():
    votes = ballots.Votes(CEM, 5)
    for index in range(ballots.EPOCHS_PER_MATCH - 1):
        assert votes.can_vote(EPOCH)
        votes.vote(ANA, NONE, NONE, here(index), 0)
    assert not votes.can_vote(EPOCH)
    assert votes.mine[-1].epoch == 2 * EPOCH - 1
    assert votes.can_vote(2 * EPOCH)


def test_bytes_that_are_no_votes_are_refused():
    with pytest.raises(ValueError, match="no votes"):
        ballots.unpacked_votes(b"\0")


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
    (VoidRound(), cups.WishKind.VOID_ROUND),
    (StopMatch(), cups.WishKind.STOP_MATCH),
    (Fault(FaultKind.OTHER, 2), cups.WishKind.MISTAKE_OF_2),
])  # fmt: skip
@pytest.mark.parametrize(("seats", "needed"), [(2, 2), (3, 2), (4, 3), (5, 3), (8, 5)])
def test_the_rest_wants_more_than_half(wishes, action, wished, seats, needed):
    at_table = tuple(range(seats))
    for votes in range(1, seats + 1):
        wishes.receive(votes - 1, cups.Wish(ROUND, wished), ROUND)
        assert granted(wishes, at_table) == ((action,) if votes >= needed else ())


def test_wishes_of_another_round_or_of_who_left_are_forgotten(wishes):
    wishes.receive(1, cups.Wish(ROUND - 1, cups.WishKind.VOID_ROUND), ROUND)
    wishes.receive(2, cups.Wish(ROUND, cups.WishKind.STOP_MATCH), ROUND)
    wishes.forget(ROUND, THREE, 0)
    assert wishes.open == ((2, StopMatch()),)
    wishes.forget(ROUND, (0, 1), 0)
    assert wishes.open == ()


def test_the_own_wish_to_leave_outlives_the_round_and_is_repeated(wishes):
    said = wishes.wish(Leave(0), ROUND, 0)
    wishes.wish(VoidRound(), ROUND, 0)
    wishes.forget(ROUND + 1, THREE, 0)
    assert wishes.open == ((0, Leave(0)),)
    assert wishes.due(SAID_AGAIN_US - 1) == ()
    assert wishes.next_timer_us == SAID_AGAIN_US
    assert wishes.due(SAID_AGAIN_US) == (said,)
    assert wishes.next_timer_us == 2 * SAID_AGAIN_US
    wishes.forget(ROUND + 1, (1, 2), SAID_AGAIN_US)
    assert wishes.next_timer_us is None


def thrown(seat, game="physicist"):
    """Round 1, and ``seat`` has dice under the cup."""
    return apply(new_match(RULES[game], ("Ana", "Ben", "Cem"), seat), Roll()).match


def test_a_question_stands_until_it_is_answered_or_old(wishes):
    asked = cups.Question(1, cups.AskedFault.DROP)
    wishes.receive_question(2, asked, thrown(2), 0)
    assert wishes.question[:2] == (2, FaultKind.DROP)
    wishes.receive_question(1, cups.Question(1, cups.AskedFault.NOTHING), thrown(2), 0)
    assert wishes.question is not None, "another one's answer"
    wishes.receive_question(2, cups.Question(1, cups.AskedFault.NOTHING), thrown(2), 0)
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
        (2, cups.Question(0, cups.AskedFault.DROP), thrown(2)),
        (1, cups.Question(1, cups.AskedFault.DROP), thrown(2)),
        (2, cups.Question(1, cups.AskedFault.MOVE), thrown(2)),
        (2, cups.Question(1, cups.AskedFault.LOOK), thrown(2)),
        (2, cups.Question(1, cups.AskedFault.DROP), thrown(2, "class")),
        (
            2,
            cups.Question(1, cups.AskedFault.DROP),
            new_match(RULES["physicist"], ("Ana", "Ben", "Cem"), 2),
        ),
    ],
    ids=["other-round", "other-holder", "not-passed", "may-look", "other-game", "empty-cup"],
)
def test_a_question_about_what_cannot_be_a_fault_is_none(wishes, seat, question, match):
    wishes.receive_question(seat, question, match, 0)
    assert wishes.question is None


def test_a_wish_for_a_later_round_leaves_that_of_this_round():
    wishes = wishes_of(0)
    for number in (ROUND, ROUND + 1):
        wishes.receive(1, cups.Wish(number, cups.WishKind.VOID_ROUND), ROUND)
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
