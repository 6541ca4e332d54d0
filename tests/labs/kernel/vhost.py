"""An I2C controller for a kernel: virtio device 34, served over the vhost-user protocol.

Written from the vhost-user specification (QEMU, docs/interop/vhost-user.rst) and from section 5.20
of the virtio specification 1.3. A transaction is what ends with a request whose FAIL_NEXT flag is
clear: the kernel puts all messages of one ``I2C_RDWR`` into the queue before it kicks.
"""

import asyncio
import mmap
import os
import socket
import struct
from errno import EIO
from typing import NamedTuple

from smbus2 import i2c_msg

from drivers.bus import SMBusLike, received

_HEADER = struct.Struct("<III")
_REPLY = 0x5  # version 1, and the reply bit
_FEATURES = 1 << 0 | 1 << 30 | 1 << 32
"""Zero-length requests, protocol features, virtio 1.0."""
_PROTOCOL_FEATURES = 1 << 5
"""SLAVE_REQ: the kernel gets its interrupt with it."""
_CHAINED = 1  # of a descriptor
_FAIL_NEXT, _IS_READ = 1, 2  # of a request


class Request(NamedTuple):
    """One message in the queue: its head, the buffer of a read, and where the status goes."""

    head: int
    message: i2c_msg
    into: memoryview | None
    status: memoryview
    goes_on: bool


class Controller:
    """One connection with a kernel that has ``bus`` for its I2C bus, on the running loop.

    What ``bus`` raises becomes the error of the kernel's ``ioctl``: its driver is patched to take
    the status of a failed request for an errno (``linux.patch``), as the specification has none.
    """

    def __init__(self, connection: socket.socket, bus: SMBusLike) -> None:
        self._connection = connection
        self._bus = bus
        self._regions: list[tuple[int, memoryview]] = []
        """Pieces of the kernel's memory: where each begins there, and what it is here."""
        self._size = self._taken = 0
        self._descriptors = self._used = self._available = 0
        self._call: int
        asyncio.get_running_loop().add_reader(connection, self._read)

    def _read(self) -> None:
        """Do what one message of the protocol asks."""
        head, files, *_ = socket.recv_fds(self._connection, _HEADER.size, 8)
        if not head:  # the kernel has ended
            asyncio.get_running_loop().remove_reader(self._connection)
            return
        request, _, size = _HEADER.unpack(head)
        payload = self._connection.recv(size) if size else b""
        match request:
            case 1:  # GET_FEATURES
                self._answer(request, _FEATURES)
            case 15:  # GET_PROTOCOL_FEATURES
                self._answer(request, _PROTOCOL_FEATURES)
            case 5:  # SET_MEM_TABLE
                self._share(payload, files)
            case 8:  # SET_VRING_NUM
                self._size = struct.unpack("<II", payload)[1]
            case 9:  # SET_VRING_ADDR
                places = struct.unpack_from("<QQQ", payload, 8)
                self._descriptors, self._used, self._available = places
            case 12:  # SET_VRING_KICK
                asyncio.get_running_loop().add_reader(files[0], self._kicked, files[0])
            case 13:  # SET_VRING_CALL
                self._call = files[0]

    def _answer(self, request: int, features: int) -> None:
        self._connection.send(_HEADER.pack(request, _REPLY, 8) + struct.pack("<Q", features))

    def _share(self, payload: bytes, files: list[int]) -> None:
        self._regions.clear()
        for at, file in enumerate(files):
            start, size, _, offset = struct.unpack_from("<QQQQ", payload, 8 + 32 * at)
            whole = mmap.mmap(file, offset + size)
            self._regions.append((start, memoryview(whole)[offset:]))

    def _at(self, address: int, size: int) -> memoryview:
        """Return ``size`` bytes at an address of the kernel."""
        for start, memory in self._regions:
            if start <= address and address + size <= start + len(memory):
                return memory[address - start :][:size]
        raise ValueError(f"the kernel names {size} bytes at {address:#x}, which it does not share")

    def _number(self, address: int) -> int:
        return int.from_bytes(self._at(address, 2), "little")

    def _kicked(self, kick: int) -> None:
        """Transact what is in the queue, a split virtqueue, and call the kernel."""
        os.read(kick, 8)
        requests: list[Request] = []
        while self._taken != self._number(self._available + 2):
            requests.append(self._take())
            if not requests[-1].goes_on:
                self._transact(requests)
                requests = []
        os.write(self._call, struct.pack("<Q", 1))

    def _take(self) -> Request:
        """Take a request: a header, perhaps a buffer, and a place for the status."""
        where = self._available + 4 + 2 * (self._taken % self._size)
        self._taken = self._taken + 1 & 0xFFFF
        head = self._number(where)
        chain: list[memoryview] = []
        at, flags = head, _CHAINED
        while flags & _CHAINED:
            entry = self._at(self._descriptors + 16 * at, 16)
            address, length, flags, at = struct.unpack("<QIHH", entry)
            chain.append(self._at(address, length))
        header, *buffer, status = chain
        address, _, flags = struct.unpack("<HHI", header)
        if flags & _IS_READ:
            message = i2c_msg.read(address >> 1, len(buffer[0]) if buffer else 0)
        else:
            message = i2c_msg.write(address >> 1, bytes(buffer[0]) if buffer else b"")
        into = buffer[0] if buffer and flags & _IS_READ else None
        return Request(head, message, into, status, bool(flags & _FAIL_NEXT))

    def _transact(self, requests: list[Request]) -> None:
        status = 0
        try:
            self._bus.i2c_rdwr(*(request.message for request in requests))
        except OSError as problem:
            status = problem.errno or EIO
        for request in requests:
            written = 1
            if request.into is not None and status == 0:
                request.into[:] = received(request.message)
                written += len(request.into)
            request.status[0] = status
            index = self._number(self._used + 2)
            where = self._used + 4 + 8 * (index % self._size)
            self._at(where, 8)[:] = struct.pack("<II", request.head, written)
            self._at(self._used + 2, 2)[:] = struct.pack("<H", index + 1 & 0xFFFF)
