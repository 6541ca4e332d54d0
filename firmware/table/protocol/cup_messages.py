"""The messages that bring the cup to the next seat (rules 1 to 7 of PROTOCOL.md)."""

from enum import IntEnum
from struct import Struct
from typing import ClassVar, Self

import msgspec

from firmware.table.protocol.contents import Contents, packed_dice, unpacked_dice
from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.layout import (
    LogPosition,
    MessageError,
    Parts,
    bodiless,
    exactly,
    member,
    positive,
    uncounted,
)
from firmware.table.protocol.sizes import (
    CONTRIBUTION_BYTES,
    DIGEST_BYTES,
    NO_CONTRIBUTION,
    NO_SECRET,
    OPENING_BYTES,
    SECRET_BYTES,
)

_PROPOSE = Struct(f">H{DIGEST_BYTES}sBB")
_ANSWER = Struct(f">BH{DIGEST_BYTES}s{SECRET_BYTES}s")
_GIVE = Struct(f">HB{CONTRIBUTION_BYTES}s{OPENING_BYTES}s")


class CupAnswer(IntEnum):
    """The answer of the receiver to a proposed cup."""

    NOTHING = 0
    """There was nothing to answer."""
    BELIEVE = 1
    DOUBT = 2
    GIVE_IN = 3
    REFUSE = 4
    """The cup came the wrong way, and is not taken (R-HF-5)."""


class Propose(msgspec.Struct, frozen=True):
    """Offer the cup to a seat. Public; the giver has stored it.

    ======  =====  =========  ===================================================
    offset  bytes  field      meaning
    ======  =====  =========  ===================================================
    0       2      index      entries in the giver's log
    2       8      digest     of those entries
    10      1      flags      bit 0: it asks for an answer; the others are 0
    11      1      announced  the standing announcement, 0 for none
    12      rest   entries    the newest ones of the log; count says how many
    ======  =====  =========  ===================================================

    With the entries, a receiver that lacks only the newest ones can show the offer at once.

    >>> at = LogPosition(19, bytes.fromhex("0011223344556677"))
    >>> encode(Propose(7, at, asks=True, announced=62)).body.hex(" ")
    '00 13 00 11 22 33 44 55 66 77 01 3e'
    """

    hop: int
    at: LogPosition
    asks: bool
    announced: int | None
    count: int = 0
    entries: bytes = b""

    def parts(self) -> Parts:
        """Return the parts of the frame."""
        index, digest = self.at.index, exactly(DIGEST_BYTES, self.at.digest)
        body = _PROPOSE.pack(index, digest, self.asks, self.announced or 0) + self.entries
        return Parts(MessageKind.PROPOSE, self.hop, self.count, body)

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Read the parts of a frame."""
        count, body = parts.count, parts.body
        index, digest, flags, announced = _PROPOSE.unpack_from(body)
        entries = body[_PROPOSE.size :]
        if flags > 1:
            raise MessageError(f"there are unknown flags in {flags:#04x}")
        if count > index or bool(count) is not bool(entries):
            raise MessageError(f"PROPOSE has {count} entries of {len(entries)} bytes")
        at = LogPosition(index, digest)
        return cls(positive(parts), at, bool(flags), announced or None, count, entries)


class Answer(msgspec.Struct, frozen=True):
    """Answer a PROPOSE. The receiver has stored the answer.

    ======  =====  ======  ===================================================
    offset  bytes  field   meaning
    ======  =====  ======  ===================================================
    0       1      choice  0 nothing, 1 believe, 2 doubt, 3 give in, 4 refuse
    1       2      index   entries in the receiver's log
    3       8      digest  of those entries
    11      16     root    commits to the receiver's coming rolls; 0 for none
    ======  =====  ======  ===================================================

    >>> at = LogPosition(19, bytes.fromhex("0011223344556677"))
    >>> encode(Answer(7, CupAnswer.DOUBT, at)).body.hex(" ")
    '02 00 13 00 11 22 33 44 55 66 77 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00'
    """

    hop: int
    choice: CupAnswer
    at: LogPosition
    root: bytes = NO_SECRET

    def parts(self) -> Parts:
        """Return the parts of the frame."""
        index, digest = self.at.index, exactly(DIGEST_BYTES, self.at.digest)
        body = _ANSWER.pack(self.choice, index, digest, exactly(SECRET_BYTES, self.root))
        return Parts(MessageKind.ANSWER, self.hop, 0, body)

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Read the parts of a frame."""
        choice, index, digest, root = _ANSWER.unpack(parts.body)
        at = LogPosition(index, digest)
        return cls(uncounted(parts), member(CupAnswer, choice), at, root)


class Give(msgspec.Struct, frozen=True):
    """Hand over the cup. The giver has stored these very bytes.

    ======  =====  ============  ==================================================
    offset  bytes  field         meaning
    ======  =====  ============  ==================================================
    0       2      dice          three bits a die, the first lowest; 0: no die; bit 15: a tower
    2       1      throw         number of the throw in its tenure, 0 for none
    3       8      contribution  the giver's, for the receiver's dice; 0 for none
    11      32     opening       proves the dice; 0 for none
    ======  =====  ============  ==================================================

    >>> encode(Give(7, Contents((3, 6)), bytes.fromhex("0011223344556677"))).body.hex(" ")[:32]
    '00 33 00 00 11 22 33 44 55 66 77'
    """

    hop: int
    contents: Contents
    contribution: bytes = NO_CONTRIBUTION

    def parts(self) -> Parts:
        """Return the parts of the frame."""
        contents = self.contents
        body = _GIVE.pack(
            packed_dice(contents.dice, contents.tower),
            contents.throw,
            exactly(CONTRIBUTION_BYTES, self.contribution),
            exactly(OPENING_BYTES, contents.opening),
        )
        return Parts(MessageKind.GIVE, self.hop, 0, body)

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Read the parts of a frame."""
        packed, throw, contribution, opening = _GIVE.unpack(parts.body)
        dice, tower = unpacked_dice(packed)
        return cls(uncounted(parts), Contents(dice, throw, opening, tower), contribution)


class _Word(msgspec.Struct, frozen=True):
    """A message that consists of its kind and its hop."""

    KIND: ClassVar[MessageKind]

    hop: int

    def parts(self) -> Parts:
        """Return the parts of the frame."""
        return Parts(self.KIND, self.hop, 0, b"")

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Read the parts of a frame."""
        return cls(uncounted(bodiless(parts)))


class Taken(_Word, frozen=True):
    """Confirm that the sender has stored the cup of this hop. No body.

    >>> encode(Taken(7)).body.hex(" ")
    ''
    """

    KIND = MessageKind.TAKEN


class Cancel(_Word, frozen=True):
    """Ask the receiver to refuse this hop, unless it has taken it. No body.

    >>> encode(Cancel(7)).body.hex(" ")
    ''
    """

    KIND = MessageKind.CANCEL


class Nak(_Word, frozen=True):
    """Refuse this hop for ever. The sender has stored the refusal. No body.

    >>> encode(Nak(7)).body.hex(" ")
    ''
    """

    KIND = MessageKind.NAK
