"""A relay has a network and no keys; whoever reads the broker learns nothing of a sealed room."""

import asyncio
import contextlib
import stat
import tomllib
from pathlib import Path
from random import Random

import pytest

from firmware.cli.console import CommandError
from firmware.cli.links import open_session, run_relay
from firmware.cli.run import main
from firmware.effects import Room, TableAddress
from firmware.link.broker import Attendance, BrokerError, Message, topics
from firmware.link.broker.link import BrokerLink
from firmware.link.broker.relay import MOST_BYTES, Relay, RelaySession
from firmware.settings import BrokerSettings, Settings
from firmware.table.crypto import public
from firmware.table.protocol import MAX_FRAME, Header, MessageKind
from firmware.table.protocol import invitations as wire
from firmware.table.protocol.room_line import LEAST_KEY_BYTES, MORE_BYTES, SealedRoom
from firmware.table.protocol.sealing import KEY_BYTES, tag_of_table
from hw_sim.air.broker import MemoryBroker
from tests.support.brokers import Heard, members, needs_mosquitto, running
from tests.support.tables import table_text

TAG = tag_of_table(bytes(KEY_BYTES))
FRAME = Header(MessageKind.PROPOSE, 0, 0, 0, 1, 7).pack().ljust(26, b"\0")


def test_a_handheld_behind_a_relay_sits_at_the_table_and_is_gone_with_its_power(tmp_path):
    async def main():
        broker, path, told = MemoryBroker(1), tmp_path / "socket", Heard()
        relay = Relay(path, lambda _tell: broker.session())
        near, far = Heard(), Heard()
        seen, gone = Heard(), Heard()
        one = BrokerLink(RelaySession(path, told, lambda: 0.0), near, seen)
        two = BrokerLink(broker.session(), far, gone)
        for seat, link in enumerate((one, two)):
            link.listen_at(TableAddress(TAG, seat))
            await link.start()
        (line,) = await told.until(list)  # the relay is late
        assert "systemctl status maexchen-relay" in line
        await relay.start()
        assert stat.S_IMODE(path.stat().st_mode) == 0o660
        await seen.until(lambda said: {(0, True), (1, True)} <= set(said))
        one.send(None, FRAME)
        await far.until(lambda came: came == [FRAME])
        await relay.stop()  # which is as if the power was cut
        await gone.until(lambda said: said[-1] == (0, False))
        await relay.start()
        await gone.until(lambda said: said[-1] == (0, True))
        await one.stop()
        await gone.until(lambda said: said[-1] == (0, False))
        await two.stop()
        await relay.stop()
        assert not path.exists()

    asyncio.run(main())


@pytest.mark.parametrize(
    "said", [b"\0\0\0\3odd", b"\xff" * 8, b"\0\0\0\1\xc1", (MOST_BYTES + 1).to_bytes(4, "big")]
)
def test_what_no_handheld_says_ends_the_connection_and_nothing_else(tmp_path, said):
    async def main():
        broker, path = MemoryBroker(1), tmp_path / "socket"
        relay = Relay(path, lambda _tell: broker.session())
        await relay.start()
        reader, writer = await asyncio.open_unix_connection(str(path))
        writer.write(said)
        assert await reader.read() == b""
        writer.close()
        heard = Heard()
        session = RelaySession(path, print, lambda: 0.0)
        session.attend(Attendance((), (topics.here(TAG, "+"),)))
        session.publish(Message(topics.here(TAG, 0), b"1", retained=True))
        await session.start(heard)
        await heard.until(len)
        await session.stop()
        await relay.stop()

    asyncio.run(main())


def test_a_socket_that_cannot_be_made_is_one_line(tmp_path):
    with pytest.raises(BrokerError, match="make its folder writable"):
        asyncio.run(Relay(tmp_path / "gone" / "socket", print).start())


@needs_mosquitto
@pytest.mark.parametrize("is_first", [True, pytest.param(False, marks=pytest.mark.whole)])
def test_the_service_moves_messages_to_a_real_broker_that_may_not_be_the_first(tmp_path, is_first):
    path, file = tmp_path / "socket", tmp_path / "relay.toml"
    settings = Settings(link=("mqtt",), broker=BrokerSettings(relay=path))

    async def main():
        async with running(tmp_path) as broker:
            first, others = (broker.url, []) if is_first else ("mqtt://localhost:1", [broker.url])
            named = f'url = "{first}"\nothers = {others}'
            file.write_text(f'[broker]\n{named}\nrelay = "{path}"\n')
            service = asyncio.ensure_future(run_relay(file, print))
            heard = Heard()
            session = open_session(settings)
            session.attend(Attendance((), (topics.here(TAG, "+"),)))
            session.publish(Message(topics.here(TAG, 0), b"1", retained=True, sure=True))
            await session.start(heard)
            await heard.until(len)
            await session.stop()
            service.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await service

    asyncio.run(main())


def test_a_relay_without_a_broker_is_one_line(tmp_path):
    file = Path(tmp_path / "relay.toml")
    file.write_text("")
    with pytest.raises(CommandError, match=r"write url = .* in \[broker\]"):
        asyncio.run(run_relay(file, print))


def test_what_a_broker_has_to_know_of_a_table_is_printed(tmp_path, capsys):
    file = tmp_path / "table.toml"
    tag = tag_of_table(bytes(range(KEY_BYTES)))
    for seat in range(3):
        file.write_text(table_text(("Ana", "Ben", "Cem"), seat))
        assert main(["accounts", "--settings", str(file)]) == 0
        assert capsys.readouterr().out.split(":")[0] == f"{tag}-{seat}"
    assert main(["accounts", "--settings", str(file), "--rules"]) == 0
    rules = capsys.readouterr().out
    assert f"user {tag}-2\ntopic read {topics.to(tag, 2)}\n" in rules
    assert "05060708" not in rules, "the key stays here"
    file.write_text("")
    assert main(["accounts", "--settings", str(file)]) == 2
    assert "only a table that stands in them" in capsys.readouterr().err


def test_a_seat_gets_keys_that_fit(capsys):
    made = []
    for _ in range(2):
        assert main(["key"]) == 0
        made.append(tomllib.loads(capsys.readouterr().out))
        secret, key = (bytes.fromhex(made[-1][name]) for name in ("secret", "key"))
        assert public(secret) == key
    assert made[0] != made[1]


KEY, OTHER = b"k" * LEAST_KEY_BYTES, b"o" * LEAST_KEY_BYTES
HOST = bytes.fromhex("c0ffee000001")
SESSION = b"sess"
ROOM = Room("1234", key=KEY)


def notice(number):
    head = wire.Head(wire.InvitationKind.TABLE, HOST, wire.EVERYBODY, SESSION)
    return wire.packed(head, wire.TableNotice(True, 1, number, 0, "Annabella"))


def a_seal(key=KEY, code="1234", seed=0):
    return SealedRoom(code, key, Random(seed).randbytes)


@pytest.mark.parametrize("place", [Room("1234"), Room("1234", key=OTHER), Room("1235", key=KEY)])
async def test_without_code_and_key_nobody_is_in_the_room(place):
    broker = MemoryBroker(1)
    host, guest, stranger = await members(broker, ROOM, ROOM, place)
    await host.say(notice(1), guest)
    for _ in range(20):
        stranger.link.send(None, notice(2))
        await asyncio.sleep(0.1)
    assert set(guest.frames.all) == {notice(1)}
    assert not set(stranger.frames.all) - {notice(2)}


async def test_forged_changed_clear_replayed_and_long_frames_are_dropped():
    broker, said = MemoryBroker(1), Heard()
    broker.observers.append(said)
    host, guest = await members(broker, ROOM, ROOM)
    await host.say(notice(1), guest)
    heard = len(guest.frames.all)
    topic, sealed = said.all[-1].topic, said.all[-1].payload
    assert topic == topics.room(a_seal().name)
    forged = [sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :] for at in range(len(sealed))]
    broker_says = [
        *forged, sealed, sealed[:-1], sealed[:MORE_BYTES], notice(2), b"", bytes(MORE_BYTES),
        a_seal(OTHER).seal(notice(2)), a_seal().seal(b"no frame of a lobby"),
        a_seal(seed=1).seal(notice(2).ljust(MAX_FRAME + 1, b"\0")),
    ]  # fmt: skip
    for each in broker_says:
        broker.take(Message(topic, each))
        await asyncio.sleep(0.05)
    await asyncio.sleep(1)
    assert len(guest.frames.all) == heard
    broker.take(Message(topic, a_seal(seed=2).seal(notice(3))))
    await guest.frames.until(lambda all_: notice(3) in all_)


def test_a_short_key_is_none():
    with pytest.raises(ValueError, match="16 bytes or more"):
        a_seal(KEY[:-1])


def test_a_place_does_not_show_its_key():
    assert "kkk" not in repr(ROOM)


async def test_a_line_goes_to_its_receiver_alone_and_the_broker_learns_neither():
    broker, published, names = MemoryBroker(0), [], (b"host..", b"ana...", b"bo....")
    broker.observers.append(published.append)
    host, ana, bo = await members(broker, *(ROOM._replace(me=each) for each in names))

    def line(sender, receiver):
        head = wire.Head(wire.InvitationKind.LINE, sender, receiver, bytes(4))
        return wire.packed(head, wire.Plain(b"any"))

    await host.say(line(names[0], names[1]), ana)
    await ana.say(line(names[1], names[0]), host)
    to_all = line(names[1], wire.EVERYBODY)
    await ana.say(to_all, bo)
    assert set(bo.frames.all) == {to_all}
    assert len({each.topic for each in published}) == 3
    for each in published:
        assert not any(name in each.payload or name.hex() in each.topic for name in names)
