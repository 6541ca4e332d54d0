"""Handhelds that do not know each other find each other over Bluetooth."""

import asyncio

import pytest

from firmware.effects.places import Nearby
from firmware.link.bluetooth.link import BluetoothLink
from firmware.link.nearby import announced
from firmware.table.protocol.invitations import (
    EVERYBODY,
    Head,
    InvitationKind,
    Plain,
    TableNotice,
    device_of,
    packed,
)
from hw_sim.air.air import bluetooth_address
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.steckbrett.clock.virtual import run

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
