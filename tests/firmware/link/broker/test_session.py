"""A broker in memory does what real ones do: one contract, three brokers."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from firmware.link.broker import Attendance, BrokerAddress, Message
from firmware.link.broker.mqtt import MqttSession
from firmware.link.broker.relay import Relay, RelaySession
from hw_sim.air.broker import MemoryBroker, matches
from hw_sim.clock import run
from tests.support.brokers import Heard, needs_amqtt, needs_mosquitto, running


class InMemory:
    """The broker in memory, under virtual time."""

    run = staticmethod(run)

    @staticmethod
    @asynccontextmanager
    async def broker(_folder):
        broker = MemoryBroker(1)
        broker.new_session = broker.session
        broker.restart = broker.start
        yield broker


class Real:
    """A broker of its own, in real time."""

    run = staticmethod(asyncio.run)

    def __init__(self, **kinds):
        self.kinds = kinds

    @asynccontextmanager
    async def broker(self, folder):
        async with running(folder, **self.kinds) as broker:
            address = BrokerAddress.of(broker.url)
            broker.new_session = lambda: MqttSession(address, lambda _: None, lambda: 0.0)
            yield broker


class Relayed:
    """A broker in memory behind relays, one for each session, in real time."""

    run = staticmethod(asyncio.run)

    @staticmethod
    @asynccontextmanager
    async def broker(folder):
        broker, relays = MemoryBroker(1), []

        class Session(RelaySession):
            async def start(self, take):
                await relays[self.number].start()
                await super().start(take)

        def new_session():
            path = folder / str(len(relays))
            session = Session(path, lambda _: None, lambda: 0.0)
            session.number = len(relays)
            relays.append(Relay(path, lambda _tell: broker.session()))
            return session

        broker.new_session = new_session
        yield broker
        for relay in relays:
            await relay.stop()


BROKERS = [
    pytest.param(InMemory(), id="memory"),
    pytest.param(Relayed(), id="relay"),
    pytest.param(Real(), id="mosquitto", marks=needs_mosquitto),
    pytest.param(Real(with_amqtt=True), id="amqtt", marks=needs_amqtt),
]


async def client(broker, *topics, kept=(), will=None):
    """A client that is connected, and what it hears."""
    session, heard = broker.new_session(), Heard()
    own = Message(f"ready/{id(session)}", b"here")
    session.attend(Attendance((*topics, own.topic), kept, will))
    await session.start(heard)
    ready = asyncio.ensure_future(heard.until(lambda all_: own in all_))
    while not ready.done():
        session.publish(own)  # what is published before it is connected is lost
        await asyncio.wait((ready,), timeout=0.05)
    await ready
    return session, heard


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


@pytest.mark.parametrize("kind", BROKERS[:3])
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


@pytest.mark.parametrize(
    ("topics", "topic", "fits"),
    [
        ("a/to/1", "a/to/1", True),
        ("a/to/1", "a/to/2", False),
        ("a/to/+", "a/to/2", True),
        ("a/+", "a/to/2", False),
        ("+/+/here/0", "a/b/here/0", True),
        ("a/#", "a/to/2", True),
        ("a/#", "a", True),
        ("a/#", "b/to/2", False),
    ],
)
def test_which_topics_fit(topics, topic, fits):
    assert matches(topics, topic) is fits
