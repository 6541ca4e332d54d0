"""A Bluetooth adapter in the kernel: packets between ``/dev/vhci`` and a serial line.

On the line each packet, with the byte that says its kind, has its length before it, two bytes.
"""

import os
import select
import struct
import sys

_CREATE = b"\xff\x00"
"""HCI_VENDOR_PKT, a primary controller (Linux, drivers/bluetooth/hci_vhci.c)."""
_VENDOR = 0xFF


def main() -> None:
    line = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
    adapter = os.open("/dev/vhci", os.O_RDWR)
    os.write(adapter, _CREATE)
    print("there is an adapter", flush=True)
    rest = b""
    while True:
        ready, _, _ = select.select([line, adapter], [], [])
        if adapter in ready:
            packet = os.read(adapter, 4096)
            if packet[0] != _VENDOR:
                put(line, struct.pack("<H", len(packet)) + packet)
        if line in ready:
            rest += os.read(line, 4096)
            while len(rest) > 2 and len(rest) >= 2 + (size := struct.unpack_from("<H", rest)[0]):
                os.write(adapter, rest[2 : 2 + size])
                rest = rest[2 + size :]


def put(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]


if __name__ == "__main__":
    main()
