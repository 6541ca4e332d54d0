"""The accusation of a cheating seat, and its repetition to all."""

from firmware.table.commitment.charges import Charge
from firmware.table.protocol.dice_messages import Caught
from firmware.table.protocol.log_messages import Log
from firmware.table.protocol.retry import Retry
from firmware.table.seat import trouble

AGAIN_US = 2_000_000
"""Wait between two CAUGHT frames."""
TIMES = 30
"""Number of CAUGHT frames."""


class Accusation:
    """An accusation of one seat's handheld by another's, maybe this one; it ends the match.

    Charge.LOG accuses nobody: two logs differ.

    Args:
        seat: this handheld's seat.
        accuser, accused: the seats.
        charge: against the accused.
        sends: whether this handheld informs the others, if the accusation is its own.
        proof: LOGs that prove it, sent before CAUGHT; lost with a loss of power.
    """

    def __init__(
        self,
        seat: int,
        accuser: int,
        accused: int,
        charge: Charge,
        *,
        sends: bool = True,
        proof: tuple[Log, ...] = (),
    ) -> None:
        self._proof = proof
        self.is_mine = accuser == seat
        self._accuser = accuser
        self._accused = accused
        self._charge = charge
        self._left = TIMES if self.is_mine and sends else 0
        self._retry = Retry(AGAIN_US, AGAIN_US).at(0)

    @classmethod
    def decode(cls, seat: int, kept: bytes) -> "Accusation":
        """Return the accusation of these bytes, at a seat. The inverse of ``encode``."""
        accuser, accused, charge = kept
        return cls(seat, accuser, accused, Charge(charge))

    def encode(self) -> bytes:
        """Return the bytes for the journal: accuser, accused and charge, a byte each."""
        return bytes([self._accuser, self._accused, self._charge])

    @property
    def is_proof_bound(self) -> bool:
        """True if it rests on statements of the accused, sealed or signed."""
        return self._charge is not Charge.LOG

    @property
    def next_timer_us(self) -> int | None:
        """When to call ``due``; None if nothing is left to send."""
        return self._retry.due_us if self._left else None

    def due(self, now_us: int) -> tuple[Log | Caught, ...]:
        """Return the messages for all that are due now."""
        if not self._left or not self._retry.due(now_us):
            return ()
        self._left -= 1
        self._retry = self._retry.sent(now_us)
        return (*self._proof, Caught(self._accused, self._charge))

    @property
    def trouble(self) -> trouble.LogsDiffer | trouble.Accusing | trouble.Accused:
        """The reason why this handheld has stopped."""
        if not self.is_proof_bound:
            return trouble.LogsDiffer()
        if self.is_mine:
            return trouble.Accusing(self._accused, self._charge)
        return trouble.Accused(self._accuser, self._accused, self._charge)
