"""The module ``smbus``: python3-smbus of i2c-tools 4.3, an extension in C, written in Python.

It knows less than ``smbus2``: no messages of any length, no ``with`` and no names for arguments
but ``bus``. A block read has 32 bytes, unless the program says how many. Values lose what does
not fit, as in C.
"""

import ctypes
import os
from errno import EBADF
from operator import index
from types import ModuleType
from typing import Any, Final, Self

from .i2cdev import (
    BLOCK_BROKEN,
    BLOCK_DATA,
    BLOCK_MAX,
    BLOCK_PROC_CALL,
    BYTE,
    BYTE_DATA,
    I2C_BLOCK_DATA,
    I2C_PEC,
    I2C_SLAVE,
    I2C_SMBUS,
    PROC_CALL,
    QUICK,
    WORD_DATA,
    SMBusCall,
)

_LONGEST_PATH = 15
_INT: Final = 1 << 31
_NO_LIST = "Third argument must be a list of at least one, but not more than 32 integers"


class SMBus:
    """As ``smbus.SMBus``."""

    __slots__ = ("_address", "_fd", "_pec")
    _address: int
    _fd: int
    _pec: bool

    def __new__(cls, *_args: object, **_options: object) -> Self:
        """Make one that is not open."""
        made = super().__new__(cls)
        made._forget()
        return made

    def __init__(self, bus: int = -1) -> None:
        if _int(bus) >= 0:
            self.open(bus)

    def __init_subclass__(cls) -> None:
        raise TypeError("type 'SMBus' is not an acceptable base type")

    def __del__(self) -> None:
        self.close()

    def open(self, bus: int) -> None:
        """Open the device of a bus."""
        path = f"/dev/i2c-{_int(bus)}"
        if len(path) > _LONGEST_PATH:
            raise OverflowError("Bus number is invalid.")
        self._fd = os.open(path, os.O_RDWR)

    def close(self) -> None:
        """Close the device."""
        if self._fd != -1:
            os.close(self._fd)
        self._forget()

    @property
    def pec(self) -> bool:
        """Whether packets have error codes."""
        return self._pec

    @pec.setter
    def pec(self, value: object) -> None:
        if self._pec != bool(value):
            self._ioctl(I2C_PEC, int(bool(value)))
            self._pec = bool(value)

    def write_quick(self, addr: int, /) -> None:
        """Write nothing."""
        self._call(addr, 0, QUICK)

    def read_byte(self, addr: int, /) -> int:
        """Read one byte."""
        return self._call(addr, 0, BYTE, read=True)[0]

    def write_byte(self, addr: int, val: int, /) -> None:
        """Write one byte."""
        self._call(addr, val, BYTE)

    def read_byte_data(self, addr: int, cmd: int, /) -> int:
        """Read a byte from a register."""
        return self._call(addr, cmd, BYTE_DATA, read=True)[0]

    def write_byte_data(self, addr: int, cmd: int, val: int, /) -> None:
        """Write a byte to a register."""
        self._call(addr, cmd, BYTE_DATA, _word(val))

    def read_word_data(self, addr: int, cmd: int, /) -> int:
        """Read two bytes, the low one first."""
        return int.from_bytes(self._call(addr, cmd, WORD_DATA, read=True)[:2], "little")

    def write_word_data(self, addr: int, cmd: int, val: int, /) -> None:
        """Write two bytes, the low one first."""
        self._call(addr, cmd, WORD_DATA, _word(val))

    def process_call(self, addr: int, cmd: int, val: int, /) -> None:
        """Write two bytes and read two, which are lost."""
        self._call(addr, cmd, PROC_CALL, _word(val))

    def read_block_data(self, addr: int, cmd: int, /) -> list[int]:
        """Read a block whose first byte is its length."""
        return _listed(self._call(addr, cmd, BLOCK_DATA, read=True))

    def write_block_data(self, addr: int, cmd: int, vals: list[int], /) -> None:
        """Write a block with its length before it."""
        self._call(addr, cmd, BLOCK_DATA, _block(vals))

    def block_process_call(self, addr: int, cmd: int, vals: list[int], /) -> list[int]:
        """Write a block and read one."""
        return _listed(self._call(addr, cmd, BLOCK_PROC_CALL, _block(vals)))

    def read_i2c_block_data(self, addr: int, cmd: int, len: int = BLOCK_MAX, /) -> list[int]:
        """Read ``len`` bytes from a register on."""
        size = BLOCK_BROKEN if _int(len) == BLOCK_MAX else I2C_BLOCK_DATA
        return _listed(self._call(addr, cmd, size, bytes((len & 0xFF,)), read=True))

    def write_i2c_block_data(self, addr: int, cmd: int, vals: list[int], /) -> None:
        """Write bytes to a register on."""
        self._call(addr, cmd, BLOCK_BROKEN, _block(vals))

    def _forget(self) -> None:
        self._fd, self._address, self._pec = -1, -1, False

    def _call(
        self, addr: int, command: int, size: int, data: bytes = b"", *, read: bool = False
    ) -> bytes:
        address, command = _int(addr), _int(command) & 0xFF
        if address != self._address:
            self._address = address  # even where it is refused: the next call does not ask again
            self._ioctl(I2C_SLAVE, address)
        space = (ctypes.c_uint8 * (BLOCK_MAX + 2))(*data)
        self._ioctl(I2C_SMBUS, SMBusCall(read, command, size, ctypes.addressof(space)))
        return bytes(space)

    def _ioctl(self, request: int, arg: Any) -> None:
        if self._fd == -1:
            raise OSError(EBADF, os.strerror(EBADF))
        import fcntl  # Windows has none

        fcntl.ioctl(self._fd, request, arg)


def _int(value: object) -> int:
    found = index(value)  # type: ignore[arg-type]
    if not -_INT <= found < _INT:
        raise OverflowError(f"signed integer is {'less' if found < 0 else 'greater'} than maximum")
    return found


def _word(value: int) -> bytes:
    return (_int(value) & 0xFFFF).to_bytes(2, "little")


def _block(values: object) -> bytes:
    if not isinstance(values, list):
        raise TypeError(_NO_LIST)
    if len(values) > BLOCK_MAX:
        raise OverflowError(_NO_LIST)
    if not all(isinstance(value, int) for value in values):
        raise TypeError(_NO_LIST)
    return bytes((len(values), *(value & 0xFF for value in values)))


def _listed(block: bytes) -> list[int]:
    return list(block[1 : block[0] + 1])


def module() -> ModuleType:
    """Return the module ``smbus``."""
    made = ModuleType("smbus", "SMBus over the device of the bench.")
    vars(made)["SMBus"] = SMBus
    return made
