"""An I2C controller for a kernel: virtio device 34, served over the vhost-user protocol.

Written from the vhost-user specification (QEMU, docs/interop/vhost-user.rst) and from section 5.20
of the virtio specification 1.3. A transaction is what ends with a request whose FAIL_NEXT flag is
clear: the kernel puts all messages of one ``I2C_RDWR`` into the queue before it kicks.
"""

import array
import asyncio
import mmap
import os
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from errno import EIO
from pathlib import Path
from typing import NamedTuple

from smbus2 import i2c_msg

from drivers.bus import SMBusLike, received

DEVICE = 34
"""The virtio number of an I2C adapter."""

_HEADER = struct.Struct("<III")
_REPLY = 0x5  # version 1, and the reply bit
_NEEDS_REPLY = 0x8
_FEATURES = 1 << 0 | 1 << 30 | 1 << 32
"""Zero-length requests, protocol features, virtio 1.0."""
_PROTOCOL_FEATURES = 1 << 3 | 1 << 5
"""REPLY_ACK, SLAVE_REQ."""

_KICK, _CALL, _BACK = 12, 13, 21
"""Messages that bring a file: of the kernel's kicks, of calls to it, and of what is asked of it.

The last is never used, but the kernel takes its end for the end of the device.
"""

_CHAINED, _WRITABLE = 1, 2  # of a descriptor
_FAIL_NEXT, _IS_READ = 1, 2  # of a request
_OK = 0


class Region(NamedTuple):
    """A piece of the kernel's memory: where it begins there, and what it is here."""

    start: int
    memory: memoryview


class Request(NamedTuple):
    """One message in the queue: its head, the buffer of a read, and where the status goes."""

    head: int
    message: i2c_msg
    into: memoryview | None
    status: memoryview
    goes_on: bool


class Memory:
    """What the kernel shares of its memory."""

    def __init__(self) -> None:
        self._regions: list[Region] = []

    def share(self, payload: bytes, files: list[int]) -> None:
        """Map what a SET_MEM_TABLE message says; its files are closed."""
        (count,) = struct.unpack_from("<I", payload)
        self._regions.clear()
        for number in range(count):
            start, size, _, offset = struct.unpack_from("<QQQQ", payload, 8 + 32 * number)
            whole = mmap.mmap(files[number], offset + size)
            self._regions.append(Region(start, memoryview(whole)[offset:]))
            os.close(files[number])

    def at(self, address: int, size: int) -> memoryview:
        """Return ``size`` bytes at an address of the kernel.

        Raises:
            ValueError: they are not in what it shares.
        """
        for region in self._regions:
            begin = address - region.start
            if begin >= 0 and begin + size <= len(region.memory):
                return region.memory[begin : begin + size]
        raise ValueError(f"the kernel names {size} bytes at {address:#x}, which it does not share")


class Queue:
    """A split virtqueue, from the device's side."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.size = 0
        self.taken = 0
        """Index of the next entry of the available ring."""
        self._places = (0, 0, 0)

    def place(self, payload: bytes) -> None:
        """Take what a SET_VRING_ADDR message says."""
        descriptors, used, available, _ = struct.unpack_from("<QQQQ", payload, 8)
        self._places = descriptors, used, available

    def take(self) -> tuple[int, list[tuple[memoryview, bool]]] | None:
        """Take the next chain: its head, and its buffers with whether they can be written."""
        descriptors, _, available = self._places
        (end,) = struct.unpack("<H", self._memory.at(available + 2, 2))
        if self.taken == end:
            return None
        where = available + 4 + 2 * (self.taken % self.size)
        (head,) = struct.unpack("<H", self._memory.at(where, 2))
        self.taken = self.taken + 1 & 0xFFFF
        chain: list[tuple[memoryview, bool]] = []
        at, flags = head, _CHAINED
        while flags & _CHAINED:
            entry = self._memory.at(descriptors + 16 * at, 16)
            address, length, flags, at = struct.unpack("<QIHH", entry)
            chain.append((self._memory.at(address, length), bool(flags & _WRITABLE)))
            if len(chain) > self.size:
                raise ValueError("a chain of descriptors without end")
        return head, chain

    def give(self, head: int, written: int) -> None:
        """Give a chain back, in which ``written`` bytes are new."""
        _, used, _ = self._places
        (index,) = struct.unpack("<H", self._memory.at(used + 2, 2))
        where = used + 4 + 8 * (index % self.size)
        self._memory.at(where, 8)[:] = struct.pack("<II", head, written)
        self._memory.at(used + 2, 2)[:] = struct.pack("<H", index + 1 & 0xFFFF)


async def at_once() -> None:
    """Wait for nothing."""


class Controller:
    """One connection with a kernel that has ``bus`` for its I2C bus, on the running loop.

    A transaction is told to be over after ``settled``: what it does to pins comes first.

    What ``bus`` raises becomes the error of the kernel's ``ioctl``: its driver is patched to take
    the status of a failed request for an errno (``linux.patch``), as the specification has none.
    """

    def __init__(
        self,
        connection: socket.socket,
        bus: SMBusLike,
        settled: Callable[[], Awaitable[None]] = at_once,
    ) -> None:
        self._connection = connection
        self._bus = bus
        self._settled = settled
        self._telling: asyncio.Future[None] | None = None
        self._memory = Memory()
        self._queue = Queue(self._memory)
        self._files: dict[int, int] = {}
        self._loop = asyncio.get_running_loop()
        connection.setblocking(False)
        self._loop.add_reader(connection, self._read)

    def close(self) -> None:
        """End the connection."""
        if self._connection.fileno() < 0:
            return
        self._loop.remove_reader(self._connection)
        self._connection.close()
        for kind in list(self._files):
            self._keep(kind, None)
        if self._telling is not None:
            self._telling.cancel()

    # ---- the protocol ------------------------------------------------------------------------

    def _read(self) -> None:
        try:
            while True:
                head, files = self._receive(_HEADER.size)
                request, flags, size = _HEADER.unpack(head)
                payload = self._receive(size)[0] if size else b""
                answer = self._answer(request, payload, files)
                if answer is None and flags & _NEEDS_REPLY:
                    answer = struct.pack("<Q", 0)
                if answer is not None:
                    self._connection.send(_HEADER.pack(request, _REPLY, len(answer)) + answer)
        except BlockingIOError:
            return
        except (EOFError, OSError):
            self.close()

    def _receive(self, size: int) -> tuple[bytes, list[int]]:
        room = socket.CMSG_SPACE(8 * array.array("i").itemsize)
        data, extra, *_ = self._connection.recvmsg(size, room)
        if not data:
            raise EOFError
        files = array.array("i")
        for level, kind, numbers in extra:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                files.frombytes(numbers)
        return data, list(files)

    def _answer(self, request: int, payload: bytes, files: list[int]) -> bytes | None:
        """Do what a message asks; return what it is answered with, None for nothing of its own."""
        match request:
            case 1:
                return struct.pack("<Q", _FEATURES)
            case 15:
                return struct.pack("<Q", _PROTOCOL_FEATURES)
            case 11:
                return payload[:4] + struct.pack("<I", self._queue.taken)
            case 5:
                self._memory.share(payload, files)
                return None
            case 8:
                self._queue.size = struct.unpack("<II", payload)[1]
            case 9:
                self._queue.place(payload)
            case 10:
                self._queue.taken = struct.unpack("<II", payload)[1]
            case 12 | 13 | 21:  # _KICK, _CALL, _BACK
                self._keep(request, files.pop() if files else None)
        for number in files:
            os.close(number)
        return None

    def _keep(self, kind: int, number: int | None) -> None:
        """Keep a file in place of the one before of its kind."""
        before = self._files.pop(kind, None)
        if before is not None:
            if kind == _KICK:
                self._loop.remove_reader(before)
            os.close(before)
        if number is not None:
            self._files[kind] = number
            if kind == _KICK:
                self._loop.add_reader(number, self._kicked)

    # ---- the bus -----------------------------------------------------------------------------

    def _kicked(self) -> None:
        with suppress(BlockingIOError):
            os.read(self._files[_KICK], 8)
        waiting: list[Request] = []
        while (taken := self._queue.take()) is not None:
            waiting.append(request_of(*taken))
            if not waiting[-1].goes_on:
                self._transact(waiting)
                waiting = []

    def _transact(self, requests: list[Request]) -> None:
        status = _OK
        try:
            self._bus.i2c_rdwr(*(request.message for request in requests))
        except OSError as problem:
            status = problem.errno or EIO
        self._telling = asyncio.ensure_future(self._tell(requests, status))

    async def _tell(self, requests: list[Request], status: int) -> None:
        await self._settled()
        for request in requests:
            written = 1
            if request.into is not None and status == _OK:
                request.into[:] = received(request.message)
                written += len(request.into)
            request.status[0] = status
            self._queue.give(request.head, written)
        if _CALL in self._files:
            os.write(self._files[_CALL], struct.pack("<Q", 1))


def request_of(head: int, chain: list[tuple[memoryview, bool]]) -> Request:
    """Read one request: a header, perhaps a buffer, and a place for the status.

    Raises:
        ValueError: it is none.
    """
    (first, _), *middle, (status, answers) = chain
    if len(first) != 8 or len(middle) > 1 or not answers:
        raise ValueError(f"no I2C request: {[(len(data), can) for data, can in chain]}")
    address, _, flags = struct.unpack("<HHI", first)
    buffer, writable = middle[0] if middle else (None, bool(flags & _IS_READ))
    if writable != bool(flags & _IS_READ):
        raise ValueError("a request whose buffer goes the other way than its flags")
    if flags & _IS_READ:
        message = i2c_msg.read(address >> 1, 0 if buffer is None else len(buffer))
    else:
        message = i2c_msg.write(address >> 1, b"" if buffer is None else bytes(buffer))
    into = buffer if writable else None
    return Request(head, message, into, status, bool(flags & _FAIL_NEXT))


def serve(
    path: Path, bus: SMBusLike, settled: Callable[[], Awaitable[None]] = at_once
) -> Callable[[], None]:
    """Listen at ``path`` on the running loop for kernels, one after the other; see `Controller`.

    Returns what ends that: a later kernel finds nobody.
    """
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
    listener.bind(str(path))
    listener.listen()
    loop = asyncio.get_running_loop()
    loop.add_reader(listener, lambda: Controller(listener.accept()[0], bus, settled))

    def stop() -> None:
        loop.remove_reader(listener)
        listener.close()

    return stop
