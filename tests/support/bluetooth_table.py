"""Bluetooth links at a table on simulated controllers, one run or many."""

import asyncio
from collections.abc import Awaitable, Callable
from inspect import Signature, signature

from bumble.device import Device
from bumble.hci import Address
from bumble.host import Host

from firmware.link.bluetooth.link import BluetoothLink
from firmware.table.protocol import VERSION, MessageKind
from firmware.table.protocol.invitations import device_of
from hw_sim.air import bluetooth_address
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.clock import run

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
        self.on_state: Callable[[int, bool], None] = lambda _seat, _up: None
        self.links: list[BluetoothLink] = [self.link(seat) for seat in range(seats)]

    def device(self, seat: int) -> bytes:
        return device_of(bluetooth_address(seat))

    def link(self, seat: int) -> BluetoothLink:
        def on_frame(frame: bytes) -> None:
            self.frames[seat].append(frame)
            self.times[seat].append(self.loop.time())

        others = [one for one in self.devices if one != self.device(seat)] if self.known else None
        controller = self.air.opener(seat, extended=self.extended)
        link = BluetoothLink(controller, self.device(seat), on_frame, others)
        link.on_state = lambda _, up: self.on_state(seat, up)
        return link

    def send(self, seat: int, to: int, frame: bytes) -> None:
        self.links[seat].send(self.device(to), frame)

    def is_up(self, seat: int, other: int) -> bool:
        return self.links[seat].is_up(self.device(other))

    async def start(self) -> "Table":
        for link in self.links:
            await link.start()
        return self


def on_table(seats: int, play: Callable[[Table], Awaitable[None]], **options) -> Table:
    """Run ``play`` on a started table; the run fails on any exception nobody awaited."""

    async def main() -> Table:
        table = await Table(seats, **options).start()
        await play(table)
        for link in table.links:
            await link.stop()
        return table

    return run(main(), limit_s=3600)


def at_a_table(seats: int, **options):
    """Have a test run at a started table, which is its first argument."""

    def decorated(test):
        def run_test(**arguments):
            on_table(seats, lambda table: test(table, **arguments), **options)

        of_pytest = list(signature(test).parameters.values())[1:]
        run_test.__signature__ = Signature(of_pytest)
        run_test.__doc__ = test.__doc__
        return run_test

    return decorated


def on_tables(trials: int, seats: int, play: Callable[[Table, int], Awaitable[None]], **options):
    """Run ``play(table, trial)`` on one table after the other; the trial is also the seed."""

    async def main() -> None:
        for trial in range(trials):
            table = await Table(seats, seed=trial, **options).start()
            await play(table, trial)
            for link in table.links:
                await link.stop()

    run(main(), limit_s=36000)


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
