"""The messages for wishes, fault questions and votes."""

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
    """A wish that the holder of the cup has to enter (B-10)."""

    LEAVE = 1
    VOID_ROUND = 2
    STOP_MATCH = 3
    MISTAKE_OF_0 = 8
    """Seat 0 made a mistake that no sensor detects (R-PHYS-7, R-HF-5)."""
    MISTAKE_OF_1 = 9
    MISTAKE_OF_2 = 10
    MISTAKE_OF_3 = 11
    MISTAKE_OF_4 = 12
    MISTAKE_OF_5 = 13
    MISTAKE_OF_6 = 14
    MISTAKE_OF_7 = 15


class AskedFault(IntEnum):
    """A fault about which a player is asked (R-PHYS-7, R-HF-5)."""

    NOTHING = 0
    """The question is answered."""
    DROP = 1
    MOVE = 2
    LOOK = 3


@dataclass(frozen=True, slots=True)
class Wish:
    """Wish, for the sender's player, for something that the holder of the cup has to enter.

    The wish counts only in round ``round``; a wish to leave has round 0 and counts in all. The
    sender repeats it until the log shows the outcome. The count is the kind: 1 to leave, 2 to void
    the round, 3 to stop the match, 8 + n to book a mistake of seat n.

    ======  =====  =========  ======================================================
    offset  bytes  field      meaning
    ======  =====  =========  ======================================================
    0       64     signature  the player's, which goes into the log with the entry
    ======  =====  =========  ======================================================

    >>> encode(Wish(7, WishKind.STOP_MATCH)).count
    3
    """

    round: int
    wished: WishKind
    signature: bytes = NO_SIGNATURE

    def parts(self) -> Parts:
        """Return the parts of the frame."""
        body = exactly(SIGNATURE_BYTES, self.signature)
        return Parts(MessageKind.WISH, self.round, int(self.wished), body)

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Read the parts of a frame."""
        wished = member(WishKind, parts.count)
        return cls(parts.number, wished, exactly(SIGNATURE_BYTES, parts.body))


@dataclass(frozen=True, slots=True)
class Question:
    """Announce that the sender's player is asked about a fault in round ``round``. No body.

    The count is the fault: 1 dropped, 2 moved, 3 looked at; 0: the player has answered.

    >>> encode(Question(7, AskedFault.DROP)).count
    1
    """

    round: int
    fault: AskedFault

    def parts(self) -> Parts:
        """Return the parts of the frame."""
        return Parts(MessageKind.QUESTION, self.round, int(self.fault), b"")

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Read the parts of a frame."""
        return cls(bodiless(parts).number, member(AskedFault, parts.count))


@dataclass(frozen=True, slots=True)
class Vote:
    """Vote, as seat ``voter``, for going on in epoch ``epoch`` without the gone seats.

    The voter and every seat that forwards the vote have stored it. It is sealed in the epoch that
    it is for, whatever epoch its sender is in. The count is the voter's seat.

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
        """Return the parts of the frame."""
        digest = exactly(DIGEST_BYTES, self.at.digest)
        signature = exactly(SIGNATURE_BYTES, self.signature)
        fields = (self.without, self.keeper, self.since, self.at.index, digest, signature)
        return Parts(MessageKind.VOTE, self.epoch, self.voter, _VOTE.pack(*fields))

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Read the parts of a frame."""
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
        """The statement that the voter signs."""
        fields = (self.epoch, self.voter, self.without, self.keeper, self.since, self.at.index)
        return b"maexchen vote\0" + _SIGNED_VOTE.pack(*fields) + self.at.digest

    @property
    def gone(self) -> frozenset[int]:
        """The seats that are gone."""
        return frozenset(seat for seat in range(8) if self.without >> seat & 1)
