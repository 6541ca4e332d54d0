"""The devices behind one kernel: a simulated board in real time, and the air."""

import asyncio
import socket
import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from drivers.pins import ACCELEROMETER_INT1, TOUCH
from hw_sim.board import SimulatedBoard
from tests.labs.kernel.inside.pins import KNOWN, READY
from tests.labs.kernel.machine import ADAPTER, PINS, Machine
from tests.labs.kernel.vhost import serve

LOST_SAMPLES = "FIFO overrun"
"""What is against the data sheet, and a matter of timing: a busy machine comes too late."""
_WATCHED = (ACCELEROMETER_INT1, TOUCH)


class World:
    """One board, on the running loop, and the kernels that are booted on it one after the other.

    ``folder``: what a kernel may write. Levels go to the kernel as the board's pins change.
    """

    def __init__(self, folder: Path, seed: int | str, told: Callable[[str], object]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.board = SimulatedBoard(seed, asyncio.get_running_loop(), "rpi-lgpio")
        self.machine: Machine | None = None
        self.edges: list[tuple[int, int]] = []
        """What became of the pins: BCM number and level, in order."""
        self._folder = folder
        self._told = told
        self._is_wired = False
        self._unheard = 0
        self._heard = asyncio.Event()
        self._stop_serving = serve(folder / "bus.sock", self.board.bus, self._settled)
        gpio = self.board.gpio
        gpio.setmode(gpio.BCM)
        for pin in _WATCHED:
            gpio.setup(pin, gpio.IN, pull_up_down=gpio.PUD_DOWN)
            gpio.add_event_detect(pin, gpio.BOTH, self._edge)

    async def boot(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] = {},
        controller: Any = None,
    ) -> Machine:
        """Switch a kernel on that runs ``command``; see `Machine`.

        ``controller``: what its Bluetooth adapter is; None: it has none.
        """
        fitted = {"ADAPTER": "" if controller is None else "1"}
        machine = Machine(
            self._folder, command, self._folder / "bus.sock", self._told, {**fitted, **environment}
        )
        await machine.boot()
        self.machine = machine
        self._is_wired = False
        self._unheard = 0
        line = machine.lines[PINS]
        asyncio.get_running_loop().add_reader(line, self._hear, line)
        if controller is not None:
            _Wire(machine.lines[ADAPTER], controller)
        return machine

    def close(self) -> None:
        """Take the board away."""
        self._stop_serving()
        self.board.close()

    def _edge(self, pin: int) -> None:
        self.edges.append((pin, self.board.gpio.input(pin)))
        self._drive(pin)

    def _drive(self, pin: int) -> None:
        if self._is_wired and self.machine is not None and self.machine.lines[PINS].fileno() >= 0:
            self._unheard += 1
            self.machine.lines[PINS].send(bytes([pin, self.board.gpio.input(pin)]))

    def _hear(self, line: socket.socket) -> None:
        """Hear that somebody drives the lines in the kernel, and then of how many levels it knows.

        What is sent before that may be lost.
        """
        try:
            told = line.recv(256)
        except OSError:
            told = b""
        if not told:
            asyncio.get_running_loop().remove_reader(line)
        if not told or told.startswith(READY):
            self._is_wired = False
            self._unheard = 0
        self._unheard -= told.count(KNOWN)
        if told.startswith(READY):
            self._is_wired = True
            for pin in _WATCHED:
                self._drive(pin)
        self._heard.set()

    async def _settled(self) -> None:
        """Wait until the kernel knows what the last transaction did to the pins."""
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # the edge is reported soon, and then sent
        while self._unheard > 0:
            self._heard.clear()
            await self._heard.wait()


class _Wire:
    """HCI packets between a controller and the adapter of a kernel, see ``inside/adapter.py``."""

    def __init__(self, line: socket.socket, controller: Any) -> None:
        self._line = line
        self._controller = controller
        self._rest = b""
        self._loop = asyncio.get_running_loop()
        line.setblocking(False)
        controller.hci_sink = self
        self._loop.add_reader(line, self._read)

    def on_packet(self, packet: bytes) -> None:
        """Take a packet of the controller to the kernel."""
        if self._line.fileno() >= 0:
            self._line.send(struct.pack("<H", len(packet)) + packet)

    def _read(self) -> None:
        try:
            data = self._line.recv(65536)
        except OSError:
            data = b""
        if not data:
            self._loop.remove_reader(self._line)
            return
        self._rest += data
        while len(self._rest) > 2:
            (size,) = struct.unpack_from("<H", self._rest)
            if len(self._rest) < 2 + size:
                return
            packet, self._rest = self._rest[2 : 2 + size], self._rest[2 + size :]
            self._controller.on_packet(packet)
