"""Infrared: who may speak when, what goes first, and frames in pieces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.link.infrared import duration_us
from firmware.link.infrared import medium_access as access
from firmware.link.infrared.coding import MOST_FRAME, Packet, Pieces, coded, packets_of
from firmware.table.protocol import EVERY_SEAT, MAX_FRAME, LogPosition
from firmware.table.protocol import invitations as wire
from firmware.table.protocol.messages import EMPTY, Give, Log, Propose, Want
from firmware.table.protocol.sealing import Sealer, keys_of_table

SEALERS = [Sealer(keys_of_table(bytes(32), seat, range(3)), seat, 16) for seat in range(3)]
AT = LogPosition(3, bytes(8))


PROPOSE = SEALERS[0].seal(Propose(1, AT, True, 62), 2)


def log(first, count, to):
    return SEALERS[0].seal(Log(first, count, b"x" * count, bytes(8)), to)


def give(to):
    return SEALERS[0].seal(Give(1, EMPTY), to)


def manners(value=0.0, busy_us=None, waiting=()):
    """Return a sender that draws ``value``, heard others until ``busy_us``, and has frames."""
    polite = access.MediumAccess(lambda: value)
    if busy_us is not None:
        polite.medium_busy(busy_us)
    for number, frame in enumerate(waiting):
        polite.enqueue(frame, number)
    return polite


CUP, LOG, TAKEN, WANT = (kind + bytes(30) for kind in (b"\x11", b"\x17", b"\x14", b"\x18"))

NUMBERED = [b"\x19" + bytes([n]) + bytes(30) for n in range(access.MOST_WAITING)]


def spoken(polite, now_us=1_000_000):
    """Return the packets sent in constant silence, one after the other, with their times."""
    told = []
    while polite.next_us is not None:
        now_us = max(now_us, polite.next_us)
        packet = polite.take(now_us)
        if packet is not None:
            told.append((now_us, packet))
    return told


def contents(*frames):
    """Return the packets of frames that wait, in this order."""
    return [packet.content for _, packet in spoken(manners(waiting=frames))]


@pytest.mark.parametrize(
    ("frame", "more_us"),
    [
        (CUP, access.CUP_SPREAD_US // 2),
        (WANT, access.LATER_US + access.SPREAD_US // 2),
        (LOG, access.LOG_LATER_US + access.LOG_SPREAD_US // 2),
    ],
)
def test_it_waits_for_silence_and_a_moment_more_for_the_log_the_longest(frame, more_us):
    polite = manners(0.5, 400_000, [frame])
    free_us = 400_000 + access.TURN_AROUND_US + more_us
    assert polite.next_us == free_us
    assert polite.take(free_us - 1) is None
    assert polite.take(free_us) == Packet(frame)
    assert polite.next_us is None


def test_who_was_addressed_replies_before_others_send_something():
    polite = manners(0.5, 400_000, [WANT])
    others_us = polite.next_us
    polite.addressed()
    assert (
        polite.next_us
        == 400_000 + access.TURN_AROUND_US + access.REPLY_LATER_US + access.REPLY_SPREAD_US // 2
    )
    polite.medium_busy(400_000)
    assert polite.next_us == others_us


def test_the_cup_goes_first_and_the_log_last():
    polite = manners()
    for number, frame in enumerate((LOG, NUMBERED[0], TAKEN)):
        polite.enqueue(frame, number)
    assert [packet.content for _, packet in spoken(polite, 3)] == [TAKEN, NUMBERED[0], LOG]


@pytest.mark.parametrize("to", [2, EVERY_SEAT])
def test_the_entries_that_a_proposed_seat_needs_follow_at_once(to):
    other, needed = (log(0, 1, seat) for seat in (1, to))
    told = spoken(manners(waiting=[other, needed, PROPOSE]))
    assert [packet.content for _, packet in told] == [PROPOSE, needed, other]
    assert told[1][0] == told[0][0] + duration_us(len(coded(told[0][1]))) + access.TRAIN_US


def test_pieces_follow_each_other_unless_somebody_else_is_heard():
    long = b"\x17" + bytes(range(200))
    polite = manners(waiting=[long, CUP])
    assert polite.take(1_000_000) == Packet(CUP)
    (first_us, first), *_ = told = spoken(polite, 2_000_000)
    assert [packet for _, packet in told] == packets_of(long)
    assert told[1][0] == first_us + duration_us(len(coded(first))) + access.TRAIN_US
    polite.enqueue(long, 40_000_000)
    polite.take(40_000_000)
    polite.medium_busy(41_000_000)
    assert polite.next_us == 41_000_000 + access.TURN_AROUND_US + access.LOG_LATER_US


def test_what_waits_or_was_just_sent_is_not_sent_twice():
    polite = manners(waiting=[CUP, CUP])
    assert polite.take(2) == Packet(CUP)
    assert polite.next_us is None
    polite.enqueue(CUP, 600_000)
    assert polite.next_us is None
    polite.enqueue(CUP, 2_000_000)
    assert polite.take(2_000_000) == Packet(CUP)


@pytest.mark.parametrize(
    ("waiting", "sent"),
    [
        ([log(0, 1, 1), log(0, 1, 2), log(0, 2, 1)], [1, 2]),
        ([log(4, 1, EVERY_SEAT), log(5, 1, EVERY_SEAT)], [0, 1]),
        ([log(4, 1, EVERY_SEAT), log(5, 1, EVERY_SEAT), log(4, 2, EVERY_SEAT)], [2]),
        ([PROPOSE, give(1)], [0, 1]),
        ([PROPOSE, give(2)], [1]),
    ],
    ids=["other seat", "other entries", "repeated", "cup of another", "cup that is given"],
)
def test_what_a_newer_frame_repeats_is_not_sent(waiting, sent):
    assert contents(*waiting) == [waiting[number] for number in sent]


def test_an_answer_to_who_has_told_more_meanwhile_is_not_sent():
    answers = [SEALERS[0].seal(Want(4), seat) for seat in (1, 2)]
    polite = manners(waiting=answers)
    polite.note_frame(SEALERS[1].seal(Log(4, 1, b"x", bytes(8)), EVERY_SEAT))
    assert [packet.content for _, packet in spoken(polite)] == [answers[1]]


def invitation(kind, body=b""):
    head = wire.Head(kind, bytes(range(1, 7)), bytes(range(6)), bytes(4))
    return wire.packed(head, body)


def times_sent(polite, frame, until_us):
    """How often a frame is sent that is handed over every second."""
    sent = 0
    for now_us in range(0, until_us, 1_000_000):
        polite.enqueue(frame, now_us)
        while (due_us := polite.next_us) is not None and due_us < now_us + 1_000_000:
            sent += polite.take(max(now_us, due_us)) is not None
    return sent


def test_what_has_no_effect_in_a_lobby_is_said_ever_more_rarely():
    tap = invitation(wire.InvitationKind.TAP, wire.Plain(bytes(16)))
    table = invitation(wire.InvitationKind.TABLE, wire.TableNotice(True, 1, 1, 0, "Ana"))
    often, seldom = (times_sent(manners(0.5), frame, 30_000_000) for frame in (table, tap))
    assert often > 3 * seldom / 2, "that there is a table is news to some"


def test_the_newest_question_and_notice_of_a_lobby_count():
    asks = [invitation(wire.InvitationKind.ASK, wire.Missing(n, 0, False)) for n in (1, 2)]
    shown = [
        invitation(wire.InvitationKind.REVEAL, wire.Reveal(n, bytes(32), bytes(16))) for n in (1, 2)
    ]
    sent = contents(asks[0], shown[0], asks[1], shown[1])
    assert asks[0] not in sent
    assert asks[1] in sent
    assert sum(len(content) for content in sent) > sum(map(len, shown)), "each has its own place"


def test_what_waited_too_long_is_stale():
    assert manners(waiting=[CUP]).take(access.FRESH_US) is None


def test_too_many_frames_push_out_the_oldest_of_the_least_urgent():
    polite = manners(waiting=[CUP, *NUMBERED])
    sent = []
    while (due_us := polite.next_us) is not None and len(sent) < 3:
        sent.append(polite.take(max(100, due_us)))
    assert sent == [Packet(CUP), Packet(NUMBERED[1]), Packet(NUMBERED[2])]


# Pieces


@given(st.binary(min_size=MOST_FRAME + 1, max_size=MAX_FRAME), st.randoms(use_true_random=False))
def test_a_frame_comes_out_of_its_pieces_in_any_order(frame, chance):
    packets = packets_of(frame)
    assert all(packet.is_piece and len(packet.content) <= MOST_FRAME for packet in packets)
    chance.shuffle(packets)
    pieces = Pieces()
    told = [pieces.add(packet.content) for packet in packets]
    assert told == [None] * (len(packets) - 1) + [frame]


def test_pieces_of_nothing_of_forgotten_frames_and_of_two_are_dropped():
    pieces = Pieces()
    for broken in (b"", bytes(5), b"\0\0\0\5\5x"):
        assert pieces.add(broken) is None
    made = [packets_of(bytes([number]) * 100) for number in range(12)]
    for first, _ in made:
        assert pieces.add(first.content) is None
    assert pieces.add(made[11][1].content) == bytes([11]) * 100
    assert pieces.add(made[0][1].content) is None
    first, second = (packet.content for packet in made[11])
    assert pieces.add(first) is None
    assert pieces.add(second[:-1] + b"?") is None
