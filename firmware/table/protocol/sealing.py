"""Sealed and signed frames: the keys of a table, signatures, and seals between two seats.

A seal proves the sender to its receiver alone. Statements that others must believe are signed.

A LOG can be for all seats at once. It is sealed with a key that the whole table has, so any seat of
the table can have made it, whatever its header says. Only signed entries in it count.

A frame is a clear header, then the body sealed with ChaCha20-Poly1305, then the tag of 16 bytes.
The header, big-endian, is the associated data of the seal:

======  =====  ======  ==================================================================
offset  bytes  field   meaning
======  =====  ======  ==================================================================
0       1      kind    high half: version, 1; low half: the message's kind, 1 to 15
1       2      table   which table, 0 to 65535
3       2      epoch   16 times the number of the match, and how often it began anew
5       1      seats   high half: the seat that sends; low half: the seat that receives, 15: all
6       3      number  the hop; LOG, WANT: the first index; WISH, QUESTION: the round;
                       VOTE: the epoch; CAUGHT: one more than the seat
9       1      count   FRESH, SHARE: attempt; PROPOSE, LOG: number of entries; WISH,
                       QUESTION, CAUGHT: what; VOTE: the voter; else 0. A question and its
                       answer have a nonce in number and count, see `Want` and `Recall`
======  =====  ======  ==================================================================

>>> header = Header(MessageKind.PROPOSE, table=0xCAFE, epoch=1, sender=0, receiver=2, number=7)
>>> header.pack().hex(" ")
'11 ca fe 00 01 02 00 00 07 00'

Frames have these lengths: ANSWER 53 bytes, GIVE 69, TAKEN, CANCEL, NAK, WANT, QUESTION, CAUGHT and
RECALL 26, WISH 90, VOTE 104, FRESH 42, SHARE 34, PROPOSE 38 and its entries, LOG 34 and its
entries.

The nonce is the header and two zero bytes. Sealing two different bodies with one nonce would give
away their difference and the key of the tag, so one header must never stand over two bodies:

- A hop has one PROPOSE, one ANSWER and one GIVE. Each is sealed once, is on the disk before it is
  sent, and is sent again as the stored bytes. A hop that was withdrawn or refused is never used
  again.
- TAKEN, CANCEL, NAK, WANT, QUESTION, CAUGHT and RECALL have no body.
- WISH has a signature of its header's statement, which is always the same.
- The roots and contributions of ANSWER, GIVE, FRESH and SHARE are made from a secret that never
  changes, and a SHARE is made for one root alone, which is on the disk before it is sent.
- A LOG with the same index and count always has the same body, because the public log only grows,
  and no entry is sent before it is on the disk.
- A seat votes once for an epoch. It stores the vote before it sends it, and so does every seat that
  forwards it.
- A seat that comes back from a power cut may have an old journal. Until the others have told what
  they know of it, it seals no body but those of stored votes (``firmware.table.seat.memory``).
- The two directions of a pair differ in the seats, and two matches of a table in the epoch. A LOG
  for all has its own key, and its sender stands in its header.
"""

from collections.abc import Iterable, Mapping
from copy import copy
from typing import NamedTuple

from firmware.table import crypto as primitives
from firmware.table.crypto import KEY_BYTES as KEY_BYTES
from firmware.table.crypto import hkdf, public, seal, unseal
from firmware.table.protocol import (
    EVERY_SEAT,
    HEADER_BYTES,
    TAG_BYTES,
    VERSION,
    FrameError,
    Header,
    MessageKind,
    Parts,
)
from firmware.table.protocol.messages import Message, decode, encode

_TAG_BYTES = 16


class Keys(NamedTuple):
    """The keys of one seat.

    Attributes:
        table: the number that names the table in headers.
        pairs: by every other seat, the 32 bytes that only it and this seat know.
        seed: 32 bytes that only this seat knows; it signs with them.
        signers: by seat, its public key for signatures, 32 bytes.
        everybody: the 32 bytes that seal a LOG for all seats.
    """

    table: int
    pairs: Mapping[int, bytes]
    seed: bytes
    signers: Mapping[int, bytes]
    everybody: bytes

    def __repr__(self) -> str:
        """Return a text without secrets: the seats with which there is a key."""
        return f"Keys({self.table}, pairs with {sorted(self.pairs)})"


def keys_of_table(table_key: bytes, me: int, seats: Iterable[int]) -> Keys:
    """Derive the keys of seat ``me`` from a key that the whole table shares (HKDF-SHA256).

    A holder of that key can sign for all seats, so one handheld has all of them.

    Args:
        table_key: 32 bytes, the same at every seat.
        me: the own seat.
        seats: all seats, with or without the own one.

    Raises:
        ValueError: the table key is not 32 bytes long.
    """
    if len(table_key) != KEY_BYTES:
        raise ValueError(f"a table key has {KEY_BYTES} bytes, not {len(table_key)}")
    pairs = {
        seat: hkdf(table_key, b"maexchen pair %d %d" % (min(me, seat), max(me, seat)))
        for seat in seats
        if seat != me
    }
    seeds = {seat: hkdf(table_key, b"maexchen signer %d" % seat) for seat in (*seats, me)}
    signers = {seat: public(seed) for seat, seed in seeds.items()}
    return Keys(number_of_table(table_key), pairs, seeds[me], signers, key_to_all(table_key))


def key_to_all(table_key: bytes) -> bytes:
    """Return the key that seals a LOG for all seats."""
    return hkdf(table_key, b"maexchen all")


def number_of_table(table_key: bytes) -> int:
    """Return the number that names a table in headers."""
    return int.from_bytes(hkdf(table_key, b"maexchen table", 2), "big")


def tag_of_table(table_key: bytes) -> str:
    """Return the tag of a table at a broker, 32 hex digits; it reveals nothing of the key."""
    return hkdf(table_key, b"maexchen broker tag", _TAG_BYTES).hex()


def broker_password(seed: bytes) -> str:
    """Return a seat's password for a broker, 32 hex digits; it reveals nothing of the seed."""
    return hkdf(seed, b"maexchen broker password", _TAG_BYTES).hex()


class Verifier:
    """Checks the signatures of seats by their public keys.

    Args:
        signers: by seat, 32 bytes.

    Raises:
        ValueError: a key has not 32 bytes.
    """

    def __init__(self, signers: Mapping[int, bytes]) -> None:
        if any(len(key) != KEY_BYTES for key in signers.values()):
            raise ValueError(f"a public key has {KEY_BYTES} bytes")
        self._public = signers

    def has_signed(self, seat: int, statement: bytes, signature: bytes) -> bool:
        """Return whether a seat has signed a statement; False for a seat without a key."""
        key = self._public.get(seat)
        return key is not None and primitives.verify(key, signature, statement)


class Signer(Verifier):
    """Signs for one seat, and checks the signatures of the others.

    Args:
        keys: of the table, as the seat knows them.
    """

    def __init__(self, keys: Keys) -> None:
        super().__init__(keys.signers)
        self._seed = keys.seed

    def sign(self, statement: bytes) -> bytes:
        """Return this seat's signature of a statement, 64 bytes; equal statements, equal bytes."""
        return primitives.sign(self._seed, statement)


_NONCE_PADDING = bytes(2)
_LOG_TO_ALL = (MessageKind.LOG, EVERY_SEAT)
"""The one message for all: unsigned statements count only under the key of a pair."""


class Sealer:
    """Seals and opens the frames of one seat, within one epoch of a table.

    Args:
        keys: of the seat.
        me: the seat.
        epoch: 0 to 65535. Never go back to an epoch that was used with these keys.
    """

    def __init__(self, keys: Keys, me: int, epoch: int) -> None:
        self.me = me
        self.epoch = epoch
        self.signer = Signer(keys)
        self._table = keys.table
        self._pairs = {seat: key for seat, key in keys.pairs.items() if seat != me}
        self._to_all = keys.everybody

    def at(self, epoch: int) -> "Sealer":
        """Return the sealer of the same seat in another epoch."""
        there = copy(self)
        there.epoch = epoch
        return there

    @property
    def places(self) -> int:
        """The number of places: the seats, this one included, and behind them the watchers."""
        return max(self.me, *self._pairs) + 1 if self._pairs else self.me + 1

    def seal(self, message: Message, to: int) -> bytes:
        """Return the frame that brings a message to seat ``to``; equal messages, equal bytes.

        A LOG can be for EVERY_SEAT.

        Raises:
            MessageError: a field does not fit its bytes.
            KeyError: there is no key for that seat, or none for such a message to all.
        """
        parts = encode(message)
        key = self._to_all if (parts.kind, to) == _LOG_TO_ALL else self._pairs[to]
        header = Header(
            parts.kind, self._table, self.epoch, self.me, to, parts.number, parts.count
        ).pack()
        return header + seal(key, header + _NONCE_PADDING, parts.body, header)

    def open(self, frame: bytes) -> tuple[int, Message]:
        """Return the sender of a frame and its message. In a frame for all, the sender is a claim.

        Raises:
            FrameError: it is not for this seat, not from its named sender, or no message.
        """
        if len(frame) < HEADER_BYTES + TAG_BYTES:
            raise FrameError(f"of {len(frame)} bytes: too short for a header and a tag")
        clear = frame[:HEADER_BYTES]
        header = Header.unpack(clear)
        key = self._key_for(header)
        body = unseal(key, clear + _NONCE_PADDING, frame[HEADER_BYTES:], clear)
        if body is None:
            raise FrameError("not sealed by the seat that it names, or changed on its way")
        is_vote = header.kind == MessageKind.VOTE and header.number == header.epoch
        if header.epoch != self.epoch and not is_vote:
            why = f"of epoch {header.epoch}, here it is {self.epoch}"
            raise FrameError(why, header.sender, header.epoch)
        try:
            return header.sender, decode(Parts(header.kind, header.number, header.count, body))
        except ValueError as error:
            raise FrameError(f"sealed well, but not a message: {error}") from None

    def _key_for(self, header: Header) -> bytes:
        # These checks only give a clearer reason: the tag alone would refuse all of these.
        if header.version != VERSION:
            raise FrameError(f"of another version, {header.version}")
        if header.table != self._table:
            raise FrameError("of another table")
        if header.sender == self.me:
            raise FrameError("from this very seat")
        is_to_all = (header.kind, header.receiver) == _LOG_TO_ALL
        if header.receiver != self.me and not is_to_all:
            raise FrameError(f"for another seat, {header.receiver}")
        if header.sender not in self._pairs:
            raise FrameError(f"from seat {header.sender}, which is not at this table")
        return self._to_all if is_to_all else self._pairs[header.sender]
