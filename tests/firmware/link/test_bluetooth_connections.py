"""One connection between two handhelds: made, crossed, cut, kept, and made again."""

import asyncio

import pytest

from firmware.link.bluetooth.channel import Channel
from firmware.link.bluetooth.link import FRESH_S, IDLE_S, Peer
from tests.support.bluetooth_table import Table, tables

pytestmark = pytest.mark.usefixtures("each_controller")


async def test_a_connection_is_kept_while_used_and_closed_when_idle():
    async with Table(2) as table:
        table.send(0, 1, b"a")
        for _ in range(10):
            await asyncio.sleep(IDLE_S * 0.8)
            table.send(1, 0, b"b")
        assert table.air.connections == 1
        await asyncio.sleep(IDLE_S * 0.9)
        assert table.air.linked(0, 1)
        await asyncio.sleep(IDLE_S * 0.2)
        assert not table.air.linked(0, 1)
        assert not table.is_up(0, 1)
        assert not table.is_up(1, 0)
        await table.say(1, 0, b"again", wait_s=1)
        assert table.frames[0][-1] == b"again"
        assert table.air.connections == 2


async def test_what_is_sent_while_a_connection_closes_goes_over_the_next():
    async with Table(2) as table:
        part = table.links[0]._part

        def part_and_send(peer: Peer) -> None:
            part(peer)
            if table.frames[1][-1] == b"first":
                table.send(0, 1, b"over the next")

        table.links[0]._part = part_and_send
        for _ in range(20):
            await table.say(0, 1, b"first", wait_s=4 * IDLE_S)
        assert table.frames[1] == [b"first", b"over the next"] * 20


@pytest.mark.whole
async def test_a_link_cut_at_any_instant_is_told_on_both_sides_and_made_again():
    async for table, trial in tables(15, 2):
        await table.say(0, 1, b"before", wait_s=0.05 + trial * 0.04)
        cut = table.air.cut(0, 1)
        table.send(0, 1, b"into the void")
        await table.say(1, 0, b"into the void", wait_s=FRESH_S + 3)
        assert table.air.losses == cut
        await table.say(1, 0, b"after", wait_s=1.5)
        assert table.frames[0][-1] == b"after"


async def test_stop_sends_what_a_connection_has_taken_and_says_goodbye():
    async with Table(2) as table:
        await table.say(0, 1, b"hello", wait_s=1)
        table.send(0, 1, b"last words" * 100)
        await table.links[0].stop()
        await asyncio.sleep(0.1)
        assert not table.is_up(1, 0)
        table.send(0, 1, b"from the grave")
        await table.say(1, 0, b"where are you?", wait_s=10)
        assert table.frames == {0: [], 1: [b"hello", b"last words" * 100]}


@pytest.mark.whole
async def test_stop_in_the_middle_of_connecting_leaves_nothing_behind():
    async for table, trial in tables(15, 2):
        await table.say(0, 1, b"hello", wait_s=trial * 0.04)
        await table.links[0].stop()
        await asyncio.sleep(1)
        assert not table.air.linked(0, 1)
        assert table.air.seeking == 0


@pytest.mark.parametrize("me", [0, 1])
async def test_of_two_connections_one_is_kept_and_the_other_closed(me):
    """Simulated controllers never have two; real ones can, for an instant."""

    async with Table(2) as table:
        await table.say(0, 1, b"hello", wait_s=1)
        closed: list[object] = []

        async def disconnect(connection: object) -> None:
            closed.append(connection)

        former = table.links[me]._peers.get(table.device(1 - me)).channel
        rival = Channel(
            former.address, former.connection, outgoing=not former.outgoing, disconnect=disconnect
        )
        rival.opened(former._channel)
        table.links[me]._adopt(rival)
        await asyncio.sleep(1)
        # Seat 0 is the central of the former, and 0 is lower than 1: it stays.
        assert closed == [former.connection]
        assert table.is_up(me, 1 - me)
        table.send(0, 1, b"still here")
        newer = Channel(
            former.address, former.connection, outgoing=former.outgoing, disconnect=disconnect
        )
        newer.opened(former._channel)
        await asyncio.sleep(0.2)
        table.links[me]._adopt(newer)
        assert table.links[me]._peers.get(table.device(1 - me)).channel is newer
        assert table.frames[1] == [b"hello", b"still here"]
