"""One kernel, and the devices behind it: a simulated board in real time, and the air.

A kernel is a process of this machine that boots a real Linux on its files, read-only. It may write
one folder, which it finds at ``/var/lib``. Its first process is ``inside/init.sh``. Its serial
lines are sockets of this process: ``PINS`` carries the levels of pins into it, ``ADAPTER`` HCI
packets both ways.
"""

import asyncio
import shlex
import socket
import struct
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from drivers.pins import ACCELEROMETER_INT1, TOUCH
from hw_sim.board import SimulatedBoard
from tests.labs.kernel.inside.lines import KNOWN, READY
from tests.labs.kernel.vhost import serve

ROOT: Final = Path(__file__).resolve().parents[3]
LINUX: Final = ROOT / ".kernel" / "linux"
PYTHON: Final = ROOT / ".kernel" / "venv" / "bin" / "python"
INSIDE: Final = Path(__file__).parent / "inside"

Told = Callable[[str], object]
"""Takes a line."""
PINS, ADAPTER = range(2)
"""The numbers of the serial lines."""
POWER_UP_S = 0.6
"""All parts of a board are there after so long."""
_ENDED = "ended with "
_NOISE = ("", "reboot: Power down")
LOST_SAMPLES = "FIFO overrun"
"""What is against the data sheet, and a matter of timing: a busy machine comes too late."""
_WATCHED = (ACCELEROMETER_INT1, TOUCH)


class World:
    """One board, on the running loop, and the kernels that are booted on it one after the other.

    ``folder``: what a kernel may write. ``told`` gets every line that one prints. Levels go to the
    kernel as the board's pins change.
    """

    def __init__(self, folder: Path, seed: int | str, told: Told) -> None:
        (folder / "maexchen").mkdir(parents=True, exist_ok=True)
        self.board = SimulatedBoard(seed, asyncio.get_running_loop(), "rpi-lgpio")
        self.edges: list[tuple[int, int]] = []
        """What became of the pins: BCM number and level, in order."""
        self.printed: list[str] = []
        self._folder, self._told = folder, told
        self._process: asyncio.subprocess.Process | None = None
        self._lines: list[socket.socket] = []
        """This end of the serial lines, while a kernel runs."""
        self._is_wired, self._unheard = False, 0
        self._heard = asyncio.Event()
        self._stop_serving = serve(folder / "bus.sock", self.board.bus, self._settled)
        gpio = self.board.gpio
        gpio.setmode(gpio.BCM)
        for pin in _WATCHED:
            gpio.setup(pin, gpio.IN, pull_up_down=gpio.PUD_DOWN)
            gpio.add_event_detect(pin, gpio.BOTH, self._edge)

    async def boot(self, command: Sequence[str], controller: Any = None) -> None:
        """Start a kernel that runs a command, as root, until that ends or its power is cut.

        ``controller``: what its Bluetooth adapter is; None: it has none. What runs inside needs a
        moment more.
        """
        settings = {
            "PYTHON": str(PYTHON),
            "PYTHONPATH": str(ROOT),
            "RPI_LGPIO_REVISION": "c03115",
            "RPI_LGPIO_CHIP": "0",
            "ADAPTER": "" if controller is None else "1",
        }
        lines = [f"export {name}={shlex.quote(value)}\n" for name, value in settings.items()]
        (self._folder / "environment.sh").write_text("".join(lines))
        (self._folder / "run.sh").write_text(shlex.join(command) + "\n")
        self._is_wired, self._unheard = False, 0
        pairs = [socket.socketpair() for _ in range(2)]
        self._lines = [ours for ours, _ in pairs]
        theirs = [line.fileno() for _, line in pairs]
        self._process = await asyncio.create_subprocess_exec(
            "setpriv", "--pdeathsig=KILL",  # it does not outlive this process, whatever ends that
            str(LINUX), "mem=1G", "root=/dev/root", "rootfstype=hostfs", "ro", "quiet",
            "loglevel=1", f"init={INSIDE / 'init.sh'}", "con=null", "con0=null,fd:1",
            *(f"ssl{number}=fd:{line}" for number, line in enumerate(theirs)),
            f"virtio_uml.device={self._folder / 'bus.sock'}:34",
            f"ROOM={INSIDE}", f"WRITABLE={self._folder}",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            pass_fds=theirs, cwd="/", start_new_session=True,
        )  # fmt: skip
        for _, line in pairs:
            line.close()
        asyncio.get_running_loop().add_reader(self._lines[PINS], self._hear, self._lines[PINS])
        if controller is not None:
            _Wire(self._lines[ADAPTER], controller)

    async def ended(self) -> int | None:
        """Wait for the kernel's end; return the command's exit status, None if it was cut."""
        assert self._process is not None
        assert self._process.stdout is not None
        status = None
        async for line in self._process.stdout:
            text = line.decode(errors="replace").rstrip()
            if text.startswith(_ENDED):
                status = int(text.removeprefix(_ENDED))
            elif text not in _NOISE:
                self.printed.append(text)
                self._told(text)
        await self._process.wait()
        for serial in self._lines:
            asyncio.get_running_loop().remove_reader(serial)
            serial.close()
        return status

    def cut(self) -> None:
        """Take the kernel's power: nothing in it is told."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

    async def run(self, command: Sequence[str], controller: Any = None) -> int | None:
        """Boot a kernel for a command, wait for its end, and take the board away."""
        await self.boot(command, controller)
        try:
            return await self.ended()
        finally:
            self.close()

    def close(self) -> None:
        """Take the power off, and the board away."""
        self.cut()
        self._stop_serving()
        self.board.close()

    def _edge(self, pin: int) -> None:
        self.edges.append((pin, self.board.gpio.input(pin)))
        self._drive(pin)

    def _drive(self, pin: int) -> None:
        if self._is_wired and self._lines[PINS].fileno() >= 0:
            self._unheard += 1
            self._lines[PINS].send(bytes([pin, self.board.gpio.input(pin)]))

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
            self._is_wired, self._unheard = False, 0
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
    """HCI packets between a controller and the adapter of a kernel, see ``inside/lines.py``."""

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
