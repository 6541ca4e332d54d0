import doctest
import re

import pytest
from msgspec.structs import replace

from firmware.table import protocol as wire
from firmware.table.crypto import seal
from firmware.table.protocol.messages import Log, Taken, Vote, encode
from firmware.table.protocol.sealing import Sealer, keys_of_table
from tests.firmware.table.protocol.test_messages import SAMPLES

SEATS = range(3)
ANA, BEN, CEM = (Sealer(keys_of_table(bytes(32), seat, SEATS), seat, epoch=1) for seat in SEATS)
MESSAGES = (*SAMPLES, Vote(1, frozenset({1}), 0, 0, wire.LogPosition(19, bytes(8))))
every_message = pytest.mark.parametrize("message", MESSAGES, ids=lambda m: type(m).__name__)


def refusal(sealer, frame):
    with pytest.raises(wire.FrameError) as caught:
        sealer.open(frame)
    return str(caught.value)


def test_the_worked_examples_of_the_docstring_are_true():
    names = {"Header": wire.Header, "MessageKind": wire.MessageKind}
    assert doctest.testmod(wire.sealing, extraglobs=names) == (0, 2)


@every_message
def test_what_is_sealed_for_a_seat_it_can_open(message):
    assert BEN.open(ANA.seal(message, to=1)) == (0, message)


@every_message
def test_every_flipped_bit_is_refused(message):
    frame = ANA.seal(message, to=1)
    for bit in range(8 * len(frame)):
        flipped = bytearray(frame)
        flipped[bit // 8] ^= 1 << bit % 8
        refusal(BEN, bytes(flipped))


@every_message
def test_every_truncation_and_every_longer_frame_is_refused(message):
    frame = ANA.seal(message, to=1)
    for length in range(len(frame)):
        assert re.search("too short|not sealed by", refusal(BEN, frame[:length]))
    assert "not sealed by" in refusal(BEN, frame + b"\0")


def test_a_frame_that_comes_back_is_refused():
    frame = ANA.seal(Taken(7), to=1)
    assert "from this very seat" in refusal(ANA, frame)
    assert "not sealed by" in refusal(ANA, relabelled(frame, sender=1, receiver=0))


def test_a_stranger_is_refused():
    stranger = Sealer(keys_of_table(bytes(32), 5, [1]), 5, epoch=1)
    assert "not at this table" in refusal(BEN, stranger.seal(Taken(7), to=1))


def test_another_table_is_refused():
    other = Sealer(keys_of_table(bytes([1] * 32), 0, SEATS), 0, epoch=1)
    frame = other.seal(Taken(7), to=1)
    assert "of another table" in refusal(BEN, frame)
    table = wire.Header.unpack(ANA.seal(Taken(7), to=1)[: wire.HEADER_BYTES]).table
    assert "not sealed by" in refusal(BEN, relabelled(frame, table=table))


@pytest.mark.parametrize("epoch", [0, 2])
def test_another_epoch_is_refused_and_known_to_be_the_senders(epoch):
    ana = Sealer(keys_of_table(bytes(32), 0, SEATS), 0, epoch)
    frame = ana.seal(Taken(7), to=1)
    with pytest.raises(wire.FrameError, match="here it is 1") as caught:
        BEN.open(frame)
    assert (caught.value.sender, caught.value.epoch) == (0, epoch)
    assert "not sealed by" in refusal(BEN, frame[:-1] + bytes([frame[-1] ^ 1]))


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (0, b""),
        (9, b""),
        (wire.MessageKind.TAKEN, b"x"),
        (wire.MessageKind.GIVE, b""),
        (wire.MessageKind.NAK, b"\0"),
    ],
)
def test_what_a_seat_seals_without_a_meaning_is_refused(kind, body):
    keys = keys_of_table(bytes(32), 0, SEATS)
    header = wire.Header(kind, keys.table, 1, 0, 1, number=7).pack()
    frame = header + seal(keys.pairs[1], header + bytes(2), body, header)
    assert "not a message" in refusal(BEN, frame)


LOG = Log(17, 2, b"\x01\x4a", bytes(8))


def test_a_log_for_all_is_sealed_once_and_opened_by_everybody_else():
    frame = ANA.seal(LOG, to=wire.EVERY_SEAT)
    assert [other.open(frame) for other in (BEN, CEM)] == [(0, LOG)] * 2
    assert wire.receiver_of(frame) == wire.EVERY_SEAT
    assert "from this very seat" in refusal(ANA, frame)


def test_a_log_for_all_has_a_key_and_for_each_sender_a_header_of_its_own():
    frames = [ANA.seal(LOG, to=1), ANA.seal(LOG, wire.EVERY_SEAT), BEN.seal(LOG, wire.EVERY_SEAT)]
    assert len({frame[: wire.HEADER_BYTES] for frame in frames}) == 3
    assert "not sealed by" in refusal(BEN, relabelled(frames[1], receiver=1))
    assert "not sealed by" in refusal(BEN, relabelled(frames[0], receiver=wire.EVERY_SEAT))
    assert "not sealed by" in refusal(CEM, relabelled(frames[1], sender=1))
    keys = keys_of_table(bytes(32), 0, SEATS)
    assert keys.everybody not in keys.pairs.values()


@pytest.mark.parametrize("message", [m for m in MESSAGES if not isinstance(m, Log)], ids=repr)
def test_nothing_else_is_for_all(message):
    with pytest.raises(KeyError):
        ANA.seal(message, to=wire.EVERY_SEAT)
    keys, clear = keys_of_table(bytes(32), 0, SEATS), ANA.seal(message, to=1)[: wire.HEADER_BYTES]
    header = replace(wire.Header.unpack(clear), receiver=wire.EVERY_SEAT).pack()
    body = encode(message).body
    sealed = seal(keys.everybody, header + bytes(2), body, header)
    assert "for another seat" in refusal(BEN, header + sealed)


def test_a_key_of_another_length_is_refused_also_beside_right_ones():
    with pytest.raises(ValueError, match="32 bytes"):
        keys_of_table(bytes(31), 0, SEATS)
    with pytest.raises(ValueError, match="a public key has 32 bytes"):
        wire.sealing.Verifier({0: bytes(32), 1: bytes(31)})


@pytest.mark.parametrize(
    "header",
    [
        wire.Header(wire.MessageKind.TAKEN, 0, 0, 16, 0, 1),
        wire.Header(wire.MessageKind.TAKEN, 0, 0, 0, 16, 1),
        wire.Header(wire.MessageKind.TAKEN, 0, 0, 0, 1, 1 << 24),
        wire.Header(wire.MessageKind.TAKEN, 1 << 16, 0, 0, 1, 1),
        wire.Header(wire.MessageKind.TAKEN, 0, 1 << 16, 0, 1, 1),
        wire.Header(wire.MessageKind.TAKEN, 0, 0, 0, 1, 1, count=256),
    ],
    ids=str,
)
def test_a_header_that_does_not_fit_is_refused(header):
    with pytest.raises(wire.MessageError):
        header.pack()


def relabelled(frame, **changed):
    header = wire.Header.unpack(frame[: wire.HEADER_BYTES])
    return replace(header, **changed).pack() + frame[wire.HEADER_BYTES :]
