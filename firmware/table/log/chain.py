"""The digests that chain the log's entries, and what the seats sign of them.

Digest 0 is the SHA-256 of the match's header (rules, players, first opener), digest n+1 that of
digest n and public entry n. Messages tell the first 8 bytes of one; all 32 are signed, so that
nobody can make two logs that are one to a signature.

Who enters something signs the log up to there, in the epoch that it is entered in. In one epoch a
log only grows: who has signed two that differ has told two stories.
"""

from hashlib import sha256
from struct import Struct
from typing import NamedTuple, Self

from firmware.table.protocol.sizes import DIGEST_BYTES, SIGNATURE_BYTES

EPOCHS_PER_MATCH = 16
"""A match takes up this many epochs of its table: a table can go on anew 15 times in one match."""
_PLACE = Struct(">HH")
_WISH = Struct(">BHI")
_SIGNATURE = Struct(f">BH{SIGNATURE_BYTES}s")
SIGNED_BYTES = _SIGNATURE.size


def begun(header: bytes) -> bytes:
    """The digest of a log without entries, 32 bytes, of the match's header."""
    return sha256(header).digest()


def chained(digest: bytes, entry: bytes) -> bytes:
    """The digest after one more public entry, 32 bytes; without its signature."""
    return sha256(digest + entry).digest()


def told(digest: bytes) -> bytes:
    """What messages tell of a digest: 8 bytes."""
    return digest[:DIGEST_BYTES]


class Signature(NamedTuple):
    """Who entered something, and has signed the log up to there.

    Attributes:
        seat: who.
        epoch: of the table, in which he did.
        signed: his signature of ``statement``, 64 bytes (Ed25519).
    """

    seat: int
    epoch: int
    signed: bytes

    @staticmethod
    def statement(epoch: int, index: int, digest: bytes) -> bytes:
        """What is signed in an epoch: so many entries, and the digest after them."""
        return b"maexchen log\0" + _PLACE.pack(epoch, index) + digest

    def pack(self) -> bytes:
        """Return its 67 bytes."""
        return _SIGNATURE.pack(*self)

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Read what ``pack`` wrote. All bytes of this length are a signature."""
        return cls(*_SIGNATURE.unpack(data))


def wish_statement(seat: int, epoch: int, round_number: int, entry: bytes) -> bytes:
    """What a player signs who wishes for an entry, in a round; to leave, in round 0."""
    return b"maexchen wish\0" + _WISH.pack(seat, epoch, round_number) + entry
