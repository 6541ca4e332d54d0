"""Handhelds that do not know each other find each other over Bluetooth."""

import asyncio

import pytest

from firmware.effects import Nearby
from firmware.link import announced, announcement
from firmware.link.bluetooth.link import MOST_HOSTS, BluetoothLink, Peers
from firmware.table.protocol.invitations import (
    EVERYBODY,
    Head,
    InvitationKind,
    Plain,
    TableNotice,
    body_of,
    device_of,
    head_of,
    packed,
)
from hw_sim.air import bluetooth_address
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.clock import run

SESSION = b"abcd"


def table(device, *, people=3):
    head = Head(InvitationKind.TABLE, device, EVERYBODY, SESSION)
    return packed(head, TableNotice(True, people, 7, 2, "Änne"))


class Near:
    """Three that have just been switched on."""

    def __init__(self, extended=True, profile="ideal"):
        self.air = BluetoothAir(5, asyncio.get_running_loop(), profile=profile)
        self.devices = [device_of(bluetooth_address(at)) for at in range(3)]
        self.heard = [[] for _ in range(3)]
        self.links = [
            BluetoothLink(self.air.opener(at, extended=extended), device, self.heard[at].append)
            for at, device in enumerate(self.devices)
        ]

    async def start(self):
        for link in self.links:
            await link.start()
        return self


CONTROLLERS = pytest.mark.parametrize(
    "controller", [(True, "ideal"), (False, "ideal"), (False, "pi")]
)


@CONTROLLERS
def test_a_table_is_heard_by_who_listens_as_it_was_told(controller):
    async def main():
        near = await Near(*controller).start()
        near.links[1].listen_at(Nearby.NEARBY)
        frame = table(near.devices[0])
        near.links[0].send(None, frame)
        await asyncio.sleep(3)
        assert set(near.heard[1]) == {frame}
        assert near.heard[2] == []
        near.links[0].listen_at(None)  # and announces nothing any more
        near.heard[1].clear()
        await asyncio.sleep(3)
        assert near.heard[1] == []

    run(main())


@CONTROLLERS
def test_a_guest_who_listens_speaks_to_a_host_he_has_never_met_and_is_answered(controller):
    async def main():
        near = await Near(*controller).start()
        near.links[1].listen_at(Nearby.NEARBY)
        knock = packed(
            Head(InvitationKind.LEAVE, near.devices[1], near.devices[0], SESSION), Plain(b"")
        )
        near.links[1].send(near.devices[0], knock)
        near.links[2].send(near.devices[0], knock)
        await asyncio.sleep(5)
        assert near.heard[0] == [knock, knock]
        near.links[0].send(None, table(near.devices[0]))
        await asyncio.sleep(5)
        assert set(near.heard[1]) == set(near.heard[2]) == {table(near.devices[0])}

    run(main())


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
        ("Zehn Zeiche\N{LATIN SMALL LETTER N WITH TILDE}", "Zehn Zeiche"),
        ("Zehn Zeich\N{LATIN SMALL LETTER N WITH TILDE}", "Zehn Zeich"),
        ("Eine Tante Ida", "Eine Tante"),
    ],
)
def test_a_table_that_another_device_announces_names_its_host(name, heard):
    host, device = device_of(bluetooth_address(0)), device_of(bluetooth_address(1))
    head = Head(InvitationKind.TABLE, host, EVERYBODY, SESSION)
    notice = TableNotice(True, 3, 7, 2, name)
    data = announcement(packed(head, notice), device)
    assert len(data) == 24
    frame = announced(bluetooth_address(1), data)
    assert head_of(frame) == head
    assert body_of(frame) == notice._replace(name=heard)


def test_announcements_of_many_hosts_and_under_ones_own_address_keep_nobody_from_a_known_way():
    me, host, by = (device_of(bluetooth_address(at)) for at in range(3))
    peers = Peers(me, None)
    peers.announced(host, bluetooth_address(0))
    peers.announced(host, bluetooth_address(1))
    way = peers.meet(host)
    way.failures = 1
    assert peers.way_to(way) is way
    peers.announced(host, bluetooth_address(2))
    for number in range(2 * MOST_HOSTS):
        peers.announced(number.to_bytes(6, "big"), bluetooth_address(2))
    assert len(peers._announcers) == MOST_HOSTS
    assert peers.way_to(way).device == by
    peers.meet(by).failures = 1
    assert peers.way_to(way) is way
    peers.meet(by).failures = 0
    peers.listen_at(Nearby.NEARBY)
    assert peers.way_to(way) is way


@pytest.mark.parametrize("controller", [(True, "ideal"), (False, "pi")])
@pytest.mark.parametrize("is_first", [False, True])
def test_a_guest_speaks_to_a_host_in_range_itself_whoever_else_announces_its_table(
    controller, is_first
):
    async def main():
        near = await Near(*controller).start()
        host, other, guest = near.links
        guest.listen_at(Nearby.NEARBY)
        frame = table(near.devices[0])
        for link in (other, host) if is_first else (host, other):
            link.send(None, frame)
            await asyncio.sleep(3)
        knock = packed(
            Head(InvitationKind.LEAVE, near.devices[2], near.devices[0], SESSION), Plain(b"")
        )
        guest.send(near.devices[0], knock)
        await asyncio.sleep(3)
        assert near.heard[0] == [knock]
        assert near.heard[1] == []

    run(main())
