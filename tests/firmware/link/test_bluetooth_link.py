"""BluetoothLink on simulated controllers: promises, and strangers turned away."""

import asyncio

import pytest
from bumble.hci import Address
from bumble.l2cap import LeCreditBasedChannelSpec

from firmware.link import framed
from firmware.link.bluetooth.channel import OPEN_S, PSM
from firmware.link.bluetooth.link import FRESH_S, QUEUE_FRAMES, BluetoothLink
from firmware.table.protocol import MAX_FRAME
from firmware.table.protocol.invitations import device_of
from hw_sim.air import bluetooth_address
from hw_sim.air.bluetooth import BluetoothAir
from tests.support.bluetooth_table import CUP, RECORD, Table, impostor, tables

pytestmark = pytest.mark.usefixtures("each_controller")


async def test_frames_of_every_length_arrive_whole_and_in_order_both_ways():
    async with Table(2) as table:
        frames = [bytes([length % 251]) * length for length in (1, 2, 53, 245, 246, 510, MAX_FRAME)]
        for _ in range(2):
            for frame in frames:
                table.send(0, 1, frame)
                table.send(1, 0, frame)
            await asyncio.sleep(2.5)
        assert table.frames == {0: frames * 2, 1: frames * 2}


async def test_a_full_queue_keeps_the_newest():
    async with Table(2) as table:
        table.air.absent(1)
        for number in range(QUEUE_FRAMES + 20):
            table.send(0, 1, bytes([number]))
        await asyncio.sleep(1)
        table.air.present(1)
        await asyncio.sleep(3)
        assert [frame[0] for frame in table.frames[1]] == list(range(20, QUEUE_FRAMES + 20))


async def test_stale_frames_are_dropped_and_nobody_is_looked_for_with_them():
    async with Table(2) as table:
        table.air.absent(1)
        await table.say(0, 1, b"older", wait_s=20)
        assert table.air.seeking == 0
        await table.say(0, 1, b"stale", wait_s=FRESH_S)
        await table.say(0, 1, b"fresh", wait_s=1)
        table.air.present(1)
        await asyncio.sleep(4)
        assert table.frames[1] == [b"fresh"]


async def test_the_cup_is_connected_for_before_the_record():
    waits = []
    async for table, _ in tables(5, 8):
        for seat in range(1, 7):
            table.send(0, seat, RECORD)
        table.send(0, 7, CUP)
        began = table.loop.time()
        await asyncio.sleep(4.9)
        waits.append(table.times[7][0] - began)
        assert all(table.frames[seat] == [RECORD] for seat in range(1, 7))

    assert max(waits) <= 0.5 + 4 * 0.03


async def test_what_cannot_be_sent_is_refused():
    async with Table(2) as table:
        link = table.links[0]
        for frame in (b"", bytes(MAX_FRAME + 1)):
            with pytest.raises(ValueError, match="1 to 4096 bytes"):
                link.send(table.device(1), frame)
        for seat in (0, 2):
            with pytest.raises(ValueError, match="no other device of this table"):
                link.send(table.device(seat), b"x")


async def test_addresses_that_cannot_be_right_are_refused():
    air = BluetoothAir(1, asyncio.get_running_loop())
    one, other = (device_of(bluetooth_address(seat)) for seat in (0, 1))
    for known in ([one], [other, other]):
        with pytest.raises(ValueError, match="the same Bluetooth address"):
            BluetoothLink(air.opener(0), one, print, known)


async def test_strangers_are_turned_away_and_keep_nobody_out():
    async with Table(2) as table:
        heard: list[bytes] = []
        device, known = table.device(9), [table.device(0)]
        stranger = BluetoothLink(table.air.opener(9), device, heard.append, known)
        await stranger.start()
        stranger.send(table.device(0), b"let me in")
        for number in range(5):
            await table.say(1, 0, bytes([number]), wait_s=1.5)
        assert table.air.connections > 1
        assert heard == []
        await stranger.stop()
        assert table.frames[0] == [bytes([number]) for number in range(5)]


@pytest.mark.parametrize("nonsense", [b"\0\0", b"\xff\xff", b"\1\0A\0\0"])
async def test_a_peer_that_talks_nonsense_is_disconnected_and_may_come_back(nonsense):
    async with Table(2) as table:
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
        await table.say(1, 0, b"sorry", wait_s=1)
        assert table.frames[0][-1] == b"sorry"


async def test_a_peer_that_connects_and_stays_silent_is_disconnected():
    async with Table(2) as table:
        mute = await impostor(table, 1)
        await mute.connect(Address(bluetooth_address(0)))
        await asyncio.sleep(OPEN_S - 0.1)
        assert len(mute.connections) == 1
        await asyncio.sleep(0.2)
        assert mute.connections == {}


async def test_a_second_channel_on_a_connection_is_ignored():
    async with Table(2) as table:
        greedy = await impostor(table, 1)
        connection = await greedy.connect(Address(bluetooth_address(0)))
        channels = [
            await connection.create_l2cap_channel(LeCreditBasedChannelSpec(psm=PSM))
            for _ in range(2)
        ]
        for number in (1, 0):
            channels[number].write(framed(bytes([number])))
        await asyncio.sleep(0.2)
        assert table.frames[0] == [b"\0"]


async def test_a_peer_that_refuses_the_channel_is_tried_again_with_patience():
    async with Table(2) as table:
        deaf = await impostor(table, 1)
        connections: list[object] = []
        deaf.on("connection", connections.append)
        await deaf.start_advertising(auto_restart=True)
        await table.say(0, 1, b"hello?", wait_s=20)
        assert 3 <= len(connections) <= 10
