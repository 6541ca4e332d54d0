"""A real Bluetooth controller, opened by its name; the Pi's own adapter, and what its errors mean.

Packets go over a kernel socket. bumble's transport reads for ever after a socket's end, and drops
packets if a socket is full. This one reports the end, once, and sends the packets later.

The user channel (``HCI_CHANNEL_USER``, Linux 3.13) gives one program the whole controller. It needs
CAP_NET_ADMIN, and the adapter down. Python's ``socket`` cannot name it, so libc binds it.
"""

import asyncio
import ctypes
import errno
import fcntl
import os
import re
import socket
import struct
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from typing import Any, Final

from firmware.display.text.language import ENGLISH, say
from firmware.link import HciTransport, RadioError

_CHANNEL_USER = 1
_DEVICE_DOWN = 0x400448CA
"""``HCIDEVDOWN`` of the kernel's ``hci_sock.h``: ``_IOW('H', 202, int)``."""


AdapterTrouble = Enum("AdapterTrouble", "MISSING OWNED REFUSED BLOCKED FAILING UNSUPPORTED")
"""Reasons why the adapter is unavailable. The doctor has their texts."""

_TROUBLES: Final[Mapping[int, AdapterTrouble]] = {
    errno.EPERM: AdapterTrouble.REFUSED,
    errno.EACCES: AdapterTrouble.REFUSED,
    errno.ENODEV: AdapterTrouble.MISSING,
    errno.EAFNOSUPPORT: AdapterTrouble.MISSING,
    errno.EPROTONOSUPPORT: AdapterTrouble.MISSING,
    errno.ERFKILL: AdapterTrouble.BLOCKED,
    errno.ENOSYS: AdapterTrouble.UNSUPPORTED,
    errno.EBUSY: AdapterTrouble.OWNED,
}


def remedy(trouble: AdapterTrouble) -> str:
    """Return what to do about a trouble, in English."""
    return say(f"Diagnosis.ADAPTER_{trouble.name}.do", ENGLISH)


def trouble_of(problem: OSError) -> AdapterTrouble:
    """Return the meaning of an error of `open_user_channel`."""
    return _TROUBLES.get(problem.errno or 0, AdapterTrouble.FAILING)


def open_user_channel(index: int = 0, *, take_down: bool = False) -> socket.socket:
    """Open the user channel of the adapter ``hci{index}``; the socket does not block.

    ``take_down``: take the adapter down first if it is up, which ends its use by others.

    Raises:
        OSError: see `trouble_of`.
    """
    family = getattr(socket, "AF_BLUETOOTH", None)
    if family is None:
        raise OSError(errno.ENOSYS, "this Python has no Bluetooth sockets")
    channel = socket.socket(family, socket.SOCK_RAW | socket.SOCK_NONBLOCK, socket.BTPROTO_HCI)
    try:
        number = _bind(channel, family, index)
        if number == errno.EBUSY and take_down:
            with suppress(OSError):
                fcntl.ioctl(channel.fileno(), _DEVICE_DOWN, index)
            number = _bind(channel, family, index)
        if number:
            raise OSError(number, os.strerror(number))
    except OSError:
        channel.close()
        raise
    return channel


def _bind(channel: socket.socket, family: int, index: int) -> int:
    """Bind the user channel; return 0 or the errno."""
    libc = ctypes.CDLL(None, use_errno=True)
    address = struct.pack("<HHH", family, index, _CHANNEL_USER)
    bound = libc.bind(channel.fileno(), address, len(address)) == 0
    return 0 if bound else ctypes.get_errno()


_LONGEST = 4096
"""Upper bound of an HCI packet, in bytes."""


class UserChannel:
    """Both directions to a controller over a socket that carries one packet a datagram.

    ``source`` and ``sink`` are what bumble's host takes. The socket must not block, and is closed
    with this.
    """

    def __init__(self, channel: socket.socket) -> None:
        self.source = self.sink = self
        self._channel = channel
        self._loop = asyncio.get_running_loop()
        self._host: Any = None
        self._waiting: deque[bytes] = deque()
        self._is_open = True
        self._loop.add_reader(channel, self._read)

    def set_packet_sink(self, host: Any) -> None:
        """Give packets to ``host.on_packet``, and the end to ``host.on_transport_lost``."""
        self._host = host

    def on_packet(self, packet: bytes) -> None:
        """Send a packet, now or once the socket takes it; drop it after the end."""
        if self._is_open:
            self._waiting.append(packet)
            if len(self._waiting) == 1:
                self._write()

    async def close(self) -> None:
        """Close the socket; report nothing any more."""
        self._host = None
        self._end()
        self._channel.close()

    def _read(self) -> None:
        while self._is_open:
            try:
                packet = self._channel.recv(_LONGEST)
            except BlockingIOError:
                return
            except OSError:
                packet = b""
            if not packet:
                self._end()
            elif self._host is not None:
                self._host.on_packet(packet)

    def _write(self) -> None:
        while self._waiting:
            try:
                self._channel.send(self._waiting[0])
            except BlockingIOError:
                self._loop.add_writer(self._channel, self._write)
                return
            except OSError:
                self._end()
                return
            self._waiting.popleft()
        self._loop.remove_writer(self._channel)

    def _end(self) -> None:
        if self._is_open:
            self._is_open = False
            self._waiting.clear()
            self._loop.remove_reader(self._channel)
            self._loop.remove_writer(self._channel)
            if self._host is not None:
                self._host.on_transport_lost()


_OWN = re.compile(r"hci-socket(?::(\d+))?")


async def open_hci(name: str = "hci-socket:0") -> HciTransport:
    """Open a real controller by its bumble transport name; ``hci-socket:0`` is the Pi's own.

    Raises:
        RadioError: it cannot be opened.
    """
    own = _OWN.fullmatch(name)
    if own is not None:
        try:
            return UserChannel(open_user_channel(int(own[1] or 0), take_down=True))
        except OSError as problem:
            raise RadioError(
                f"the Bluetooth adapter {name} cannot be opened ({problem.strerror}): "
                f"{remedy(trouble_of(problem))}"
            ) from problem
    from bumble.transport import open_transport

    try:
        transport: HciTransport = await open_transport(name)
    except Exception as problem:  # bumble's transports raise what they like, even Exception itself
        raise RadioError(
            f"bluetooth = {name!r} cannot be opened ({problem}): write the name of a bumble "
            'transport into the settings, such as "hci-socket:0" for the Pi\'s own controller'
        ) from problem
    return transport
