"""Handhelds find each other over Bluetooth; one passes on, unopened, what others cannot bring."""

import asyncio
from itertools import pairwise, permutations

import pytest

from firmware.effects import Nearby, TableAddress
from firmware.link import announced, announcement
from firmware.link.bluetooth.link import MOST_HOSTS, MOST_WAITING, Peers
from firmware.link.broker import Message, topics
from firmware.link.broker.link import HERE
from firmware.link.several import CARRIED_PER_S, SAME_FRAME_S, RecentFrames
from firmware.table.protocol import MAX_FRAME, Header, MessageKind
from firmware.table.protocol import invitations as wire
from firmware.table.protocol.sealing import KEY_BYTES, tag_of_table
from hw_sim.air import bluetooth_address
from tests.support.bluetooth_table import DEVICES, MixedTable, Table

SESSION = b"abcd"


def table(device, *, people=3):
    head = wire.Head(wire.InvitationKind.TABLE, device, wire.EVERYBODY, SESSION)
    return wire.packed(head, wire.TableNotice(True, people, 7, 2, "Änne"))


def knock(guest, host):
    head = wire.Head(wire.InvitationKind.LEAVE, guest, host, SESSION)
    return wire.packed(head, wire.Plain(b""))


def switched_on(extended=True, profile="ideal"):
    """Three that have just been switched on, and know nobody."""
    return Table(3, 5, extended=extended, known=False, profile=profile).start()


CONTROLLERS = pytest.mark.parametrize(
    "controller", [(True, "ideal"), (False, "ideal"), (False, "pi")]
)


@CONTROLLERS
async def test_a_table_is_heard_by_who_listens_as_it_was_told(controller):
    near = await switched_on(*controller)
    near.links[1].listen_at(Nearby.NEARBY)
    frame = table(near.devices[0])
    near.links[0].send(None, frame)
    await asyncio.sleep(3)
    assert set(near.frames[1]) == {frame}
    assert near.frames[2] == []
    near.links[0].listen_at(None)  # and announces nothing any more
    near.frames[1].clear()
    await asyncio.sleep(3)
    assert near.frames[1] == []


@CONTROLLERS
async def test_a_guest_who_listens_speaks_to_a_host_he_has_never_met_and_is_answered(controller):
    near = await switched_on(*controller)
    near.links[1].listen_at(Nearby.NEARBY)
    knocks = knock(near.devices[1], near.devices[0])
    near.links[1].send(near.devices[0], knocks)
    near.links[2].send(near.devices[0], knocks)
    await asyncio.sleep(5)
    assert near.frames[0] == [knocks, knocks]
    near.links[0].send(None, table(near.devices[0]))
    await asyncio.sleep(5)
    assert set(near.frames[1]) == set(near.frames[2]) == {table(near.devices[0])}


@pytest.mark.parametrize(
    "data",
    [b"", b"x" * 22, b"x" * 24, SESSION + bytes(19), SESSION + b"\x83\x07\x02" + b"\xff" * 16],
)
def test_what_others_advertise_is_no_table(data):
    assert announced("C0:4D:58:00:00:00", data) is None
    assert announced("C0:4D:58:00:00:00/P", SESSION + b"\x83\x07\x02Ana" + bytes(13)) is None


@pytest.mark.parametrize(
    ("name", "heard"),
    [
        ("Mäxchen", "Mäxchen"),
        ("Elisabeth-Sophie", "Elisabeth-S"),
        ("Zehn Zeicheñ", "Zehn Zeiche"),
        ("Eine Tante Ida", "Eine Tante"),
    ],
)
def test_a_table_that_another_device_announces_names_its_host(name, heard):
    host, device = wire.device_of(bluetooth_address(0)), wire.device_of(bluetooth_address(1))
    head = wire.Head(wire.InvitationKind.TABLE, host, wire.EVERYBODY, SESSION)
    notice = wire.TableNotice(True, 3, 7, 2, name)
    data = announcement(wire.packed(head, notice), device)
    assert len(data) == 24
    frame = announced(bluetooth_address(1), data)
    assert wire.head_of(frame) == head
    assert wire.body_of(frame) == notice._replace(name=heard)


def test_announcements_of_many_hosts_keep_nobody_from_a_known_way():
    me, host, by, _ = DEVICES
    peers = Peers(me, None)
    way = peers.meet(host)
    way.failures = 1
    peers.announced(host, bluetooth_address(2))
    for number in range(2 * MOST_HOSTS):
        peers.announced(number.to_bytes(6, "big"), bluetooth_address(2))
    assert len(peers._announcers) == MOST_HOSTS
    assert peers.way_to(way).device == by


TAG = tag_of_table(bytes(KEY_BYTES))
MEDIA = ("bluetooth mqtt", "bluetooth", "mqtt", "mqtt")
"""Seat 0 has both; only it can carry what goes between seat 1 and the last two."""
NEIGHBOURS = ("bluetooth mqtt", "bluetooth", "bluetooth", "mqtt")
"""Seats 1 and 2 find each other themselves, and seat 3 over seat 0."""


def frame(kind, sender, receiver, number=7):
    return Header(kind, 0, 0, sender, receiver, number).pack().ljust(40, b"\0")


def carried_table(media=MEDIA, carrier=0):
    places = [TableAddress(TAG, seat, DEVICES, carrier) for seat in range(4)]
    return MixedTable(media, places, known=True)


async def hearers(table, sender, receiver, one):
    """Send until it must have arrived, as the protocol above does; return who has heard it."""
    for _ in range(4):
        await table.say(DEVICES[sender], DEVICES[receiver], one, wait_s=2.0)
    return {DEVICES.index(device) for device, heard in table.heard.items() if one in heard.all}


async def arrives(table, sender, receiver, kind=MessageKind.GIVE):
    """Whether a sealed frame gets to its receiver; it does to nobody else."""
    one = frame(kind, sender, receiver, number=100 * sender + 10 * receiver + kind)
    heard_by = await hearers(table, sender, receiver, one)
    assert heard_by <= {receiver}
    return heard_by == {receiver}


@pytest.mark.parametrize("media", [MEDIA, NEIGHBOURS])
async def test_every_seat_reaches_every_other_over_the_one_that_carries(media):
    async with carried_table(media) as table:
        for sender, receiver in permutations(range(4), 2):
            assert await arrives(table, sender, receiver), (sender, receiver)
        for sender, receiver in ((1, 2), (1, 3), (3, 1)):  # a clear frame between two matches
            kind, session = wire.InvitationKind.AGAIN, bytes(wire.SESSION_BYTES)
            head = wire.Head(kind, DEVICES[sender], DEVICES[receiver], session)
            again = wire.packed(head, wire.Again(1, bytes(wire.MAC_BYTES)))
            heard_by = await hearers(table, sender, receiver, again)
            assert receiver in heard_by
            assert 0 not in heard_by
        said = len(table.said)
        await asyncio.sleep(60.0)
        assert len(table.said) == said, "frames go round"


async def test_who_is_said_to_be_at_the_broker_and_speaks_by_bluetooth_is_carried_for():
    async with carried_table() as table:
        assert await arrives(table, 1, 0)
        table.broker.take(Message(topics.here(TAG, 1), HERE, retained=True))
        await asyncio.sleep(1.0)
        assert table.links[DEVICES[0]].reaches(DEVICES[1], frame(MessageKind.GIVE, 0, 1))
        assert await arrives(table, 2, 1)


@pytest.mark.whole
@pytest.mark.parametrize("size", [40, MAX_FRAME])
async def test_a_flood_that_is_to_be_carried_drowns_only_itself(size):
    async with carried_table() as table:
        assert await arrives(table, 0, 1)
        bluetooth = table.links[DEVICES[0]].links[0]
        most = 0
        for burst in range(100):
            for number in range(100):
                flood = frame(MessageKind.LOG, 2, 1, 100 * burst + number).ljust(size, b"!")
                table.broker.take(Message(topics.to(TAG, 1), flood))
            await asyncio.sleep(0.1)
            (peer,) = (each for each in bluetooth._peers if each.device == DEVICES[1])
            most = max(most, peer.channel.waiting if peer.channel else 0)
        carried = [each for each in table.heard[DEVICES[1]].all if each[:1] == flood[:1]]
        assert 0 < len(carried) <= 11 * CARRIED_PER_S, "at once, and in 10 s"
        assert (most > MOST_WAITING // 2) is (size == MAX_FRAME)
        assert most <= MOST_WAITING
        await asyncio.sleep(5.0)
        assert await arrives(table, 2, 1)


async def test_a_broker_that_says_somebody_is_here_and_brings_nothing_stops_no_bluetooth():
    async with carried_table(("bluetooth mqtt",) * 2, carrier=None) as table:
        while not table.links[DEVICES[0]].reaches(DEVICES[1], frame(MessageKind.GIVE, 0, 1)):
            await asyncio.sleep(0.1)
        for number in range(2):
            assert table.broker.cut(number, 600.0)
        assert await arrives(table, 0, 1)


def test_a_frame_counts_again_when_it_is_sent_again_whoever_repeats_it_meanwhile():
    now_s, came = [0.0], []
    once = RecentFrames(lambda: now_s[0], SAME_FRAME_S)
    for tick in range(100):
        now_s[0] = 0.1 * tick
        if once.is_new(b"the same"):
            came.append(now_s[0])
        assert once.is_new(bytes([tick]))
    assert len(came) > 15
    assert all(then - time_s > SAME_FRAME_S for time_s, then in pairwise(came))
