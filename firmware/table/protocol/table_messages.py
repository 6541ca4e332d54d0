"""What players wish for, are asked, and vote for."""

from dataclasses import dataclass
from enum import IntEnum
from struct import Struct
from typing import Self

from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.layout import (
    LogPosition,
    MessageError,
    Parts,
    bodiless,
    exactly,
    member,
    positive,
)
from firmware.table.protocol.sizes import DIGEST_BYTES, NO_SIGNATURE, SIGNATURE_BYTES

_VOTE = Struct(f">BBHH{DIGEST_BYTES}s{SIGNATURE_BYTES}s")
_SIGNED_VOTE = Struct(">IBBBHH")


class WishKind(IntEnum):
    """What a player can wish for that the holder of the cup has to enter (B-10)."""

    LEAVE = 1
    VOID_ROUND = 2
    STOP_MATCH = 3
    MISTAKE_OF_0 = 8
    """Seat 0 made a mistake that is none of those that are sensed (R-PHYS-7, R-HF-5)."""
    MISTAKE_OF_1 = 9
    MISTAKE_OF_2 = 10
    MISTAKE_OF_3 = 11
    MISTAKE_OF_4 = 12
    MISTAKE_OF_5 = 13
    MISTAKE_OF_6 = 14
    MISTAKE_OF_7 = 15


class AskedFault(IntEnum):
    """What a player is asked whether he did it (R-PHYS-7, R-HF-5)."""

    NOTHING = 0
    """The question is answered."""
    DROP = 1
    MOVE = 2
    LOOK = 3


@dataclass(frozen=True, slots=True)
class Wish:
    """My player wishes for something that the holder of the cup has to enter.

    It counts in round ``round`` alone, that to leave in all: its round is 0. It is repeated until
    the log shows what came of it. The count says what: 1 to leave, 2 to void the round, 3 to stop
    the match, 8 + n to book a mistake of seat n.

    ======  =====  =========  ======================================================
    offset  bytes  field      meaning
    ======  =====  =========  ======================================================
    0       64     signature  the player's, which goes into the log with what is entered
    ======  =====  =========  ======================================================

    >>> encode(Wish(7, WishKind.STOP_MATCH)).count
    3
    """

    round: int
    wished: WishKind
    signature: bytes = NO_SIGNATURE

    def parts(self) -> Parts:
        """Take it apart."""
        body = exactly(SIGNATURE_BYTES, self.signature)
        return Parts(MessageKind.WISH, self.round, int(self.wished), body)

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Put it together."""
        wished = member(WishKind, parts.count)
        return cls(parts.number, wished, exactly(SIGNATURE_BYTES, parts.body))


@dataclass(frozen=True, slots=True)
class Question:
    """My player is being asked whether he mishandled the cup in round ``round``. No body.

    The count says how: 1 dropped, 2 moved, 3 looked at; 0: he has answered.

    >>> encode(Question(7, AskedFault.DROP)).count
    1
    """

    round: int
    asked: AskedFault

    def parts(self) -> Parts:
        """Take it apart."""
        return Parts(MessageKind.QUESTION, self.round, int(self.asked), b"")

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Put it together."""
        return cls(bodiless(parts).number, member(AskedFault, parts.count))


@dataclass(frozen=True, slots=True)
class Vote:
    """Seat ``voter`` is for going on in epoch ``epoch``, without those who are gone.

    The voter has it on the disk, and so has who passes it on. It is sealed in the epoch that it is
    for, whatever epoch its sender is in. The count says who the voter is.

    ======  =====  =========  ======================================================
    offset  bytes  field      meaning
    ======  =====  =========  ======================================================
    0       1      without    bit n: seat n is gone
    1       1      keeper     the seat that begins the epoch, with an empty cup
    2       2      since      the epoch that the voter's log belongs to
    4       2      index      entries in the voter's log
    6       8      digest     of those entries
    14      64     signature  the voter's, of ``statement``
    ======  =====  =========  ======================================================

    >>> at = LogPosition(19, bytes.fromhex("0011223344556677"))
    >>> encode(Vote(17, 0b10, 0, 16, at)).body.hex(" ")[:41]
    '02 00 00 10 00 13 00 11 22 33 44 55 66 77'
    """

    epoch: int
    without: int
    keeper: int
    since: int
    at: LogPosition
    voter: int = 0
    signature: bytes = NO_SIGNATURE

    def parts(self) -> Parts:
        """Take it apart."""
        digest = exactly(DIGEST_BYTES, self.at.digest)
        signature = exactly(SIGNATURE_BYTES, self.signature)
        told = (self.without, self.keeper, self.since, self.at.index, digest, signature)
        return Parts(MessageKind.VOTE, self.epoch, self.voter, _VOTE.pack(*told))

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Put it together."""
        without, keeper, since, index, digest, signature = _VOTE.unpack(parts.body)
        epoch = positive(parts)
        if without >> keeper & 1:
            raise MessageError(f"VOTE names seat {keeper} keeper, and gone")
        if since >= epoch:
            raise MessageError(f"VOTE for epoch {epoch} comes from epoch {since}")
        at = LogPosition(index, digest)
        return cls(epoch, without, keeper, since, at, parts.count, signature)

    @property
    def statement(self) -> bytes:
        """What the voter signs."""
        told = (self.epoch, self.voter, self.without, self.keeper, self.since, self.at.index)
        return b"maexchen vote\0" + _SIGNED_VOTE.pack(*told) + self.at.digest

    @property
    def gone(self) -> frozenset[int]:
        """The seats that are gone."""
        return frozenset(seat for seat in range(8) if self.without >> seat & 1)
