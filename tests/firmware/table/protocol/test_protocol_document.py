"""PROTOCOL.md says what the code does: its tables are carried out, its frames are sealed again."""

import inspect
import re
from pathlib import Path

import pytest

import firmware
from firmware.table.handover.cup import Cup, Where
from firmware.table.handover.effects import SendFrame, StoreCup
from firmware.table.handover.handover import BY_LIGHT, FIRST_RESEND_US, Handover
from firmware.table.log.peers import (
    ANSWER_LATER_US,
    EACH_LATER_US,
    PeerProgress,
    answer_later_us,
)
from firmware.table.protocol import codec as messages
from firmware.table.protocol import cup_messages as cups
from firmware.table.protocol.codec import encode
from firmware.table.protocol.contents import Contents
from firmware.table.protocol.header import EVERY_SEAT, HEADER_BYTES, TAG_BYTES, Header
from firmware.table.protocol.keys import keys_of_table
from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.layout import LogPosition
from firmware.table.protocol.log_messages import Log, Recall, Want
from firmware.table.protocol.sealing import Sealer
from firmware.table.seat.messages import HANDLERS, IGNORE
from firmware.table.seat.mode import Mode

ROOT = Path(firmware.__file__).parents[1]
TEXT = (ROOT / "firmware" / "table" / "protocol" / "PROTOCOL.md").read_text(encoding="utf-8")
KEY = bytes(range(32))
SEALERS = [Sealer(keys_of_table(KEY, seat, range(3)), seat, 16) for seat in range(3)]
AT = LogPosition(2, bytes.fromhex("0011223344556677"))
ELSEWISE = LogPosition(2, bytes(8))
DICE = Contents((3, 6))
A, B, C = range(3)
S = 1_000_000
K = 7


def rows(heading):
    """The table whose header begins with these cells."""
    body = TEXT.split(f"| {heading} |", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in body.split("\n")[2:]]


def sent_by(effects):
    return [effect for effect in effects if isinstance(effect, SendFrame)]


# A hop in bytes

FRAME = re.compile(r"^(\d) -> (\d)  ([A-Z]+) (\d+)\n((?: {8}[0-9a-f ]+\n)+)", re.MULTILINE)
FRAMES = [
    (int(sender), int(receiver), kind, int(hop), bytes.fromhex(digits.replace("\n", " ")))
    for sender, receiver, kind, hop, digits in FRAME.findall(TEXT)
]


def test_the_worked_example_is_what_two_handhelds_say():
    sides = [
        Handover(SEALERS[0].seal, Cup(16, Where.HOLDING, last=6, contents=DICE)),
        Handover(SEALERS[1].seal, Cup(16, last=5)),
    ]
    sides[0], effects = sides[0].propose(1, True, 62, AT, 0)
    said = []
    sender = 0
    while sent := sent_by(effects):
        (send,) = sent
        _, message = SEALERS[send.seat].open(send.frame)
        said.append((sender, send.seat, type(message).__name__.upper(), message.hop, send.frame))
        sender = send.seat
        sides[sender], effects = sides[sender].received(1 - sender, message, AT, 0)
        if isinstance(message, cups.Propose):
            sides[sender], effects = sides[sender].answer(cups.CupAnswer.DOUBT, 0)
    assert said == FRAMES
    assert [side.cup.where for side in sides] == [Where.IDLE, Where.HOLDING]


def test_the_log_of_the_example_is_told_to_all_with_these_bytes():
    told = re.search(r"^0 -> all  LOG 0\n((?: {8}[0-9a-f ]+\n)+)", TEXT, re.MULTILINE)
    frame = SEALERS[A].seal(Log(0, 2, b"\x01\x4a", AT.digest), EVERY_SEAT)
    assert frame == bytes.fromhex(told.group(1).replace("\n", " "))
    assert [sealer.open(frame)[0] for sealer in SEALERS[1:]] == [A, A]


def test_how_long_is_waited_over_infrared_is_what_is_written():
    first_us, last_us = BY_LIGHT.first_us, BY_LIGHT.last_us
    assert f"alone it is sent again after {first_us / S} s, up to {last_us // S} s" in TEXT
    first_us, each_us = ANSWER_LATER_US, EACH_LATER_US
    others_us = answer_later_us(1) - each_us
    assert f"says WANT {first_us // S} s later, the others {others_us // S} s later, each" in TEXT
    assert f"each next one {each_us / S} s" in TEXT
    peers = PeerProgress(3, 0, by_light=True)
    peers.appended(1, 0)
    more_us = peers.next_timer_us - first_us
    assert f"is repeated {more_us // S} s after the first answer was due" in TEXT


# Bytes


def test_the_header_is_laid_out_as_the_table_says():
    offsets = [(int(offset), int(size)) for offset, size, _ in rows("offset | bytes | field")]
    packed = Header(MessageKind.GIVE, 0xAABB, 0xCCDD, 1, 2, 0x112233, 0x44).pack()
    assert [packed[at : at + size].hex() for at, size in offsets] == [
        "13", "aabb", "ccdd", "12", "112233", "44",
    ]  # fmt: skip
    assert sum(size for _, size in offsets) == HEADER_BYTES


def test_every_kind_of_message_is_listed_with_its_fields():
    listed = {}
    for number, name, fields, length in rows("kind | message | body, as fields of so many bytes"):
        listed[int(number)] = (name, fields, int(length))
    assert set(listed) == set(MessageKind)
    for kind in MessageKind:
        message = getattr(messages, kind.name.capitalize())
        told = re.findall(r"^\d+ +(\d+|rest) +(\w+) ", inspect.getdoc(message), re.MULTILINE)
        fields = ", ".join(f"{name} {size}" for size, name in told) or "–"
        size = sum(2 if size == "rest" else int(size) for size, _ in told)
        assert listed[kind] == (kind.name, fields, HEADER_BYTES + size + TAG_BYTES)
    log = Log(0, 2, b"\1\2", bytes(8))
    assert len(SEALERS[A].seal(log, B)) == listed[MessageKind.LOG][2]
    assert len(encode(log).body) == 10


def reactions():
    """The table of modes and kinds of message, as the document shows it."""
    lines = [
        f"| message | {' | '.join(mode.name for mode in Mode)} |",
        "|---" * (1 + len(Mode)) + "|",
    ]
    for kind in MessageKind:
        cells = ("–" if HANDLERS[mode, kind] is IGNORE else "•" for mode in Mode)
        lines.append(f"| {kind.name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def test_a_mode_reads_the_messages_that_the_table_says():
    assert f"\n\n{reactions()}\n\n" in TEXT, f"the table has to be:\n{reactions()}"
    assert set(HANDLERS) == {(mode, kind) for mode in Mode for kind in MessageKind}


BITS = re.compile(r"^(question|answer)  ([0-9a-f ]+)$", re.MULTILINE)


def test_a_question_and_its_answer_are_laid_out_as_the_table_says():
    question, answer = Want(17, nonce=10_883), Recall(10_883, 7, moved=True)
    frames = {"question": SEALERS[B].seal(question, A), "answer": SEALERS[A].seal(answer, B)}
    assert {name: bytes.fromhex(digits) for name, digits in BITS.findall(TEXT)} == frames
    told = {"question": [10_883 >> 7, 17, 10_883 & 0x7F, 1], "answer": [10_883, 7, 1, 0]}
    listed = rows("from the highest bit | bits | in WANT | bits | in RECALL")
    for name, place in ("question", 1), ("answer", 3):
        word = int.from_bytes(frames[name][6:HEADER_BYTES], "big")
        for bits, field in reversed(list(zip((int(row[place]) for row in listed), told[name]))):
            word, here = divmod(word, 1 << bits)
            assert here == field
        assert word == 0


# States


def side(**cup):
    return Handover(SEALERS[A].seal, Cup(16, **cup))


def proposed():
    return side(where=Where.HOLDING, last=K - 1, contents=DICE).propose(B, True, 62, AT, 0)[0]


def answered():
    return (
        side(last=K - 2)
        .received(B, cups.Propose(K, AT, True, 62), AT, 0)[0]
        .answer(cups.CupAnswer.BELIEVE, 0)[0]
    )


HERE = {
    "HOLDING": lambda: side(where=Where.HOLDING, last=K, contents=DICE),
    "PROPOSED": proposed,
    "OFFERED": lambda: proposed().received(B, cups.Answer(K, cups.CupAnswer.BELIEVE, AT), AT, 0)[0],
    "IDLE": lambda: side(last=K - 2),
    "ANSWERED": answered,
}
REFUSED = {"last": K}


def hear(sender, message):
    return lambda before: before.received(sender, message, AT, 0)


def first_hears(message, then):
    return lambda before: then(before.received(B, message, AT, 0)[0])


EVENTS = {
    "propose to B": lambda _: side(where=Where.HOLDING, last=K - 1).propose(B, True, 62, AT, 0),
    "ANSWER k from B, same log": hear(B, cups.Answer(K, cups.CupAnswer.BELIEVE, AT)),
    "ANSWER k from B, another log": hear(B, cups.Answer(K, cups.CupAnswer.BELIEVE, ELSEWISE)),
    "ANSWER k from B, an old hop": hear(B, cups.Answer(K, cups.CupAnswer.BELIEVE, AT)),
    "NAK k from B": hear(B, cups.Nak(K)),
    "withdraw": lambda before: before.withdraw(),
    "time": lambda before: before.tick(FIRST_RESEND_US),
    "TAKEN k from B": hear(B, cups.Taken(K)),
    "PROPOSE k+1 from C": hear(C, cups.Propose(K + 1, AT, True, 62)),
    "PROPOSE k+1 from B": hear(B, cups.Propose(K + 1, AT, True, 62)),
    "PROPOSE k from B": hear(B, cups.Propose(K, AT, True, 62)),
    "PROPOSE k from B, nothing to answer": hear(B, cups.Propose(K, AT, False, None)),
    "answer hop k": first_hears(
        cups.Propose(K, AT, True, 62), lambda before: before.answer(cups.CupAnswer.DOUBT, 0)
    ),
    "GIVE k from B": hear(B, cups.Give(K, DICE)),
    "GIVE k from B, not answered for": hear(B, cups.Give(K, DICE)),
    "CANCEL k from B": hear(B, cups.Cancel(K)),
    "GIVE k from B, taken before": lambda before: replace_cup(before, last=K, taken=K).received(
        B, cups.Give(K, DICE), AT, 0
    ),
    "PROPOSE k from B, refused before": lambda before: replace_cup(before, **REFUSED).received(
        B, cups.Propose(K, AT, True, 62), AT, 0
    ),
}


def replace_cup(before, **fields):
    return Handover(before.seal, before.cup._replace(**fields))


STATES = rows("state | event | on the disk | sent | then")


@pytest.mark.parametrize("row", STATES, ids=lambda row: f"{row[0]}: {row[1]}")
def test_a_state_does_with_an_event_what_the_table_says(row):
    state, event, disk, sent, then = row
    before = HERE[state]()
    assert before.cup.where.name == state
    after, effects = EVENTS[event](before)
    stores = [effect.cup for effect in effects if isinstance(effect, StoreCup)]
    expected = "–"
    if stores:
        cup = stores[-1]
        known = K in (cup.last, cup.answered)
        expected = f"{cup.where.name}{' k' if known else ' ?'}"
    assert disk == expected
    opened = [SEALERS[send.seat].open(send.frame)[1] for send in sent_by(effects)]
    assert sent == (", ".join(f"{type(m).__name__.upper()} k" for m in opened) or "–")
    assert all(message.hop == K for message in opened)
    assert then == after.cup.where.name
    if stores:
        first_sent = next(
            (n for n, e in enumerate(effects) if isinstance(e, SendFrame)), len(effects)
        )
        assert any(isinstance(effect, StoreCup) for effect in effects[:first_sent])


def test_every_event_and_every_state_is_in_the_table():
    assert {row[1] for row in STATES} == set(EVENTS)
    assert {row[0] for row in STATES} == set(HERE) == {where.name for where in Where}


def test_every_file_that_the_document_names_is_there():
    for name in re.findall(r"`([\w/]+\.py)`", TEXT):
        assert (ROOT / name).exists(), name
