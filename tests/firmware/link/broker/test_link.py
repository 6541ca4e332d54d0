"""The link over a broker: which frames go where, what is dropped; all as PROTOCOL.md says."""

import asyncio
import re
from pathlib import Path

import msgspec
import pytest

import firmware
from firmware.device.feed import BLOCK, EntryBlock, MatchNotice
from firmware.effects import Room, TableAddress
from firmware.link.broker import Attendance, Message, topics
from firmware.link.broker.link import FRESH_S, MOST_PER_S
from firmware.link.broker.mqtt import MOST_READ
from firmware.table.protocol import MAX_FRAME, Header, MessageKind
from firmware.table.protocol.sealing import KEY_BYTES, broker_password, keys_of_table, tag_of_table
from hw_sim.air.broker import MemoryBroker
from tests.support.brokers import Heard, heard, members, packet, publish

TAG = tag_of_table(bytes(KEY_BYTES))


def frame(sender, receiver, number=7, size=26):
    header = Header(MessageKind.PROPOSE, 0, 0, sender, receiver, number).pack()
    return header.ljust(size, b"\0")


async def table():
    """A broker, and two seats of a table that know each other to be there."""
    broker = MemoryBroker(1)
    seats = await members(broker, TableAddress(TAG, 0), TableAddress(TAG, 1))
    for seat in seats:
        await seat.present.until(lambda said: len(dict(said)) == 2)
    return broker, *seats


async def test_what_no_handheld_sends_is_dropped():
    broker, one, two = await table()
    mine = topics.to(TAG, 1)
    broker.take(Message(mine, frame(0, 1, 1), retained=True))
    await two.frames.until(len)  # it is told as news, once …
    (late,) = await members(broker, TableAddress(TAG, 1))
    await late.present.until(lambda said: len(said) >= 2)
    for payload in (b"", b"short", bytes(10_000), bytes(MAX_FRAME + 1)):
        broker.take(Message(mine, payload))
    for odd in ("99", "x", "-1", ""):
        broker.take(Message(topics.here(TAG, odd), b"1"))
    broker.take(Message(topics.here(TAG, 5), b"maybe"))
    one.link.send(None, frame(0, 1, 2))
    await late.frames.until(len)
    assert late.frames.all == [frame(0, 1, 2)]  # … and never again
    assert {seat for seat, _ in late.present.all} <= {0, 1}
    for wrong in (b"", b"x" * (MAX_FRAME + 1)):
        with pytest.raises(ValueError, match="cannot be sent"):
            one.link.send(None, wrong)


def test_two_tables_of_the_same_people_have_nothing_in_common_at_a_broker():
    def seen(key):
        seeds = keys_of_table(key, 0, range(3))
        return tag_of_table(key), seeds.table.to_bytes(2, "big").hex()

    one, other = seen(bytes(KEY_BYTES)), seen(bytes([1]) * KEY_BYTES)
    assert one[0] != other[0]
    assert len(one[0]) == 32
    assert bytes(KEY_BYTES).hex()[:8] not in one[0]


def test_passwords_stay_out_of_what_may_be_logged():
    assert "secret" not in repr(TableAddress(TAG, 0, password="secret"))
    assert "secret" not in repr(Attendance((), password="secret"))


async def test_a_flood_costs_no_more_than_its_share():
    broker, one, two = await table()
    for number in range(20 * MOST_PER_S):
        broker.take(Message(topics.to(TAG, 1), frame(5, 1, number)))
    await asyncio.sleep(0.5)
    assert len(two.frames.all) <= 2 * MOST_PER_S
    await asyncio.sleep(1.0)
    one.link.send(None, frame(0, 1, 7))
    await two.frames.until(lambda came: came[-1] == frame(0, 1, 7))


@pytest.mark.parametrize("version", [3, 5])
def test_a_packet_without_end_is_not_waited_for(version):
    huge = 250_000_000
    says = [packet(0x30, b"", huge), *[bytes(65_536)] * (huge // 65_536)]
    came, told, hostile, _ = asyncio.run(heard(version, says, lambda all_: all_))
    assert came == [b"well"]
    assert hostile.comers == 2
    assert hostile.sent < 64 * MOST_READ, "what buffers of the system hold, and no more"
    assert len(told) == 1


@pytest.mark.parametrize("version", [3, 5])
def test_what_comes_with_qos_2_is_dropped_and_not_kept(version):
    says = [publish(2, number, b"x" * 1000, version) for number in range(1, 1000)]
    says.append(publish(0, 0, b"last", version))
    came, told, hostile, kept = asyncio.run(heard(version, says, lambda all_: all_))
    assert (came, told, hostile.comers, kept) == ([b"last"], [], 1, 0)


PROTOCOL = Path(firmware.__file__).parent / "table" / "protocol" / "PROTOCOL.md"
SECTION = PROTOCOL.read_text(encoding="utf-8").split("## Over a broker")[1].split("\n## ")[0]
EXAMPLE = dict(
    re.findall(r"^(tag|topic|payload|user|password|parts) +(.+)$", SECTION, re.MULTILINE)
)
KEY = bytes(range(32))
NOTICE = bytes.fromhex("f101") + bytes(16) + bytes(20)


def test_what_is_public_has_the_fields_that_are_told():
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in SECTION.splitlines()
        if line.startswith("| `") and "maexchen/" not in line
    ]
    for column, kind in enumerate((MatchNotice, EntryBlock), start=1):
        told = {row[0].strip("`") for row in rows if row[column] == "•"}
        assert told == {field.name for field in msgspec.structs.fields(kind)}
    assert str(BLOCK) in next(row[3] for row in rows if row[0] == "`first`")
    assert len(rows) == 9


async def test_the_example_is_what_a_handheld_says():
    said, keys = Heard(), keys_of_table(KEY, 1, range(3))
    table_address = TableAddress(EXAMPLE["tag"], 1, password=broker_password(keys.seed))
    assert tag_of_table(KEY) == EXAMPLE["tag"]
    assert (table_address.user, table_address.password) == (EXAMPLE["user"], EXAMPLE["password"])
    frame = bytes.fromhex(EXAMPLE["payload"])
    broker = MemoryBroker(1)
    broker.observers.append(said)
    (seat,) = await members(broker, table_address)
    await said.until(len)
    seat.link.send(None, frame)
    seat.link.send(None, NOTICE)
    await said.until(lambda all_: len(all_) == 3)
    seat.link.listen_at(Room("1234"))
    await said.until(lambda all_: len(all_) == 4)
    while len(said.all) < 5:
        seat.link.send(None, NOTICE)
        await asyncio.sleep(0.1)
    here, framed, clear, gone, room = said.all[:5]
    assert (framed.topic, framed.payload) == (EXAMPLE["topic"], frame)
    table = {
        cells[0].strip(" `"): [cell.strip() for cell in cells[3:]]
        for cells in (line.strip("|").split("|") for line in SECTION.splitlines())
        if cells[0].startswith(" `maexchen")
    }
    for message in (here, framed, clear, gone, room):
        generic = message.topic.replace(table_address.tag, "<tag>").replace("1234", "<code>")
        generic = re.sub(r"/\d$", "/<seat>", generic)
        expires = f"{message.expires_s} s" if message.expires_s else "–"
        told = [str(int(message.sure)), "•" if message.retained else "–", expires]
        assert table[generic] == told, message
    assert (here.payload, gone.payload) == (b"1", b"0")
    assert f"{FRESH_S} s" == table["maexchen/1/<tag>/to/<seat>"][2]
    public = {
        topics.public_match("<tag>", "<seat>"),
        topics.public_entries("<tag>", "<seat>", "<n>"),
    }
    assert public < set(table)
