"""A recording as a value change dump (IEEE 1364-2005, 18), for waveform viewers such as GTKWave.

Needs the package ``pyvcd``: the extra ``vcd``.
"""

import io
from collections.abc import Iterable, Mapping
from typing import Any

from ..board.bus import BIT_NS, BITS_PER_BYTE, Transfer
from ..board.pins import Change

_UNIT_NS = 100


class MissingLibraryError(Exception):
    """A library is not installed; the text is one line that says which extra has it."""


def vcd(
    transfers: Iterable[Transfer],
    changes: Iterable[Change],
    names: Mapping[int, str],
    *,
    bits: bool = False,
    bit_ns: int = BIT_NS,
) -> str:
    """Return the dump, in units of 100 ns.

    The scope ``i2c`` has address, direction and each byte as vectors; with ``bits`` also the lines
    SCL and SDA, bit for bit. The scope ``pins`` has one line for each pin of ``names``.

    Raises:
        MissingLibraryError: pyvcd is not installed.
    """
    try:
        from vcd import VCDWriter
    except ImportError:
        raise MissingLibraryError("no pyvcd: install steckbrett[vcd]") from None
    stream = io.StringIO()
    writer = VCDWriter(stream, timescale=f"{_UNIT_NS} ns", date="", version="steckbrett")
    lines: dict[str, Any] = {}
    for name, kind, size, init in (
        ("address", "wire", 7, "x"), ("read", "wire", 1, "x"), ("byte", "wire", 8, "x"),
        ("failed", "wire", 1, 0),
    ):  # fmt: skip
        lines[name] = writer.register_var("i2c", name, kind, size=size, init=init)
    if bits:
        for name in ("scl", "sda"):
            lines[name] = writer.register_var("i2c", name, "wire", size=1, init=1)
    pins = {pin: writer.register_var("pins", name, "wire", size=1) for pin, name in names.items()}
    found: list[tuple[int, int, Any, Any]] = [
        (change.t_us * 1000, 0, pins[change.pin], change.level)
        for change in changes
        if change.pin in pins
    ]
    for transfer in transfers:
        found += _bytes(transfer, lines, bit_ns)
        if bits:
            found += _bits(transfer, lines, bit_ns)
    found.sort(key=lambda change: change[:2])
    for t_ns, _, variable, value in found:
        writer.change(variable, max(0, t_ns) // _UNIT_NS, value)
    writer.close()
    return stream.getvalue()


def began_ns(transfer: Transfer, bit_ns: int = BIT_NS) -> int:
    """Return when the START of a transfer was, in ns: its time is that of its end."""
    bytes_ns = (1 + len(transfer.data)) * BITS_PER_BYTE * bit_ns
    return transfer.t_us * 1000 - bytes_ns - bit_ns


def _bytes(
    transfer: Transfer, lines: Mapping[str, Any], bit_ns: int
) -> list[tuple[int, int, Any, Any]]:
    t_ns = began_ns(transfer, bit_ns)
    found = [
        (t_ns, 1, lines["address"], transfer.address),
        (t_ns, 1, lines["read"], int(transfer.read)),
        (t_ns, 1, lines["failed"], int(bool(transfer.failed))),
    ]
    step_ns = BITS_PER_BYTE * bit_ns
    t_ns += bit_ns + step_ns
    before = -1
    for byte in transfer.data:
        if byte != before:
            found.append((t_ns, 1, lines["byte"], byte))
            before = byte
        t_ns += step_ns
    return found


def _bits(
    transfer: Transfer, lines: Mapping[str, Any], bit_ns: int
) -> list[tuple[int, int, Any, Any]]:
    """START, address, bytes and their acknowledges, STOP: it ends at the time of the transfer."""
    scl, sda = lines["scl"], lines["sda"]
    first = transfer.address << 1 | transfer.read
    octets = [(first, bool(transfer.failed))]
    last = len(transfer.data) - 1
    octets += [(byte, transfer.read and i == last) for i, byte in enumerate(transfer.data)]
    t_ns = began_ns(transfer, bit_ns)
    quarter = bit_ns // 4
    found: list[tuple[int, int, Any, Any]] = [(t_ns, 2, sda, 0), (t_ns + quarter, 3, scl, 0)]
    t_ns += bit_ns
    for octet, refused in octets:
        for bit in [octet >> shift & 1 for shift in range(7, -1, -1)] + [int(refused)]:
            found += [
                (t_ns, 2, sda, bit),
                (t_ns + quarter, 3, scl, 1),
                (t_ns + 3 * quarter, 3, scl, 0),
            ]
            t_ns += bit_ns
    found += [(t_ns, 2, sda, 0), (t_ns + quarter, 3, scl, 1), (t_ns + 2 * quarter, 2, sda, 1)]
    return found
