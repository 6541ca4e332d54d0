"""The messages that replicate the log, and that check a journal after a power cut."""

from dataclasses import dataclass
from typing import ClassVar, Self

from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.layout import MessageError, Parts, bodiless, exactly
from firmware.table.protocol.sizes import DIGEST_BYTES

_INDEX_BITS = 16
"""Bits of an index of the log."""
_REPORT_BITS = 17
"""Bits of a RECALL behind the nonce."""
_NO_HOP = 0x10
"""In these bits, a cup that moved with hop 0: another statement than a hop."""


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

    def parts(self) -> Parts:
        """Return the parts of the frame."""
        body = exactly(DIGEST_BYTES, self.digest) + self.entries
        return Parts(MessageKind.LOG, self.first, self.count, body)

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Read the parts of a frame."""
        digest, entries = parts.body[:DIGEST_BYTES], parts.body[DIGEST_BYTES:]
        return cls(parts.number, parts.count, entries, exactly(DIGEST_BYTES, digest))


@dataclass(frozen=True, slots=True)
class Want:
    """Name the first entry of the public log that the sender lacks. No body.

    The count is odd if the sender comes back from a power cut, and asks what the receiver knows of
    it. Such a question has a ``nonce`` from 1 to 32767. Number and count hold it: 65536 times its
    high byte is added to the number, twice its low 7 bits to the count. A voter, or a seat voted
    gone, adds twice its ``beat`` to the count instead. The beat changes with time: the seat is
    still there.

    >>> encode(Want(17)).body.hex(" ")
    ''
    >>> encode(Want(17, beat=3)).count
    6
    >>> question = encode(Want(17, nonce=0x0083))
    >>> hex(question.number), question.count
    ('0x10011', 7)
    """

    BEATS: ClassVar = 128
    NONCES: ClassVar = 0x8000

    first: int
    nonce: int = 0
    beat: int = 0

    def parts(self) -> Parts:
        """Return the parts of the frame."""
        high, low = divmod(self.nonce, self.BEATS)
        how = 1 | low << 1 if self.nonce else self.beat << 1
        return Parts(MessageKind.WANT, high << _INDEX_BITS | self.first, how, b"")

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Read the parts of a frame."""
        how = bodiless(parts).count
        high, first = divmod(parts.number, 1 << _INDEX_BITS)
        if not how & 1:
            return cls(parts.number, beat=how >> 1)
        nonce = high * cls.BEATS + (how >> 1)
        if not nonce:
            raise MessageError("WANT asks with nonce 0")
        return cls(first, nonce)


@dataclass(frozen=True, slots=True)
class Recall:
    """Tell a seat that had no power what the sender knows of it. No body.

    Number and count are one number of 32 bits. From the highest bit:

    - 15 bits: the ``nonce`` of the question.
    - 12 bits: the newest ``hop`` heard from the asker in this epoch, 0 for none, 4095 for that and
      more.
    - 1 bit: a cup ``moved`` with it (GIVE, TAKEN).
    - 4 bits: the newest epoch that the asker ``voted`` for, modulo 16.

    A cup that moved with hop 0 has another meaning, by the last 4 bits. With 0, the sender heard
    the asker in a ``later`` epoch; RECALL is sealed in the asker's epoch. With 1, the sender has
    ``more`` of the log to send first.

    >>> parts = encode(Recall(0x0083, 7, moved=True, voted=3))
    >>> hex(parts.number), hex(parts.count)
    ('0x10600', '0xf3')
    """

    EPOCHS: ClassVar = 16
    MOST_HOP: ClassVar = 0xFFF

    nonce: int
    hop: int = 0
    moved: bool = False
    voted: int = 0
    later: bool = False
    more: bool = False

    def parts(self) -> Parts:
        """Return the parts of the frame."""
        report = min(self.hop, self.MOST_HOP) << 5 | self.moved << 4 | self.voted
        if self.later or self.more:
            report = _NO_HOP | self.more
        number, count = divmod(self.nonce << _REPORT_BITS | report, 0x100)
        return Parts(MessageKind.RECALL, number, count, b"")

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Read the parts of a frame."""
        word = bodiless(parts).number << 8 | parts.count
        nonce, report = divmod(word, 1 << _REPORT_BITS)
        if report in (_NO_HOP, _NO_HOP | 1):
            return cls(nonce, later=report == _NO_HOP, more=report != _NO_HOP)
        if report >> 4 == 1:
            raise MessageError(f"RECALL says unknown things: {report:#x}")
        return cls(nonce, report >> 5, bool(report & 0x10), report & 0x0F)
