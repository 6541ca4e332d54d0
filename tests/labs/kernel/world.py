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
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from drivers.pins import ACCELEROMETER_INT1, TOUCH
from hw_sim.board import SimulatedBoard
from tests.labs.kernel.inside.lines import KNOWN, READY
from tests.labs.kernel.vhost import serve

ROOT: Final = Path(__file__).resolve().parents[3]
CACHE: Final = ROOT / ".kernel"
LINUX: Final = CACHE / "linux"
PYTHON: Final = CACHE / "venv" / "bin" / "python"
INSIDE: Final = Path(__file__).parent / "inside"

PINS, ADAPTER = range(2)
"""The numbers of the serial lines."""
_MEMORY = "mem=1G"
_ENDED = "ended with "
_NOISE = ("", "reboot: Power down")


class Machine:
    """A kernel that runs one command, as root, from boot until the command ends or it is cut.

    ``folder``: what it may write, made if need be. ``command``: what it runs there. ``bus``: the
    socket where its I2C controller is served. ``told`` gets every line that it prints.
    ``environment``: what is set beside the usual.
    """

    def __init__(
        self,
        folder: Path,
        command: Sequence[str],
        bus: Path,
        told: Callable[[str], object],
        environment: Mapping[str, str],
    ) -> None:
        self._folder = folder
        self._command = command
        self._bus = bus
        self._told = told
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None
        self.lines: list[socket.socket] = []
        """This end of the serial lines, while it runs."""
        self.printed: list[str] = []
        self.status: int | None = None
        """The exit status of the command; None if it has not ended."""

    async def boot(self) -> None:
        """Start it; what runs inside needs a moment more."""
        (self._folder / "maexchen").mkdir(parents=True, exist_ok=True)
        settings = {
            "PYTHON": str(PYTHON),
            "PYTHONPATH": str(ROOT),
            "RPI_LGPIO_REVISION": "c03115",
            "RPI_LGPIO_CHIP": "0",
            **self._environment,
        }
        lines = [f"export {name}={shlex.quote(value)}\n" for name, value in settings.items()]
        (self._folder / "environment.sh").write_text("".join(lines))
        (self._folder / "run.sh").write_text(shlex.join(self._command) + "\n")
        pairs = [socket.socketpair() for _ in range(2)]
        self.lines = [ours for ours, _ in pairs]
        theirs = [line.fileno() for _, line in pairs]
        self._process = await asyncio.create_subprocess_exec(
            "setpriv", "--pdeathsig=KILL",  # it does not outlive this process, whatever ends that
            str(LINUX), _MEMORY, "root=/dev/root", "rootfstype=hostfs", "ro", "quiet", "loglevel=1",
            f"init={INSIDE / 'init.sh'}", "con=null", "con0=null,fd:1",
            *(f"ssl{number}=fd:{line}" for number, line in enumerate(theirs)),
            f"virtio_uml.device={self._bus}:34",
            f"ROOM={INSIDE}", f"WRITABLE={self._folder}",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            pass_fds=theirs, cwd="/", start_new_session=True,
        )  # fmt: skip
        for _, line in pairs:
            line.close()

    async def ended(self) -> int | None:
        """Wait for its end; return the command's exit status, None if it was cut."""
        assert self._process is not None
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            text = line.decode(errors="replace").rstrip()
            if text.startswith(_ENDED):
                self.status = int(text.removeprefix(_ENDED))
                continue
            if text in _NOISE:
                continue
            self.printed.append(text)
            self._told(text)
        await self._process.wait()
        for line in self.lines:
            asyncio.get_running_loop().remove_reader(line)
            line.close()
        return self.status

    def cut(self) -> None:
        """Take its power: nothing in it is told."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.kill()


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
        controller: Any = None,
    ) -> Machine:
        """Switch a kernel on that runs ``command``; see `Machine`.

        ``controller``: what its Bluetooth adapter is; None: it has none.
        """
        fitted = {"ADAPTER": "" if controller is None else "1"}
        machine = Machine(self._folder, command, self._folder / "bus.sock", self._told, fitted)
        await machine.boot()
        self.machine = machine
        self._is_wired = False
        self._unheard = 0
        line = machine.lines[PINS]
        asyncio.get_running_loop().add_reader(line, self._hear, line)
        if controller is not None:
            _Wire(machine.lines[ADAPTER], controller)
        return machine

    async def run(self, command: Sequence[str], controller: Any = None) -> Machine:
        """Boot a kernel for ``command``, wait for its end, and take the board away."""
        machine = await self.boot(command, controller)
        try:
            await machine.ended()
        finally:
            machine.cut()
            self.close()
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
