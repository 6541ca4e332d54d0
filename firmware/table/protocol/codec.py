"""What handhelds say to each other, and how it lies in bytes.

A message is told by four parts: its kind, a number (the hop; for LOG and WANT the first index), a
count (the attempt of GIVE, the number of entries of PROPOSE and LOG, else 0) and a body, which is
laid out in the message's own docstring. The first three travel in the clear header of a frame, the
body sealed (`firmware.table.protocol.sealing`). Numbers are big-endian.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum

from firmware.table.protocol.contents import (
    Contents,
    MessageError,
    exactly,
    member,
    packed_dice,
    unpacked_dice,
)
from firmware.table.protocol.cup_messages import (
    Answer,
    Cancel,
    CupAnswer,
    Give,
    Nak,
    Propose,
    Refusal,
    Taken,
)
from firmware.table.protocol.dice_messages import Caught, Fresh, Share
from firmware.table.protocol.log_messages import Log, LogPosition, Want
from firmware.table.protocol.sizes import (
    CONTRIBUTION_BYTES,
    DIGEST_BYTES,
    OPENING_BYTES,
    SECRET_BYTES,
)
from firmware.table.protocol.table_messages import AskedFault, Question, Vote, Wish, WishKind

_PROPOSE = struct.Struct(f">H{DIGEST_BYTES}sBB")
_ANSWER = struct.Struct(f">BH{DIGEST_BYTES}s{SECRET_BYTES}s")
_GIVE = struct.Struct(f">HB{CONTRIBUTION_BYTES}s{OPENING_BYTES}s")
_VOTE = struct.Struct(f">BBHH{DIGEST_BYTES}s")
_ASKS = 1
_CHARGES = 6


class MessageKind(IntEnum):
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


OF_THE_CUP = (
    MessageKind.PROPOSE,
    MessageKind.ANSWER,
    MessageKind.GIVE,
    MessageKind.TAKEN,
    MessageKind.CANCEL,
    MessageKind.NAK,
)
"""What the cup's way consists of; nothing else is urgent."""
_FROM_ZERO = (
    MessageKind.LOG,
    MessageKind.WANT,
    MessageKind.WISH,
    MessageKind.QUESTION,
    MessageKind.FRESH,
    MessageKind.SHARE,
)
_COUNTED = (
    MessageKind.PROPOSE,
    MessageKind.GIVE,
    MessageKind.LOG,
    MessageKind.WISH,
    MessageKind.QUESTION,
    MessageKind.FRESH,
    MessageKind.SHARE,
    MessageKind.CAUGHT,
)


@dataclass(frozen=True, slots=True)
class Parts:
    """A message as a frame carries it; the body is still, or again, in clear."""

    kind: MessageKind
    number: int
    count: int
    body: bytes


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
                digest = exactly(message.at.digest, DIGEST_BYTES)
                flags = _ASKS if message.asks else 0
                body = _PROPOSE.pack(message.at.index, digest, flags, message.announced or 0)
                return Parts(
                    MessageKind.PROPOSE, message.hop, message.count, body + message.entries
                )
            case Answer():
                digest = exactly(message.at.digest, DIGEST_BYTES)
                root = exactly(message.root, SECRET_BYTES)
                body = _ANSWER.pack(message.choice, message.at.index, digest, root)
                return Parts(MessageKind.ANSWER, message.hop, 0, body)
            case Give():
                dice, throw, opening, tower = message.contents
                contribution = exactly(message.contribution, CONTRIBUTION_BYTES)
                opening = exactly(opening, OPENING_BYTES)
                body = _GIVE.pack(packed_dice(dice, tower), throw, contribution, opening)
                return Parts(MessageKind.GIVE, message.hop, message.attempt, body)
            case Taken():
                return Parts(MessageKind.TAKEN, message.hop, 0, b"")
            case Cancel():
                return Parts(MessageKind.CANCEL, message.hop, 0, b"")
            case Nak():
                return Parts(MessageKind.NAK, message.hop, 0, bytes([message.reason]))
            case Log():
                body = exactly(message.digest, DIGEST_BYTES) + message.entries
                return Parts(MessageKind.LOG, message.first, message.count, body)
            case Want():
                return Parts(MessageKind.WANT, message.first, 0, b"")
            case Wish():
                return Parts(MessageKind.WISH, message.round, int(message.wished), b"")
            case Question():
                return Parts(MessageKind.QUESTION, message.round, int(message.asked), b"")
            case Vote():
                digest = exactly(message.at.digest, DIGEST_BYTES)
                where = (message.since, message.at.index, digest)
                body = _VOTE.pack(message.without, message.keeper, *where)
                return Parts(MessageKind.VOTE, message.epoch, 0, body)
            case Fresh():
                root = exactly(message.root, SECRET_BYTES)
                return Parts(MessageKind.FRESH, message.hop, message.attempt, root)
            case Share():
                contribution = exactly(message.contribution, CONTRIBUTION_BYTES)
                return Parts(MessageKind.SHARE, message.hop, message.attempt, contribution)
            case Caught():
                return Parts(MessageKind.CAUGHT, message.seat + 1, message.charge, b"")
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
            case MessageKind.PROPOSE:
                index, digest, flags, announced = _PROPOSE.unpack(body[: _PROPOSE.size])
                entries = body[_PROPOSE.size :]
                if count > index or bool(count) is not bool(entries):
                    raise MessageError(f"PROPOSE has {count} entries of {len(entries)} bytes")
                if flags & ~_ASKS:
                    raise MessageError(f"PROPOSE has unknown flags {flags:#04x}")
                at = LogPosition(index, digest)
                return Propose(number, at, flags == _ASKS, announced or None, count, entries)
            case MessageKind.ANSWER:
                choice, index, digest, root = _ANSWER.unpack(body)
                return Answer(number, member(CupAnswer, choice), LogPosition(index, digest), root)
            case MessageKind.GIVE:
                packed, throw, contribution, opening = _GIVE.unpack(body)
                dice, tower = unpacked_dice(packed)
                contents = Contents(dice, throw, opening, tower)
                return Give(number, contents, contribution, count)
            case MessageKind.NAK:
                (reason,) = struct.unpack(">B", body)
                return Nak(number, member(Refusal, reason))
            case MessageKind.LOG:
                if len(body) < DIGEST_BYTES:
                    raise MessageError(
                        f"LOG has {len(body)} bytes, its digest alone {DIGEST_BYTES}"
                    )
                return Log(number, count, body[DIGEST_BYTES:], body[:DIGEST_BYTES])
            case MessageKind.VOTE:
                without, keeper, since, index, digest = _VOTE.unpack(body)
                if without >> keeper & 1:
                    raise MessageError(f"VOTE names seat {keeper} keeper, and gone")
                if since >= number:
                    raise MessageError(f"VOTE for epoch {number} comes from epoch {since}")
                return Vote(number, without, keeper, since, LogPosition(index, digest))
            case MessageKind.FRESH:
                return Fresh(number, count, exactly(body, SECRET_BYTES))
            case MessageKind.SHARE:
                return Share(number, count, exactly(body, CONTRIBUTION_BYTES))
            case MessageKind.CAUGHT:
                if body or not 1 <= count <= _CHARGES:
                    raise MessageError(f"CAUGHT tells no charge: {count}, {len(body)} bytes")
                return Caught(number - 1, count)
            case (
                MessageKind.TAKEN
                | MessageKind.CANCEL
                | MessageKind.WANT
                | MessageKind.WISH
                | MessageKind.QUESTION
            ):
                struct.unpack("", body)
                return _without_body(kind, number, count)
    except struct.error as error:
        raise MessageError(f"{kind.name} has {len(body)} bytes: {error}") from None


def _without_body(kind: MessageKind, number: int, count: int) -> Message:
    match kind:
        case MessageKind.TAKEN:
            return Taken(number)
        case MessageKind.CANCEL:
            return Cancel(number)
        case MessageKind.WANT:
            return Want(number)
        case MessageKind.WISH:
            return Wish(number, member(WishKind, count))
        case _:
            return Question(number, member(AskedFault, count))
