"""The messages by which dice stay fair: contributions, and who was caught."""

from dataclasses import dataclass
from typing import Self

from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.layout import MessageError, Parts, bodiless, exactly, positive
from firmware.table.protocol.sizes import CONTRIBUTION_BYTES, SECRET_BYTES

_CHARGES = 9


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

    def parts(self) -> Parts:
        """Take it apart."""
        body = exactly(SECRET_BYTES, self.root)
        return Parts(MessageKind.FRESH, self.hop, self.attempt, body)

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Put it together."""
        return cls(parts.number, parts.count, exactly(SECRET_BYTES, parts.body))


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

    def parts(self) -> Parts:
        """Take it apart."""
        body = exactly(CONTRIBUTION_BYTES, self.contribution)
        return Parts(MessageKind.SHARE, self.hop, self.attempt, body)

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Put it together."""
        return cls(parts.number, parts.count, exactly(CONTRIBUTION_BYTES, parts.body))


@dataclass(frozen=True, slots=True)
class Caught:
    """I have caught the handheld of a seat at something, and go no further. No body.

    The number is one more than the seat; the count says at what: 1 dice, 2 proof, 3 root or
    contribution, 4 order of throws, 6 answer taken back, 7 a cup that cannot be there, 8 two votes,
    9 two stories (`firmware.table.commitment.charges`). With 5, two logs differ, which names
    nobody: the seat is the sender's own.

    >>> encode(Caught(2, 1)).number
    3
    """

    seat: int
    charge: int

    def parts(self) -> Parts:
        """Take it apart."""
        return Parts(MessageKind.CAUGHT, self.seat + 1, self.charge, b"")

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Put it together."""
        if not 1 <= parts.count <= _CHARGES:
            raise MessageError(f"CAUGHT tells no charge: {parts.count}")
        return cls(positive(bodiless(parts)) - 1, parts.count)
