"""SPI0 of a Pi as Linux has it (include/uapi/linux/spi/spidev.h), and the module ``spidev``.

The controller moves the pins of its bus bit by bit. A part sees the same edges as those of a
program that moves the pins by itself.
"""

import ctypes
from collections.abc import Sequence
from errno import EBADF, EINVAL, EMSGSIZE, ENOTTY
from os import strerror
from types import ModuleType
from typing import Any, Final

from ..board.board import Board
from ..parts import Offence
from .baton import held
from .i2cdev import address_of

SCLK, MOSI, MISO = 11, 10, 9
"""Pins of SPI0 (data sheet of the BCM2835, 6.2) …"""
CHIP_SELECTS: Final = (8, 7)
"""… and those of its two selects."""
CPHA, CPOL, CS_HIGH, NO_CS = 0x01, 0x02, 0x04, 0x40
"""Bits of linux/spi/spidev.h."""
_MODES = CPHA | CPOL | CS_HIGH | NO_CS  # of spi-bcm2835
_LONGEST = 4096  # spidev's bufsiz
_DEFAULT_HZ, _SLOWEST_HZ = 125_000_000, 4_000


class _Transfer(ctypes.Structure):
    _fields_ = (
        ("tx", ctypes.c_uint64), ("rx", ctypes.c_uint64), ("len", ctypes.c_uint32),
        ("speed_hz", ctypes.c_uint32), ("delay_us", ctypes.c_uint16), ("bits", ctypes.c_uint8),
        ("cs_change", ctypes.c_uint8), ("pad", ctypes.c_uint32),
    )  # fmt: skip


class SPIDevice:
    """One opening of ``/dev/spidev0.N`` on a board; ``chip`` is N."""

    def __init__(self, board: Board, chip: int) -> None:
        self._board, self._cs = board, CHIP_SELECTS[chip]
        self.mode, self.bits, self.speed_hz = 0, 8, _DEFAULT_HZ
        for pin in CHIP_SELECTS:
            if board.pins[pin].host is None:
                board.pins.put(pin, 1)
        self._rest()

    def transfer(self, *pieces: tuple[bytes, int], hold: bool = False) -> bytes:
        """Do pieces of (bytes, Hz) while the chip is selected; return what came back.

        ``hold``: it stays selected.
        """
        pins, found, elapsed_ns = self._board.pins, bytearray(), 0.0
        selected = int(bool(self.mode & CS_HIGH))
        self._rest()
        if not self.mode & NO_CS:
            pins.put(self._cs, selected)
        self._look_for_part()
        for data, speed_hz in pieces:
            self._warn(speed_hz)
            bit_ns = 1e9 / max(_SLOWEST_HZ, speed_hz)
            for octet in data:
                value = 0
                for shift in range(7, -1, -1):
                    value = value << 1 | self._bit(octet >> shift & 1)
                    elapsed_ns += bit_ns
                    self._board.ahead_us = round(elapsed_ns / 1000)
                found.append(value)
        if not (hold or self.mode & NO_CS):
            pins.put(self._cs, 1 - selected)
        self._board.ahead_us = 0
        baton = held()
        if baton is not None:
            baton.questions = 0
            baton.spend(round(elapsed_ns))
        return bytes(found)

    def _rest(self) -> None:
        for pin, level in ((SCLK, int(bool(self.mode & CPOL))), (MOSI, 0)):
            self._board.pins.put(pin, level)

    def _bit(self, out: int) -> int:
        """Clock one bit out and in: a change of MOSI, and one edge at which both sides look."""
        pins, idle = self._board.pins, int(bool(self.mode & CPOL))
        if self.mode & CPHA:
            pins.put(SCLK, 1 - idle)
        pins.put(MOSI, out)
        came = pins[MISO].level
        pins.put(SCLK, idle if self.mode & CPHA else 1 - idle)
        if not self.mode & CPHA:
            pins.put(SCLK, idle)
        return came

    def _look_for_part(self) -> None:
        """Tell if nobody listens: no part is at the clock, or none of those there is selected."""
        links, pins = self._board.links, self._board.pins
        for name in self._board.parts:
            wired = links.pins_of(name)
            selects = wired - {SCLK, MOSI, MISO}
            if SCLK in wired and (not selects or not all(pins[pin].level for pin in selects)):
                return
        known = " or ".join(f"mcp3008@{chip}" for chip in range(len(CHIP_SELECTS)))
        why = f"nobody is selected on SPI0: add a part, such as {known}"
        self._board.lacking.add("bench", self._board.now_us(), why, Offence.UNMODELLED)

    def _warn(self, speed_hz: int) -> None:
        for name, part in self._board.parts.items():
            fastest = getattr(part, "fastest_hz", None)
            if (
                fastest is not None
                and speed_hz > fastest
                and self._cs in self._board.links.pins_of(name)
            ):
                part.tear(self._board.now_us(), f"clock of {speed_hz} Hz: at most {fastest}")

    # ---- what a program does with the file ---------------------------------------------------

    def read(self, count: int) -> bytes:
        """Read bytes while zeros go out."""
        return self.transfer((bytes(count), self.speed_hz))

    def write(self, data: Any) -> int:
        """Write bytes; return how many."""
        content = bytes(data)
        self.transfer((content, self.speed_hz))
        return len(content)

    def ioctl(self, request: int, arg: Any = 0) -> int:
        """Do an ioctl; a structure in ``arg`` is changed in its place.

        Raises:
            OSError: as Linux: 25 for an unknown request, 22 for a mode that a Pi has not.
        """
        size, kind, number = request >> 16 & 0x3FFF, request >> 8 & 0xFF, request & 0xFF
        if kind != ord("k") or number > 5:
            raise OSError(ENOTTY, strerror(ENOTTY))
        if number == 0:
            return self._messages(address_of(arg), size // ctypes.sizeof(_Transfer))
        key = {1: "mode", 2: "lsb_first", 3: "bits", 4: "speed_hz", 5: "mode"}[number]
        cell: Any = {1: ctypes.c_uint8, 4: ctypes.c_uint32}[size].from_address(address_of(arg))
        if request >> 30 & 2:
            cell.value = 0 if number == 2 else getattr(self, key)
        else:
            self.set(key, cell.value)
        return 0

    def set(self, key: str, value: int) -> None:
        """Set ``mode``, ``bits``, ``speed_hz`` or ``lsb_first``; errno 22 if a Pi has it not."""
        refused = {
            "mode": value & ~_MODES, "bits": value not in (0, 8), "lsb_first": value,
        }.get(key)  # fmt: skip
        if refused:
            raise OSError(EINVAL, strerror(EINVAL))
        if key != "lsb_first":
            setattr(self, key, value or (8 if key == "bits" else value))

    def _messages(self, address: int, count: int) -> int:
        pieces, given = [], []
        for index in range(count):
            one = _Transfer.from_address(address + index * ctypes.sizeof(_Transfer))
            if one.len > _LONGEST:
                raise OSError(EMSGSIZE, strerror(EMSGSIZE))
            given.append(one)
            data = ctypes.string_at(one.tx, one.len) if one.tx else bytes(one.len)
            pieces.append((data, one.speed_hz or self.speed_hz))
        found = self.transfer(*pieces)
        for one in given:
            if one.rx:
                ctypes.memmove(one.rx, found, one.len)
            found = found[one.len :]
        return sum(one.len for one in given)


def module(board: Board) -> ModuleType:
    """Return the module ``spidev`` (3.6) of a board."""

    class SpiDev:
        """As ``spidev.SpiDev``."""

        _device: SPIDevice | None = None

        def __init__(self, bus: int = -1, client: int = -1) -> None:
            if bus >= 0:
                self.open(bus, client)

        def open(self, bus: int, client: int) -> None:
            """Open ``/dev/spidevBUS.CLIENT``."""
            if bus != 0 or client not in (0, 1):
                told = f"no /dev/spidev{bus}.{client} on the bench: it has SPI0 with CE0 and CE1"
                raise FileNotFoundError(2, told)
            self._device = SPIDevice(board, client)

        def close(self) -> None:
            """Close it."""
            self._device = None

        def __enter__(self) -> "SpiDev":
            return self

        def __exit__(self, *_raised: object) -> None:
            self.close()

        def fileno(self) -> int:
            """Return -1: there is no file."""
            return -1

        def xfer(self, values: Any, speed_hz: int = 0, delay: int = 0, bits: int = 8) -> Any:
            """Write a sequence and return what came back meanwhile, in a list or a tuple."""
            del delay, bits
            found = self._do(_octets(values), speed_hz)
            if isinstance(values, tuple):
                return tuple(found)
            if isinstance(values, list):
                values[:] = found
                return values
            return list(found)

        xfer2 = xfer3 = xfer

        def readbytes(self, count: int) -> list[int]:
            """Read bytes."""
            return list(self._do(bytes(count)))

        def writebytes(self, values: Any) -> None:
            """Write a sequence."""
            self._do(_octets(values))

        def writebytes2(self, values: Any) -> None:
            """Write a sequence of any length."""
            data = bytes(values)
            for at in range(0, len(data), _LONGEST):
                self._do(data[at : at + _LONGEST])

        def _do(self, data: bytes, speed_hz: int = 0) -> bytes:
            device = self._opened()
            return device.transfer((data, speed_hz or device.speed_hz))

        def _opened(self) -> SPIDevice:
            if self._device is None:
                raise OSError(EBADF, strerror(EBADF))
            return self._device

    def setting(key: str, mask: int = 0) -> property:
        def get(self: SpiDev) -> Any:
            value = getattr(self._opened(), key)
            return bool(value & mask) if mask else value

        def put(self: SpiDev, value: Any) -> None:
            device = self._opened()
            kept = getattr(device, key)
            device.set(key, (kept | mask if value else kept & ~mask) if mask else int(value))

        return property(get, put)

    def absent(self: SpiDev, value: object) -> None:
        self._opened().set("lsb_first", bool(value))

    made: Any = SpiDev
    made.max_speed_hz, made.bits_per_word = setting("speed_hz"), setting("bits")
    made.cshigh, made.no_cs = setting("mode", CS_HIGH), setting("mode", NO_CS)

    def put_mode(self: SpiDev, value: int) -> None:
        if not 0 <= value <= 3:
            raise TypeError("The mode must be an integer between 0 and 3.")
        device = self._opened()
        device.set("mode", device.mode & ~3 | value)

    made.mode = property(lambda self: self._opened().mode & 3, put_mode)
    for name in ("lsbfirst", "threewire", "loop", "read0"):
        setattr(made, name, property(lambda _self: False, absent))
    found = ModuleType("spidev", "SPI over the pins of the bench.")
    vars(found).update(SpiDev=SpiDev, __version__="3.6")
    return found


def _octets(values: Sequence[int]) -> bytes:
    if not isinstance(values, Sequence | bytearray) or not len(values):
        raise TypeError(
            "Argument must be a sequence of at least one, but not more than 4096 integers"
        )
    if len(values) > _LONGEST:
        raise OverflowError("Argument list size exceeds 4096 bytes.")
    return bytes(value & 0xFF for value in values)
