"""A recording of a board: its bus, its pins, each settled picture of its displays; as waveforms.

A value change dump (IEEE 1364-2005, 18) is for waveform viewers and sigrok. Every line is a wire of
one bit: sigrok 0.5.2 loads no vectors. It needs the package ``pyvcd``: the extra ``vcd``.
"""

import io
from collections import deque
from collections.abc import Iterable, Mapping
from errno import ETIMEDOUT
from operator import itemgetter
from typing import Any, Final, NamedTuple

from ..board.board import Board
from ..board.bus import BIT_NS, BITS_PER_BYTE, Transfer
from ..board.pins import KEPT, Change

SETTLED_US: Final = 4_000
"""A display that hears nothing for so long shows a whole picture; chosen."""
MOST_FRAMES: Final = 2_000
"""Pictures that are kept of one display: the last ones; chosen."""


class Frame(NamedTuple):
    """From ``t_us`` on a display shows ``rows``: lines of text, or of pixels."""

    t_us: int
    rows: tuple[Any, ...]


class Recording:
    """Records a board from now on.

    Attributes:
        board: the board.
        transfers, changes: what happened on the bus and at the pins, oldest first.
        frames: settled pictures by the name of the display, oldest first.
        began_us: the time of its beginning.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.began_us = board.now_us()
        self.transfers: list[Transfer] = []
        self.changes: deque[Change] = deque(maxlen=KEPT)
        board.bus.trace = self.transfers
        board.pins.trace = self.changes
        self.frames: dict[str, deque[Frame]] = {
            name: deque(maxlen=MOST_FRAMES)
            for name, part in board.parts.items()
            if _shown(part) is not None
        }
        self._busy_until_us = 0
        self._looks = False
        self.look()
        board.on_transaction.append(self._hear)

    def close(self) -> None:
        """Record no longer."""
        self.board.bus.trace = self.board.pins.trace = None
        self.board.on_transaction.remove(self._hear)

    def look(self) -> None:
        """Take the present pictures, settled or not."""
        self._take(self.board.now_us())

    def wired(self, pin: int) -> str:
        """Return which ends of wires are at a pin, such as ``adxl345.int1``; "" for none."""
        return ", ".join(self.board.links.wired_to(pin))

    def _hear(self) -> None:
        if not self.frames:
            return
        self._busy_until_us = self.board.now_us() + SETTLED_US
        if not self._looks:
            self._looks = True
            self.board.clock.call_at(self._busy_until_us / 1e6, self._settle)

    def _settle(self) -> None:
        if self.board.now_us() < self._busy_until_us:
            self.board.clock.call_at(self._busy_until_us / 1e6, self._settle)
            return
        self._looks = False
        self._take(self._busy_until_us - SETTLED_US)

    def _take(self, t_us: int) -> None:
        for name, frames in self.frames.items():
            rows = _shown(self.board.parts[name])
            if rows is not None and (not frames or frames[-1].rows != rows):
                frames.append(Frame(t_us, rows))


def _shown(part: Any) -> tuple[Any, ...] | None:
    """Return what a display shows: rows of pixels or lines of text; None for another part."""
    if hasattr(part, "pixels"):
        rows: tuple[Any, ...] = part.pixels()
        return rows
    return getattr(part, "lines", None)


_Edge = tuple[int, str | int, int]
"""From a time in ns on a line, a pin by its BCM number, has a level."""
_UNIT_NS = 100
_SLOTS = (32, 56, 80)
"""Percents of a bit: SCL rises, SDA changes for START and STOP, SCL falls. At 400 kHz all times are
those of UM10204, table 10."""


class MissingLibraryError(Exception):
    """A library is not installed; the text is one line that says which extra has it."""


def waveforms(recording: Recording, *, bits: bool = True) -> str:
    """Return the dump of a recording until now: each pin that moved and, with ``bits``, the bus.

    Raises, as `vcd` does:
        MissingLibraryError: pyvcd is not installed.
    """
    board = recording.board
    names = {change.pin: f"gpio{change.pin}" for change in recording.changes}
    return vcd(
        recording.transfers if bits else (),
        recording.changes,
        names,
        bit_ns=board.bus.bit_ns,
        ends_us=board.now_us(),
    )


def vcd(
    transfers: Iterable[Transfer],
    changes: Iterable[Change],
    names: Mapping[int, str],
    *,
    bit_ns: int = BIT_NS,
    ends_us: int = 0,
) -> str:
    """Return the dump, in units of 100 ns, until ``ends_us`` or until the bus is free.

    The scope ``i2c`` has the lines SCL and SDA, bit for bit. The scope ``pins`` has one line for
    each pin of ``names``.

    Raises:
        MissingLibraryError: pyvcd is not installed.
    """
    try:
        from vcd import VCDWriter
    except ImportError:
        raise MissingLibraryError("no pyvcd: install steckbrett[vcd]") from None
    moves: list[_Edge] = [
        (max(0, change.t_us * 1000), change.pin, change.level)
        for change in changes
        if change.pin in names
    ]
    before = {pin: 1 - level for _, pin, level in reversed(moves)}
    stream = io.StringIO()
    writer = VCDWriter(
        stream, timescale=f"{_UNIT_NS} ns", date="", version="steckbrett", check_values=False
    )
    lines: dict[str | int, Any] = {}
    for name in ("scl", "sda"):
        lines[name] = writer.register_var("i2c", name, "wire", size=1, init=1)
    for pin, name in names.items():
        init = before.get(pin, "x")
        lines[pin] = writer.register_var("pins", name, "wire", size=1, init=init)
    edges = sorted(_bus(transfers, bit_ns) + moves, key=itemgetter(0))
    for t_ns, line, level in edges:
        writer.change(lines[line], t_ns // _UNIT_NS, level)
    ends_ns = edges[-1][0] + bit_ns if edges else 0
    writer.close(max(ends_ns, ends_us * 1000) // _UNIT_NS)
    return stream.getvalue()


def began_ns(transfer: Transfer, bit_ns: int = BIT_NS) -> int:
    """Return when the START of a transfer was, in ns: its time is that of its end."""
    bytes_ns = (1 + len(transfer.data)) * BITS_PER_BYTE * bit_ns
    return transfer.t_us * 1000 - bytes_ns - bit_ns


def _bus(transfers: Iterable[Transfer], bit_ns: int) -> list[_Edge]:
    """Return the edges of SCL and SDA, oldest first.

    A transaction begins where its first transfer did; each other one follows without a gap. A bus
    that hangs has no edges.
    """
    rises, middle, falls = (percent * bit_ns // 100 for percent in _SLOTS)
    found: list[_Edge] = []
    t_ns, open_ = 0, False

    def stop() -> None:
        found.extend(((t_ns, "sda", 0), (t_ns + rises, "scl", 1), (t_ns + middle, "sda", 1)))

    for transfer in transfers:
        if open_ and not transfer.again:
            stop()
            t_ns, open_ = t_ns + bit_ns, False
        if transfer.failed == ETIMEDOUT:
            continue
        if open_:
            found += ((t_ns, "sda", 1), (t_ns + rises, "scl", 1))
        else:
            t_ns = max(t_ns, began_ns(transfer, bit_ns))
        found += ((t_ns + middle, "sda", 0), (t_ns + falls, "scl", 0))
        t_ns, open_, sda = t_ns + bit_ns, True, 0
        octets = bytes((transfer.address << 1 | transfer.read,)) + transfer.data
        for index, octet in enumerate(octets):
            refused = transfer.failed if index == 0 else transfer.read and index + 1 == len(octets)
            nine = octet << 1 | bool(refused)
            for shift in range(BITS_PER_BYTE - 1, -1, -1):
                level = nine >> shift & 1
                if level != sda:
                    found.append((t_ns, "sda", level))
                    sda = level
                found += ((t_ns + rises, "scl", 1), (t_ns + falls, "scl", 0))
                t_ns += bit_ns
    if open_:
        stop()
    return found
