"""An I2C bus shaped like ``smbus2.SMBus``, with true bit times and strict parts on it.

Time on this bus runs ahead of the loop while a synchronous job is at work. Each transfer takes its
bit times, and the parts are told when it happens. ``execute`` then lets the loop's clock catch up.
The jobs of one board never move the time of another.

The bus counts transactions and bytes. A *transaction* is one START … STOP, that is, one call of
``i2c_rdwr``, whether it succeeds or not. *Bytes* are those after the address byte.
"""

from collections.abc import Callable
from ctypes import create_string_buffer, memmove
from errno import EINVAL, EOPNOTSUPP, ETIMEDOUT
from hashlib import sha256
from os import strerror
from struct import Struct
from typing import Any, NamedTuple, Protocol

EREMOTEIO = 121
"""The code of Linux; other systems have no such number."""
BAUD = 100_000
"""Bits a second of a Raspberry Pi, unless its config.txt says otherwise (`i2c_arm_baudrate`)."""
BIT_NS = 1_000_000_000 // BAUD
"""Follows from `BAUD`."""
BITS_PER_BYTE = 9
"""Eight bits and the acknowledge (NXP, UM10204)."""
BUS_FREE_NS = 1_300  # tBUF, every sheet of the board
TIMEOUT_NS = 1_000_000_000
"""An adapter of Linux waits so long before ETIMEDOUT."""
MOST_MESSAGES = 42
"""I2C_RDWR_IOCTL_MAX_MSGS of linux/i2c-dev.h."""

_READ = 1  # I2C_M_RD
_FAILED = 0x80
_HASH_CHUNK = 1 << 16
_head = Struct("<QBBH").pack


class I2CPart(Protocol):
    """The interface of a part to the bus. Times are µs on the board's clock."""

    def write(self, data: bytes, t_us: int) -> None:
        """Write ``data``, the bytes after the address; the last was acknowledged at ``t_us``."""

    def read(self, count: int, t_us: int) -> bytes:
        """Return exactly ``count`` bytes; the first bit of the first is on the bus at ``t_us``."""

    def stop(self) -> None:
        """End the transfer: a STOP, or a START to another part."""


class BusMessage:
    """One message of a transaction, shaped like ``smbus2.i2c_msg``.

    ``what``: the bytes to write, or how many to read, which then stand in ``buf``.
    """

    def __init__(self, address: int, what: bytes | int) -> None:
        self.addr = address
        self.flags = _READ if isinstance(what, int) else 0
        self.len = what if isinstance(what, int) else len(what)
        self.buf: Any = create_string_buffer(what, self.len or 1)

    def __bytes__(self) -> bytes:
        return bytes(self.buf[: self.len])


class Transfer(NamedTuple):
    """One message as the trace keeps it.

    ``t_us``: when its last bit was over; ``address``: 7 bits; ``data``: without the address byte;
    ``failed``: 0 or the errno; ``again``: whether it began with a repeated START.
    """

    t_us: int
    address: int
    read: bool
    data: bytes
    failed: int
    again: bool = False


class SimulatedSMBus:
    """The bus of one board: ``parts`` by 7-bit address, ``now_us`` its clock.

    ``trace``: set it to a list to collect a ``Transfer`` for each message. ``bit_ns``: length of a
    bit (and of START and STOP), 10 µs at 100 kHz. ``refuses_empty_writes``: it cannot write
    nothing, as the Pi 5's controller.
    ``unanswered`` are the addresses at which nobody was.
    ``after_job`` is called after each job has caught up with the clock, and after each transaction
    outside a job.
    """

    def __init__(self, parts: dict[int, I2CPart], now_us: Callable[[], int]) -> None:
        self._parts = dict(parts)
        self._now_us = now_us
        self._free_ns = 0
        self._job_start_ns = 0
        self._in_job = False
        self._failures: list[tuple[int, int | None]] = []
        self._log = bytearray()
        self._hash = sha256()
        self.stuck = False
        self.unanswered = set[int]()
        self.refuses_empty_writes = False
        self.bit_ns = BIT_NS
        self.trace: list[Transfer] | None = None
        self.after_job: Callable[[], None] | None = None
        self.transactions = 0
        self.bytes = 0

    # ---- the smbus2 face ---------------------------------------------------------------------

    def i2c_rdwr(self, *i2c_msgs: Any) -> None:
        """Do messages of `BusMessage` or `smbus2` as one transaction, repeated STARTs between them.

        Raises:
            OSError: 121 when nobody acknowledges the address, 110 when the bus hangs, 22 for no or
                too many messages, 95 for flags or empty reads that this adapter does not know.

        """
        if self._in_job:
            t_ns = self._free_ns
        else:
            t_ns = max(self._now_us() * 1000, self._free_ns)
        if not 0 < len(i2c_msgs) <= MOST_MESSAGES:
            raise OSError(EINVAL, strerror(EINVAL))
        self.transactions += 1
        log, trace, parts = self._log, self.trace, self._parts
        bit_ns = self.bit_ns
        byte_ns = BITS_PER_BYTE * bit_ns
        address_ns = bit_ns + byte_ns
        moved = 0
        active: I2CPart | None = None
        active_address = -1
        try:
            for message in i2c_msgs:
                address = message.addr
                flags = message.flags
                length = message.len
                empty = not length and (flags or self.refuses_empty_writes)
                if flags & ~_READ or empty:
                    raise OSError(EOPNOTSUPP, strerror(EOPNOTSUPP))
                t_ns += address_ns
                again = active_address >= 0
                if address != active_address:
                    if active is not None:
                        active.stop()
                        active = None
                    part = None if self.stuck or self._failures else parts.get(address)
                    if part is None:
                        t_ns = self._fail_or_find(address, flags, t_ns, again)
                        part = parts[address]
                    active = part
                    active_address = address
                if flags:
                    data = active.read(length, t_ns // 1000)  # type: ignore[union-attr]
                    memmove(message.buf, data, length)
                    t_ns += byte_ns * length
                else:
                    data = message.buf[:length]
                    t_ns += byte_ns * length
                    active.write(data, t_ns // 1000)  # type: ignore[union-attr]
                moved += length
                log += _head(t_ns, address, flags, length)
                log += data
                if trace is not None:
                    trace.append(Transfer(t_ns // 1000, address, bool(flags), data, 0, again))
        finally:
            self.bytes += moved
            if active is not None:
                active.stop()
            self._free_ns = max(self._free_ns, t_ns) + bit_ns + BUS_FREE_NS
            if len(log) > _HASH_CHUNK:
                self._hash.update(log)
                log.clear()
        if not self._in_job and self.after_job is not None:
            self.after_job()

    def close(self) -> None:
        """Close the bus, as smbus2 does; the simulated wires stay."""

    # ---- jobs --------------------------------------------------------------------------------

    def begin_job(self) -> None:
        """Begin a job: transfers now follow one another from the moment the bus is free."""
        self._free_ns = max(self._now_us() * 1000, self._free_ns)
        self._job_start_ns = self._free_ns
        self._in_job = True

    @property
    def elapsed_us(self) -> int:
        """Bus time since the last ``begin_job``, in µs."""
        return (self._free_ns - self._job_start_ns) // 1000

    @property
    def clock_ns(self) -> int:
        """The bus's own time in ns, which runs ahead of the loop's while a job is at work."""
        return self._free_ns if self._in_job else max(self._now_us() * 1000, self._free_ns)

    def execute(self, job: Callable[[], Any]) -> Any:
        """Run a synchronous job now; what it returns or raises comes when its bus time is over.

        It is a future and not a task: a match does tens of thousands of jobs.
        """
        import asyncio  # takes longer to load than all the rest

        loop = asyncio.get_running_loop()
        done = loop.create_future()
        self.begin_job()
        settle: Callable[[Any], None] = done.set_result
        result: Any
        try:
            result = job()
        except Exception as problem:
            settle, result = done.set_exception, problem
        self._in_job = False
        if self._free_ns > self._job_start_ns:
            loop.call_at(self._free_ns / 1e9, self._job_over, done, settle, result)
        else:
            self._job_over(done, settle, result)
        return done

    def _job_over(self, done: Any, settle: Callable[[Any], None], result: Any) -> None:
        if self.after_job is not None:
            self.after_job()
        if not done.done():
            settle(result)

    # ---- wiring and faults -------------------------------------------------------------------

    def attach(self, address: int, part: I2CPart) -> None:
        """Let ``part`` answer at the 7-bit ``address``, in place of whatever answered there."""
        self._parts[address] = part

    def unplug(self, address: int) -> None:
        """Let nobody answer at ``address`` any more."""
        self._parts.pop(address, None)

    def fail_next(self, count: int, error: int = EREMOTEIO, address: int | None = None) -> None:
        """Let the next ``count`` transactions (with ``address``; None: any) fail with an errno."""
        self._failures.extend([(error, address)] * count)

    @property
    def failures_due(self) -> int:
        """How many transactions `fail_next` still has to let fail."""
        return len(self._failures)

    # ---- log ---------------------------------------------------------------------------------

    @property
    def digest(self) -> str:
        """SHA-256, in hex, over time, address, direction and data of every message so far."""
        self._hash.update(self._log)
        self._log.clear()
        return self._hash.hexdigest()

    def _fail_or_find(self, address: int, flags: int, t_ns: int, again: bool) -> int:
        """Raise the fault that is due, or return ``t_ns`` when somebody answers after all."""
        error = 0
        if self.stuck:
            error = ETIMEDOUT
        else:
            for index, (planned, where) in enumerate(self._failures):
                if where is None or where == address:
                    error = planned
                    del self._failures[index]
                    break
        if not error:
            if address in self._parts:
                return t_ns
            self.unanswered.add(address)
            error = EREMOTEIO
        if error == ETIMEDOUT:
            t_ns += TIMEOUT_NS
        self._free_ns = t_ns
        self._log += _head(t_ns, address, flags | _FAILED, error)
        if self.trace is not None:
            self.trace.append(Transfer(t_ns // 1000, address, bool(flags), b"", error, again))
        raise OSError(error, strerror(error))
