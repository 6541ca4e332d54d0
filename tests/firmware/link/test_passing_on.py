"""In a room, a guest with two media passes the lobby's frames on to neighbours and back."""

import asyncio

import pytest

from firmware.effects import Nearby, Room, TableAddress
from firmware.link.broker import Message, topics
from firmware.link.several import CARRIED_PER_S
from firmware.table.protocol import invitations as wire
from tests.support.bluetooth_table import DEVICES, MixedTable

HOST, CARRIER, GUEST, OTHER = DEVICES
SESSION, CODE = b"abcd", "4711"
HERE = Room(CODE, HOST, SESSION)


def clear(kind, sender, receiver, body, session=SESSION):
    return wire.packed(wire.Head(kind, sender, receiver, session), body)


TABLE = clear(
    wire.InvitationKind.TABLE, HOST, wire.EVERYBODY, wire.TableNotice(True, 2, 1, 0, "Ana")
)


def ask(sender, number=0, receiver=HOST, session=SESSION):
    return clear(wire.InvitationKind.ASK, sender, receiver, wire.Missing(number, 0, False), session)


def join(sender):
    return clear(
        wire.InvitationKind.JOIN, sender, HOST, wire.Attendee(sender, "Dea", False, bytes(32))
    )


def stands(number=0):
    return clear(wire.InvitationKind.STANDS, HOST, GUEST, wire.Plain(bytes(47) + bytes([number])))


MEDIA = ("", "bluetooth mqtt", "bluetooth", "bluetooth")
"""The host is at the broker, a guest has both media, and two have Bluetooth alone."""


class Near(MixedTable):
    async def __aenter__(self):
        await super().__aenter__()
        await self.tell(TABLE, wait_s=3.0)
        return self

    async def tell(self, frame, *, wait_s=0.0):
        """Let the host, or anybody at the broker, say something in the room."""
        self.broker.take(Message(topics.room(CODE), frame))
        await asyncio.sleep(wait_s)


def near(place=HERE):
    return Near(MEDIA, (place, Nearby.NEARBY, Nearby.NEARBY))


async def test_a_guest_hears_a_table_of_the_room_and_comes_to_it_through_another():
    async with near() as there:
        assert set(there.heard[GUEST].all) == {TABLE}
        await there.say(GUEST, HOST, join(GUEST), wait_s=3.0)
        assert there.said.count(wire.passed_on(join(GUEST), CARRIER)) == 1
        assert join(GUEST) not in there.said
        place = clear(wire.InvitationKind.LEAVE, HOST, wire.EVERYBODY, wire.Plain(bytes(48)))
        for frame in (place, stands()):
            await there.tell(frame, wait_s=6.0)
            assert there.heard[GUEST].all.count(frame) == 1
        assert stands() not in there.heard[OTHER].all
        said = len(there.said)
        await asyncio.sleep(60.0)
        assert len(there.said) == said, "frames go round"


@pytest.mark.parametrize("place", [Room(CODE), Room(CODE, HOST, b"dcba"), Nearby.NEARBY])
async def test_who_is_no_guest_of_the_table_passes_nothing_on(place):
    async with near(place) as there:
        await there.say(GUEST, CARRIER, join(GUEST), wait_s=5.0)
        assert there.heard[GUEST].all == []
        assert there.said == [TABLE]
        assert join(GUEST) in there.heard[CARRIER].all


@pytest.mark.parametrize("carrier", [0, 1])
async def test_a_guest_that_missed_that_the_table_stands_asks_through_one_that_sits_there(carrier):
    async with near() as there:
        await there.say(GUEST, HOST, join(GUEST), wait_s=6.0)
        at_table = TableAddress("tag", 1, (HOST, CARRIER, GUEST, OTHER), carrier)
        there.links[CARRIER].listen_at(at_table)
        await asyncio.sleep(1.0)
        for number in range(3):  # as a TAP, it is repeated
            await there.say(GUEST, HOST, ask(GUEST, number), wait_s=2.0)
        assert ask(GUEST, 2) in there.said
        for number in range(3):
            await there.tell(stands(number), wait_s=2.0)
        assert stands(2) in there.heard[GUEST].all


async def test_only_the_hosts_words_reach_neighbours_and_nothing_of_another_table_the_broker():
    async with near() as there:
        await there.say(GUEST, HOST, ask(GUEST), wait_s=3.0)
        there.heard[GUEST].all.clear()
        false = [
            ask(OTHER, receiver=GUEST),
            clear(
                wire.InvitationKind.TABLE,
                OTHER,
                wire.EVERYBODY,
                wire.TableNotice(True, 2, 1, 0, "Eve"),
            ),
            clear(wire.InvitationKind.STANDS, HOST, GUEST, wire.Plain(bytes(48)), b"dcba"),
            TABLE[:1] + b"\xff" + TABLE[2:],
            TABLE[:-1] + b"!",
        ]
        for frame in false:
            await there.tell(frame)
        said = len(there.said)
        there.links[GUEST].send(CARRIER, ask(GUEST, session=b"dcba"))
        for name in (HOST, CARRIER, wire.EVERYBODY):
            there.links[GUEST].send(CARRIER, ask(name))
        await there.say(GUEST, CARRIER, ask(GUEST, receiver=CARRIER), wait_s=5.0)
        assert set(there.heard[GUEST].all) <= {TABLE}
        assert len(there.said) == said


async def test_a_flood_of_made_up_guests_is_bounded_and_the_last_that_speaks_is_served():
    async with near() as there:
        before = len(there.said)
        for number in range(400):
            await there.say(GUEST, HOST, ask(number.to_bytes(6, "big")), wait_s=0.01)
        assert 0 < len(there.said) - before <= 7 * CARRIED_PER_S
        assert len(there.links[CARRIER]._neighbours) == wire.MOST_PEOPLE
        await asyncio.sleep(5.0)
        await there.say(GUEST, HOST, ask(GUEST, 1), wait_s=3.0)
        assert ask(GUEST, 1) in there.said
        await there.tell(stands(), wait_s=3.0)
        assert stands() in there.heard[GUEST].all
        assert all(map(wire.is_invitation, there.said))
