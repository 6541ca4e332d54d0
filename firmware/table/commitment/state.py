"""The durable state of one seat's part in fair dice."""

import struct
from dataclasses import dataclass, field

from firmware.table.commitment.dice_commitment import NOBODY
from firmware.table.commitment.hash_chain import (
    SEED_BYTES,
)
from firmware.table.protocol.sizes import (
    CONTRIBUTION_BYTES,
    NO_CONTRIBUTION,
    SECRET_BYTES,
)

_STATE = struct.Struct(f">{SEED_BYTES}sHIBB{CONTRIBUTION_BYTES}sB")
_SEEN = struct.Struct(f">BHIB{SECRET_BYTES}s")
CommitmentKey = tuple[int, int, int]
NONE_YET = (0, 0)
"""Hop and attempt before the first tenure; every tenure has a hop or an attempt above 0."""


class CommitterError(ValueError):
    """Bytes that are no state of fair dice; the text is the reason."""


@dataclass(frozen=True, slots=True)
class CommitterState:
    """The state that must survive a power cut.

    Attributes:
        secret: 32 bytes, drawn once for a match.
        current: epoch, hop and attempt of this seat's tenure.
        contributor: the seat that contributed to it, NOBODY until then.
        contribution: of the contributor.
        seen: by seat, the newest tenure (epoch, hop, attempt) to which it asked this seat to
            contribute, and its root.
    """

    secret: bytes = field(repr=False)
    current: CommitmentKey = (0, 0, 0)
    contributor: int = NOBODY
    contribution: bytes = field(default=NO_CONTRIBUTION, repr=False)
    seen: tuple[tuple[int, CommitmentKey, bytes], ...] = ()

    def encode(self) -> bytes:
        """Return the state in 49 bytes, and 24 for every tenure that was seen."""
        state = _STATE.pack(
            self.secret, *self.current, self.contributor, self.contribution, len(self.seen)
        )
        return state + b"".join(_SEEN.pack(seat, *key, root) for seat, key, root in self.seen)

    @classmethod
    def decode(cls, data: bytes) -> "CommitterState":
        """Read what ``encode`` wrote.

        Raises:
            CommitterError: ``encode`` never wrote these bytes.
        """
        try:
            secret, epoch, hop, attempt, contributor, contribution, number = _STATE.unpack_from(
                data
            )
            seen = tuple(
                (seat, (at_epoch, at_hop, at_attempt), root)
                for seat, at_epoch, at_hop, at_attempt, root in _SEEN.iter_unpack(
                    data[_STATE.size :]
                )
            )
        except struct.error as error:
            raise CommitterError(f"{len(data)} bytes are no state of fair dice: {error}") from None
        if len(seen) != number:
            raise CommitterError(f"{len(data)} bytes are no state of fair dice")
        return cls(secret, (epoch, hop, attempt), contributor, contribution, seen)
