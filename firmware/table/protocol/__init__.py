"""Every byte that leaves a handheld: sealed frames, and the clear frames of the lobby.

The layout of a frame is here: kinds of messages, lengths of fields, a message's parts, the header.
Each message has a table of its body and two methods: ``parts`` takes it apart, and ``of`` puts it
together. Numbers are big-endian. Messages that every hop needs are ``msgspec.Struct`` values: they
are created ten times as fast as frozen dataclasses.

`Retry` repeats frames that nobody reacts to, ever more slowly. `Budget` bounds frames a second.

All numbers without another source are those of PROTOCOL.md.

May import: crypto, effects, game.
Begin with PROTOCOL.md, then ``messages``.
"""

import struct
from enum import IntEnum
from typing import Self, TypeVar

import msgspec


class MessageKind(IntEnum):
    """The kind of message in a sealed frame."""

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
    RECALL = 15


OF_THE_CUP = tuple(MessageKind)[: MessageKind.NAK]
"""The kinds that move the cup; no other kind is urgent."""


MAX_FRAME = 4096
"""Longest frame in bytes; chosen: a GIVE has 69, the rest has room for log entries."""
DIGEST_BYTES = 8
"""Length of a digest of the log; chosen short, so that a PROPOSE fits 0.35 s of infrared."""
SECRET_BYTES = 16
"""Length of a root, which commits to dice."""
OPENING_BYTES = 2 * SECRET_BYTES
"""Length of an opening, which proves dice (`firmware.table.commitment.fair_dice`)."""
CONTRIBUTION_BYTES = 8
"""Length of a giver's contribution to the next holder's dice."""
NO_SECRET = bytes(SECRET_BYTES)
"""The root of a seat that commits to nothing."""
NO_OPENING = bytes(OPENING_BYTES)
"""The opening of dice that have no proof."""
NO_CONTRIBUTION = bytes(CONTRIBUTION_BYTES)
"""The contribution of a giver that adds nothing."""
SIGNATURE_BYTES = 64
"""Length of a signature (`firmware.table.protocol.sealing`)."""
NO_SIGNATURE = bytes(SIGNATURE_BYTES)
"""The signature of an unsigned message."""
MOST_DICE = 5
"""Most covered dice in a cup; the log has open ones, so they do not travel."""
MOST_ENTRIES = 0xFF
"""Most entries in one LOG."""
LAST_BYTES = 4
"""Most bytes of entries in a proposal, chosen: the newest ones, which the others may lack."""
ENTRIES_AT_ONCE = 8
"""Entries in one LOG, chosen; some more if one signature covers them."""


class MessageError(ValueError):
    """Bytes that are no message, or a message that does not fit its bytes; the text says which."""


class LogPosition(msgspec.Struct, frozen=True):
    """A place in the public log: the number of entries before it, and the digest of those."""

    index: int
    digest: bytes


class Parts(msgspec.Struct, frozen=True):
    """A message as a frame carries it; the body is still, or again, in clear."""

    kind: int
    number: int
    count: int
    body: bytes


def positive(parts: Parts) -> int:
    """Return the number, which is 1 or more. Raises MessageError if it is 0."""
    if parts.number < 1:
        raise MessageError(f"{MessageKind(parts.kind).name} has number 0")
    return parts.number


def uncounted(parts: Parts) -> int:
    """Return the number. Raises MessageError if it is 0, or if the count is not 0."""
    if parts.count:
        raise MessageError(f"{MessageKind(parts.kind).name} has a count of {parts.count}, not 0")
    return positive(parts)


def bodiless(parts: Parts) -> Parts:
    """Return the same parts. Raises MessageError if their body is not empty."""
    if parts.body:
        name = MessageKind(parts.kind).name
        raise MessageError(f"{name} has {len(parts.body)} bytes: it has no body")
    return parts


def exactly(length: int, data: bytes) -> bytes:
    """Return data of this length. Raises MessageError for other data, which struct would cut."""
    if len(data) != length:
        raise MessageError(f"{len(data)} bytes do not fit a field of {length}")
    return data


Member = TypeVar("Member", bound=IntEnum)


def member(kind: type[Member], number: int) -> Member:
    """Return the member of an enum that has this number. Raises MessageError if none has."""
    try:
        return kind(number)
    except ValueError:
        raise MessageError(f"{number} is no {kind.__name__.lower()}") from None


VERSION = 1
"""The version of the layout."""
HEADER_BYTES = 10
"""Length of the clear header."""
TAG_BYTES = 16
"""Length of a seal's tag (ChaCha20-Poly1305, RFC 8439)."""
MOST_NUMBER = 0xFF_FFFF
"""The highest number in a header: it has three bytes."""
EVERY_SEAT = 15
"""The receiver of a LOG for all seats; no table has a seat with this number."""
_HEADER = struct.Struct(">BHHB3sB")
_SEATS_AT = 5
_NUMBER_AT = 6


def kind_of(frame: bytes) -> int | None:
    """Return the kind in a sealed frame's header (`MessageKind`); None for other frames."""
    sealed = len(frame) > _SEATS_AT and frame[0] >> 4 == VERSION
    return frame[0] & 0x0F if sealed else None


def seats_of(frame: bytes) -> int:
    """Return the byte of a sealed frame's header that names the sender and the receiver."""
    return frame[_SEATS_AT]


def sender_of(frame: bytes) -> int | None:
    """Return the sender in a sealed frame's header; None for other frames."""
    return None if kind_of(frame) is None else seats_of(frame) >> 4


def receiver_of(frame: bytes) -> int | None:
    """Return the receiver in a sealed frame's header, maybe EVERY_SEAT; None for other frames."""
    return None if kind_of(frame) is None else seats_of(frame) & 0x0F


def first_of(frame: bytes) -> int:
    """Return the number in a sealed frame's header; in a LOG, the index of its first entry."""
    return int.from_bytes(frame[_NUMBER_AT : _NUMBER_AT + 3], "big")


class FrameError(ValueError):
    """A frame is refused; the text says why.

    ``sender`` and ``epoch`` are those of a frame that a seat sealed in another epoch; else None.
    """

    def __init__(self, why: str, sender: int | None = None, epoch: int | None = None) -> None:
        super().__init__(f"frame {why}")
        self.sender = sender
        self.epoch = epoch


class Header(msgspec.Struct, frozen=True):
    """The clear part of a frame. Nothing in it is true before the tag is checked."""

    kind: int
    table: int
    epoch: int
    sender: int
    receiver: int
    number: int
    count: int = 0
    version: int = VERSION

    def pack(self) -> bytes:
        """Return its ten bytes.

        Raises:
            MessageError: a field does not fit.
        """
        if not (0 <= self.sender < 16 and 0 <= self.receiver < 16):
            raise MessageError(f"seats {self.sender} and {self.receiver} do not fit: 0 to 15 do")
        if not 0 <= self.number <= MOST_NUMBER:
            raise MessageError(f"number {self.number} does not fit: 0 to {MOST_NUMBER} do")
        try:
            return _HEADER.pack(
                self.version << 4 | self.kind,
                self.table,
                self.epoch,
                self.sender << 4 | self.receiver,
                self.number.to_bytes(3, "big"),
                self.count,
            )
        except struct.error as error:
            raise MessageError(f"{self} does not fit: {error}") from None

    @classmethod
    def unpack(cls, header: bytes) -> Self:
        """Read ten bytes. Every ten bytes are a header; ``kind`` may be unknown."""
        kind, table, epoch, seats, number, count = _HEADER.unpack(header)
        return cls(
            kind & 0x0F,
            table,
            epoch,
            seats >> 4,
            seats & 0x0F,
            int.from_bytes(number, "big"),
            count,
            kind >> 4,
        )


class Budget:
    """A budget. Times are in µs on the caller's clock.

    Args:
        at_once: the most events at one time.
        per_s: the events of a second, in the long run.
        now_us: the time now.
    """

    def __init__(self, at_once: int, per_s: float, now_us: int) -> None:
        self._most, self._per_us = at_once, per_s / 1e6
        self._left, self._seen_us = float(at_once), now_us

    def take(self, now_us: int, count: int = 1) -> bool:
        """Take so many, if they are there; return whether they were."""
        more = (now_us - self._seen_us) * self._per_us
        self._left, self._seen_us = min(self._most, self._left + more), now_us
        if self._left < count:
            return False
        self._left -= count
        return True


class Retry(msgspec.Struct, frozen=True):
    """When to send again, ever more slowly. A value: every call returns the next one.

    >>> retry = Retry(500, 2_000).sent(0)
    >>> retry.due_us, retry.due(499), retry.due(500)
    (500, False, True)
    >>> [retry := retry.sent(retry.due_us)] and retry.due_us
    1500
    >>> retry.answered().due_us is None
    True

    Attributes:
        first_us: the first wait.
        last_us: the longest wait; each is twice as long as the one before.
        due_us: when to send again; None while nothing is outstanding.
        wait_us: the wait that ends then.
    """

    first_us: int
    last_us: int
    due_us: int | None = None
    wait_us: int = 0

    def due(self, now_us: int) -> bool:
        """Return whether it is time to send, for the first time or again."""
        return self.due_us is not None and now_us >= self.due_us

    def at(self, due_us: int) -> "Retry":
        """Return a retry that is due then, for the first time."""
        return Retry(self.first_us, self.last_us, due_us)

    def sent(self, now_us: int) -> "Retry":
        """Return the retry after sending now: due again after the next wait."""
        wait_us = min(max(2 * self.wait_us, self.first_us), self.last_us)
        return Retry(self.first_us, self.last_us, now_us + wait_us, wait_us)

    def answered(self) -> "Retry":
        """Return the retry with nothing outstanding."""
        return Retry(self.first_us, self.last_us)
