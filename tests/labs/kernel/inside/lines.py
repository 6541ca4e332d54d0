"""Drives devices in the kernel from its serial lines: ``lines.py pins`` or ``adapter``.

``pins`` puts levels on lines of its simulated chip, by their pulls. It takes two bytes for each:
the BCM number and the level. It says when it is `READY` for them, and each is answered with `KNOWN`
when the line has it.

``adapter`` is a Bluetooth adapter: packets between ``/dev/vhci`` and the serial line. On the line
each packet, with the byte that says its kind, has its length before it, two bytes.
"""

import os
import select
import struct
import sys
from pathlib import Path

READY, KNOWN = b"!", b"."

_LINES = Path("/sys/devices/platform/gpio-sim.0/gpiochip0")
_CREATE = b"\xff\x00"
"""HCI_VENDOR_PKT, a primary controller (Linux, drivers/bluetooth/hci_vhci.c)."""
_VENDOR = 0xFF


def pins(line: int) -> None:
    """Drive the lines of the chip; 0 also stands for nothing and a pull-down."""
    pulls: dict[int, int] = {}
    print("pins are driven", flush=True)
    os.write(line, READY)
    rest = b""
    while True:
        rest += os.read(line, 256)
        while len(rest) > 1:
            pin, level, rest = rest[0], rest[1], rest[2:]
            if pin not in pulls:
                pulls[pin] = os.open(_LINES / f"sim_gpio{pin}/pull", os.O_WRONLY)
            os.pwrite(pulls[pin], b"pull-up" if level else b"pull-down", 0)
            os.write(line, KNOWN)


def adapter(line: int) -> None:
    """Carry packets to the adapter and from it."""
    device = os.open("/dev/vhci", os.O_RDWR)
    os.write(device, _CREATE)
    print("there is an adapter", flush=True)
    rest = b""
    while True:
        ready, _, _ = select.select([line, device], [], [])
        if device in ready:
            packet = os.read(device, 4096)
            if packet[0] != _VENDOR:
                _put(line, struct.pack("<H", len(packet)) + packet)
        if line in ready:
            rest += os.read(line, 4096)
            while len(rest) > 2 and len(rest) >= 2 + (size := struct.unpack_from("<H", rest)[0]):
                os.write(device, rest[2 : 2 + size])
                rest = rest[2 + size :]


def _put(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]


if __name__ == "__main__":
    {"pins": pins, "adapter": adapter}[sys.argv[1]](os.open(sys.argv[2], os.O_RDWR | os.O_NOCTTY))
