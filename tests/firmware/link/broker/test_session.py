"""A broker in memory does what real ones do; a trouble is one line, and the link tries again."""

import asyncio
import os
import secrets
from contextlib import asynccontextmanager

import pytest

from firmware.link.broker import Attendance, BrokerAddress, BrokerError, Message
from firmware.link.broker.mqtt import MqttSession
from firmware.link.broker.topics import SALT_BYTES, here, password_line, public, public_match, to
from hw_sim.air.broker import MemoryBroker
from hw_sim.air.local_broker import broker_for, free_port
from hw_sim.clock import run
from tests.support.brokers import Authority, Heard, attending, needs_amqtt, needs_mosquitto, running
from tests.support.tables import fixed


class InMemory:
    """The broker in memory, under virtual time."""

    run = staticmethod(run)

    @staticmethod
    @asynccontextmanager
    async def broker(_folder):
        broker = MemoryBroker(1)

        async def new_session():
            return broker.session()

        broker.new_session = new_session
        yield broker


class Real:
    """A broker of its own, in real time."""

    run = staticmethod(asyncio.run)

    def __init__(self, **kinds):
        self.kinds = kinds

    @asynccontextmanager
    async def broker(self, folder):
        async with running(folder, **self.kinds) as broker:

            async def new_session():
                return MqttSession(BrokerAddress.of(broker.url), lambda _: None, lambda: 0.0)

            broker.new_session = new_session
            yield broker


BROKERS = [
    pytest.param(InMemory(), id="memory"),
    pytest.param(Real(), id="mosquitto", marks=needs_mosquitto),
    pytest.param(Real(with_amqtt=True), id="amqtt", marks=needs_amqtt),
]


async def client(broker, *topics, kept=(), will=None):
    """A client that is connected, and what it hears."""
    session, heard = await broker.new_session(), Heard()
    own = Message(f"ready/{id(session)}", b"here")
    session.attend(Attendance((*topics, own.topic), kept, will))
    await session.start(heard)
    ready = asyncio.ensure_future(heard.until(lambda all_: own in all_))
    while not ready.done():
        session.publish(own)  # what is published before it is connected is lost
        await asyncio.wait((ready,), timeout=0.05)
    await ready
    return session, heard


@pytest.mark.whole
@pytest.mark.parametrize("kind", BROKERS)
def test_what_a_broker_does(kind, tmp_path):
    async def main():
        async with kind.broker(tmp_path) as broker:
            will = Message("a/here/1", b"0", retained=True, sure=True)
            one, heard_one = await client(broker, "a/to/1", kept=("a/here/+",), will=will)
            two, heard_two = await client(broker, "a/to/2", kept=("a/here/+",))

            # each hears what it attends, in order, and nothing else
            for number in range(5):
                two.publish(Message("a/to/1", bytes([number]), expires_s=5))
                two.publish(Message("b/to/1", b"of another table"))
            two.publish(Message("a/to/1", b"kept", retained=True))
            await heard_one.until(lambda all_: Message("a/to/1", b"kept") in all_)
            came = [message.payload for message in heard_one.all if message.topic == "a/to/1"]
            assert came == [*(bytes([number]) for number in range(5)), b"kept"]
            assert not [message for message in heard_one.all if message.topic[0] == "b"]

            # who comes later is told what was kept, of the topics of which it is wanted
            one.publish(Message("a/here/1", b"1", retained=True, sure=True))
            await heard_two.until(lambda all_: Message("a/here/1", b"1") in all_)
            late, heard_late = await client(broker, "a/to/1", kept=("a/here/+",))
            kept = Message("a/here/1", b"1", retained=True)
            await heard_late.until(lambda all_: kept in all_)
            assert not [
                each for each in heard_late.all if each.topic == "a/to/1" and not each.retained
            ]

            # a farewell keeps the will back; who is gone at once has it published
            await late.stop()
            one.abandon()
            await heard_two.until(lambda all_: Message("a/here/1", b"0") in all_)
            two.abandon()

    kind.run(main())


@pytest.mark.whole
@pytest.mark.parametrize("kind", BROKERS[:2])
def test_a_broker_that_was_killed_is_told_again_what_it_kept(kind, tmp_path):
    async def main():
        async with kind.broker(tmp_path) as broker:
            one, _ = await client(broker)
            two, heard = await client(broker, kept=("a/here/+",))
            here = Message("a/here/1", b"1", retained=True, sure=True)
            one.publish(here)
            await heard.until(lambda all_: len(of_here(all_)) == 1)
            broker.kill()
            await asyncio.sleep(0)
            started = broker.start()
            if started is not None:
                await started
            await heard.until(lambda all_: len(of_here(all_)) >= 2)
            assert {message.payload for message in of_here(heard.all)} == {b"1"}
            one.abandon()
            two.abandon()

    def of_here(messages):
        return [message for message in messages if message.topic == "a/here/1"]

    kind.run(main())


SECRET = secrets.token_hex(8)


async def told_by(address, *, lets_in=False):
    """The first line that a session tells of a broker; with ``lets_in`` None once it is in."""
    here = Message("a/here/1", b"1", retained=True, sure=True)
    attendance = Attendance(("a/to/1",), ("a/here/+",))
    session, came, told = await attending(address, attendance, here)
    await (came if lets_in else told).until(len)
    await session.stop()
    assert all("\n" not in line for line in told.all)
    return told.all[0] if told.all else None


# paho lets go of the socket of a handshake that failed, and with it the socket is closed
@pytest.mark.filterwarnings("ignore:.*ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning")
@needs_mosquitto
def test_what_is_wrong_with_certificates_and_accounts_is_one_line(tmp_path):
    good, other = Authority(tmp_path, "good"), Authority(tmp_path, "other")
    ports = {name: free_port() for name in ("tls", "old", "elsewhere", "full")}
    certificates = {
        "tls": good.certificate("tls"),
        "old": good.certificate("old", days=-1),
        "elsewhere": good.certificate("elsewhere", host="127.0.0.2"),
    }
    more = ["per_listener_settings false"]
    for name, port in ports.items():
        more += [f"listener {port} 127.0.0.1"]
        if name in certificates:
            more += [f"certfile {certificates[name][0]}", f"keyfile {certificates[name][1]}"]
    more += ["max_connections 1"]

    def at(name, **given):
        return BrokerAddress.of(f"mqtts://ana:{SECRET}@127.0.0.1:{ports[name]}", **given)

    async def main():
        accounts = [password_line("ana", SECRET, os.urandom(SALT_BYTES))]
        async with running(tmp_path, accounts, more=more) as broker:
            assert await told_by(at("tls", ca=good.file), lets_in=True) is None
            plain, full = f"127.0.0.1:{broker.port}", f"127.0.0.1:{ports['full']}"
            _, only = await asyncio.open_connection("127.0.0.1", ports["full"])
            for address, told in (
                (at("tls", ca=other.file), f"{other.file} does not vouch for it"),
                (at("tls"), "no certificate of the system vouches for it"),
                (at("old", ca=good.file), "its certificate has expired"),
                (at("elsewhere", ca=good.file), "its certificate is not for 127.0.0.1"),
                (BrokerAddress.of(f"mqtts://{plain}"), "cannot be reached|speaks no TLS|ended"),
                (BrokerAddress.of(f"mqtt://127.0.0.1:{ports['tls']}"), "TLS alone there"),
                (BrokerAddress.of(f"mqtt://ana:wrong@{plain}"), "correct user and password"),
                (BrokerAddress.of(f"mqtt://{plain}"), "correct user and password"),
                (BrokerAddress.of(f"mqtt://127.0.0.1:{free_port()}"), "nobody listens there"),
                (BrokerAddress.of("mqtts://no.such.host.invalid"), "no such host"),
                (BrokerAddress.of(f"mqtt://ana:{SECRET}@{full}"), "ended the connection"),
            ):
                line = await told_by(address)
                assert line.startswith(f"broker {address}"), line
                assert any(part in line for part in told.split("|")), line
                assert SECRET not in line
            only.close()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("broker.example", "write mqtts://host:8883"),
        ("http://broker.example", "write mqtts://host:8883"),
        ("mqtts://", "write mqtts://host:8883"),
        ("mqtts://host:nine", "write mqtts://host:8883"),
        ("mqtts://host/path", "write mqtts://host:8883"),
        ("mqtts://host?version=4", "version=3 or version=5"),
        ("mqtt://ana:hidden@broker.example", "without TLS"),
    ],
)
def test_a_url_that_cannot_be_used_is_one_line(url, told):
    with pytest.raises(BrokerError, match=told) as caught:
        BrokerAddress.of(url)
    assert "hidden" not in str(caught.value)


def test_a_file_without_certificates_is_one_line(tmp_path):
    empty = tmp_path / "empty.pem"
    empty.touch()

    async def main(ca):
        MqttSession(BrokerAddress.of("mqtts://host", ca), print, lambda: 0.0)

    for ca, told in ((empty, "no certificate is in it"), (tmp_path / "gone", "No such file")):
        with pytest.raises(BrokerError, match=told):
            asyncio.run(main(ca))


@needs_mosquitto
def test_nobody_says_anything_for_another_seat_and_nobody_hears_what_is_for_another(tmp_path):
    names = ("Ana", "Ben", "Cem")
    table_addresses = [fixed(names, seat).table_address for seat in range(3)]
    tag = table_addresses[0].tag

    async def at(broker, table_address, *topics, kept=(), as_user=None):
        account = as_user or (table_address.user, table_address.password)
        attendance = Attendance(topics, kept, None, *account)
        return await attending(BrokerAddress.of(broker.url), attendance)

    async def main():
        broker = broker_for(table_addresses, tmp_path, free_port())
        await broker.start()
        ana, heard, _ = await at(broker, table_addresses[0], to(tag, 0), kept=(here(tag, "+"),))
        ben, _, _ = await at(broker, table_addresses[1], to(tag, 1))
        while not heard.all:
            ben.publish(Message(here(tag, 0), b"0", retained=True, sure=True))  # he is not Ana
            ben.publish(Message(public_match(tag, 0), b"{}", retained=True, sure=True))
            ben.publish(Message(to(tag, 1), b"to himself"))
            ben.publish(Message(to("f" * 32, 0), b"at another table"))
            ben.publish(Message(to(tag, 0), b"a frame"))
            await asyncio.sleep(0.02)
        assert set(heard.all) == {Message(to(tag, 0), b"a frame")}
        eve, listened, _ = await at(
            broker, table_addresses[2], to(tag, 0), to(tag, "+"), "#", to(tag, 2)
        )
        while not listened.all:
            ben.publish(Message(to(tag, 0), b"for Ana alone"))
            ben.publish(Message(to(tag, 2), b"for Cem"))
            await asyncio.sleep(0.02)
        assert set(listened.all) == {Message(to(tag, 2), b"for Cem")}
        guesser, _, lines = await at(broker, None, as_user=("ana", "guessed"))
        await lines.until(len)
        told = Message(public_match(tag, 0), b"{}", retained=True, sure=True)
        ana.publish(told)
        all_there_is = (public("+"), here(tag, "+"), to(tag, 0), "#")
        watcher, watched, _ = await at(broker, None, kept=all_there_is, as_user=("", ""))
        await watched.until(len)
        for topic in (public_match(tag, 0), public_match(tag, 1), to(tag, 0), here(tag, 0)):
            watcher.publish(Message(topic, b"forged", retained=True))
        ana.publish(told._replace(payload=b"[]"))
        await watched.until(lambda came: b"[]" in {message.payload for message in came})
        assert {message.topic for message in watched.all} == {told.topic}
        assert {message.payload for message in watched.all} == {b"{}", b"[]"}
        for session in (ana, ben, eve, guesser, watcher):
            await session.stop()
        broker.stop()

    asyncio.run(main())
