"""PROTOCOL.md says what goes over a broker: its example is said again, its table read."""

import asyncio
import re
from pathlib import Path

import msgspec

import firmware
from firmware.device.feed import BLOCK, EntryBlock, MatchNotice
from firmware.effects import Room, TableAddress
from firmware.link.broker import Attendance, topics
from firmware.link.broker.link import FRESH_S, BrokerLink
from firmware.link.broker.relay import MOST_BYTES, RelaySession
from firmware.table.protocol.sealing import broker_password, keys_of_table, tag_of_table
from hw_sim.air.broker import MemoryBroker
from hw_sim.clock import run
from tests.support.brokers import Heard

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


def test_what_crosses_the_socket_of_a_relay_is_what_is_told(tmp_path):
    path, came = tmp_path / "socket", Heard()

    async def read(reader, writer):
        for _ in range(2):
            size = await reader.readexactly(4)
            came(size + await reader.readexactly(int.from_bytes(size, "big")))
        writer.close()

    async def main():
        server = await asyncio.start_unix_server(read, str(path))
        session = RelaySession(path, print, lambda: 0.0)
        session.attend(Attendance(("a",)))
        await session.start(print)
        await came.until(len)
        await session.stop()
        server.close()

    asyncio.run(main())
    first, last = came.all
    attends = msgspec.msgpack.decode(first[4:])
    assert attends.pop("type") == "attends"
    assert all(f"`{field}`" in SECTION for field in attends), attends
    assert last == bytes.fromhex(EXAMPLE["parts"])
    assert str(MOST_BYTES) in SECTION


def test_the_example_is_what_a_handheld_says():
    said, keys = Heard(), keys_of_table(KEY, 1, range(3))
    table_address = TableAddress(EXAMPLE["tag"], 1, password=broker_password(keys.seed))
    assert tag_of_table(KEY) == EXAMPLE["tag"]
    assert (table_address.user, table_address.password) == (EXAMPLE["user"], EXAMPLE["password"])
    frame = bytes.fromhex(EXAMPLE["payload"])

    async def main():
        broker = MemoryBroker(1)
        broker.observers.append(said)
        link = BrokerLink(broker.session(), print)
        link.listen_at(table_address)
        await link.start()
        await said.until(len)
        link.send(None, frame)
        link.send(None, NOTICE)
        await said.until(lambda all_: len(all_) == 3)
        link.listen_at(Room("1234"))
        await said.until(lambda all_: len(all_) == 4)
        while len(said.all) < 5:
            link.send(None, NOTICE)
            await asyncio.sleep(0.1)
        await link.stop()

    run(main())
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
