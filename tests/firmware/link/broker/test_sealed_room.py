"""A room with a key: whoever reads the broker learns nothing there, and says nothing."""

import asyncio
from random import Random

import pytest

from firmware.effects import Room, TableAddress
from firmware.link import MAX_FRAME
from firmware.link.broker import Attendance, Message, topics
from firmware.link.broker.link import BrokerLink
from firmware.table.protocol.invitations import (
    EVERYBODY,
    Head,
    InvitationKind,
    Plain,
    TableNotice,
    packed,
)
from firmware.table.protocol.room_line import LEAST_KEY_BYTES, MORE_BYTES, SealedRoom
from firmware.table.protocol.sealing import KEY_BYTES, tag_of_table
from hw_sim.air.broker import MemoryBroker
from hw_sim.clock import run
from tests.support.brokers import Heard

KEY, OTHER = b"k" * LEAST_KEY_BYTES, b"o" * LEAST_KEY_BYTES
HOST = bytes.fromhex("c0ffee000001")
SESSION = b"sess"
ROOM = Room("1234", key=KEY)


def notice(number):
    head = Head(InvitationKind.TABLE, HOST, EVERYBODY, SESSION)
    return packed(head, TableNotice(True, 1, number, 0, "Annabella"))


def a_seal(key=KEY, code="1234", seed=0):
    return SealedRoom(code, key, Random(seed).randbytes)


class Member:
    def __init__(self, broker, place, seed):
        self.frames = Heard()
        entropy = Random(f"nonces {seed}").randbytes
        self.link = BrokerLink(broker.session(), self.frames, entropy=entropy)
        self.link.listen_at(place)

    async def say(self, frame, to):
        """Say it until another member has heard it: who connects late misses some."""
        while frame not in to.frames.all:
            self.link.send(None, frame)
            await asyncio.sleep(0.1)


async def members(broker, *places):
    found = [Member(broker, place, number) for number, place in enumerate(places)]
    for each in found:
        await each.link.start()
    return found


def test_who_reads_all_topics_learns_no_name_device_session_code_or_key():
    async def main():
        broker, said = MemoryBroker(1), Heard()
        broker.observers.append(said)
        at_a_table = TableAddress(tag_of_table(bytes(KEY_BYTES)), 0)
        host, guest = await members(broker, ROOM, ROOM)
        await host.say(notice(1), guest)
        host.link.listen_at(at_a_table)  # it is known there for those who missed that it stands
        await host.say(notice(2), guest)
        known = [f"{each.topic} ".encode() + each.payload for each in said.all]
        assert len(known) > 2
        for secret in (b"Annabella", HOST, SESSION, KEY, b"1234"):
            shapes = (secret, secret.hex().encode())
            assert not [each for each in known for shape in shapes if shape in each], secret
        payloads = [each.payload for each in said.all if "/room/" in each.topic]
        assert len(set(payloads)) == len(payloads), "equal frames look alike"
        for each in (host, guest):
            each.link.abandon()

    run(main())


@pytest.mark.parametrize("place", [Room("1234"), Room("1234", key=OTHER), Room("1235", key=KEY)])
def test_without_code_and_key_nobody_is_in_the_room(place):
    async def main():
        broker = MemoryBroker(1)
        host, guest, stranger = await members(broker, ROOM, ROOM, place)
        await host.say(notice(1), guest)
        for _ in range(20):
            stranger.link.send(None, notice(2))
            await asyncio.sleep(0.1)
        assert set(guest.frames.all) == {notice(1)}
        assert not set(stranger.frames.all) - {notice(2)}
        for each in (host, guest, stranger):
            each.link.abandon()

    run(main())


def test_forged_changed_clear_replayed_and_long_frames_are_dropped():
    async def main():
        broker, said = MemoryBroker(1), Heard()
        broker.observers.append(said)
        host, guest = await members(broker, ROOM, ROOM)
        await host.say(notice(1), guest)
        heard = len(guest.frames.all)
        topic, sealed = said.all[-1].topic, said.all[-1].payload
        assert topic == topics.room(a_seal().name)
        forged = [
            sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :] for at in range(len(sealed))
        ]
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
        for each in (host, guest):
            each.link.abandon()

    run(main())


def test_a_table_made_up_in_a_room_with_a_key_takes_no_clear_frame_elsewhere():
    async def main():
        broker = MemoryBroker(1)
        tag = tag_of_table(bytes(KEY_BYTES))
        host, guest = await members(broker, ROOM, ROOM)
        await host.say(notice(1), guest)
        guest.link.listen_at(TableAddress(tag, 1))
        await asyncio.sleep(1)
        broker.take(Message(topics.to(tag, topics.ALL), notice(2)))
        await host.say(notice(3), guest)
        assert notice(2) not in guest.frames.all
        for each in (host, guest):
            each.link.abandon()

    run(main())


def test_a_short_key_is_none():
    with pytest.raises(ValueError, match="16 bytes or more"):
        a_seal(KEY[:-1])


def test_a_place_does_not_show_its_key():
    assert "kkk" not in repr(ROOM)


def test_a_line_goes_to_its_receiver_alone_and_the_broker_learns_neither():
    async def meet():
        broker, names = MemoryBroker(0), (b"host..", b"ana...", b"bo....")
        host, ana, bo = await members(broker, *(ROOM._replace(me=each) for each in names))
        published = []
        session = broker.session()
        session.attend(Attendance((f"{topics.ROOT}/#",)))
        await session.start(published.append)
        to_ana, to_host, to_all = (
            packed(Head(InvitationKind.LINE, sender, receiver, bytes(4)), Plain(b"any"))
            for sender, receiver in (names[:2], names[1::-1], (names[1], EVERYBODY))
        )
        await host.say(to_ana, ana)
        await ana.say(to_host, host)
        await ana.say(to_all, bo)
        assert set(bo.frames.all) == {to_all}
        assert len({each.topic for each in published}) == 3
        for each in published:
            assert not any(name in each.payload or name.hex() in each.topic for name in names)

    run(meet())
