"""``/dev/i2c-N`` as Linux has it (Documentation/i2c/dev-interface; include/uapi/linux/i2c-dev.h).

The device stands below every library: whoever opens it, in Python, finds the board's bus. SMBus
calls become messages as in the kernel's i2c_smbus_xfer_emulated, since the controller of a Pi has
no SMBus of its own.

The module ``smbus`` is python3-smbus of i2c-tools 4.3, an extension in C, written in Python. It
knows less than ``smbus2``: no messages of any length, no ``with`` and no names for arguments but
``bus``. A block read has 32 bytes, unless the program says how many. Values lose what does not fit,
as in C.

All numbers are codes of linux/i2c-dev.h and linux/i2c.h.
"""

import ctypes
import os
from ctypes import POINTER, Structure, c_char, c_uint8, c_uint16, c_uint32, c_void_p
from errno import EBADF, EINVAL, ENOTTY, EOPNOTSUPP, EPROTO
from operator import index
from os import strerror
from types import ModuleType
from typing import Any, Final, Self

from ..board.bus import BusMessage, SimulatedSMBus

I2C_RETRIES, I2C_TIMEOUT = 0x0701, 0x0702
I2C_SLAVE, I2C_TENBIT, I2C_FUNCS, I2C_SLAVE_FORCE = 0x0703, 0x0704, 0x0705, 0x0706
I2C_RDWR, I2C_PEC, I2C_SMBUS = 0x0707, 0x0708, 0x0720

FUNCS = 0x0EFF0009
"""The abilities of i2c-bcm2835: I2C_FUNC_I2C and I2C_FUNC_SMBUS_EMUL."""

_LONGEST = 8192  # of one read or write (i2c-dev.c)
BLOCK_MAX = 32
"""The most bytes of a block."""
QUICK, BYTE, BYTE_DATA, WORD_DATA, PROC_CALL, BLOCK_DATA = range(6)
BLOCK_BROKEN, BLOCK_PROC_CALL, I2C_BLOCK_DATA = 6, 7, 8


class _Message(Structure):
    _fields_ = (
        ("addr", c_uint16), ("flags", c_uint16), ("len", c_uint16), ("buf", POINTER(c_char)),
    )  # fmt: skip


class _Messages(Structure):
    _fields_ = (("msgs", POINTER(_Message)), ("nmsgs", c_uint32))


class SMBusCall(Structure):
    """As ``struct i2c_smbus_ioctl_data``."""

    _fields_ = (
        ("read_write", c_uint8), ("command", c_uint8), ("size", c_uint32), ("data", c_void_p),
    )  # fmt: skip


class I2CDevice:
    """One opening of the device: the address that was set belongs to it."""

    def __init__(self, bus: SimulatedSMBus) -> None:
        self.bus = bus
        self.address = 0

    # ---- what a program does with the file ---------------------------------------------------

    def read(self, count: int) -> bytes:
        """Read ``count`` bytes from the address that was set, in one message."""
        return self._transfer(min(count, _LONGEST))

    def write(self, data: Any) -> int:
        """Write bytes to the address that was set, in one message; return how many."""
        content = bytes(data)[:_LONGEST]
        self._transfer(content)
        return len(content)

    def ioctl(self, request: int, arg: Any = 0) -> int:
        """Do an ioctl; a structure in ``arg`` is changed in its place.

        Raises:
            OSError: as Linux: 25 for an unknown request, 22 for a bad value, those of the bus.
        """
        if request in (I2C_SLAVE, I2C_SLAVE_FORCE):
            if not 0 <= arg <= 0x7F:
                raise _error(EINVAL)
            self.address = int(arg)
        elif request == I2C_RDWR:
            found = _Messages.from_address(address_of(arg))
            self.bus.i2c_rdwr(*(found.msgs[index] for index in range(found.nmsgs)))
            return int(found.nmsgs)
        elif request == I2C_SMBUS:
            self._smbus(SMBusCall.from_address(address_of(arg)))
        elif request == I2C_FUNCS:
            ctypes.c_ulong.from_address(address_of(arg)).value = FUNCS
        elif request == I2C_TENBIT:
            if arg:
                raise _error(EINVAL)
        elif request not in (I2C_RETRIES, I2C_TIMEOUT, I2C_PEC):
            raise _error(ENOTTY)
        return 0

    # ---- SMBus -------------------------------------------------------------------------------

    def _smbus(self, call: SMBusCall) -> None:
        reading, command, size = bool(call.read_write), bytes((call.command,)), call.size
        data: Any = (c_uint8 * (BLOCK_MAX + 2)).from_address(call.data) if call.data else None
        if size == QUICK:
            self._transfer(0 if reading else b"")
        elif size == BYTE and not reading:
            self._transfer(command)
        elif data is None:
            raise _error(EINVAL)
        elif size == BYTE:
            data[0] = self._transfer(1)[0]
        elif size in (BYTE_DATA, WORD_DATA):
            length = size - 1
            if reading:
                data[:length] = self._transfer(command, length)
            else:
                self._transfer(command + bytes(data[:length]))
        elif size == PROC_CALL:
            data[:2] = self._transfer(command + bytes(data[:2]), 2)
        elif size in (I2C_BLOCK_DATA, BLOCK_BROKEN):
            length = data[0]
            if size == BLOCK_BROKEN and reading:
                data[0] = length = BLOCK_MAX
            if not 0 < length <= BLOCK_MAX:
                raise _error(EINVAL)
            if reading:
                data[1 : length + 1] = self._transfer(command, length)
            else:
                self._transfer(command + bytes(data[1 : length + 1]))
        elif size in (BLOCK_DATA, BLOCK_PROC_CALL):
            self._counted_block(call, reading, command, data)
        else:
            raise _error(EOPNOTSUPP)

    def _counted_block(self, call: SMBusCall, reading: bool, command: bytes, data: Any) -> None:
        """Do a block whose first byte is its length; a part that sends one sends it first."""
        written = command
        if not reading or call.size == BLOCK_PROC_CALL:
            if data[0] > BLOCK_MAX:
                raise _error(EINVAL)
            written += bytes(data[: data[0] + 1])
        if not reading and call.size == BLOCK_DATA:
            self._transfer(written)
            return
        found = self._transfer(written, BLOCK_MAX + 1)
        if found[0] > BLOCK_MAX:
            raise _error(EPROTO)
        data[: found[0] + 1] = found[: found[0] + 1]

    def _transfer(self, *whats: bytes | int) -> bytes:
        """Do one transaction with the address that was set; return what its last message read."""
        messages = [BusMessage(self.address, what) for what in whats]
        self.bus.i2c_rdwr(*messages)
        return bytes(messages[-1])


def address_of(arg: Any) -> int:
    """Return where the structure lies that a program gave to ``ioctl``."""
    if isinstance(arg, int):
        return arg
    try:
        return ctypes.addressof(arg)
    except TypeError:
        pass
    try:
        return ctypes.addressof(c_char.from_buffer(arg))
    except TypeError:
        raise _error(EINVAL) from None


def _error(number: int) -> OSError:
    return OSError(number, strerror(number))


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
