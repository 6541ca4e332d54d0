import doctest
import inspect
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.table import protocol
from firmware.table.commitment.fair_dice import Charge
from firmware.table.protocol import LogPosition, MessageError, MessageKind
from firmware.table.protocol import messages as cups
from firmware.table.protocol import messages as messages
from firmware.table.protocol.messages import (
    AskedFault,
    Caught,
    Contents,
    Fresh,
    Log,
    Parts,
    Question,
    Recall,
    Share,
    Want,
    Wish,
    WishKind,
    decode,
    encode,
)

hops = st.integers(1, 0xFF_FFFF)
indexes = st.integers(0, 0xFFFF)
nonces = st.integers(1, Want.NONCES - 1)
bytes_of = {length: st.binary(min_size=length, max_size=length) for length in (8, 16, 32)}
positions = st.builds(LogPosition, indexes, bytes_of[8])
contents = st.builds(
    lambda dice, throw, opening, tower: Contents(dice, throw, opening, tower and bool(dice)),
    st.lists(st.integers(1, 6), max_size=5).map(tuple),
    st.integers(0, 255),
    bytes_of[32],
    st.booleans(),
)
any_message = st.one_of(
    st.builds(cups.Propose, hops, positions, st.booleans(), st.none() | st.integers(1, 255)),
    st.builds(
        cups.Propose,
        hops,
        st.builds(LogPosition, st.integers(2, 0xFFFF), bytes_of[8]),
        st.booleans(),
        st.none(),
        st.integers(1, 2),
        st.binary(min_size=1, max_size=4),
    ),
    st.builds(cups.Answer, hops, st.sampled_from(cups.CupAnswer), positions, bytes_of[16]),
    st.builds(cups.Give, hops, contents, bytes_of[8]),
    st.builds(cups.Taken, hops),
    st.builds(cups.Cancel, hops),
    st.builds(cups.Nak, hops),
    st.builds(Log, indexes, st.integers(0, 255), st.binary(max_size=255), bytes_of[8]),
    st.builds(Want, indexes),
    st.builds(Want, indexes, nonces),
    st.builds(Want, indexes, beat=st.integers(0, Want.BEATS - 1)),
    st.builds(Recall, nonces, st.integers(0, Recall.MOST_HOP), voted=st.integers(0, 15)),
    st.builds(Recall, nonces, st.integers(1, Recall.MOST_HOP), st.just(True), st.integers(0, 15)),
    st.builds(Recall, nonces, later=st.just(True)),
    st.builds(Recall, nonces, more=st.just(True)),
    st.builds(Wish, hops, st.sampled_from(WishKind)),
    st.builds(Question, st.integers(0, 99), st.sampled_from(AskedFault)),
    st.builds(Fresh, indexes, st.integers(0, 255), bytes_of[16]),
    st.builds(Share, indexes, st.integers(0, 255), bytes_of[8]),
    st.builds(Caught, st.integers(0, 15), st.sampled_from(Charge)),
)
SAMPLES = (
    cups.Propose(7, LogPosition(19, bytes(8)), asks=True, announced=62),
    cups.Answer(7, cups.CupAnswer.BELIEVE, LogPosition(19, bytes(8))),
    cups.Give(7, Contents((3, 6))),
    cups.Taken(7),
    cups.Cancel(7),
    cups.Nak(7),
    Log(17, 2, b"\x01\x2a", bytes(8)),
    Want(17),
    Recall(1, 7),
    Wish(0, WishKind.LEAVE),
    Question(3, AskedFault.DROP),
    Fresh(0, 1, bytes(16)),
    Share(0, 1, bytes(8)),
    Caught(2, Charge.DICE),
)


@given(any_message)
def test_decode_is_the_inverse_of_encode(message):
    assert decode(encode(message)) == message


def test_the_worked_examples_of_the_docstrings_are_true():
    modules = {inspect.getmodule(type(message)) for message in SAMPLES} | {protocol}
    names = {**vars(messages), "Contents": Contents}
    results = [doctest.testmod(module, extraglobs=dict(names)) for module in modules]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) >= len(SAMPLES)


@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: type(message).__name__)
def test_the_layout_table_of_the_docstring_covers_the_body(message):
    rows = re.findall(r"^(\d+) +(\d+|rest) +\w+ ", inspect.getdoc(type(message)), re.MULTILINE)
    body = encode(message).body
    end = 0
    for offset, length in rows:
        assert int(offset) == end
        end += len(body) - end if length == "rest" else int(length)
    assert end == len(body)


@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: type(message).__name__)
def test_a_body_of_another_length_is_refused(message):
    parts = encode(message)
    lengths = [len(parts.body) + 1, *range(len(parts.body))]
    if isinstance(message, Log):
        lengths = list(range(8))
    for length in lengths:
        body = (parts.body + b"\0")[:length]
        with pytest.raises(MessageError):
            decode(Parts(parts.kind, parts.number, parts.count, body))


def test_an_answer_tells_the_newest_hop_that_fits():
    assert decode(encode(Recall(9, 70_000, moved=True))) == Recall(9, Recall.MOST_HOP, moved=True)


def test_the_length_of_a_message_does_not_depend_on_dice():
    lengths = {len(encode(cups.Give(1, Contents(dice))).body) for dice in [(), (1, 1), (6, 6)]}
    assert len(lengths) == 1


WITHOUT_A_MEANING = {
    "count of a bodiless": (MessageKind.TAKEN, 1, 7, ""),
    "count of nak": (MessageKind.NAK, 1, 7, "01"),
    "count of give": (MessageKind.GIVE, 1, 7, "0033" + "00" * 41),
    "a refusal of old": (MessageKind.NAK, 0, 7, "03"),
    "hop 0": (MessageKind.TAKEN, 0, 0, ""),
    "unknown flag": (MessageKind.PROPOSE, 0, 7, "0013 0011223344556677 03 3e"),
    "unknown choice": (MessageKind.ANSWER, 0, 7, "09 0013 0011223344556677" + "00" * 16),
    "unknown refusal": (MessageKind.NAK, 0, 7, "00"),
    "dice beyond the fifth": (MessageKind.GIVE, 0, 7, "8000" + "00" * 25),
    "a die of 7": (MessageKind.GIVE, 0, 7, "0007" + "00" * 25),
    "a second die without a first": (MessageKind.GIVE, 0, 7, "0008" + "00" * 25),
    "a question without a nonce": (MessageKind.WANT, 1, 17, ""),
    "an answer that says unknown things": (MessageKind.RECALL, 0x12, 1 << 9, ""),
}


@pytest.mark.parametrize("parts", WITHOUT_A_MEANING.values(), ids=WITHOUT_A_MEANING)
def test_parts_without_a_meaning_are_refused(parts):
    kind, count, number, body = parts
    with pytest.raises(MessageError):
        decode(Parts(kind, number, count, bytes.fromhex(body)))


@pytest.mark.parametrize(
    "message",
    [
        cups.Propose(7, LogPosition(1 << 16, bytes(8)), asks=True, announced=62),
        cups.Propose(7, LogPosition(1, bytes(7)), asks=True, announced=62),
        cups.Propose(7, LogPosition(1, bytes(8)), asks=True, announced=256),
        cups.Answer(7, cups.CupAnswer.DOUBT, LogPosition(1, bytes(8)), bytes(15)),
        cups.Give(7, Contents((7, 1))),
        cups.Give(7, Contents((), tower=True)),
        cups.Give(7, Contents((1,) * 6)),
        cups.Give(7, Contents(throw=256)),
        cups.Give(7, Contents(opening=b"")),
        cups.Give(7, Contents(), contribution=bytes(9)),
        Log(1, 1, b"\x01", bytes(9)),
    ],
    ids=str,
)
def test_a_field_that_does_not_fit_is_refused(message):
    with pytest.raises(MessageError):
        encode(message)


def test_an_error_does_not_tell_what_lies_in_the_cup():
    with pytest.raises(MessageError) as caught:
        encode(cups.Give(7, Contents((5, 4), throw=256)))
    assert "5" not in str(caught.value).replace("255", "")
