"""Every message between seats: the cup, fair dice, the log, wishes and votes; and its bytes.

A message has four parts: a kind, a number, a count and a body. The first three travel in the clear
header of a frame, the body sealed (`firmware.table.protocol.sealing`). The docstring of each
message defines its number, count and body.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from struct import Struct
from typing import ClassVar, NamedTuple, Self, get_args

import msgspec

from firmware.table.protocol import (
    CONTRIBUTION_BYTES,
    DIGEST_BYTES,
    MOST_DICE,
    NO_CONTRIBUTION,
    NO_OPENING,
    NO_SECRET,
    NO_SIGNATURE,
    OPENING_BYTES,
    SECRET_BYTES,
    SIGNATURE_BYTES,
    LogPosition,
    MessageError,
    MessageKind,
    Parts,
    bodiless,
    exactly,
    member,
    positive,
    uncounted,
)

_TOWER = 1 << 3 * MOST_DICE


class Contents(NamedTuple):
    """The contents of a cup.

    ``dice`` are 1 to 6 each, at most five, none for an empty cup. ``throw`` is the number of the
    throw in its tenure, and ``opening`` (32 bytes) proves it. Both are zero if nothing was
    committed to. ``tower`` means that the dice lie on top of each other (R-HF-8).
    """

    dice: tuple[int, ...] = ()
    throw: int = 0
    opening: bytes = NO_OPENING
    tower: bool = False

    def __repr__(self) -> str:
        """Return a text that is safe in a log file: it has neither dice nor their proof."""
        return f"Contents({len(self.dice)} dice)"


EMPTY = Contents()
"""An empty cup."""


def packed_dice(dice: tuple[int, ...], tower: bool = False) -> int:
    """Return up to five dice in three bits each, the first one lowest; 0 stands for no die.

    A tower sets the highest of 16 bits.

    Raises:
        MessageError: more than five dice, or one that is not 1 to 6.
    """
    if len(dice) > MOST_DICE or any(not 1 <= die <= 6 for die in dice):
        raise MessageError(f"dice {dice} do not fit: up to {MOST_DICE} of 1 to 6 do")
    if tower and not dice:
        raise MessageError("an empty cup has no tower")
    return sum(die << 3 * place for place, die in enumerate(dice)) | (_TOWER if tower else 0)


def unpacked_dice(packed: int) -> tuple[tuple[int, ...], bool]:
    """Return the dice that pack to this number, and whether they are a tower.

    Raises:
        MessageError: no dice pack to it.
    """
    tower = bool(packed & _TOWER)
    pips = [packed >> 3 * place & 0b111 for place in range(MOST_DICE)]
    dice = tuple(die for die in pips if die)
    high = (packed & ~_TOWER) >> 3 * MOST_DICE
    if high or 7 in dice or any(pips[len(dice) :]) or (tower and not dice):
        raise MessageError(f"{packed:#06x} are no dice")
    return dice, tower


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


_CHARGES = 9


@dataclass(frozen=True, slots=True)
class Fresh:
    """Ask the seat before the holder to contribute to a tenure with this root.

    The holder asks if no giver has contributed: at the beginning of a match or an epoch, or when
    the throws of a tenure are used up. The count is the attempt: the number of tenures that were
    begun with this cup before.

    ======  =====  ======  ======================================================
    offset  bytes  field   meaning
    ======  =====  ======  ======================================================
    0       16     root    commits to the coming throws
    ======  =====  ======  ======================================================

    >>> encode(Fresh(7, 1, bytes(16))).body.hex(" ")
    '00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00'
    """

    hop: int
    attempt: int
    root: bytes

    def parts(self) -> Parts:
        """Return the parts of the frame."""
        body = exactly(SECRET_BYTES, self.root)
        return Parts(MessageKind.FRESH, self.hop, self.attempt, body)

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Read the parts of a frame."""
        return cls(parts.number, parts.count, exactly(SECRET_BYTES, parts.body))


@dataclass(frozen=True, slots=True)
class Share:
    """Contribute to the tenure of a FRESH. The sender has stored its root.

    ======  =====  ============  ================================================
    offset  bytes  field         meaning
    ======  =====  ============  ================================================
    0       8      contribution  the sender's, for the holder's dice
    ======  =====  ============  ================================================

    >>> encode(Share(7, 1, bytes.fromhex("0011223344556677"))).body.hex(" ")
    '00 11 22 33 44 55 66 77'
    """

    hop: int
    attempt: int
    contribution: bytes

    def parts(self) -> Parts:
        """Return the parts of the frame."""
        body = exactly(CONTRIBUTION_BYTES, self.contribution)
        return Parts(MessageKind.SHARE, self.hop, self.attempt, body)

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Read the parts of a frame."""
        return cls(parts.number, parts.count, exactly(CONTRIBUTION_BYTES, parts.body))


@dataclass(frozen=True, slots=True)
class Caught:
    """Accuse the handheld of a seat; the sender has stopped. No body.

    The number is the seat plus one. The count is the charge: 1 dice, 2 proof, 3 root or
    contribution, 4 order of throws, 6 answer taken back, 7 a cup that cannot be there, 8 two votes,
    9 two stories (`firmware.table.commitment.fair_dice`). Charge 5 means that two logs differ. It
    accuses nobody, and the seat is the sender's own.

    >>> encode(Caught(2, 1)).number
    3
    """

    seat: int
    charge: int

    def parts(self) -> Parts:
        """Return the parts of the frame."""
        return Parts(MessageKind.CAUGHT, self.seat + 1, self.charge, b"")

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Read the parts of a frame."""
        if not 1 <= parts.count <= _CHARGES:
            raise MessageError(f"CAUGHT tells no charge: {parts.count}")
        return cls(positive(bodiless(parts)) - 1, parts.count)


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


_VOTE = Struct(f">HHH{DIGEST_BYTES}s{SIGNATURE_BYTES}s")
VOTE_BYTES = _VOTE.size
_SIGNED_VOTE = Struct(">IBHHH")
MOST_SEATS = 12
"""The most seats that a vote has bits for; PROTOCOL.md has 12."""
GONE_AFTER_US = 20_000_000
"""A peer without a sign of life for this long may be gone for good: others vote; chosen."""


def packed_gone(gone: frozenset[int], keeper: int) -> int:
    """Return, as a number of 16 bits, who is gone (bit n: seat n) and the keeper.

    The high byte is that of seats 0 to 7, as at a table of eight. The next half is that of the
    seats after them, and the lowest half the keeper.

    Raises:
        MessageError: a seat is `MOST_SEATS` or higher, or negative.
    """
    if not {*gone, keeper} <= {*range(MOST_SEATS)}:
        raise MessageError(f"gone {set(gone)} and keeper {keeper} do not fit {MOST_SEATS} seats")
    bits = sum(1 << seat for seat in gone)
    return (bits & 0xFF) << 8 | bits >> 8 << 4 | keeper


def unpacked_gone(packed: int) -> tuple[frozenset[int], int]:
    """Return who is gone and the keeper, as ``packed_gone`` takes them."""
    bits = packed >> 8 | (packed >> 4 & 0xF) << 8
    return frozenset(seat for seat in range(MOST_SEATS) if bits >> seat & 1), packed & 0xF


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
    MISTAKE_OF_8 = 16


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
    1       1      keeper     low half: the seat that begins the epoch, with an empty cup; high
                              half, bit n: seat 8 + n is gone
    2       2      since      the epoch that the voter's log belongs to
    4       2      index      entries in the voter's log
    6       8      digest     of those entries
    14      64     signature  the voter's, of ``statement``
    ======  =====  =========  ======================================================

    >>> at = LogPosition(19, bytes.fromhex("0011223344556677"))
    >>> encode(Vote(17, frozenset({1}), 0, 16, at)).body.hex(" ")[:41]
    '02 00 00 10 00 13 00 11 22 33 44 55 66 77'
    """

    epoch: int
    gone: frozenset[int]
    keeper: int
    since: int
    at: LogPosition
    voter: int = 0
    signature: bytes = NO_SIGNATURE

    def parts(self) -> Parts:
        """Return the parts of the frame."""
        digest = exactly(DIGEST_BYTES, self.at.digest)
        signature = exactly(SIGNATURE_BYTES, self.signature)
        gone = packed_gone(self.gone, self.keeper)
        fields = (gone, self.since, self.at.index, digest, signature)
        return Parts(MessageKind.VOTE, self.epoch, self.voter, _VOTE.pack(*fields))

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Read the parts of a frame."""
        packed, since, index, digest, signature = _VOTE.unpack(parts.body)
        gone, keeper = unpacked_gone(packed)
        epoch = positive(parts)
        if keeper in gone:
            raise MessageError(f"VOTE names seat {keeper} keeper, and gone")
        if since >= epoch:
            raise MessageError(f"VOTE for epoch {epoch} comes from epoch {since}")
        at = LogPosition(index, digest)
        return cls(epoch, gone, keeper, since, at, parts.count, signature)

    @property
    def statement(self) -> bytes:
        """The statement that the voter signs."""
        gone = packed_gone(self.gone, self.keeper)
        fields = (self.epoch, self.voter, gone, self.since, self.at.index)
        return b"maexchen vote\0" + _SIGNED_VOTE.pack(*fields) + self.at.digest


Message = (
    Propose
    | Answer
    | Give
    | Taken
    | Cancel
    | Nak
    | Log
    | Want
    | Wish
    | Question
    | Vote
    | Fresh
    | Share
    | Caught
    | Recall
)
KINDS: Mapping[type[Message], MessageKind] = {
    message: MessageKind[message.__name__.upper()] for message in get_args(Message)
}
_OF_KIND: Mapping[int, type[Message]] = {kind: message for message, kind in KINDS.items()}


def encode(message: Message) -> Parts:
    """Return the parts of a message.

    Raises:
        MessageError: a field does not fit its bytes.
    """
    try:
        return message.parts()
    except struct.error as error:
        raise MessageError(f"a field of {type(message).__name__} does not fit: {error}") from None


def decode(parts: Parts) -> Message:
    """Return the message of these parts. The inverse of ``encode``.

    Raises:
        MessageError: the kind is unknown, the body has another length than its kind's, or a field
            has no meaning.
    """
    message = _OF_KIND.get(parts.kind)
    if message is None:
        raise MessageError(f"there is no kind {parts.kind}")
    try:
        return message.of(parts)
    except struct.error as error:
        name = message.__name__.upper()
        raise MessageError(f"{name} has {len(parts.body)} bytes: {error}") from None
