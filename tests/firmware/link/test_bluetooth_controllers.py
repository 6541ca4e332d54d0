"""A Bluetooth link and its controller: slow to start, dead, absent, with few connections."""

import asyncio

import pytest
from bumble.hci import Address, OwnAddressType

from firmware.effects import Nearby
from firmware.link import RadioError
from firmware.link.bluetooth.host import connect_command
from firmware.link.bluetooth.link import BluetoothLink
from firmware.link.bluetooth.radio import AGAIN_MOST_S, PROBE_S, SILENT_S
from firmware.table.protocol.invitations import device_of
from hw_sim.air import bluetooth_address
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.clock import run
from tests.support.bluetooth_table import Table, tables

pytestmark = pytest.mark.usefixtures("each_controller")


def test_who_is_told_to_end_while_its_controller_starts_ends():
    """At any step of the loop: answers come together with the word to end, too."""

    async def ends_at(step: int) -> bool:
        table = Table(1)
        starting = asyncio.ensure_future(table.links[0].start())
        for _ in range(step):
            await asyncio.sleep(0)
        was_started = starting.done()
        starting.cancel()
        await asyncio.wait((starting,))
        table.links[0].abandon()
        assert was_started or starting.cancelled(), f"step {step}"
        return was_started

    step = 0
    while not run(ends_at(step)):
        step += 1
    assert step > 20


async def test_a_controller_that_does_not_answer_is_one_clear_line():
    air = BluetoothAir(1, asyncio.get_running_loop())

    async def opened():
        transport = air.transport(0)
        air.switch_off(0)
        return transport

    link = BluetoothLink(opened, device_of(bluetooth_address(0)), print)
    with pytest.raises(RadioError, match="HCI_RESET_COMMAND was not answered") as told:
        await link.start()
    assert "\n" not in str(told.value)
    await link.stop()


@pytest.mark.whole
@pytest.mark.parametrize("harm", ["fall_mute", "fail"])
@pytest.mark.parametrize("seat", [0, 1])
async def test_a_controller_that_dies_at_any_instant_is_opened_again_within_a_minute(harm, seat):
    async for table, trial in tables(8, 2):
        await table.say(0, 1, b"before", wait_s=trial * 0.08)
        (controller,) = table.air.controllers_of(seat)
        getattr(controller, harm)()
        await asyncio.sleep(60)
        table.send(0, 1, b"after")
        await table.say(1, 0, b"and back", wait_s=4)
        assert table.frames[1][-1] == b"after"
        assert table.frames[0] == [b"and back"]
        assert all(link.is_well for link in table.links)


async def test_a_controller_that_stays_away_is_told_to_the_watchdog_and_taken_back():
    async with Table(2) as table:
        link, opened = table.links[0], table.links[0]._radio._open_controller

        async def gone():
            raise RadioError("the Bluetooth adapter hci-socket:0 cannot be opened")

        link._radio._open_controller = gone
        table.air.controllers_of(0)[0].fail()
        await asyncio.sleep(SILENT_S - 1)
        assert link.is_well
        await asyncio.sleep(PROBE_S + 2)
        assert not link.is_well
        link._radio._open_controller = opened
        await asyncio.sleep(AGAIN_MOST_S + 1)
        assert link.is_well
        await table.say(1, 0, b"there you are", wait_s=2)
        assert table.frames[0] == [b"there you are"]


async def test_a_connection_that_is_not_allowed_is_asked_for_again():
    async with Table(2) as table:
        controller = table.air.controllers[0]
        absent = Address(bluetooth_address(9))
        host = table.links[0]._radio._radio.host
        table.air.absent(0)
        controller.le_legacy_advertiser.stop()
        await asyncio.sleep(0.1)
        controller.on_packet(bytes(connect_command(host, OwnAddressType.RANDOM, absent)))
        await asyncio.sleep(0.1)
        assert controller.pending_le_connection.peer_address == absent
        table.air.present(0)
        await table.say(0, 1, b"in spite of it", wait_s=1)
        assert table.frames[1] == [b"in spite of it"]


@pytest.mark.whole
async def test_who_comes_to_a_crowd_of_strangers_gets_room_though_nobody_is_silent():
    """A host tells his guests of the table every second, so no connection to them is idle."""

    async with Table(8, known=False, profile="pi") as table:
        for link in table.links:
            link.listen_at(Nearby.NEARBY)
        for second in range(20):
            table.links[0].send(None, b"a table")
            for at in range(1, 8):
                if table.device(at) not in table.frames[0]:
                    table.send(at, 0, table.device(at))
            await asyncio.sleep(1)
            assert second != 8 or len({*table.frames[0]}) >= 5
        assert {*table.frames[0]} == {*table.devices[1:]}
        assert all({*table.frames[at]} == {b"a table"} for at in range(1, 8))
