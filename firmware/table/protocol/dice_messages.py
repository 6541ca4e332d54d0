"""The messages that keep dice fair: contributions and accusations."""

from dataclasses import dataclass
from typing import Self

from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.layout import MessageError, Parts, bodiless, exactly, positive
from firmware.table.protocol.sizes import CONTRIBUTION_BYTES, SECRET_BYTES

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
    9 two stories (`firmware.table.commitment.charges`). Charge 5 means that two logs differ. It
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
