"""Who is told what, and when again."""

import pytest

from firmware.table.log.peers import FIRST_RESEND_US, LAST_RESEND_US, PeerProgress
from firmware.table.protocol.sizes import TOLD_AT_ONCE

S = 1_000_000


@pytest.fixture
def gossip():
    return PeerProgress(4, me=1)


def test_whoever_appends_tells_everybody_else(gossip):
    assert gossip.appended(3, 0) == [0, 2, 3]
    assert gossip.next_timer_us == FIRST_RESEND_US


def test_a_seat_that_lacks_nothing_is_left_alone(gossip):
    gossip.appended(3, 0)
    assert not gossip.wanted(2, 3, 3, 100)
    assert gossip.due(3, FIRST_RESEND_US) == [0, 3]
    assert gossip.appended(3, S) == [0, 3]


def test_it_is_repeated_ever_more_slowly_until_it_is_answered(gossip):
    for seat in (0, 2):
        gossip.wanted(seat, 9, 3, 0)
    assert gossip.appended(3, 0) == [3]
    times, now_us = [], 0
    for _ in range(6):
        assert gossip.due(3, gossip.next_timer_us - 1) == []
        waited_us, now_us = gossip.next_timer_us - now_us, gossip.next_timer_us
        times.append(waited_us)
        assert gossip.due(3, now_us) == [3]
    assert (
        times == [FIRST_RESEND_US, 2 * FIRST_RESEND_US, 4 * FIRST_RESEND_US] + [LAST_RESEND_US] * 3
    )
    gossip.wanted(3, 3, 3, now_us)
    assert gossip.next_timer_us is None
    assert gossip.due(3, now_us + 60 * S) == []


def test_an_answer_to_an_older_telling_asks_for_nothing_while_a_newer_is_under_way(gossip):
    for index, now_us in ((3, 0), (4, 100)):
        gossip.appended(index, now_us)
        gossip.told(0, index)
    assert not gossip.wanted(0, 3, 4, 200)
    assert gossip.lacks[0] == 3
    assert gossip.wanted(0, 3, 4, 100 + FIRST_RESEND_US), "it asks still"


def test_a_seat_that_asks_is_told_even_by_one_who_does_not_speak(gossip):
    assert gossip.wanted(2, 0, 5, 0)
    gossip.told(2, 5)
    assert not gossip.wanted(2, 0, 5, 1), "it has just been told"


def test_who_hears_of_newer_entries_falls_silent(gossip):
    gossip.appended(3, 0)
    gossip.peer_appended()
    assert gossip.next_timer_us is None
    assert gossip.due(3, 60 * S) == []


def test_what_became_known_meanwhile_is_not_told_again(gossip):
    gossip.appended(3, 0)
    gossip.lacks[0] = 3
    assert gossip.due(3, FIRST_RESEND_US) == [2, 3]
    assert gossip.next_timer_us == 3 * FIRST_RESEND_US


def test_a_seat_that_lacks_much_is_told_it_portion_by_portion_without_a_wait(gossip):
    end = 3 * TOLD_AT_ONCE - 1
    for first in range(0, end + 1, TOLD_AT_ONCE):
        assert gossip.wanted(2, first, end, first)
        gossip.told(2, min(end, first + TOLD_AT_ONCE))
    assert not gossip.wanted(2, 2 * TOLD_AT_ONCE, end, end), "that is under way"
    assert not gossip.wanted(2, end, end, end)
    assert gossip.next_timer_us is None
