"""The messages by which the seats come to the same log."""

from dataclasses import dataclass

from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.layout import REST, Layout, raw
from firmware.table.protocol.sizes import DIGEST_BYTES


@dataclass(frozen=True, slots=True)
class Log:
    """A part of the public log, ``count`` entries (0 to 255) from index ``first``.

    ======  =====  =======  ======================================================
    offset  bytes  field    meaning
    ======  =====  =======  ======================================================
    0       8      digest   of the log up to the last of these entries
    8       rest   entries  one after the other, see `firmware.table.log.entries`
    ======  =====  =======  ======================================================

    >>> encode(Log(17, 2, bytes.fromhex("01 4a"), bytes.fromhex("0011223344556677"))).body.hex(" ")
    '00 11 22 33 44 55 66 77 01 4a'
    """

    first: int
    count: int
    entries: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class Want:
    """The first entry of the public log that I lack. No body.

    >>> encode(Want(17)).body.hex(" ")
    ''
    """

    first: int


LAYOUTS = (
    Layout(
        MessageKind.LOG,
        Log,
        (("digest", raw(DIGEST_BYTES)), ("entries", REST)),
        number=("first", 0),
        least=0,
        count=("count", int),
    ),
    Layout(MessageKind.WANT, Want, number=("first", 0), least=0),
)
