"""A Raspberry Pi as programs see it: devices, texts of its kernel, modules for its pins.

1-Wire and the serial port are as the kernel shows them: files, and a terminal. A thermometer is
read at ``/sys/bus/w1`` (Documentation/w1/slaves/w1_therm). The serial port is a pseudo terminal, so
that ``termios`` and ``select`` work as on any; its other end is a part.
"""

import errno
import os
import select
import shutil
import sys
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, Final

from ..board.board import Board
from ..parts.ds18b20 import DS18B20, rom_of
from ..parts.part import Offence
from ..parts.serial_peer import BITS_PER_BYTE, SerialPeer
from . import gpiod, lgpio, libraries, rpi_gpio, spi
from .baton import Baton, held
from .files import real_ioctl
from .i2cdev import I2CDevice
from .lines import Lines

SERIAL_PORTS: Final = ("/dev/serial0", "/dev/ttyS0", "/dev/ttyAMA0")
_W1: Final = "/sys/bus/w1/devices/"
_ABSENT_FILES: Final = {
    "/sys/bus/w1": "no thermometer on the bench: add the part ds18b20",
    **dict.fromkeys(SERIAL_PORTS, "no serial port on the bench: add the part serial"),
    "/dev/ttyUSB": "no USB on the bench; /dev/serial0 is there with the part serial",
    "/dev/ttyACM": "no USB on the bench; /dev/serial0 is there with the part serial",
    "/dev/i2c-": "the only I2C bus on the bench is /dev/i2c-1",
    "/dev/spidev": "the only SPI bus on the bench is SPI0, with CE0 and CE1",
    "/sys/class/pwm": "no hardware PWM on the bench: use RPi.GPIO or gpiozero",
    "/sys/class/gpio": "no pins in /sys on the bench: use RPi.GPIO or gpiozero",
    "/dev/mem": "no memory of a Pi on the bench: use RPi.GPIO or gpiozero",
    "/dev/gpiomem": "no memory of a Pi on the bench: use RPi.GPIO or gpiozero",
    "/dev/video": "no camera on the bench",
    "/dev/vcio": "no firmware of a Pi on the bench",
}
_ABSENT = b"\xff" * 9
_MOVED_WITHIN_S, _MOST_LOOKS = 1.0, 100_000  # real time for the kernel to move bytes
_real_read, _real_write, _real_select = os.read, os.write, select.select


def one_wire(board: Board) -> dict[str, Callable[[], bytes]]:
    """Return the files of all thermometers of a board: what a read of each gives, by path."""
    found: dict[str, Callable[[], bytes]] = {}
    names = [name for name, part in board.parts.items() if isinstance(part, DS18B20)]
    for name in names:
        folder = _W1 + rom_of(name)
        found[f"{folder}/w1_slave"] = lambda name=name: _told(board, name, whole=True)  # type: ignore[misc]
        found[f"{folder}/temperature"] = lambda name=name: _told(board, name, whole=False)  # type: ignore[misc]
        found[f"{folder}/name"] = lambda name=name: f"{rom_of(name)}\n".encode()  # type: ignore[misc]
    if names:
        listed = "".join(f"{rom_of(name)}\n" for name in names).encode()
        found[f"{_W1}w1_bus_master1/w1_master_slaves"] = lambda: listed
    return found


def _told(board: Board, name: str, *, whole: bool) -> bytes:
    """Convert, and return the bytes as text; without its part, the bus reads ones."""
    part = board.parts[name]
    baton = held()
    if baton is not None:
        baton.sleep(part.conversion_us * 1000)
    pin = board.pins[board.links.pin_at(f"{name}.dq")]
    here = board.powered(name) and not pin.net.cut and pin.net.short is None
    data = part.scratchpad(board.now_us()) if here else _ABSENT
    raw = int.from_bytes(data[:2], "little", signed=True)
    if not whole:
        return f"{int(raw * 1000 / 16)}\n".encode() if here else b""
    shown = data.hex(" ")
    first = f"{shown} : crc={data[8]:02x} {'YES' if here else 'NO'}\n"
    return (first + f"{shown} t={int(raw * 1000 / 16)}\n").encode()


class SerialPort:
    """The serial port of a board, with the part ``name`` at its other end.

    ``path`` is the real terminal. A call gives what stands for one opening of it.
    """

    def __init__(self, board: Board, name: str) -> None:
        import termios  # Windows has none
        import tty

        self._board, self._name, self._termios = board, name, termios
        self._part: SerialPeer = board.parts[name]
        self._far, self._near = os.openpty()
        tty.setraw(self._near)
        usual = termios.tcgetattr(self._near)
        usual[4] = usual[5] = termios.B9600
        termios.tcsetattr(self._near, termios.TCSANOW, usual)
        os.set_blocking(self._far, False)
        self.path = os.ttyname(self._near)
        self._part.deliver = self._arrive
        self._rates = {
            getattr(termios, each): int(each[1:])
            for each in dir(termios)
            if each[0] == "B" and each[1:].isdigit()
        }

    def __call__(self, fd: int) -> "_Terminal":
        return _Terminal(self, fd)

    def close(self) -> None:
        """Close both ends."""
        os.close(self._far)
        os.close(self._near)

    @property
    def baud(self) -> float:
        """The rate that the program has set."""
        return float(self._rates.get(self._termios.tcgetattr(self._near)[5], 9600))

    def read(self, fd: int, count: int) -> bytes:
        """Read what has come; a file that blocks waits for some."""
        baton = held()
        if os.get_blocking(fd) and baton is not None:
            baton.wait(lambda: _real_select([fd], [], [], 0)[0])
        return _real_read(fd, count)

    def write(self, fd: int, data: Any) -> int:
        """Write bytes at the pace of the line; return how many."""
        count = _real_write(fd, data)
        baton = held()
        if baton is not None:
            baton.sleep(round(count * BITS_PER_BYTE * 1e9 / self.baud))
        heard = b""
        while len(heard) < count and _real_select([self._far], [], [], _MOVED_WITHIN_S)[0]:
            heard += _real_read(self._far, count - len(heard))
        self._part.take(heard, self.baud, self._board.now_us())
        self._board.links.follow(self._name)
        return count

    def _arrive(self, data: bytes, t_us: int) -> None:
        """Put bytes into the terminal, and wait until the kernel has moved them to the near end."""
        wanted = self._waiting() + len(data)
        _real_write(self._far, self._part.garbled(data, self.baud, t_us))
        for _ in range(_MOST_LOOKS):
            if self._waiting() >= wanted:
                return
            os.sched_yield()

    def _waiting(self) -> int:
        found = real_ioctl(self._near, self._termios.FIONREAD, bytes(4))
        return int.from_bytes(found, sys.byteorder)


class _Terminal:
    """One opening of the port."""

    def __init__(self, port: SerialPort, fd: int) -> None:
        self._port, self._fd = port, fd

    def read(self, count: int) -> bytes:
        return self._port.read(self._fd, count)

    def write(self, data: Any) -> int:
        return self._port.write(self._fd, data)

    def ioctl(self, request: int, arg: Any = 0) -> Any:
        return real_ioctl(self._fd, request, arg)


def absent(board: Board, path: str) -> str | None:
    """Return why a file of a Pi is missing, and count it; None if a Pi has no such file."""
    why = next((why for begin, why in _ABSENT_FILES.items() if path.startswith(begin)), None)
    if why is not None and os.path.exists(path):
        return None
    if why is not None:
        board.lacking.add("bench", board.now_us(), f"{path}: {why}", Offence.UNMODELLED)
    return why


def serial_port(board: Board) -> SerialPort | None:
    """Return the port of a board, if somebody is at its other end."""
    names = [name for name, part in board.parts.items() if isinstance(part, SerialPeer)]
    return SerialPort(board, names[0]) if names else None


def _refuse_chip() -> None:
    raise PermissionError(13, "the bench has no ioctl of a GPIO chip: use gpiod, lgpio or RPi.GPIO")


class Pi:
    """All of it, for one program on a board.

    ``devices``, ``texts`` and ``absent`` are for `Files`; ``modules`` are by name.
    """

    def __init__(self, board: Board, baton: Baton) -> None:
        self._board = board
        self.devices: dict[str, Callable[..., Any]] = {"/dev/i2c-1": lambda: I2CDevice(board.bus)}
        for chip in range(len(spi.CHIP_SELECTS)):
            self.devices[f"/dev/spidev0.{chip}"] = partial(spi.SPIDevice, board, chip)
        self.devices[gpiod.PATH] = _refuse_chip
        self._port = serial_port(board)
        if self._port is not None:
            self.devices |= dict.fromkeys(SERIAL_PORTS, self._port)
        self.texts = libraries.TEXTS | one_wire(board)
        self.absent = partial(absent, board)
        lines = Lines(board, baton)
        self.modules: dict[str, ModuleType] = {
            **rpi_gpio.modules(board, baton),
            "spidev": spi.module(board),
            "lgpio": lgpio.module(board, lines),
            **gpiod.module(lines),
        }

    def begins(self, words: Any) -> Any:
        """Hear of a command that a program begins, and return the one to begin.

        Raises:
            FileNotFoundError: it is one of a Pi that is not here, and the program begins it
                without a shell; the text says what to do.
        """
        other = libraries.in_place_of(words, self._board)
        name = os.path.basename(next(iter(libraries.first_of(words)), ""))
        if other is not None:
            return other
        if name not in libraries.COMMANDS or shutil.which(name) is not None:
            return words
        why = f"no {name} on the bench: {libraries.COMMANDS[name]}"
        self._board.lacking.add("bench", self._board.now_us(), why, Offence.UNMODELLED)
        if not isinstance(words, str):
            raise FileNotFoundError(errno.ENOENT, why, name)
        return words

    def close(self) -> None:
        """Close what is open."""
        if self._port is not None:
            self._port.close()
