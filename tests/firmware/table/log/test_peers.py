"""The receivers of the log's entries, and when entries are sent again."""

import pytest

from firmware.table.log.public_log import (
    FIRST_RESEND_US,
    LAST_RESEND_US,
    OTHERS_LATER_US,
    QUEUED_US,
    UNDER_WAY_US,
    PeerProgress,
    answer_later_us,
    turn_of,
)
from firmware.table.protocol import ENTRIES_AT_ONCE

S = 1_000_000


@pytest.fixture
def gossip():
    return PeerProgress(4, me=1)


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
        gossip.note_sent([0], 0, index)
    assert not gossip.wanted(0, 3, 4, 200)
    assert gossip.lacks[0] == 3
    assert gossip.wanted(0, 3, 4, 100 + FIRST_RESEND_US), "it asks still"


@pytest.fixture
def lit():
    """Return the progress at a table with infrared alone."""
    return PeerProgress(4, me=1, by_light=True)


def told(gossip, index, now_us):
    """Yield what is sent after entries up to ``index``: the first entry, and the receivers."""
    groups = gossip.groups(gossip.appended(index, now_us), index)
    for first, seats in groups:
        gossip.note_sent(seats, first, index)
        yield first, tuple(seats)


def test_each_is_told_alone_but_by_light_all_at_once(gossip, lit):
    assert list(told(gossip, 3, 0)) == [(0, (0,)), (0, (2,)), (0, (3,))]
    assert list(told(lit, 3, S)) == [(0, (0, 2, 3))]


def test_what_was_told_by_light_is_not_told_with_what_comes_later(lit):
    assert list(told(lit, 3, S)) == [(0, (0, 2, 3))]
    assert list(told(lit, 4, S + QUEUED_US)) == [(0, (0, 2, 3))], "it waits still, and is replaced"
    assert list(told(lit, 5, 2 * S + QUEUED_US)) == [(4, (0, 2, 3))]


def test_who_has_missed_something_asks_and_is_told_it(lit):
    lit.sent_to_all(0, 7)
    list(told(lit, 8, S))
    assert not lit.wanted(2, 7, 8, S + UNDER_WAY_US - 1), "it is still on the air"
    assert lit.wanted(2, 5, 8, S + 1) == [0, 2, 3], "the others may have missed it, too"
    assert lit.groups([0, 2, 3], 8) == [(5, [0, 2, 3])]


def test_by_light_the_repeat_waits_until_each_can_have_answered(lit):
    list(told(lit, 3, S))
    first_us = lit.next_timer_us
    assert first_us >= S + UNDER_WAY_US + answer_later_us(turn_of(2, 1, 4))
    assert lit.wanted(2, 3, 3, 2 * S) == []
    assert lit.next_timer_us > first_us + OTHERS_LATER_US, "the first has answered"
    assert lit.due(3, lit.next_timer_us) == [3, 0]
    assert lit.groups([3, 0], 3) == [(0, [3, 0])]


def test_a_repeat_is_told_to_all_who_have_not_answered_and_is_one(lit):
    list(told(lit, 3, S))
    assert lit.due(3, lit.next_timer_us) == [2, 0, 3]
    again_us = lit.next_timer_us
    assert lit.due(3, again_us - 1) == []


def test_who_lacks_much_does_not_keep_the_others_from_what_is_new(lit):
    end = 2 * ENTRIES_AT_ONCE
    for seat in (0, 3, 2):
        lit.wanted(seat, 0 if seat == 2 else end, end, 0)
    assert lit.groups([2], end) == [(0, [2])]
    assert lit.groups([0, 2, 3], end + 1) == [(end, [0, 3]), (0, [2])]
    lit.note_sent([2], 0, ENTRIES_AT_ONCE)
    assert lit.wanted(2, ENTRIES_AT_ONCE, end, 1) == [2], "portion by portion"
