"""Defects of bumble that the link and the air work around, reproduced on bumble alone.

A test that fails here after an upgrade names a workaround that may go.
"""

import asyncio
import logging

import pytest
from bumble.controller import Controller
from bumble.core import InvalidStateError
from bumble.device import Device
from bumble.hci import (
    Address,
    HCI_ErrorCode,
    HCI_LE_Create_Connection_Cancel_Command,
    HCI_LE_Rand_Command,
    HCI_Read_BD_ADDR_Command,
)
from bumble.host import Host
from bumble.l2cap import LeCreditBasedChannelSpec
from bumble.link import LocalLink
from bumble.pairing import PairingConfig

from hw_sim.clock.virtual import run

PSM = 0x80


@pytest.fixture(autouse=True)
def _quiet(caplog):
    caplog.set_level(logging.CRITICAL + 1, logger="bumble")


class Stock:
    """Devices on bumble's own link bus and controllers."""

    def __init__(self, count: int, link: LocalLink):
        self.link = link
        self.controllers = []
        self.devices = []
        for number in range(count):
            controller = Controller(f"controller {number}", link=self.link)
            self.controllers.append(controller)
            address, host = Address(f"C0:00:00:00:00:{number:02X}"), Host(controller, controller)
            self.devices.append(Device(name=f"device {number}", address=address, host=host))

    async def start(self) -> "Stock":
        for device in self.devices:
            await device.power_on()
        return self

    async def connected(self, central: int, peripheral: int):
        """Return both ends of a new connection."""
        incoming = asyncio.get_running_loop().create_future()
        self.devices[peripheral].once("connection", incoming.set_result)
        await self.devices[peripheral].start_advertising()
        outgoing = await self.devices[central].connect(self.devices[peripheral].random_address)
        return outgoing, await incoming


def with_stock(count: int, link: type[LocalLink] = LocalLink):
    """Have a test run with so many devices, which are its argument."""

    def decorated(test):
        async def main() -> None:
            await test(await Stock(count, link()).start())

        return lambda: run(main())

    return decorated


def spec() -> LeCreditBasedChannelSpec:
    return LeCreditBasedChannelSpec(psm=PSM)


async def lose_link(stock: Stock, central: int, peripheral: int) -> None:
    """End a connection as a controller does on a supervision time-out."""
    for one, other in ((central, peripheral), (peripheral, central)):
        controller = stock.controllers[one]
        connection = controller.le_connections[stock.controllers[other].random_address]
        controller.on_le_disconnected(connection, HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)
    await asyncio.sleep(0.1)


class Deaf(LocalLink):
    """A link bus that loses the data packets it is told to."""

    lose = 0

    def send_acl_data(self, *packet) -> None:
        if self.lose:
            self.lose -= 1
        else:
            super().send_acl_data(*packet)


@with_stock(2, Deaf)
async def test_a_channel_request_aborted_by_link_loss_blocks_later_ones(stock):
    stock.devices[1].create_l2cap_server(spec())
    outgoing, _ = await stock.connected(0, 1)
    stock.link.lose = 1
    opening = asyncio.ensure_future(outgoing.create_l2cap_channel(spec()))
    await asyncio.sleep(0.1)
    await lose_link(stock, 0, 1)
    # The loss shows as a cancellation of whoever waited.
    assert opening.cancelled()
    # The request is still there, and a new connection counts its identifiers from 1 again.
    assert list(stock.devices[0].l2cap_channel_manager.le_coc_requests) == [1]
    outgoing, _ = await stock.connected(0, 1)
    with pytest.raises(InvalidStateError, match="too many concurrent"):
        await outgoing.create_l2cap_channel(spec())


@with_stock(3)
async def test_two_connections_cannot_open_their_channels_at_once(stock):
    for device in stock.devices[1:]:
        device.create_l2cap_server(spec())
    connections = [(await stock.connected(0, other))[0] for other in (1, 2)]
    results = await asyncio.gather(
        *(connection.create_l2cap_channel(spec()) for connection in connections),
        return_exceptions=True,
    )
    assert [type(result) for result in results].count(InvalidStateError) == 1


@with_stock(2)
async def test_data_that_comes_with_the_response_is_dropped(stock):
    stock.devices[1].create_l2cap_server(spec(), lambda channel: channel.write(b"welcome"))
    outgoing, _ = await stock.connected(0, 1)
    channel = await outgoing.create_l2cap_channel(spec())
    received: list[bytes] = []
    channel.sink = received.append
    await asyncio.sleep(10)
    assert received == []


@with_stock(3)
async def test_a_connection_attempt_takes_an_incoming_connection_for_its_own(stock):
    await stock.devices[0].start_advertising()
    absent = Address("C0:00:00:00:00:99")
    attempt = asyncio.ensure_future(stock.devices[0].connect(absent))
    await asyncio.sleep(1)
    await stock.devices[2].connect(stock.devices[0].random_address)
    await asyncio.sleep(1)
    assert (await attempt).peer_address == stock.devices[2].random_address


@with_stock(1)
async def test_a_cancelled_attempt_is_never_answered(stock):
    device = stock.devices[0]
    attempt = asyncio.ensure_future(device.connect(Address("C0:00:00:00:00:99"), timeout=1))
    await asyncio.sleep(3600)
    assert not attempt.done()
    await device.send_sync_command(HCI_LE_Create_Connection_Cancel_Command())
    assert stock.controllers[0].pending_le_connection is not None


@with_stock(2)
async def test_there_is_no_supervision_time_out(stock):
    outgoing, _ = await stock.connected(0, 1)
    stock.link.remove_controller(stock.controllers[1])
    await asyncio.sleep(3600)
    assert outgoing.handle in stock.devices[0].connections


@with_stock(2, Deaf)
async def test_a_lost_packet_leaves_a_hole_that_nobody_sees(stock):
    received: list[bytes] = []

    def accept(channel) -> None:
        channel.sink = received.append

    stock.devices[1].create_l2cap_server(spec(), accept)
    outgoing, _ = await stock.connected(0, 1)
    channel = await outgoing.create_l2cap_channel(spec())
    for number in range(3):
        stock.link.lose = int(number == 1)
        channel.write(b"frame %d" % number)
        await asyncio.sleep(1)
    assert received == [b"frame 0", b"frame 2"]
    assert outgoing.handle in stock.devices[0].connections


@with_stock(2)
async def test_authenticated_is_true_without_anybody_having_compared_anything(stock):
    for device in stock.devices:
        device.pairing_config_factory = lambda _: PairingConfig(sc=True, mitm=False)
    outgoing, incoming = await stock.connected(0, 1)
    await outgoing.pair()
    assert outgoing.authenticated
    assert incoming.authenticated


@with_stock(1)
async def test_the_answer_to_a_cancelled_command_is_taken_for_that_to_the_next(stock):
    class Slow:
        """The way to a controller that answers after 0.1 s."""

        def __init__(self, controller: Controller):
            self.controller = controller

        def on_packet(self, packet: bytes) -> None:
            asyncio.get_running_loop().call_later(0.1, self.controller.on_packet, packet)

    device = stock.devices[0]
    device.host.set_packet_sink(Slow(stock.controllers[0]))
    first = asyncio.ensure_future(device.send_sync_command(HCI_Read_BD_ADDR_Command()))
    await asyncio.sleep(0.05)
    first.cancel()
    await asyncio.sleep(0)
    answer = await device.send_sync_command(HCI_LE_Rand_Command())
    assert not hasattr(answer, "random_number")
    assert hasattr(answer, "bd_addr")


def test_controllers_are_kept_without_an_order():
    assert isinstance(LocalLink().controllers, set)
