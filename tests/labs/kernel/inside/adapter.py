"""A Bluetooth adapter of the kernel: ``adapter.py LINE`` carries packets to ``/dev/vhci`` and back.

On the serial line each packet, with the byte that says its kind, has its length before it, two
bytes.
"""

import os
import select
import struct
import sys

_CREATE = b"\xff\x00"
"""HCI_VENDOR_PKT, a primary controller (Linux, drivers/bluetooth/hci_vhci.c)."""
_VENDOR = 0xFF


def carry(line: int, device: int) -> None:
    """Carry packets both ways."""
    os.write(device, _CREATE)
    rest = b""
    while True:
        ready, _, _ = select.select([line, device], [], [])
        if device in ready:
            packet = os.read(device, 4096)
            if packet[0] != _VENDOR:
                os.write(line, struct.pack("<H", len(packet)) + packet)
        if line in ready:
            rest += os.read(line, 4096)
            while len(rest) > 2 and len(rest) >= 2 + (size := struct.unpack_from("<H", rest)[0]):
                os.write(device, rest[2 : 2 + size])
                rest = rest[2 + size :]


if __name__ == "__main__":
    carry(os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY), os.open("/dev/vhci", os.O_RDWR))
