"""In a room, a guest with two media passes the lobby's frames on to neighbours and back."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from firmware.effects import Nearby, Room, TableAddress
from firmware.link.broker import Message, topics
from firmware.link.several import CARRIED_PER_S, link_over
from firmware.table.protocol.invitations import (
    EVERYBODY,
    MOST_PEOPLE,
    Attendee,
    Head,
    InvitationKind,
    Missing,
    Plain,
    TableNotice,
    device_of,
    is_invitation,
    packed,
    passed_on,
)
from hw_sim.air import bluetooth_address
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.air.broker import MemoryBroker
from tests.support.brokers import Heard

HOST, CARRIER, GUEST, OTHER = (device_of(bluetooth_address(at)) for at in range(4))
SESSION, CODE = b"abcd", "4711"
HERE = Room(CODE, HOST, SESSION)


def clear(kind, sender, receiver, body, session=SESSION):
    return packed(Head(kind, sender, receiver, session), body)


TABLE = clear(InvitationKind.TABLE, HOST, EVERYBODY, TableNotice(True, 2, 1, 0, "Ana"))


def ask(sender, number=0, receiver=HOST, session=SESSION):
    return clear(InvitationKind.ASK, sender, receiver, Missing(number, 0, False), session)


def join(sender):
    return clear(InvitationKind.JOIN, sender, HOST, Attendee(sender, "Dea", False, bytes(32)))


def stands(number=0):
    return clear(InvitationKind.STANDS, HOST, GUEST, Plain(bytes(47) + bytes([number])))


class Near:
    """A host at the broker, a guest with both media, and one or two with Bluetooth alone."""

    def __init__(self, others):
        self.air, self.broker = BluetoothAir(1, asyncio.get_running_loop()), MemoryBroker(1)
        self.said = []
        self.broker.observers.append(lambda message: self.said.append(message.payload))
        self.heard = {device: Heard() for device in (CARRIER, *others)}
        self.links = {
            device: link_over(
                self.air.opener(at),
                None,
                device,
                self.heard[device],
                lambda: 0.5,
                session=self.broker.session() if device == CARRIER else None,
            )
            for at, device in enumerate(self.heard, start=1)
        }

    def say(self, frame):
        """Let the host, or anybody at the broker, say something in the room."""
        self.broker.take(Message(topics.room(CODE), frame))


@asynccontextmanager
async def near(place=HERE, others=(GUEST,)):
    there = Near(others)
    for device, link in there.links.items():
        link.listen_at(place if device == CARRIER else Nearby.NEARBY)
        await link.start()
    await asyncio.sleep(1.0)
    yield there
    for link in there.links.values():
        link.abandon()


async def test_a_guest_hears_a_table_of_the_room_and_comes_to_it_through_another():
    async with near() as there:
        there.say(TABLE)
        await asyncio.sleep(3.0)
        assert set(there.heard[GUEST].all) == {TABLE}
        there.links[GUEST].send(HOST, join(GUEST))
        await asyncio.sleep(3.0)
        assert there.said.count(passed_on(join(GUEST), CARRIER)) == 1
        assert join(GUEST) not in there.said
        place = clear(InvitationKind.LEAVE, HOST, EVERYBODY, Plain(bytes(48)))
        for frame in (place, stands()):
            there.say(frame)
            await asyncio.sleep(3.0)
            assert there.heard[GUEST].all.count(frame) == 1
        said = len(there.said)
        await asyncio.sleep(60.0)
        assert len(there.said) == said, "frames go round"


async def test_two_guests_come_through_one_and_each_gets_its_own():
    async with near(others=(GUEST, OTHER)) as there:
        there.say(TABLE)
        await asyncio.sleep(3.0)
        for device in (GUEST, OTHER):
            there.links[device].send(HOST, join(device))
        await asyncio.sleep(6.0)
        there.say(stands())
        await asyncio.sleep(3.0)
        assert passed_on(join(OTHER), CARRIER) in there.said
        assert stands() in there.heard[GUEST].all
        assert stands() not in there.heard[OTHER].all


@pytest.mark.parametrize("place", [Room(CODE), Room(CODE, HOST, b"dcba"), Nearby.NEARBY])
async def test_who_is_no_guest_of_the_table_passes_nothing_on(place):
    async with near(place) as there:
        there.say(TABLE)
        there.links[GUEST].send(CARRIER, join(GUEST))
        await asyncio.sleep(5.0)
        assert there.heard[GUEST].all == []
        assert there.said == [TABLE]
        assert join(GUEST) in there.heard[CARRIER].all


async def test_who_leaves_the_table_announces_it_no_more():
    async with near() as there:
        there.say(TABLE)
        await asyncio.sleep(3.0)
        there.links[CARRIER].listen_at(Room(CODE))
        await asyncio.sleep(1.0)
        there.heard[GUEST].all.clear()
        await asyncio.sleep(5.0)
        assert there.heard[GUEST].all == []


@pytest.mark.parametrize("carrier", [0, 1])
async def test_a_guest_that_missed_that_the_table_stands_asks_through_one_that_sits_there(carrier):
    async with near() as there:
        there.say(TABLE)
        await asyncio.sleep(3.0)
        there.links[GUEST].send(HOST, join(GUEST))
        await asyncio.sleep(6.0)
        at_table = TableAddress("tag", 1, (HOST, CARRIER, GUEST, OTHER), carrier)
        there.links[CARRIER].listen_at(at_table)
        await asyncio.sleep(1.0)
        for number in range(3):  # as a TAP, it is repeated
            there.links[GUEST].send(HOST, ask(GUEST, number))
            await asyncio.sleep(2.0)
        assert ask(GUEST, 2) in there.said
        for number in range(3):
            there.say(stands(number))
            await asyncio.sleep(2.0)
        assert stands(2) in there.heard[GUEST].all


async def test_who_announces_the_table_looks_for_no_host_that_is_at_the_broker():
    async with near() as there:
        own = there.links[CARRIER]
        own.send(HOST, ask(CARRIER))  # over all media, as nobody knows where the host is
        await asyncio.sleep(10.0)
        (host,) = own.links[0]._peers
        attempts = host.failures
        for number in range(10):
            notice = TableNotice(True, 2, number, 0, "Ana")
            there.say(clear(InvitationKind.TABLE, HOST, EVERYBODY, notice))
            await asyncio.sleep(1.0)
        assert (host.failures, list(host.queue)) == (attempts, [])


async def test_only_the_hosts_words_reach_neighbours_and_nothing_of_another_table_the_broker():
    async with near() as there:
        there.say(TABLE)
        await asyncio.sleep(3.0)
        there.links[GUEST].send(HOST, ask(GUEST))
        await asyncio.sleep(3.0)
        there.heard[GUEST].all.clear()
        false = [
            ask(OTHER, receiver=GUEST),
            clear(InvitationKind.TABLE, OTHER, EVERYBODY, TableNotice(True, 2, 1, 0, "Eve")),
            clear(InvitationKind.STANDS, HOST, GUEST, Plain(bytes(48)), b"dcba"),
            TABLE[:1] + b"\xff" + TABLE[2:],
            TABLE[:-1] + b"!",
        ]
        for frame in false:
            there.say(frame)
        said = len(there.said)
        there.links[GUEST].send(CARRIER, ask(GUEST, session=b"dcba"))
        for name in (HOST, CARRIER, EVERYBODY):
            there.links[GUEST].send(CARRIER, ask(name))
        there.links[GUEST].send(CARRIER, ask(GUEST, receiver=CARRIER))
        await asyncio.sleep(5.0)
        assert set(there.heard[GUEST].all) <= {TABLE}
        assert len(there.said) == said


async def test_a_flood_of_made_up_guests_is_bounded_and_the_last_that_speaks_is_served():
    async with near() as there:
        there.say(TABLE)
        await asyncio.sleep(3.0)
        before = len(there.said)
        for number in range(400):
            there.links[GUEST].send(HOST, ask(number.to_bytes(6, "big")))
            await asyncio.sleep(0.01)
        assert 0 < len(there.said) - before <= 7 * CARRIED_PER_S
        assert len(there.links[CARRIER]._neighbours) == MOST_PEOPLE
        await asyncio.sleep(5.0)
        there.links[GUEST].send(HOST, ask(GUEST, 1))
        await asyncio.sleep(3.0)
        assert ask(GUEST, 1) in there.said
        there.say(stands())
        await asyncio.sleep(3.0)
        assert stands() in there.heard[GUEST].all
        assert all(map(is_invitation, there.said))
