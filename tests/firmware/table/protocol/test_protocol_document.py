"""PROTOCOL.md says what the code does: its tables are carried out, its frames are sealed again."""

import inspect
import re
from itertools import accumulate, product
from pathlib import Path

import pytest

import firmware
from firmware.table import handover as e
from firmware.table.crypto import hkdf
from firmware.table.protocol import HEADER_BYTES, Header, LogPosition, MessageKind, sealing
from firmware.table.protocol import messages as cups
from firmware.table.protocol.messages import Contents
from firmware.table.seat.parts import Mode
from firmware.table.seat.seat import HANDLERS, IGNORE

ROOT = Path(firmware.__file__).parents[1]
TEXT = (ROOT / "firmware" / "table" / "protocol" / "PROTOCOL.md").read_text(encoding="utf-8")
KEY = bytes(range(32))
SEALERS = [
    sealing.Sealer(sealing.keys_of_table(KEY, seat, range(3)), seat, 16) for seat in range(3)
]
AT = LogPosition(2, bytes.fromhex("0011223344556677"))
ELSEWISE = LogPosition(2, bytes(8))
DICE = Contents((3, 6))
A, B, C = range(3)
K = 7


def rows(heading):
    """The table whose header begins with these cells."""
    body = TEXT.split(f"| {heading} |", 1)[1].split("\n\n", 1)[0]
    return [
        [cell.strip() for cell in line.strip()[1:-1].split("|")] for line in body.split("\n")[2:]
    ]


def sent_by(effects):
    return [effect for effect in effects if isinstance(effect, e.SendFrame)]


# A hop in bytes

FRAME = re.compile(r"^(\d) -> (\d)  ([A-Z]+) (\d+)\n((?: {8}[0-9a-f ]+\n)+)", re.MULTILINE)
FRAMES = [
    (int(sender), int(receiver), kind, int(hop), bytes.fromhex(digits.replace("\n", " ")))
    for sender, receiver, kind, hop, digits in FRAME.findall(TEXT)
]


def test_the_worked_example_is_what_two_handhelds_say():
    sides = [
        e.Handover(SEALERS[0].seal, e.Cup(16, e.Where.HOLDING, last=6, contents=DICE)),
        e.Handover(SEALERS[1].seal, e.Cup(16, last=5)),
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
    assert [side.cup.where for side in sides] == [e.Where.IDLE, e.Where.HOLDING]


# Bytes


def test_the_header_is_laid_out_as_the_table_says():
    sizes = [int(size) for size, _ in rows("bytes | field")]
    offsets = zip(accumulate(sizes, initial=0), sizes)
    packed = Header(MessageKind.GIVE, 0xAABB, 0xCCDD, 1, 2, 0x112233, 0x44).pack()
    assert [packed[at : at + size].hex() for at, size in offsets] == [
        "13", "aabb", "ccdd", "12", "112233", "44",
    ]  # fmt: skip
    assert sum(sizes) == HEADER_BYTES


def test_every_kind_of_message_is_listed_with_its_fields():
    heading = "kind | message | body, as fields of so many bytes | meaning"
    listed = {int(number): (name, fields) for number, name, fields, _ in rows(heading)}
    assert set(listed) == set(MessageKind)
    for kind in MessageKind:
        message = getattr(cups, kind.name.capitalize())
        told = re.findall(r"^\d+ +(\d+|rest) +(\w+) ", inspect.getdoc(message), re.MULTILINE)
        fields = ", ".join(f"{name} {size}" for size, name in told) or "–"
        assert listed[kind] == (kind.name, fields)


def test_a_mode_reads_the_messages_that_the_table_says():
    listed = {mode: reads for mode, _, _, reads in rows("mode | begins | ends | reads")}
    assert list(listed) == [mode.name for mode in Mode]
    assert set(HANDLERS) == {(mode, kind) for mode in Mode for kind in MessageKind}
    for mode in Mode:
        read = [kind.name for kind in MessageKind if HANDLERS[mode, kind] is not IGNORE]
        every = {len(MessageKind): "all", 0: "none"}
        assert listed[mode.name] == every.get(len(read), ", ".join(read))


def test_keys_are_derived_as_the_table_says():
    keys = sealing.keys_of_table(KEY, 0, range(3))
    made = {
        "table number": sealing.number_of_table(KEY).to_bytes(2, "big"),
        "LOG for all": sealing.key_to_all(KEY),
        "pair, without lobby": keys.pairs[1],
        "signing seed, without lobby": keys.seed,
        "broker tag": bytes.fromhex(sealing.tag_of_table(KEY)),
        "broker password": bytes.fromhex(sealing.broker_password(keys.seed)),
    }
    for name, size, source, info in rows("key | bytes | from | info"):
        purpose = re.findall("`(.+)`", info)[0].encode()
        if name in made:
            key = {"table key": KEY, "signing seed": keys.seed}[source]
            assert hkdf(key, purpose, int(size)) == made.pop(name)
    assert not made


# States


def side(**cup):
    return e.Handover(SEALERS[A].seal, e.Cup(16, **cup))


def proposed():
    return side(where=e.Where.HOLDING, last=K - 1, contents=DICE).propose(B, True, 62, AT, 0)[0]


def answered():
    return (
        side(last=K - 2)
        .received(B, cups.Propose(K, AT, True, 62), AT, 0)[0]
        .answer(cups.CupAnswer.BELIEVE, 0)[0]
    )


HERE = {
    "HOLDING": lambda: side(where=e.Where.HOLDING, last=K, contents=DICE),
    "PROPOSED": proposed,
    "OFFERED": lambda: proposed().received(B, cups.Answer(K, cups.CupAnswer.BELIEVE, AT), AT, 0)[0],
    "IDLE": lambda: side(last=K - 2),
    "ANSWERED": answered,
}
J = K - 2


def hear(sender, message):
    return lambda before: before.received(sender, message, AT, 0)


def first_hears(message, then):
    return lambda before: then(before.received(B, message, AT, 0)[0])


def hear_old(message, taken):
    """Hear of hop J, taken here or burnt."""
    return lambda sender: (
        lambda before: replace_cup(before, taken=taken).received(sender, message, AT, 0)
    )


def of_any(message):
    return lambda sender: hear(sender, message)


OFFER = cups.Propose(K, AT, True, 62)
EVENTS = {
    "propose": lambda _: side(where=e.Where.HOLDING, last=K - 1).propose(B, True, 62, AT, 0),
    "ANSWER k, same log": hear(B, cups.Answer(K, cups.CupAnswer.BELIEVE, AT)),
    "ANSWER k, another log": hear(B, cups.Answer(K, cups.CupAnswer.BELIEVE, ELSEWISE)),
    "NAK k": hear(B, cups.Nak(K)),
    "withdraw": lambda before: before.withdraw(),
    "time": lambda before: before.tick(e.FIRST_RESEND_US),
    "TAKEN k": hear(B, cups.Taken(K)),
    "PROPOSE k": hear(B, OFFER),
    "PROPOSE k, nothing to answer": hear(B, cups.Propose(K, AT, False, None)),
    "answer hop k": first_hears(OFFER, lambda before: before.answer(cups.CupAnswer.DOUBT, 0)),
    "GIVE k": hear(B, cups.Give(K, DICE)),
    "CANCEL k": hear(B, cups.Cancel(K)),
    "CANCEL k, offered": first_hears(OFFER, hear(B, cups.Cancel(K))),
}
OF_ANY = {
    "PROPOSE k+1 of C": [of_any(cups.Propose(K + 1, AT, True, 62))],
    "ANSWER j of C": [of_any(cups.Answer(J, cups.CupAnswer.BELIEVE, AT))],
    "GIVE or CANCEL j of C, taken": [hear_old(cups.Give(J, DICE), J), hear_old(cups.Cancel(J), J)],
    "GIVE or CANCEL j of C, burnt": [hear_old(cups.Give(J, DICE), 0), hear_old(cups.Cancel(J), 0)],
    "PROPOSE j of C, burnt": [hear_old(cups.Propose(J, AT, True, 62), 0)],
}


def replace_cup(before, **fields):
    return before._replace(cup=before.cup._replace(**fields))


def listed_states():
    """The rows of the table of states; an empty cell repeats the one above."""
    state = ""
    for name, *cells in rows("state | event | stored: next state | sent"):
        state = name or state
        yield state, *cells


STATES = list(listed_states())


@pytest.mark.parametrize("row", STATES, ids=lambda row: f"{row[0]}: {row[1]}")
def test_a_state_does_with_an_event_what_the_table_says(row):
    state, event, disk, sent = row
    hop = J if " j " in event else K
    events = [EVENTS[event]] if event in EVENTS else [by(x) for by in OF_ANY[event] for x in (B, C)]
    for name, carry_out in product(HERE if state == "any" else [state], events):
        before = HERE[name]()
        assert before.cup.where.name == name
        after, effects = carry_out(before)
        stores = [effect.cup for effect in effects if isinstance(effect, e.StoreCup)]
        assert disk == (stores[-1].where.name if stores else "–")
        assert not stores or K in (stores[-1].last, stores[-1].answered)
        opened = [SEALERS[send.seat].open(send.frame)[1] for send in sent_by(effects)]
        assert sent == (", ".join(type(m).__name__.upper() for m in opened) or "–")
        assert all(message.hop == hop for message in opened)
        assert after.cup.where.name == (disk if stores else name)
        ordered = [one for one in effects if isinstance(one, e.StoreCup | e.SendFrame)]
        assert not stores or isinstance(ordered[0], e.StoreCup)


def test_every_event_and_every_state_is_in_the_table():
    assert {row[1] for row in STATES} == {*EVENTS, *OF_ANY}
    assert {row[0] for row in STATES} == {*HERE, "any"}
    assert set(HERE) == {where.name for where in e.Where}


def test_every_file_that_the_document_names_is_there():
    for name in re.findall(r"`([\w/]+\.py)`", TEXT):
        assert (ROOT / name).exists(), name
