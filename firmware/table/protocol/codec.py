"""What handhelds say to each other, and how it lies in bytes.

A message is told by four parts: its kind, a number (the hop; for LOG and WANT the first index), a
count (the attempt of GIVE, the number of entries of PROPOSE and LOG, else 0) and a body, which is
laid out in the message's own docstring. The first three travel in the clear header of a frame, the
body sealed (`firmware.table.protocol.sealing`). Numbers are big-endian.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, TypeVar

DIGEST_BYTES = 8
"""Length of a digest of the record; short, so that a PROPOSE fits 0.35 s of infrared."""
SECRET_BYTES = 16
"""Length of a root, which commits to dice …"""
OPENING_BYTES = 2 * SECRET_BYTES
"""… and of an opening, which proves them (`firmware.table.commitment.verify`)."""
CONTRIBUTION_BYTES = 8
"""Length of what the giver of a cup adds to the next holder's chance."""
NO_SECRET = bytes(SECRET_BYTES)
"""Stands where nothing is committed to …"""
NO_OPENING = bytes(OPENING_BYTES)
"""… and where nothing is proven."""
NO_CONTRIBUTION = bytes(CONTRIBUTION_BYTES)
"""Stands where the giver of a cup adds nothing."""
MOST_DICE = 5
"""Most covered dice in a cup; open ones do not travel, for the record has them."""
_TOWER = 1 << 3 * MOST_DICE
MOST_ENTRIES = 0xFF
"""Most entries in one LOG."""
LAST_BYTES = 4
"""So many bytes of entries go with a proposal: what was done since the others were last told."""
TOLD_AT_ONCE = 8
"""As many are told in one: with at most 4 bytes each they fit one transmission of infrared."""

_PROPOSE = struct.Struct(f">H{DIGEST_BYTES}sBB")
_ANSWER = struct.Struct(f">BH{DIGEST_BYTES}s{SECRET_BYTES}s")
_GIVE = struct.Struct(f">HB{CONTRIBUTION_BYTES}s{OPENING_BYTES}s")
_VOTE = struct.Struct(f">BBHH{DIGEST_BYTES}s")
_ASKS = 1
_CHARGES = 6


class MessageError(ValueError):
    """Bytes that are no message, or a message that does not fit its bytes. The text says which."""


class Kind(IntEnum):
    """The kinds of message, as the header numbers them."""

    PROPOSE = 1
    ANSWER = 2
    GIVE = 3
    TAKEN = 4
    CANCEL = 5
    NAK = 6
    LOG = 7
    WANT = 8
    WISH = 9
    QUESTION = 10
    VOTE = 11
    FRESH = 12
    SHARE = 13
    CAUGHT = 14


OF_THE_CUP = (Kind.PROPOSE, Kind.ANSWER, Kind.GIVE, Kind.TAKEN, Kind.CANCEL, Kind.NAK)
"""What the cup's way consists of; nothing else is urgent."""
_FROM_ZERO = (Kind.LOG, Kind.WANT, Kind.WISH, Kind.QUESTION, Kind.FRESH, Kind.SHARE)
_COUNTED = (
    Kind.PROPOSE,
    Kind.GIVE,
    Kind.LOG,
    Kind.WISH,
    Kind.QUESTION,
    Kind.FRESH,
    Kind.SHARE,
    Kind.CAUGHT,
)


class Choice(IntEnum):
    """What the receiver of a proposed cup answers."""

    NOTHING = 0
    """There was nothing to answer."""
    BELIEVE = 1
    DOUBT = 2
    GIVE_IN = 3
    REFUSE = 4
    """The cup came the wrong way, and is not taken (R-HF-5)."""


class Refusal(IntEnum):
    """Why a hop is refused."""

    CANCELLED = 1
    """The giver asked for it."""
    UNASKED = 2
    """A cup came that was not answered for."""
    RECORD = 3
    """The giver's record is not legal, or is not the same as here."""


class Wished(IntEnum):
    """What a player can wish for that the holder of the cup has to enter (B-10)."""

    LEAVE = 1
    VOID_ROUND = 2
    STOP_MATCH = 3


class Asked(IntEnum):
    """What a player is asked whether he did it (R-PHYS-7, R-HF-5)."""

    NOTHING = 0
    """The question is answered."""
    DROP = 1
    MOVE = 2
    LOOK = 3


@dataclass(frozen=True, slots=True)
class Parts:
    """A message as a frame carries it; the body is still, or again, in clear."""

    kind: Kind
    number: int
    count: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the public record: the number of entries before it, and the digest of those."""

    index: int
    digest: bytes


class Contents(NamedTuple):
    """What lies in a cup.

    ``dice`` are 1 to 6 each, at most five, none for an empty cup. ``throw`` counts the throws of
    the tenure they fell in, and ``opening`` (32 bytes) proves them; both are zero where nothing was
    committed to. ``tower`` tells that the dice lie on top of each other (R-HF-8).
    """

    dice: tuple[int, ...] = ()
    throw: int = 0
    opening: bytes = NO_OPENING
    tower: bool = False


EMPTY = Contents()
"""An empty cup."""


@dataclass(frozen=True, slots=True)
class Propose:
    """The cup is to come to you. Public; the giver has it on the disk.

    ======  =====  =========  ===================================================
    offset  bytes  field      meaning
    ======  =====  =========  ===================================================
    0       2      index      entries in the giver's record
    2       8      digest     of those entries
    10      1      flags      bit 0: it asks for an answer; the others are 0
    11      1      announced  the standing announcement, 0 for none
    12      rest   entries    the last ones of the record, as many as the count says
    ======  =====  =========  ===================================================

    The entries are there so that a receiver who has heard all but the last few can answer at once.

    >>> at = Position(19, bytes.fromhex("0011223344556677"))
    >>> encode(Propose(7, at, asks=True, announced=62)).body.hex(" ")
    '00 13 00 11 22 33 44 55 66 77 01 3e'
    """

    hop: int
    at: Position
    asks: bool
    announced: int | None
    count: int = 0
    entries: bytes = b""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a PROPOSE. The receiver has it on the disk.

    ======  =====  ======  ===================================================
    offset  bytes  field   meaning
    ======  =====  ======  ===================================================
    0       1      choice  0 nothing, 1 believe, 2 doubt, 3 give in, 4 refuse
    1       2      index   entries in the receiver's record
    3       8      digest  of those entries
    11      16     root    commits to the receiver's coming rolls; 0 for none
    ======  =====  ======  ===================================================

    >>> at = Position(19, bytes.fromhex("0011223344556677"))
    >>> encode(Answer(7, Choice.DOUBT, at)).body.hex(" ")
    '02 00 13 00 11 22 33 44 55 66 77 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00'
    """

    hop: int
    choice: Choice
    at: Position
    root: bytes = NO_SECRET


@dataclass(frozen=True, slots=True)
class Give:
    """The cup itself. The giver has these very bytes on the disk.

    ======  =====  ============  ==================================================
    offset  bytes  field         meaning
    ======  =====  ============  ==================================================
    0       2      dice          three bits a die, the first lowest; 0: no die; bit 15: a tower
    2       1      throw         which throw of its tenure they are, 0 for none
    3       8      contribution  the giver's to the receiver's chance; 0 for none
    11      32     opening       proves the dice; 0 for none
    ======  =====  ============  ==================================================

    >>> encode(Give(7, Contents((3, 6)), bytes.fromhex("0011223344556677"))).body.hex(" ")[:32]
    '00 33 00 00 11 22 33 44 55 66 77'
    """

    hop: int
    contents: Contents
    contribution: bytes = NO_CONTRIBUTION
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """I have had the cup of this hop on the disk. No body.

    >>> encode(Taken(7)).body.hex(" ")
    ''
    """

    hop: int


@dataclass(frozen=True, slots=True)
class Cancel:
    """Refuse this hop, unless you have taken it. No body.

    >>> encode(Cancel(7)).body.hex(" ")
    ''
    """

    hop: int


@dataclass(frozen=True, slots=True)
class Nak:
    """I shall never take this hop. The refuser has it on the disk.

    ======  =====  ======  ======================================================
    offset  bytes  field   meaning
    ======  =====  ======  ======================================================
    0       1      reason  1 cancelled, 2 nobody answered for it, 3 record refused
    ======  =====  ======  ======================================================

    >>> encode(Nak(7, Refusal.RECORD)).body.hex(" ")
    '03'
    """

    hop: int
    reason: Refusal


@dataclass(frozen=True, slots=True)
class Log:
    """A part of the public record, ``count`` entries (0 to 255) from index ``first``.

    ======  =====  =======  ======================================================
    offset  bytes  field    meaning
    ======  =====  =======  ======================================================
    0       8      digest   of the record up to the last of these entries
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
    """The first entry of the public record that I lack. No body.

    >>> encode(Want(17)).body.hex(" ")
    ''
    """

    first: int


@dataclass(frozen=True, slots=True)
class Wish:
    """My player wishes for something that the holder of the cup has to enter. No body.

    It counts in round ``round`` alone and is repeated until the record shows what came of it.
    The count says what: 1 to leave, 2 to void the round, 3 to stop the match.

    >>> encode(Wish(7, Wished.STOP_MATCH)).count
    3
    """

    round: int
    wished: Wished


@dataclass(frozen=True, slots=True)
class Question:
    """My player is being asked whether he mishandled the cup in round ``round``. No body.

    The count says how: 1 dropped, 2 moved, 3 looked at; 0: he has answered.

    >>> encode(Question(7, Asked.DROP)).count
    1
    """

    round: int
    asked: Asked


@dataclass(frozen=True, slots=True)
class Vote:
    """I am for going on in epoch ``epoch``, without those who are gone.

    The voter has it on the disk. It is sealed in the epoch that it is for, whatever epoch its
    sender is in.

    ======  =====  =======  ======================================================
    offset  bytes  field    meaning
    ======  =====  =======  ======================================================
    0       1      without  bit n: seat n is gone
    1       1      keeper   the seat that begins the epoch, with an empty cup
    2       2      since    the epoch that the voter is in, and his record belongs to
    4       2      index    entries in the voter's record
    6       8      digest   of those entries
    ======  =====  =======  ======================================================

    >>> at = Position(19, bytes.fromhex("0011223344556677"))
    >>> encode(Vote(17, 0b10, 0, 16, at)).body.hex(" ")
    '02 00 00 10 00 13 00 11 22 33 44 55 66 77'
    """

    epoch: int
    without: int
    keeper: int
    since: int
    at: Position

    @property
    def gone(self) -> frozenset[int]:
        """The seats that are gone."""
        return frozenset(seat for seat in range(8) if self.without >> seat & 1)


@dataclass(frozen=True, slots=True)
class Fresh:
    """I have the cup and begin a tenure: this is my root, contribute to it.

    The holder asks the seat before him, where no giver has contributed: at the beginning of a
    match or an epoch, or when the throws of a tenure are used up. The count is the attempt: how
    many tenures were begun with this cup before.

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


@dataclass(frozen=True, slots=True)
class Share:
    """My contribution to the tenure that a FRESH told of. I have its root on the disk.

    ======  =====  ============  ================================================
    offset  bytes  field         meaning
    ======  =====  ============  ================================================
    0       8      contribution  mine to the holder's chance
    ======  =====  ============  ================================================

    >>> encode(Share(7, 1, bytes.fromhex("0011223344556677"))).body.hex(" ")
    '00 11 22 33 44 55 66 77'
    """

    hop: int
    attempt: int
    contribution: bytes


@dataclass(frozen=True, slots=True)
class Caught:
    """I have caught the handheld of a seat at something, and go no further. No body.

    The number is one more than the seat; the count says at what: 1 dice, 2 proof, 3 root or
    contribution, 4 order of throws, 5 record, 6 answer taken back
    (`firmware.table.commitment.verify.Charge`).

    >>> encode(Caught(2, 1)).number
    3
    """

    seat: int
    charge: int


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
)


def encode(message: Message) -> Parts:
    """Take a message apart.

    Raises:
        MessageError: a field does not fit its bytes.
    """
    try:
        match message:
            case Propose():
                digest = _exactly(message.at.digest, DIGEST_BYTES)
                flags = _ASKS if message.asks else 0
                body = _PROPOSE.pack(message.at.index, digest, flags, message.announced or 0)
                return Parts(Kind.PROPOSE, message.hop, message.count, body + message.entries)
            case Answer():
                digest = _exactly(message.at.digest, DIGEST_BYTES)
                root = _exactly(message.root, SECRET_BYTES)
                body = _ANSWER.pack(message.choice, message.at.index, digest, root)
                return Parts(Kind.ANSWER, message.hop, 0, body)
            case Give():
                dice, throw, opening, tower = message.contents
                contribution = _exactly(message.contribution, CONTRIBUTION_BYTES)
                opening = _exactly(opening, OPENING_BYTES)
                body = _GIVE.pack(packed_dice(dice, tower), throw, contribution, opening)
                return Parts(Kind.GIVE, message.hop, message.attempt, body)
            case Taken():
                return Parts(Kind.TAKEN, message.hop, 0, b"")
            case Cancel():
                return Parts(Kind.CANCEL, message.hop, 0, b"")
            case Nak():
                return Parts(Kind.NAK, message.hop, 0, bytes([message.reason]))
            case Log():
                body = _exactly(message.digest, DIGEST_BYTES) + message.entries
                return Parts(Kind.LOG, message.first, message.count, body)
            case Want():
                return Parts(Kind.WANT, message.first, 0, b"")
            case Wish():
                return Parts(Kind.WISH, message.round, int(message.wished), b"")
            case Question():
                return Parts(Kind.QUESTION, message.round, int(message.asked), b"")
            case Vote():
                digest = _exactly(message.at.digest, DIGEST_BYTES)
                where = (message.since, message.at.index, digest)
                body = _VOTE.pack(message.without, message.keeper, *where)
                return Parts(Kind.VOTE, message.epoch, 0, body)
            case Fresh():
                root = _exactly(message.root, SECRET_BYTES)
                return Parts(Kind.FRESH, message.hop, message.attempt, root)
            case Share():
                contribution = _exactly(message.contribution, CONTRIBUTION_BYTES)
                return Parts(Kind.SHARE, message.hop, message.attempt, contribution)
            case Caught():
                return Parts(Kind.CAUGHT, message.seat + 1, message.charge, b"")
    except struct.error as error:
        raise MessageError(f"a field of {type(message).__name__} does not fit: {error}") from None


def decode(parts: Parts) -> Message:
    """Put a message together. The inverse of ``encode``.

    Raises:
        MessageError: the body is not as long as its kind's, or a field has no meaning.
    """
    kind, number, count, body = parts.kind, parts.number, parts.count, parts.body
    if number == 0 and kind not in _FROM_ZERO:
        raise MessageError(f"{kind.name} has hop 0: hops count from 1")
    if count and kind not in _COUNTED:
        raise MessageError(f"{kind.name} has a count of {count}, not 0")
    try:
        match kind:
            case Kind.PROPOSE:
                index, digest, flags, announced = _PROPOSE.unpack(body[: _PROPOSE.size])
                entries = body[_PROPOSE.size :]
                if count > index or bool(count) is not bool(entries):
                    raise MessageError(f"PROPOSE has {count} entries of {len(entries)} bytes")
                if flags & ~_ASKS:
                    raise MessageError(f"PROPOSE has unknown flags {flags:#04x}")
                at = Position(index, digest)
                return Propose(number, at, flags == _ASKS, announced or None, count, entries)
            case Kind.ANSWER:
                choice, index, digest, root = _ANSWER.unpack(body)
                return Answer(number, _member(Choice, choice), Position(index, digest), root)
            case Kind.GIVE:
                packed, throw, contribution, opening = _GIVE.unpack(body)
                dice, tower = unpacked_dice(packed)
                contents = Contents(dice, throw, opening, tower)
                return Give(number, contents, contribution, count)
            case Kind.NAK:
                (reason,) = struct.unpack(">B", body)
                return Nak(number, _member(Refusal, reason))
            case Kind.LOG:
                if len(body) < DIGEST_BYTES:
                    raise MessageError(
                        f"LOG has {len(body)} bytes, its digest alone {DIGEST_BYTES}"
                    )
                return Log(number, count, body[DIGEST_BYTES:], body[:DIGEST_BYTES])
            case Kind.VOTE:
                without, keeper, since, index, digest = _VOTE.unpack(body)
                if without >> keeper & 1:
                    raise MessageError(f"VOTE names seat {keeper} keeper, and gone")
                if since >= number:
                    raise MessageError(f"VOTE for epoch {number} comes from epoch {since}")
                return Vote(number, without, keeper, since, Position(index, digest))
            case Kind.FRESH:
                return Fresh(number, count, _exactly(body, SECRET_BYTES))
            case Kind.SHARE:
                return Share(number, count, _exactly(body, CONTRIBUTION_BYTES))
            case Kind.CAUGHT:
                if body or not 1 <= count <= _CHARGES:
                    raise MessageError(f"CAUGHT tells no charge: {count}, {len(body)} bytes")
                return Caught(number - 1, count)
            case Kind.TAKEN | Kind.CANCEL | Kind.WANT | Kind.WISH | Kind.QUESTION:
                struct.unpack("", body)
                return _without_body(kind, number, count)
    except struct.error as error:
        raise MessageError(f"{kind.name} has {len(body)} bytes: {error}") from None


def _without_body(kind: Kind, number: int, count: int) -> Message:
    match kind:
        case Kind.TAKEN:
            return Taken(number)
        case Kind.CANCEL:
            return Cancel(number)
        case Kind.WANT:
            return Want(number)
        case Kind.WISH:
            return Wish(number, _member(Wished, count))
        case _:
            return Question(number, _member(Asked, count))


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
        MessageError: none do.
    """
    tower = bool(packed & _TOWER)
    pips = [packed >> 3 * place & 0b111 for place in range(MOST_DICE)]
    dice = tuple(die for die in pips if die)
    high = (packed & ~_TOWER) >> 3 * MOST_DICE
    if high or 7 in dice or any(pips[len(dice) :]) or (tower and not dice):
        raise MessageError(f"{packed:#06x} are no dice")
    return dice, tower


_Member = TypeVar("_Member", bound=IntEnum)


def _exactly(data: bytes, length: int) -> bytes:
    # struct would pad or cut without a word.
    if len(data) != length:
        raise MessageError(f"{len(data)} bytes do not fit a field of {length}")
    return data


def _member(kind: type[_Member], number: int) -> _Member:
    try:
        return kind(number)
    except ValueError:
        raise MessageError(f"{number} is no {kind.__name__.lower()}") from None
