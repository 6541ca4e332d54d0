"""A tenure: the throws of one seat under one root and one contribution."""

from struct import Struct
from typing import NamedTuple

from firmware.table.protocol.sizes import CONTRIBUTION_BYTES, SECRET_BYTES

THROWS = 8
"""Throws in one tenure; then the handheld begins another one."""
NOBODY = 0xFF
"""The contributor of a tenure without a contribution."""
_PLACE = Struct(">8sBHIB")
_TENURE = Struct(f">HIBB{SECRET_BYTES}s{CONTRIBUTION_BYTES}s")
COMMITMENT_BYTES = _TENURE.size


class CommitmentPlace(NamedTuple):
    """The place of a tenure, which makes its dice differ from those of any other.

    ``match`` is the digest of the match's header (8 bytes). The cup came in ``epoch`` with ``hop``;
    ``attempt`` counts the tenures begun with it, from 0.
    """

    match: bytes
    seat: int
    epoch: int
    hop: int
    attempt: int

    def pack(self) -> bytes:
        """Return the place in 16 bytes."""
        return _PLACE.pack(*self)


class DiceCommitment(NamedTuple):
    """A tenure, as the log has it before its first throw.

    ``contributor`` is the seat that contributed, after it had the root; NOBODY if none did.
    """

    epoch: int
    hop: int
    attempt: int
    contributor: int
    root: bytes
    contribution: bytes

    @property
    def order(self) -> tuple[int, int, int]:
        """A key that grows from each tenure of a seat to its next."""
        return self.epoch, self.hop, self.attempt

    def place(self, match: bytes, seat: int) -> CommitmentPlace:
        """Return the place of this tenure of ``seat``."""
        return CommitmentPlace(match, seat, *self.order)

    def pack(self) -> bytes:
        """Return 32 bytes: epoch 2, hop 4, attempt 1, contributor 1, root 16, contribution 8."""
        return _TENURE.pack(*self)

    @classmethod
    def unpack(cls, data: bytes) -> "DiceCommitment":
        """Read what ``pack`` wrote. All bytes of this length are a tenure."""
        return cls(*_TENURE.unpack(data))


class ProofNote(NamedTuple):
    """The note beside an action: a new tenure or None, the throw, and its opening or None."""

    throw: int
    tenure: DiceCommitment | None = None
    opening: bytes | None = None
