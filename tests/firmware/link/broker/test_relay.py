"""The relay has a network and no keys: what crosses its socket, and what becomes of both ends."""

import asyncio
import contextlib
import stat
import tomllib
from pathlib import Path

import pytest

from firmware.cli.console import CommandError
from firmware.cli.links import open_session, run_relay
from firmware.cli.run import main
from firmware.effects import TableAddress
from firmware.link.broker import Attendance, BrokerError, Message, topics
from firmware.link.broker.link import BrokerLink
from firmware.link.broker.relay import MOST_BYTES, Relay, RelaySession
from firmware.settings import BrokerSettings, Settings
from firmware.table.crypto import public
from firmware.table.protocol import Header, MessageKind
from firmware.table.protocol.sealing import KEY_BYTES, tag_of_table
from hw_sim.air.broker import MemoryBroker
from tests.support.brokers import Heard, needs_mosquitto, running
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
