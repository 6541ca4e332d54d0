"""Votes for a new epoch: one per seat and epoch, a majority of all seats, one keeper."""

import pytest

from firmware.table.protocol import LogPosition, MessageError
from firmware.table.protocol.messages import Vote, decode, encode
from firmware.table.seat.votes import (
    EPOCHS_PER_MATCH,
    REPEAT_US,
    STEP_US,
    Decision,
    Here,
    Votes,
    packed_votes,
    unpacked_votes,
)

EPOCH = 16
ANA, BEN, CEM, DORA, EMIL = range(5)


def at(index):
    return LogPosition(index, index.to_bytes(8, "big"))


def here(index, epoch=EPOCH, since=None):
    return Here(epoch, epoch if since is None else since, at(index))


def test_who_has_left_keeps_nothing():
    assert Votes(ANA, 5).vote(CEM, 0b10001, 0, here(7), 0).keeper == BEN


def test_voting_for_the_same_again_is_the_same_vote():
    votes = Votes(CEM, 5)
    first = votes.vote(ANA, 0, 0, here(7), 0)
    assert votes.vote(ANA, 0, 0, here(7), 1) is first


def test_those_who_want_the_same_come_together_at_the_lowest_epoch_that_is_open_to_a_majority():
    votes = Votes(CEM, 5)
    votes.receive(Vote(20, 0b00001, BEN, EPOCH, at(9), DORA), EPOCH)
    assert votes.vote(ANA, 0, 0, here(7), 0) == Vote(17, 0b00001, BEN, EPOCH, at(7), CEM)
    votes.receive(Vote(18, 0b00001, BEN, EPOCH, at(9), EMIL), EPOCH)
    for epoch in (18, 19, 20):
        assert votes.reconsider(0, 0, here(7), (epoch - 17) * STEP_US - 1) is None
        stepped = votes.reconsider(0, 0, here(7), (epoch - 17) * STEP_US)
        assert stepped == Vote(epoch, 0b00001, BEN, EPOCH, at(7), CEM)
    assert votes.reconsider(0, 0, here(7), 9 * STEP_US) is None


def test_nobody_follows_far_where_it_is_not_needed():
    votes = Votes(CEM, 5)
    votes.receive(Vote(31, 0b00001, BEN, EPOCH, at(9), EMIL), EPOCH)
    votes.receive(Vote(17, 0b00001, BEN, EPOCH, at(9), DORA), EPOCH)
    votes.receive(Vote(17, 0b00001, BEN, EPOCH, at(9), BEN), EPOCH)
    assert votes.vote(ANA, 0, 0, here(7), 0).epoch == 17
    assert votes.reconsider(0, 0, here(7), 9 * STEP_US) is None
    assert votes.decided(17).keeper == BEN


def test_a_vote_is_cast_anew_without_the_others_alone():
    votes = Votes(ANA, 5)
    votes.vote(CEM, 0, 0, here(7), 0)
    votes.vote(BEN, 0, 0, here(7), 0)
    assert votes.reconsider(0, 1 << CEM, here(7), 0) == Vote(19, 0b00010, ANA, EPOCH, at(7))


@pytest.mark.parametrize(
    ("without", "keeper", "gone"),
    [(0b1000_0001, 1, "81 01"), (0x1FE, 0, "fe 10"), (0xF81, 1, "81 f1")],
)
def test_a_vote_has_bits_for_twelve_seats_in_two_bytes(without, keeper, gone):
    """At a table of eight these are the bytes of earlier releases."""
    vote = Vote(17, without, keeper, EPOCH, at(7), 2)
    assert encode(vote).body[:2] == bytes.fromhex(gone) == vote.statement[19:21]
    assert decode(encode(vote)) == vote
    assert unpacked_votes(packed_votes([vote])) == (vote,)
    assert vote.gone == {seat for seat in range(12) if without >> seat & 1}


@pytest.mark.parametrize(("without", "keeper"), [(1 << 12, 0), (1, 12), (-1, 0)])
def test_a_vote_about_a_thirteenth_seat_does_not_fit(without, keeper):
    with pytest.raises(MessageError, match="do not fit 12 seats"):
        encode(Vote(17, without, keeper, EPOCH, at(7), 2))


@pytest.mark.parametrize(("seats", "needed"), [(2, 2), (3, 2), (4, 3), (5, 3), (8, 5), (9, 5)])
def test_more_than_half_of_all_seats_decide(seats, needed):
    votes = Votes(0, seats)
    for seat in range(1, needed):
        assert votes.decided(17) is None
        votes.receive(Vote(17, 1, 1, EPOCH, at(seat), seat), EPOCH)
    if needed < seats:
        assert votes.decided(17) is None
        votes.receive(Vote(17, 1, 1, EPOCH, at(needed), needed), EPOCH)
        decided = votes.decided(17)
        assert decided.base == {seat: at(seat) for seat in range(1, needed + 1)}
        assert (decided.epoch, decided.without, decided.keeper) == (17, {0}, 1)
        assert decided.longest == needed
    assert votes.decided(18) is None


def test_a_seat_votes_once_for_an_epoch():
    votes = Votes(ANA, 3)
    assert votes.receive(Vote(17, 0b001, BEN, EPOCH, at(7), BEN), EPOCH)
    assert not votes.receive(Vote(17, 0b100, ANA, EPOCH, at(7), BEN), EPOCH)
    assert votes.open_of_others(EPOCH, at(7)) == ((BEN, Vote(17, 0b001, BEN, EPOCH, at(7), BEN)),)
    assert votes.open_of_others(EPOCH, at(8)) == (), "the match has gone on"
    mine = Vote(17, 0b100, ANA, EPOCH, at(7))
    assert not votes.receive(mine, EPOCH), "nobody votes in my name"


def test_the_keeper_begins_with_the_longest_record():
    votes = Votes(ANA, 3, (Vote(17, 0b010, ANA, EPOCH, at(7)),))
    votes.receive(Vote(17, 0b010, ANA, EPOCH, at(9), CEM), EPOCH)
    assert votes.to_begin(here(7)) == Decision(17, {BEN}, ANA, EPOCH, {ANA: at(7), CEM: at(9)})
    assert votes.to_begin(here(7)).longest == CEM
    assert votes.to_begin(here(9)) is not None


@pytest.mark.parametrize(("mine", "theirs"), [(10, 9), (9, 10)])
def test_a_match_that_has_gone_on_is_not_begun_anew(mine, theirs):
    votes = Votes(ANA, 3, (Vote(17, 0b010, ANA, EPOCH, at(7)),))
    votes.receive(Vote(17, 0b010, ANA, EPOCH, at(9), CEM), EPOCH)
    votes.note_want(CEM, theirs)
    assert votes.to_begin(here(mine)) is None


def test_an_open_vote_is_said_again():
    votes = Votes(CEM, 5)
    vote = votes.vote(ANA, 0, 0, here(7), 0)
    assert votes.next_timer_us == REPEAT_US
    assert votes.due(EPOCH, at(7), REPEAT_US - 1) is None
    assert votes.due(EPOCH, at(7), REPEAT_US) == vote
    assert votes.next_timer_us == 2 * REPEAT_US
    assert votes.due(17, at(7), 2 * REPEAT_US) is None, "its epoch has begun"
    assert votes.next_timer_us is None


def test_after_a_restart_an_open_vote_is_said_again():
    votes = Votes(CEM, 5, unpacked_votes(packed_votes([Vote(17, 1, BEN, EPOCH, at(7), CEM)])))
    votes.resumed(EPOCH, 1_000)
    assert votes.due(EPOCH, at(7), 1_000 + REPEAT_US) == Vote(17, 1, BEN, EPOCH, at(7), CEM)
    votes.resumed(17, 0)


def test_a_match_has_so_many_epochs_and_no_more():
    votes = Votes(CEM, 5)
    for index in range(EPOCHS_PER_MATCH - 1):
        assert votes.can_vote(EPOCH)
        votes.vote(ANA, 0, 0, here(index), 0)
    assert not votes.can_vote(EPOCH)
    assert votes.mine[-1].epoch == 2 * EPOCH - 1
    assert votes.can_vote(2 * EPOCH)


def test_bytes_that_are_no_votes_are_refused():
    with pytest.raises(ValueError, match="no votes"):
        unpacked_votes(b"\0")
