"""The Pi's own Bluetooth adapter: its user channel, and what its errors mean.

The user channel (``HCI_CHANNEL_USER``, Linux 3.13) gives one program the whole controller. It needs
CAP_NET_ADMIN, and the adapter down. Python's ``socket`` cannot name it, so libc binds it.
"""

import ctypes
import errno
import fcntl
import os
import socket
import struct
from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from typing import Final

from firmware.display.text.language import ENGLISH, say

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
