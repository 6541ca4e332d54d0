"""The simulated air of both media: delays, order, stalls, losses, marks, and its digest."""

import asyncio
import itertools
import logging
import statistics
from random import Random
from statistics import fmean, pstdev

import pytest
from bumble.device import Device
from bumble.hci import Address, HCI_Disconnect_Command, HCI_Error
from bumble.host import Host
from bumble.l2cap import LeCreditBasedChannelSpec
from steckbrett.clock import DeadlockError

from firmware.link.bluetooth.radio import Radio
from hw_sim.air import (
    CARRIER_US,
    NOMINAL,
    SCENARIOS,
    AirDigest,
    HeardPacket,
    bluetooth_address,
    distorted,
)
from hw_sim.air.bluetooth import BURST, CONNECT_MAX_US, CONNECT_MIN_US, BluetoothAir
from hw_sim.clock import run

LENGTHS_US = [1800, *(2200, 368) * 200]
STARTS_US = [4_000_000 + sum(LENGTHS_US[:number]) for number in range(0, len(LENGTHS_US), 2)]
TIMES = 300


@pytest.mark.whole
def test_edges_jitter_by_what_both_sides_add():
    for how in (NOMINAL, SCENARIOS["stress"]._replace(late_rate=0.0)):
        spreads, leading = [], []
        for seed in range(TIMES):
            pulses = distorted(LENGTHS_US, 4e6, how, Random(seed))
            late_us = [pulse.start_us - sent for pulse, sent in zip(pulses, STARTS_US, strict=True)]
            leading.append(fmean(late_us) / CARRIER_US)
            spreads.append(pstdev(late_us))
        assert fmean(spreads) == pytest.approx(
            (how.send_us**2 + how.receive_us**2) ** 0.5, rel=0.03
        )
        assert 6.9 < min(leading) < 7.3
        assert 14.7 < max(leading) < 15.1


@pytest.mark.whole
@pytest.mark.parametrize("rate", [0.0, 0.003, 0.2, 1.0])
def test_marks_get_lost_and_come_late_at_their_rate(rate):
    lost = [
        len(STARTS_US)
        - len(distorted(LENGTHS_US, 4e6, NOMINAL._replace(loss_rate=rate), Random(n)))
        for n in range(TIMES)
    ]
    assert fmean(lost) / len(STARTS_US) == pytest.approx(rate, rel=0.15)
    how = NOMINAL._replace(late_rate=rate, late_us=1e5, send_us=0.0, receive_us=0.0)
    late_us = []
    for seed in range(TIMES):
        pulses = distorted(LENGTHS_US, 4e6, how, Random(seed))
        delays = [pulse.start_us - 4e6 for pulse in pulses]
        late_us.append(sum(delays) - sum(start - 4e6 for start in STARTS_US))
    extra_us = fmean(late_us) / len(STARTS_US) - 11 * CARRIER_US
    assert extra_us == pytest.approx(rate * 1e5, rel=0.3, abs=30)


PACKET = HeardPacket(1_000_000, 2, 1, b"cup")
TRANSMISSION = (1_000_000, 2, (562, 1_687))


def digest(*said):
    """A packet is a named tuple, a transmission a plain one."""
    air = AirDigest()
    for one in said:
        (air.transmission if type(one) is tuple else air.packet)(one)
    return air.hex


@pytest.mark.parametrize(
    ("one", "others"),
    [
        (
            PACKET,
            (
                (), (PACKET._replace(t_us=1_000_001),), (PACKET._replace(sender=0),),
                (PACKET._replace(receiver=0),), (PACKET._replace(payload=b"cap"),),
                (PACKET, PACKET), (TRANSMISSION,),
            ),
        ),
        (
            TRANSMISSION,
            (
                ((1_000_001, 2, (562, 1_687)),), ((1_000_000, 1, (562, 1_687)),),
                ((1_000_000, 2, (1_687, 562)),), ((1_000_000, 2, (562,)),),
            ),
        ),
    ],
)  # fmt: skip
def test_everything_that_is_said_is_in_the_digest(one, others):
    assert digest(one) == digest(one)
    assert digest(one) not in [digest(*other) for other in others]


PSM = 0x80
INTERVALS_S = (0.015, 0.030)
SUPERVISION_S = 0.72
"""The parameters that bumble's Device asks for when it connects."""
LOST = 0x08
LOCAL_END = 0x16
REMOTE_END = 0x13
NOT_ESTABLISHED = 0x3E


@pytest.fixture(autouse=True)
def _quiet(caplog):
    caplog.set_level(logging.CRITICAL + 1, logger="bumble")


class Pair:
    """Devices of bumble on the air, with what they saw: (time, seat, event, detail)."""

    def __init__(self, seats=2, seed=1, failure_rate=0.0, extended=True):
        self.loop = asyncio.get_running_loop()
        self.air = BluetoothAir(seed, self.loop, connect_failure_rate=failure_rate)
        self.log: list[tuple] = []
        self.devices = []
        for seat in range(seats):
            transport = self.air.transport(seat, extended=extended)
            device = Device(
                name=f"seat {seat}",
                address=Address(bluetooth_address(seat)),
                host=Host(transport.source, transport.sink),
            )
            device.on("connection", lambda connection, seat=seat: self.connected(seat, connection))
            self.devices.append(device)

    def connected(self, seat, connection):
        self.log.append((self.loop.time(), seat, "up", connection))
        connection.on(
            "disconnection",
            lambda reason: self.log.append((self.loop.time(), seat, "down", reason)),
        )

    async def start(self):
        for device in self.devices:
            await device.power_on()
            await device.start_advertising()
        return self

    async def connect(self, central, peripheral):
        """Connect two seats and return both ends."""
        ends = len(self.log)
        await self.devices[central].connect(Address(bluetooth_address(peripheral)))
        await asyncio.sleep(0)
        return [
            entry[3] for entry in sorted(self.log[ends:], key=lambda entry: entry[1] != central)
        ]

    async def channel(self, central, peripheral):
        """Connect, open a channel and return it with the list of (time, data) that arrives."""
        arrived: list[tuple[float, bytes]] = []

        def accept(channel):
            channel.sink = lambda data: arrived.append((self.loop.time(), data))

        spec = LeCreditBasedChannelSpec(psm=PSM, mtu=512, mps=240, max_credits=256)
        self.devices[peripheral].create_l2cap_server(spec, accept)
        outgoing, incoming = await self.connect(central, peripheral)
        return await outgoing.create_l2cap_channel(spec), arrived, incoming

    def ends(self):
        return [entry for entry in self.log if entry[2] == "down"]


@pytest.fixture
def pair(loop):
    """Two that advertise."""

    async def started():
        return await Pair().start()

    return loop.run_until_complete(started())


@pytest.mark.whole
@pytest.mark.parametrize("extended", [True, False])
async def test_connecting_takes_50_to_500_ms(extended):
    delays_us = []
    for seed in range(60):
        pair = await Pair(seed=seed, extended=extended).start()
        began = pair.loop.time()
        await pair.connect(0, 1)
        delays_us.append(round((pair.loop.time() - began) * 1e6))
    assert min(delays_us) >= CONNECT_MIN_US == 50_000
    assert max(delays_us) <= CONNECT_MAX_US == 500_000
    assert 200_000 < statistics.mean(delays_us) < 350_000


async def test_packets_cross_at_connection_events_in_order_and_a_few_at_a_time(pair):
    channel, arrived, _ = await pair.channel(0, 1)
    for number in range(50):
        channel.write(bytes([number]) * 200)
    await asyncio.sleep(3)
    assert [data[0] for _, data in arrived] == list(range(50))
    times = sorted({time for time, _ in arrived})
    counts = [sum(time == when for when, _ in arrived) for time in times]
    assert max(counts) == BURST
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert INTERVALS_S[0] <= min(gaps)
    assert max(gaps) == pytest.approx(min(gaps), abs=2e-6)
    assert max(gaps) <= INTERVALS_S[1]


async def test_a_cut_stalls_and_ends_on_both_sides_with_the_supervision_time_out(pair):
    channel, arrived, _ = await pair.channel(0, 1)
    await asyncio.sleep(1)
    began = pair.loop.time()
    assert pair.air.cut(0, 1)
    channel.write(b"lost")
    await asyncio.sleep(5)
    assert arrived == []
    assert [(entry[1], entry[3]) for entry in pair.ends()] == [(0, LOST), (1, LOST)]
    for entry in pair.ends():
        assert entry[0] == pytest.approx(began + SUPERVISION_S)
    assert pair.air.losses == 1
    assert not pair.air.cut(0, 1)


async def test_a_short_absence_loses_nothing(pair):
    channel, arrived, _ = await pair.channel(0, 1)
    pair.air.absent(0)
    channel.write(b"late")
    await asyncio.sleep(SUPERVISION_S * 0.9)
    assert arrived == []
    pair.air.present(0)
    await asyncio.sleep(5)
    assert [data for _, data in arrived] == [b"late"]
    assert pair.ends() == []
    assert pair.air.linked(0, 1)


async def test_some_connections_fail_to_be_established():
    pair = await Pair(failure_rate=1.0).start()
    await pair.devices[0].connect(Address(bluetooth_address(1)))
    began = pair.loop.time()
    await asyncio.sleep(5)
    assert [(entry[1], entry[2]) for entry in pair.log] == [(0, "up"), (0, "down")]
    assert pair.log[1][3] == NOT_ESTABLISHED
    assert 6 * INTERVALS_S[0] <= pair.log[1][0] - began <= 6 * INTERVALS_S[1]
    assert (pair.air.failures, pair.air.connections) == (1, 0)


async def test_a_disconnection_ends_both_sides_at_once_and_drops_what_was_not_sent(pair):
    channel, arrived, incoming = await pair.channel(0, 1)
    channel.write(b"dropped")
    await channel.connection.disconnect()
    assert [(entry[1], entry[3]) for entry in pair.ends()] == [(0, LOCAL_END), (1, REMOTE_END)]
    assert len({entry[0] for entry in pair.ends()}) == 1
    assert arrived == []
    command = HCI_Disconnect_Command(connection_handle=incoming.handle, reason=REMOTE_END)
    with pytest.raises(HCI_Error):
        await pair.devices[1].send_async_command(command)


async def test_a_controller_that_is_switched_off_is_silent_and_its_peers_time_out():
    pair = await Pair(seats=3).start()
    await pair.connect(0, 1)
    await pair.devices[1].start_advertising()
    await pair.connect(2, 1)
    pair.air.switch_off(1)
    await asyncio.sleep(5)
    assert [(entry[1], entry[3]) for entry in pair.ends()] == [(0, LOST), (2, LOST)]
    assert [controller.seat for controller in pair.air.controllers] == [0, 2]


async def test_the_observer_hears_every_data_packet_when_it_crosses():
    pair = await Pair(seats=3).start()
    heard = []
    pair.air.observers.append(heard.append)
    first, arrived, _ = await pair.channel(0, 1)
    second, _, _ = await pair.channel(1, 2)
    first.write(b"from 0 to 1")
    second.write(b"from 1 to 2")
    await asyncio.sleep(1)
    assert len(heard) == pair.air.packets
    assert sum(len(packet.payload) for packet in heard) == pair.air.payload_bytes
    assert [packet.t_us for packet in heard] == sorted(packet.t_us for packet in heard)
    (crossed,) = [packet for packet in heard if packet.payload.endswith(b"from 0 to 1")]
    assert (crossed.sender, crossed.receiver) == (0, 1)
    assert crossed.t_us == round(arrived[0][0] * 1e6)
    assert any(packet.payload.endswith(b"from 1 to 2") for packet in heard)


@pytest.mark.parametrize("extended", [True, False])
async def test_who_scans_hears_what_the_others_advertise_and_no_longer_than_it_scans(extended):
    loop = asyncio.get_running_loop()
    air = BluetoothAir(1, loop)
    heard = []
    radios = []
    for seat in range(3):
        transport = air.transport(seat, extended=extended)
        radio = Radio(transport, bluetooth_address(seat), {}, lambda channel: None)
        await radio.start()
        radios.append(radio)
    radios[0].advertising.on_announced = lambda address, data: heard.append((address, data))
    radios[1].advertising.announce(b"a table")
    radios[0].advertising.listen(True)
    await asyncio.sleep(3.0)
    assert {(bluetooth_address(1), b"a table")} == set(heard)
    radios[1].advertising.announce(b"another")
    await asyncio.sleep(3.0)
    assert heard[-1] == (bluetooth_address(1), b"another")
    air.absent(1)
    count = len(heard)
    await asyncio.sleep(3.0)
    assert len(heard) == count
    air.present(1)
    radios[1].advertising.announce(b"")
    await asyncio.sleep(3.0)
    assert len(heard) == count
    radios[1].advertising.announce(b"third")
    radios[0].advertising.listen(False)
    await asyncio.sleep(3.0)
    assert len(heard) == count
    with pytest.raises(ValueError, match="cannot be announced"):
        radios[1].advertising.announce(bytes(25))


def test_eight_that_advertise_cost_nothing():
    """Nothing is scheduled on a table where nobody talks, so time has nowhere to go."""

    async def main():
        pair = await Pair(seats=8).start()
        await pair.loop.create_future()

    with pytest.raises(DeadlockError, match="at 0 s"):
        run(main())
