"""The digests that chain the log's entries, and the signatures of seats.

Digest 0 is the SHA-256 of the match's header (rules, players, first opener), digest n+1 that of
digest n and public entry n. Messages carry the first 8 bytes. Signatures cover all 32, so that
nobody can make two logs for one signature.

A seat that enters something signs the log up to there, in its current epoch. In one epoch a log
only grows: a seat that has signed two different logs has told two stories.
"""

from hashlib import sha256
from struct import Struct
from typing import NamedTuple, Self

from firmware.table.protocol.sizes import DIGEST_BYTES, SIGNATURE_BYTES

EPOCHS_PER_MATCH = 16
"""Epochs that a match takes up; votes can begin 15 of them."""
_PLACE = Struct(">HH")
_WISH = Struct(">BHI")
_SIGNATURE = Struct(f">BH{SIGNATURE_BYTES}s")
SIGNED_BYTES = _SIGNATURE.size


def begun(header: bytes) -> bytes:
    """Return the digest of a log without entries, 32 bytes, from the match's header."""
    return sha256(header).digest()


def chained(digest: bytes, entry: bytes) -> bytes:
    """Return the digest after one more public entry (without signature), 32 bytes."""
    return sha256(digest + entry).digest()


def short(digest: bytes) -> bytes:
    """Return the part of a digest that messages carry: 8 bytes."""
    return digest[:DIGEST_BYTES]


class Signature(NamedTuple):
    """The signature of a log by the seat that made its last entry.

    Attributes:
        seat: the signer.
        epoch: in which it signed.
        signed: the signature of ``statement``, 64 bytes (Ed25519).
    """

    seat: int
    epoch: int
    signed: bytes

    @staticmethod
    def statement(epoch: int, index: int, digest: bytes) -> bytes:
        """Return the signed statement: epoch, number of entries, and the digest after them."""
        return b"maexchen log\0" + _PLACE.pack(epoch, index) + digest

    def pack(self) -> bytes:
        """Return seat, epoch and signature in 67 bytes."""
        return _SIGNATURE.pack(*self)

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Read what ``pack`` wrote. All bytes of this length are a signature."""
        return cls(*_SIGNATURE.unpack(data))


def wish_statement(seat: int, epoch: int, round_number: int, entry: bytes) -> bytes:
    """Return the statement of a wish for an entry, in a round; round 0 for leaving."""
    return b"maexchen wish\0" + _WISH.pack(seat, epoch, round_number) + entry
