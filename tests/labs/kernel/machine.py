"""One kernel, and the devices behind it: a simulated board in real time, and an adapter.

A kernel is a process of this machine that boots a real Linux on its files, read-only. It may write
one folder, which it finds at ``/var/lib``. Its first process is ``inside/init.sh``. Its serial
lines are sockets of this process: one tells it of pins, one carries HCI packets both ways.
"""

import asyncio
import socket
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from drivers.pins import ACCELEROMETER_INT1, TOUCH
from hw_sim.board import SimulatedBoard
from tests.labs.kernel.vhost import Controller

ROOT: Final = Path(__file__).resolve().parents[3]
LINUX: Final = ROOT / ".kernel/linux"
PYTHON: Final = ROOT / ".kernel/venv/bin/python"
INSIDE: Final = Path(__file__).parent / "inside"


class Machine:
    """A board on the running loop, and a kernel for it.

    ``folder``: what the kernel may write. ``adapter``: the controller that is its Bluetooth
    adapter. ``heard`` gets every line that it prints.
    """

    def __init__(
        self, folder: Path, seed: int, adapter: Any, heard: Callable[[str], object]
    ) -> None:
        self.board = SimulatedBoard(seed, asyncio.get_running_loop(), "rpi-lgpio")
        self._folder, self._heard = folder, heard
        self._pins, self._its_pins = socket.socketpair()
        self._packets, self._its_packets = socket.socketpair()
        self._adapter = adapter
        self._rest = b""
        adapter.hci_sink = self
        gpio = self.board.gpio
        gpio.setmode(gpio.BCM)
        for pin in (ACCELEROMETER_INT1, TOUCH):
            gpio.setup(pin, gpio.IN, pull_up_down=gpio.PUD_DOWN)
            gpio.add_event_detect(pin, gpio.BOTH, self._drive)

    async def run(self, command: str) -> None:
        """Boot, run a command as root, and wait for its end; cancelled, cut the power."""
        loop = asyncio.get_running_loop()
        (self._folder / "maexchen").mkdir()
        (self._folder / "run.sh").write_text(command)
        bus = self._folder / "bus.sock"
        listener = socket.create_server(str(bus), family=socket.AF_UNIX)
        loop.add_reader(listener, lambda: Controller(listener.accept()[0], self.board.bus))
        loop.add_reader(self._pins, self._ready)
        loop.add_reader(self._packets, self._pass_on)
        lines = [self._its_pins.fileno(), self._its_packets.fileno()]
        process = await asyncio.create_subprocess_exec(
            "setpriv", "--pdeathsig=KILL",  # it does not outlive this process, whatever ends that
            str(LINUX), "mem=1G", "root=/dev/root", "rootfstype=hostfs", "ro", "quiet",
            "loglevel=1", f"init={INSIDE / 'init.sh'}", "con=null", "con0=null,fd:1",
            f"ssl0=fd:{lines[0]}", f"ssl1=fd:{lines[1]}", f"virtio_uml.device={bus}:34",
            f"PYTHON={PYTHON}", f"ROOM={INSIDE}", f"WRITABLE={self._folder}",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            pass_fds=lines, cwd="/", start_new_session=True,
        )  # fmt: skip
        assert process.stdout is not None
        try:
            async for line in process.stdout:
                self._heard(line.decode(errors="replace").rstrip())
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
            for line in (self._pins, self._packets):
                loop.remove_reader(line)

    def on_packet(self, packet: bytes) -> None:
        """Take a packet of the controller to the kernel, its length first."""
        self._packets.send(struct.pack("<H", len(packet)) + packet)

    def _pass_on(self) -> None:
        """Take packets of the kernel to the controller."""
        self._rest += self._packets.recv(65536)
        while len(self._rest) >= 2 + (size := int.from_bytes(self._rest[:2], "little")) > 2:
            packet, self._rest = self._rest[2 : 2 + size], self._rest[2 + size :]
            self._adapter.on_packet(packet)

    def _ready(self) -> None:
        """Hear that somebody drives the lines in the kernel: what was sent before is lost."""
        self._pins.recv(1)
        for pin in (ACCELEROMETER_INT1, TOUCH):
            self._drive(pin)

    def _drive(self, pin: int) -> None:
        pull = "pull-up" if self.board.gpio.input(pin) else "pull-down"
        self._pins.send(f"{pin} {pull}\n".encode())
