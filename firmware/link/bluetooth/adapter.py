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

from firmware.display.text.words import Words

_CHANNEL_USER = 1
_DEVICE_DOWN = 0x400448CA
"""``HCIDEVDOWN`` of the kernel's ``hci_sock.h``: ``_IOW('H', 202, int)``."""


class AdapterTrouble(Enum):
    """Reasons why the adapter is unavailable, with remedies. The doctor fills in ``{owner}``."""

    def __init__(self, what: Words, do: Words) -> None:
        self.what = what
        self.do = do

    MISSING = (
        Words("es gibt keinen Adapter hci0", "there is no adapter hci0"),
        Words(
            "dtoverlay=disable-bt aus config.txt nehmen und neu starten.",
            "Take dtoverlay=disable-bt out of config.txt and restart.",
        ),
    )
    OWNED = (
        Words("{owner} hält den Adapter", "{owner} holds the adapter"),
        Words(
            "sudo systemctl stop maexchen; sudo systemctl mask --now bluetooth.",
            "sudo systemctl stop maexchen; sudo systemctl mask --now bluetooth.",
        ),
    )
    REFUSED = (
        Words("CAP_NET_ADMIN fehlt", "CAP_NET_ADMIN is missing"),
        Words(
            "Den Dienst verwenden (systemctl start maexchen), er hat das Recht; sonst sudo.",
            "Use the service (systemctl start maexchen), which has the right; else sudo.",
        ),
    )
    BLOCKED = (
        Words("Funk ist gesperrt (rfkill)", "the radio is blocked (rfkill)"),
        Words("sudo rfkill unblock bluetooth.", "sudo rfkill unblock bluetooth."),
    )
    FAILING = (
        Words("der Adapter antwortet nicht", "the adapter does not answer"),
        Words(
            "Aus- und wieder einschalten; dmesg | grep Bluetooth sagt, warum.",
            "Switch off and on again; dmesg | grep Bluetooth says why.",
        ),
    )


_TROUBLES: Final[Mapping[int, AdapterTrouble]] = {
    errno.EPERM: AdapterTrouble.REFUSED,
    errno.EACCES: AdapterTrouble.REFUSED,
    errno.ENODEV: AdapterTrouble.MISSING,
    errno.EAFNOSUPPORT: AdapterTrouble.MISSING,
    errno.EPROTONOSUPPORT: AdapterTrouble.MISSING,
    errno.ERFKILL: AdapterTrouble.BLOCKED,
    errno.EBUSY: AdapterTrouble.OWNED,
}


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
        raise OSError(errno.EAFNOSUPPORT, "this Python knows no Bluetooth sockets")
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
