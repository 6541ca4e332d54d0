"""Bluetooth links at a table on simulated controllers, one run or many."""

import asyncio
from collections.abc import AsyncIterator

from bumble.device import Device
from bumble.hci import Address
from bumble.host import Host

from firmware.link.bluetooth.link import BluetoothLink
from firmware.link.several import link_over
from firmware.table.protocol import VERSION, MessageKind
from firmware.table.protocol.invitations import device_of
from hw_sim.air import bluetooth_address
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.air.broker import MemoryBroker
from tests.support.brokers import Heard

PROFILE = "ideal"


class Table:
    """Links on one air, by seat, and what each of them received; or of strangers (`known`)."""

    def __init__(self, seats, seed=1, failure_rate=0.0, extended=True, known=True, profile=""):
        self.loop, how = asyncio.get_running_loop(), {"profile": profile or PROFILE}
        self.air = BluetoothAir(seed, self.loop, connect_failure_rate=failure_rate, **how)
        self.extended, self.known = extended, known
        self.devices = [self.device(seat) for seat in range(seats)]
        self.frames: dict[int, list[bytes]] = {seat: [] for seat in range(seats)}
        self.times: dict[int, list[float]] = {seat: [] for seat in range(seats)}
        self.links: list[BluetoothLink] = [self.link(seat) for seat in range(seats)]

    def device(self, seat: int) -> bytes:
        return device_of(bluetooth_address(seat))

    def link(self, seat: int) -> BluetoothLink:
        def on_frame(frame: bytes) -> None:
            self.frames[seat].append(frame)
            self.times[seat].append(self.loop.time())

        others = [one for one in self.devices if one != self.device(seat)] if self.known else None
        controller = self.air.opener(seat, extended=self.extended)
        return BluetoothLink(controller, self.device(seat), on_frame, others)

    def send(self, seat: int, to: int, frame: bytes) -> None:
        self.links[seat].send(self.device(to), frame)

    async def say(self, seat: int, to: int, frame: bytes, *, wait_s: float) -> None:
        """Send a frame, and let so much time pass."""
        self.send(seat, to, frame)
        await asyncio.sleep(wait_s)

    def is_up(self, seat: int, other: int) -> bool:
        return self.links[seat].is_up(self.device(other))

    async def start(self) -> "Table":
        for link in self.links:
            await link.start()
        return self

    __aenter__ = start

    async def __aexit__(self, problem, *_) -> None:
        for link in self.links if problem is None else ():
            await link.stop()


async def tables(trials: int, seats: int, **options) -> AsyncIterator[tuple[Table, int]]:
    """Yield one started table after the other, and its number, which is also the seed."""
    for trial in range(trials):
        async with Table(seats, seed=trial, **options) as table:
            yield table, trial


DEVICES = tuple(device_of(bluetooth_address(seat)) for seat in range(4))


class MixedTable:
    """Handhelds with one medium or both, and a broker.

    Args:
        media: of each seat, "bluetooth" or "mqtt" or both; the seat without any has no handheld.
        places: where each handheld listens.
        known: whether they know each other.

    Attributes:
        said: the payloads that the broker was told.
        heard: by device, what it received.
    """

    def __init__(self, media, places, *, known=False):
        self.air = BluetoothAir(1, asyncio.get_running_loop())
        self.broker, self.said, self.places = MemoryBroker(1), [], places
        self.broker.observers.append(lambda message: self.said.append(message.payload))
        self.heard = {device: Heard() for device, each in zip(DEVICES, media) if each}
        self.links = {
            device: link_over(
                self.air.opener(seat) if "bluetooth" in of_seat else None,
                None,
                device,
                self.heard[device],
                lambda: 0.5,
                [each for each in DEVICES if each != device] if known else None,
                self.broker.session() if "mqtt" in of_seat else None,
            )
            for seat, (device, of_seat) in enumerate(zip(DEVICES, media))
            if of_seat
        }

    async def __aenter__(self):
        for link, place in zip(self.links.values(), self.places):
            link.listen_at(place)
            await link.start()
        await asyncio.sleep(1.0)
        return self

    async def __aexit__(self, *_):
        for link in self.links.values():
            link.abandon()

    async def say(self, device, to, frame, *, wait_s):
        """Send a frame, and let so much time pass."""
        self.links[device].send(to, frame)
        await asyncio.sleep(wait_s)


async def impostor(table: Table, seat: int) -> Device:
    """Put a bare device of bumble in the place of a seat's handheld."""
    table.links[seat].abandon()
    transport = table.air.transport(seat)
    device = Device(
        name="impostor",
        address=Address(bluetooth_address(seat)),
        host=Host(transport.source, transport.sink),
    )
    await device.power_on()
    return device


CUP = bytes([VERSION << 4 | MessageKind.PROPOSE]) + b" to you"
RECORD = bytes([VERSION << 4 | MessageKind.LOG]) + b" for all"
