import doctest
import inspect
import re

import pytest

from firmware.table import protocol
from firmware.table.commitment.fair_dice import Charge
from firmware.table.protocol import LogPosition, MessageError, MessageKind
from firmware.table.protocol import messages as cups

AT = LogPosition(19, bytes(range(8)))
SAMPLES = (
    cups.Propose(7, AT, asks=True, announced=62),
    cups.Answer(7, cups.CupAnswer.BELIEVE, AT),
    cups.Give(7, cups.Contents((3, 6))),
    cups.Taken(7),
    cups.Cancel(7),
    cups.Nak(7),
    cups.Log(17, 2, b"\x01\x2a", bytes(8)),
    cups.Want(17),
    cups.Recall(1, 7),
    cups.Wish(0, cups.WishKind.LEAVE),
    cups.Question(3, cups.AskedFault.DROP),
    cups.Fresh(0, 1, bytes(16)),
    cups.Share(0, 1, bytes(8)),
    cups.Caught(2, Charge.DICE),
)


FULL = (
    cups.Propose(0xFFFFFF, AT, asks=False, announced=None, count=2, entries=b"ab"),
    cups.Answer(7, cups.CupAnswer.GIVE_IN, AT, bytes(range(16))),
    cups.Give(7, cups.Contents((6, 5, 4, 3, 2), 255, bytes(range(32)), tower=True), b"8 bytes!"),
    cups.Log(0xFFFF, 255, bytes(255), bytes(range(8))),
    cups.Want(0xFFFF, cups.Want.NONCES - 1),
    cups.Want(17, beat=cups.Want.BEATS - 1),
    cups.Recall(cups.Want.NONCES - 1, cups.Recall.MOST_HOP, moved=True, voted=15),
    cups.Recall(1, later=True),
    cups.Recall(1, more=True),
    *(cups.Wish(7, kind) for kind in cups.WishKind),
    *(cups.Question(99, kind) for kind in cups.AskedFault),
    cups.Fresh(0xFFFF, 255, bytes(range(16))),
    cups.Share(0xFFFF, 255, bytes(range(8))),
    *(cups.Caught(15, charge) for charge in Charge),
)


@pytest.mark.parametrize("message", [*SAMPLES, *FULL], ids=str)
def test_decode_is_the_inverse_of_encode(message):
    assert cups.decode(cups.encode(message)) == message


def test_the_worked_examples_of_the_docstrings_are_true():
    modules = {inspect.getmodule(type(message)) for message in SAMPLES} | {protocol}
    names = {**vars(cups), "Contents": cups.Contents}
    results = [doctest.testmod(module, extraglobs=dict(names)) for module in modules]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) >= len(SAMPLES)


@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: type(message).__name__)
def test_the_layout_table_of_the_docstring_covers_the_body(message):
    rows = re.findall(r"^(\d+) +(\d+|rest) +\w+ ", inspect.getdoc(type(message)), re.MULTILINE)
    body = cups.encode(message).body
    end = 0
    for offset, length in rows:
        assert int(offset) == end
        end += len(body) - end if length == "rest" else int(length)
    assert end == len(body)


@pytest.mark.parametrize("message", SAMPLES, ids=lambda message: type(message).__name__)
def test_a_body_of_another_length_is_refused(message):
    parts = cups.encode(message)
    lengths = [len(parts.body) + 1, *range(len(parts.body))]
    if isinstance(message, cups.Log):
        lengths = list(range(8))
    for length in lengths:
        body = (parts.body + b"\0")[:length]
        with pytest.raises(MessageError):
            cups.decode(cups.Parts(parts.kind, parts.number, parts.count, body))


def test_an_answer_tells_the_newest_hop_that_fits():
    assert cups.decode(cups.encode(cups.Recall(9, 70_000, moved=True))) == cups.Recall(
        9, cups.Recall.MOST_HOP, moved=True
    )


def test_the_length_of_a_message_does_not_depend_on_dice():
    lengths = {
        len(cups.encode(cups.Give(1, cups.Contents(dice))).body) for dice in [(), (1, 1), (6, 6)]
    }
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
        cups.decode(cups.Parts(kind, number, count, bytes.fromhex(body)))


@pytest.mark.parametrize(
    "message",
    [
        cups.Propose(7, LogPosition(1 << 16, bytes(8)), asks=True, announced=62),
        cups.Propose(7, LogPosition(1, bytes(7)), asks=True, announced=62),
        cups.Propose(7, LogPosition(1, bytes(8)), asks=True, announced=256),
        cups.Answer(7, cups.CupAnswer.DOUBT, LogPosition(1, bytes(8)), bytes(15)),
        cups.Give(7, cups.Contents((7, 1))),
        cups.Give(7, cups.Contents((), tower=True)),
        cups.Give(7, cups.Contents((1,) * 6)),
        cups.Give(7, cups.Contents(throw=256)),
        cups.Give(7, cups.Contents(opening=b"")),
        cups.Give(7, cups.Contents(), contribution=bytes(9)),
        cups.Log(1, 1, b"\x01", bytes(9)),
    ],
    ids=str,
)
def test_a_field_that_does_not_fit_is_refused(message):
    with pytest.raises(MessageError):
        cups.encode(message)


def test_an_error_does_not_tell_what_lies_in_the_cup():
    with pytest.raises(MessageError) as caught:
        cups.encode(cups.Give(7, cups.Contents((5, 4), throw=256)))
    assert "5" not in str(caught.value).replace("255", "")
