"""Sealed frames: every two seats share a key, and what one seals only the other can open.

A frame is a clear header, then the body sealed with ChaCha20-Poly1305, then the tag of 16 bytes.
The header, big-endian, is the associated data of the seal:

======  =====  ======  ==================================================================
offset  bytes  field   meaning
======  =====  ======  ==================================================================
0       1      kind    high half: version, 1; low half: the message's kind, 1 to 14
1       2      table   which table, 0 to 65535
3       2      epoch   16 times the number of the match, and how often it began anew
5       1      seats   high half: the seat that sends; low half: the seat that receives
6       3      number  the hop; LOG, WANT: the first index; WISH, QUESTION: the round;
                       VOTE: the epoch; CAUGHT: one more than the seat
9       1      count   GIVE, FRESH, SHARE: attempt; PROPOSE, LOG: number of entries; WISH,
                       QUESTION, CAUGHT: what; else 0
======  =====  ======  ==================================================================

>>> Header(Kind.PROPOSE, table=0xCAFE, epoch=1, sender=0, receiver=2, number=7).pack().hex(" ")
'11 ca fe 00 01 02 00 00 07 00'

So ANSWER takes 53 bytes, GIVE 69, TAKEN, CANCEL, WANT, WISH, QUESTION and CAUGHT 26, NAK 27,
VOTE 40, FRESH 42, SHARE 34, PROPOSE 38 and its entries, and LOG 34 and its entries.

The nonce is the header and two zero bytes. Sealing two different bodies with one nonce would give
away their difference and the key of the tag, so one header must never stand over two bodies:

- A hop has one PROPOSE, one ANSWER and one GIVE. Each is sealed once, is on the disk before it is
  sent, and is sent again as the stored bytes. A hop that was withdrawn or refused is never used
  again; the attempt is there for a protocol that seals one hop twice, and would be on the disk too.
- A hop is refused once, for a reason that is on the disk before the NAK is sent.
- TAKEN, CANCEL, WANT, WISH, QUESTION and CAUGHT have no body.
- The roots and contributions of ANSWER, GIVE, FRESH and SHARE are made from a secret that never
  changes, and a SHARE is made for one root alone, which is on the disk before it is sent.
- A LOG of so many entries from such an index always says the same, because the public record only
  grows, and no entry is told before it is on the disk.
- A seat votes once for an epoch, and has the vote on the disk before it is sent.
- The two directions of a pair differ in the seats, and two matches of a table in the epoch.
"""

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from firmware.table.protocol.codec import Kind, Message, MessageError, Parts, decode, encode

VERSION = 1
HEADER_BYTES = 10
TAG_BYTES = 16
KEY_BYTES = 32
MOST_NUMBER = 0xFF_FFFF
_HEADER = struct.Struct(">BHHB3sB")
_NONCE_PADDING = bytes(2)


class FrameProblem(Enum):
    """What is wrong with a frame; the value says it in words."""

    SHORT = "too short for a header and a tag"
    VERSION = "of another version"
    TABLE = "of another table"
    NOT_FOR_ME = "for another seat"
    REFLECTED = "from this very seat"
    STRANGER = "from a seat that is not at this table"
    FORGED = "not sealed by the seat that it names, or changed on its way"
    OLD_EPOCH = "of an epoch that is over"
    NEW_EPOCH = "of an epoch that has not begun here"
    MALFORMED = "sealed well, but not a message"


class FrameError(ValueError):
    """A frame is refused; ``problem`` says why.

    Only one of another epoch, or malformed, was sealed by the seat that it names. Of one of another
    epoch ``sender`` and ``epoch`` are known; else they are None.
    """

    def __init__(
        self,
        problem: FrameProblem,
        detail: str = "",
        sender: int | None = None,
        epoch: int | None = None,
    ) -> None:
        super().__init__(f"frame {problem.value}{': ' if detail else ''}{detail}")
        self.problem = problem
        self.sender = sender
        self.epoch = epoch


@dataclass(frozen=True, slots=True)
class Header:
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
        """Read ten bytes. Every ten bytes are a header; ``kind`` may be none that is known."""
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


class Keys(NamedTuple):
    """What a seat needs to talk to the others.

    ``table`` is the number that names the table in headers; ``pairs`` holds for every other seat
    the 32 bytes that only it and this seat know.
    """

    table: int
    pairs: Mapping[int, bytes]


def keys_of_table(table_key: bytes, me: int, seats: Iterable[int]) -> Keys:
    """Derive the keys of seat ``me`` from a key that the whole table shares (HKDF-SHA256).

    They keep strangers out. Against a player of the same table they cannot: he can derive the key
    of any two others. Keys that two handhelds agree on in secret would stand in another ``Keys``.

    Args:
        table_key: 32 bytes, the same at every seat.
        me: the own seat.
        seats: all seats; whether the own one is among them does not matter.

    Raises:
        ValueError: the table key is not 32 bytes long.
    """
    if len(table_key) != KEY_BYTES:
        raise ValueError(f"a table key has {KEY_BYTES} bytes, not {len(table_key)}")
    pairs = {
        seat: _derived(
            table_key, b"maexchen pair %d %d" % (min(me, seat), max(me, seat)), KEY_BYTES
        )
        for seat in seats
        if seat != me
    }
    return Keys(number_of_table(table_key), pairs)


def number_of_table(table_key: bytes) -> int:
    """Return the number that names a table in headers."""
    return int.from_bytes(_derived(table_key, b"maexchen table", 2), "big")


def _derived(key: bytes, purpose: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=purpose).derive(key)


class Sealer:
    """Seals what one seat says and opens what it is told, within one epoch of a table.

    Args:
        keys: with whom the seat can talk.
        me: the seat.
        epoch: 0 to 65535. Never go back to an epoch that was used with these keys.
    """

    def __init__(self, keys: Keys, me: int, epoch: int) -> None:
        self.me = me
        self.epoch = epoch
        self._keys = keys
        self._table = keys.table
        self._ciphers = {
            seat: ChaCha20Poly1305(key) for seat, key in keys.pairs.items() if seat != me
        }

    def at(self, epoch: int) -> "Sealer":
        """The same seat in another epoch."""
        return Sealer(self._keys, self.me, epoch)

    @property
    def places(self) -> int:
        """How many can be talked to, this one included: the seats, and behind them who watches."""
        return max(self.me, *self._ciphers) + 1 if self._ciphers else self.me + 1

    def seal(self, message: Message, to: int) -> bytes:
        """Return the frame that brings a message to seat ``to``. The same message, the same bytes.

        Raises:
            MessageError: a field does not fit its bytes.
            KeyError: there is no key for that seat.
        """
        parts = encode(message)
        header = Header(
            parts.kind, self._table, self.epoch, self.me, to, parts.number, parts.count
        ).pack()
        return header + self._ciphers[to].encrypt(header + _NONCE_PADDING, parts.body, header)

    def open(self, frame: bytes) -> tuple[int, Message]:
        """Return who sealed a frame, and what it says.

        Raises:
            FrameError: it is not for this seat, not from whom it says, or no message.
        """
        if len(frame) < HEADER_BYTES + TAG_BYTES:
            raise FrameError(FrameProblem.SHORT, f"{len(frame)} bytes")
        clear = frame[:HEADER_BYTES]
        header = Header.unpack(clear)
        cipher = self._cipher_for(header)
        try:
            body = cipher.decrypt(clear + _NONCE_PADDING, frame[HEADER_BYTES:], clear)
        except InvalidTag:
            raise FrameError(FrameProblem.FORGED) from None
        is_vote = header.kind == Kind.VOTE and header.number == header.epoch
        if header.epoch != self.epoch and not is_vote:
            old = header.epoch < self.epoch
            problem = FrameProblem.OLD_EPOCH if old else FrameProblem.NEW_EPOCH
            detail = f"{header.epoch}, here it is {self.epoch}"
            raise FrameError(problem, detail, header.sender, header.epoch)
        try:
            return header.sender, decode(
                Parts(Kind(header.kind), header.number, header.count, body)
            )
        except ValueError as error:
            raise FrameError(FrameProblem.MALFORMED, str(error)) from None

    def _cipher_for(self, header: Header) -> ChaCha20Poly1305:
        # Only to say more clearly what is wrong: the tag alone would refuse all of these.
        if header.version != VERSION:
            raise FrameError(FrameProblem.VERSION, str(header.version))
        if header.table != self._table:
            raise FrameError(FrameProblem.TABLE)
        if header.sender == self.me:
            raise FrameError(FrameProblem.REFLECTED)
        if header.receiver != self.me:
            raise FrameError(FrameProblem.NOT_FOR_ME, str(header.receiver))
        if header.sender not in self._ciphers:
            raise FrameError(FrameProblem.STRANGER, str(header.sender))
        return self._ciphers[header.sender]
