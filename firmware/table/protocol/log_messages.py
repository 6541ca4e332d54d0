"""The messages by which the seats come to the same log, and one back to what it knew."""

from dataclasses import dataclass
from typing import ClassVar, Self

from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.layout import MessageError, Parts, bodiless, exactly
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

    def parts(self) -> Parts:
        """Take it apart."""
        body = exactly(DIGEST_BYTES, self.digest) + self.entries
        return Parts(MessageKind.LOG, self.first, self.count, body)

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Put it together."""
        digest, entries = parts.body[:DIGEST_BYTES], parts.body[DIGEST_BYTES:]
        return cls(parts.number, parts.count, entries, exactly(DIGEST_BYTES, digest))


@dataclass(frozen=True, slots=True)
class Want:
    """The first entry of the public log that I lack. No body.

    The count says 1 if I had no power since, and ask what you know of me; else 0. Twice a number
    that changes with time is added to that of who votes or is voted gone: he is still there.

    >>> encode(Want(17)).body.hex(" ")
    ''
    >>> encode(Want(17, beat=3)).count
    6
    """

    BEATS: ClassVar = 128

    first: int
    back: bool = False
    beat: int = 0

    def parts(self) -> Parts:
        """Take it apart."""
        return Parts(MessageKind.WANT, self.first, self.back | self.beat << 1, b"")

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Put it together."""
        how = bodiless(parts).count
        return cls(parts.number, bool(how & 1), how >> 1)


@dataclass(frozen=True, slots=True)
class Recall:
    """The newest hop that you told me of in this epoch; 0 for none. No body.

    It answers who had no power. The count has what else I know of you: 1, that you told me of a cup
    that moved with this hop (GIVE, TAKEN); 2, that I heard you in a later epoch than the one you
    are in, in which this is sealed; and 16 times the newest epoch that you voted for, modulo 16.

    >>> encode(Recall(7, moved=True, voted=3)).count
    49
    """

    EPOCHS: ClassVar = 16

    hop: int
    moved: bool = False
    later: bool = False
    voted: int = 0

    def parts(self) -> Parts:
        """Take it apart."""
        known = self.moved | self.later << 1 | self.voted << 4
        return Parts(MessageKind.RECALL, self.hop, known, b"")

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Put it together."""
        known = bodiless(parts).count
        if known & 0x0C:
            raise MessageError(f"RECALL has unknown flags in {known:#04x}")
        return cls(parts.number, bool(known & 1), bool(known & 2), known >> 4)
