"""The link turns away strangers, and peers that talk nonsense, nothing, or twice."""

import asyncio

import pytest
from bumble.hci import Address
from bumble.l2cap import LeCreditBasedChannelSpec

from firmware.link import framed
from firmware.link.bluetooth.channel import OPEN_S, PSM
from firmware.link.bluetooth.link import BluetoothLink
from hw_sim.air import bluetooth_address
from tests.support.bluetooth_table import (
    at_a_table,
    impostor,
)

pytestmark = pytest.mark.usefixtures("each_controller")


@at_a_table(2)
async def test_strangers_are_turned_away_and_keep_nobody_out(table):
    heard: list[bytes] = []
    device, known = table.device(9), [table.device(0)]
    stranger = BluetoothLink(table.air.opener(9), device, heard.append, known)
    await stranger.start()
    stranger.send(table.device(0), b"let me in")
    for number in range(5):
        table.send(1, 0, bytes([number]))
        await asyncio.sleep(1.5)
    assert table.air.connections > 1
    assert heard == []
    await stranger.stop()
    assert table.frames[0] == [bytes([number]) for number in range(5)]


@pytest.mark.parametrize("nonsense", [b"\0\0", b"\xff\xff", b"\1\0A\0\0"])
@at_a_table(2)
async def test_a_peer_that_talks_nonsense_is_disconnected_and_may_come_back(table, nonsense):
    hostile = await impostor(table, 1)
    connection = await hostile.connect(Address(bluetooth_address(0)))
    channel = await connection.create_l2cap_channel(LeCreditBasedChannelSpec(psm=PSM))
    await asyncio.sleep(0.1)
    assert table.is_up(0, 1)
    channel.write(nonsense)
    await asyncio.sleep(0.2)
    assert hostile.connections == {}
    assert not table.is_up(0, 1)
    table.links[1] = table.link(1)
    await table.links[1].start()
    table.send(1, 0, b"sorry")
    await asyncio.sleep(1)
    assert table.frames[0][-1] == b"sorry"


@at_a_table(2)
async def test_a_peer_that_connects_and_stays_silent_is_disconnected(table):
    mute = await impostor(table, 1)
    await mute.connect(Address(bluetooth_address(0)))
    await asyncio.sleep(OPEN_S - 0.1)
    assert len(mute.connections) == 1
    await asyncio.sleep(0.2)
    assert mute.connections == {}


@at_a_table(2)
async def test_a_second_channel_on_a_connection_is_ignored(table):
    greedy = await impostor(table, 1)
    connection = await greedy.connect(Address(bluetooth_address(0)))
    channels = [
        await connection.create_l2cap_channel(LeCreditBasedChannelSpec(psm=PSM)) for _ in range(2)
    ]
    for number in (1, 0):
        channels[number].write(framed(bytes([number])))
    await asyncio.sleep(0.2)
    assert table.frames[0] == [b"\0"]


@at_a_table(2)
async def test_a_peer_that_refuses_the_channel_is_tried_again_with_patience(table):
    deaf = await impostor(table, 1)
    connections: list[object] = []
    deaf.on("connection", connections.append)
    await deaf.start_advertising(auto_restart=True)
    table.send(0, 1, b"hello?")
    await asyncio.sleep(20)
    assert 3 <= len(connections) <= 10
