"""The messages by which the seats come to the same log, and one back to what it knew."""

from dataclasses import dataclass
from typing import ClassVar, Self

from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.layout import REST, Layout, MessageError, raw
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

    @property
    def how(self) -> int:
        """What else, in a byte."""
        return self.back | self.beat << 1

    @classmethod
    def made(cls, first: int, how: int) -> Self:
        """Of the index, and of what else in a byte."""
        return cls(first, bool(how & 1), how >> 1)


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

    @property
    def known(self) -> int:
        """What else, in a byte."""
        return self.moved | self.later << 1 | self.voted << 4

    @classmethod
    def made(cls, hop: int, known: int) -> Self:
        """Of the hop, and of what else in a byte."""
        if known & 0x0C:
            raise MessageError(f"RECALL has unknown flags in {known:#04x}")
        return cls(hop, bool(known & 1), bool(known & 2), known >> 4)


LAYOUTS = (
    Layout(
        MessageKind.LOG,
        Log,
        (("digest", raw(DIGEST_BYTES)), ("entries", REST)),
        number=("first", 0),
        least=0,
        count=("count", int),
    ),
    Layout(
        MessageKind.WANT, Want, number=("first", 0), least=0, count=("how", int), make=Want.made
    ),
    Layout(MessageKind.RECALL, Recall, least=0, count=("known", int), make=Recall.made),
)
