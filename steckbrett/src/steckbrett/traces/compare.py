"""Compare the I2C transfers of a run with a capture of a real bus.

A capture is a VCD file with one-bit wires whose names end in SCL and SDA, the annotations that
``sigrok-cli -P i2c`` prints, or a table of Saleae's analyzer of I2C, of Logic 1 or 2.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from errno import ETIMEDOUT
from pathlib import Path
from typing import NamedTuple

from ..board.bus import Transfer

_VAR = re.compile(r"\$var\s+\S+\s+1\s+(\S+)\s+(\S+)")
_SIGROK = re.compile(
    r"(?:\S*i2c-\d+: )?"
    r"(Start repeat|Start|Stop|ACK|NACK|Write|Read|[01]|Warning\b.*"
    r"|Address (?:read|write): [0-9A-F]{2}|Data (?:read|write): [0-9A-F]{2})"
)


class CaptureError(Exception):
    """A capture that cannot be read; its text is one line that says why."""


class Captured(NamedTuple):
    """One message: ``data`` without the address; ``refused``: nobody acknowledged the address."""

    address: int
    read: bool
    data: bytes
    refused: bool = False

    def __str__(self) -> str:
        way = "read" if self.read else "write"
        told = self.data.hex(" ") or "nothing"
        return f"{way} 0x{self.address:02X} {'not acknowledged' if self.refused else told}"


def read_capture(path: Path | str) -> list[Captured]:
    """Return the messages of a capture, oldest first.

    Raises:
        CaptureError: it cannot be read, or is none of these; the text has the file's name.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise CaptureError(f"capture {path}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise CaptureError(f"capture {path}: it is no text") from None
    try:
        if "$enddefinitions" in text:
            return _assembled(_vcd(text))
        first = text.partition("\n")[0].casefold()
        if "," in first or ";" in first:
            return _table(text)
        return _assembled(_sigrok(text))
    except CaptureError as problem:
        raise CaptureError(f"capture {path}: {problem}") from None


def of_run(transfers: Iterable[Transfer]) -> list[Captured]:
    """Return the messages of a run that a real bus would show, too."""
    return [
        Captured(one.address, one.read, one.data, bool(one.failed))
        for one in transfers
        if one.failed != ETIMEDOUT
    ]


def difference(
    first: Sequence[Captured], second: Sequence[Captured], name: str, other: str
) -> str | None:
    """Return one line with the first difference; None if both have the same messages."""
    for index, (ours, theirs) in enumerate(zip(first, second), 1):
        if ours != theirs:
            return f"message {index}: {name} has {ours}, {other} has {theirs}"
    if len(first) != len(second):
        longer, who = (first, name) if len(first) > len(second) else (second, other)
        index = min(len(first), len(second))
        return f"message {index + 1}: only {who} has it: {longer[index]}"
    return None


# ---- readers: each gives (what, value); what is START, STOP, ADDRESS, DATA or ACK


_Event = tuple[str, int]


def _vcd(text: str) -> Iterator[_Event]:
    wires: dict[str, str] = {}
    head, _, body = text.partition("$enddefinitions")
    for code, name in _VAR.findall(head):
        for wire in ("scl", "sda"):
            if name.casefold().endswith(wire):
                wires[code] = wire
    if sorted(wires.values()) != ["scl", "sda"]:
        raise CaptureError("it needs one wire called SCL and one called SDA")
    levels = {"scl": 1, "sda": 1}
    bits: list[int] | None = None
    first = True
    for token in body.split():
        wire = wires.get(token[1:], "") if token[0] in "01" else ""
        if not wire or levels[wire] == int(token[0]):
            continue
        levels[wire] = level = int(token[0])
        if wire == "sda" and levels["scl"]:
            yield ("STOP", 0) if level else ("START", 0)
            bits, first = (None if level else []), True
        elif wire == "scl" and level and bits is not None:
            bits.append(levels["sda"])
            if len(bits) == 8:
                yield ("ADDRESS" if first else "DATA"), int("".join(map(str, bits)), 2)
                first = False
            elif len(bits) == 9:
                yield "ACK", 1 - bits[8]
                bits = []


def _sigrok(text: str) -> Iterator[_Event]:
    address = 0
    for line in text.splitlines():
        found = _SIGROK.fullmatch(line.strip())
        if found is None:
            if line.strip():
                raise CaptureError(f"no line of sigrok's decoder of I2C: {line.strip()[:40]!r}")
            continue
        what = found[1]
        if what.startswith("Start"):
            yield "START", 0
        elif what == "Stop":
            yield "STOP", 0
        elif what in ("ACK", "NACK"):
            yield "ACK", int(what == "ACK")
        elif what.startswith("Address"):
            address = int(what[-2:], 16)
            yield "ADDRESS", address << 1 | ("read" in what)
        elif what.startswith("Data"):
            yield "DATA", int(what[-2:], 16)


def _assembled(events: Iterable[_Event]) -> list[Captured]:
    found: list[Captured] = []
    address: int | None = None
    data, acknowledged, last = bytearray(), True, ""

    def end() -> None:
        if address is not None:
            kept = bytes(data) if acknowledged else b""
            found.append(Captured(address >> 1, bool(address & 1), kept, not acknowledged))

    for what, value in events:
        if what in ("START", "STOP"):
            end()
            address, data, acknowledged = None, bytearray(), True
        elif what == "ADDRESS":
            address = value
        elif what == "DATA":
            data.append(value)
        elif last == "ADDRESS":
            acknowledged = bool(value)
        last = what
    end()
    return found


def _table(text: str) -> list[Captured]:
    """Read a table of Logic 1 (a line for each byte) or of Logic 2 (a line for each event)."""
    dialect = ";" if text.partition("\n")[0].count(";") else ","
    rows = list(csv.DictReader(io.StringIO(text), delimiter=dialect))
    names = {(name or "").strip().casefold(): name for name in (rows[0] if rows else {})}
    if {"type", "address", "data"} <= set(names):
        return _assembled(_logic_2(rows, names))
    if {"packet id", "address", "data", "read/write"} <= set(names):
        return _logic_1(rows, names)
    raise CaptureError("no table of Saleae's analyzer of I2C: columns type, address, data")


def _logic_2(rows: list[dict[str, str]], names: dict[str, str]) -> Iterator[_Event]:
    for row in rows:
        kind = row[names["type"]].strip('" ').casefold()
        acknowledged = row.get(names.get("ack", ""), "true").casefold() == "true"
        if kind in ("start", "stop"):
            yield kind.upper(), 0
        elif kind == "address":
            reads = row.get(names.get("read", ""), "false").casefold() == "true"
            yield "ADDRESS", _hex(row[names["address"]]) << 1 | reads
            yield "ACK", int(acknowledged)
        elif kind == "data":
            yield "DATA", _hex(row[names["data"]])
            yield "ACK", int(acknowledged)


def _logic_1(rows: list[dict[str, str]], names: dict[str, str]) -> list[Captured]:
    found: list[Captured] = []
    packet = None
    for row in rows:
        eight = _hex(row[names["address"]])  # with the bit of the direction
        reads = row[names["read/write"]].strip().casefold() == "read"
        if row[names["packet id"]] != packet:
            packet = row[names["packet id"]]
            found.append(Captured(eight >> 1, reads, b""))
        if row[names["data"]].strip():
            found[-1] = found[-1]._replace(data=found[-1].data + bytes((_hex(row[names["data"]]),)))
    return found


def _hex(word: str) -> int:
    try:
        return int(word.strip(), 0 if word.strip().casefold().startswith("0x") else 16)
    except ValueError:
        raise CaptureError(f"{word!r} is no hexadecimal number") from None
