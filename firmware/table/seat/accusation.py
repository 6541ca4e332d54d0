"""Who was caught cheating, by whom, and how everybody gets to know."""

from firmware.table.commitment.charges import Charge
from firmware.table.protocol.dice_messages import Caught
from firmware.table.protocol.log_messages import Log
from firmware.table.protocol.retry import Retry
from firmware.table.seat import trouble

AGAIN_US = 2_000_000
"""Who has caught somebody says so this often, …"""
TIMES = 30
"""… so many times."""


class Accusation:
    """One seat's handheld is accused by that of a seat, maybe this one; the match is over.

    With Charge.LOG nobody is: two logs differ.

    Args:
        seat: this handheld's seat.
        accuser, accused: the seats.
        charge: what the accused has done.
        sends: whether this handheld tells the others, if the accusation is its own.
        proof: what shows it to everybody, and is told before; not kept over a loss of power.
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
        """The inverse of ``encode``, at a seat."""
        accuser, accused, charge = kept
        return cls(seat, accuser, accused, Charge(charge))

    def encode(self) -> bytes:
        """What the journal keeps: accuser, accused and charge, a byte each."""
        return bytes([self._accuser, self._accused, self._charge])

    @property
    def is_proof_bound(self) -> bool:
        """Whether it stands on what the accused has sealed or signed itself, and names him."""
        return self._charge is not Charge.LOG

    @property
    def next_timer_us(self) -> int | None:
        """When ``due`` has something to say; None if everything was said."""
        return self._retry.due_us if self._left else None

    def due(self, now_us: int) -> tuple[Log | Caught, ...]:
        """What to tell everybody now, if it is time to."""
        if not self._left or not self._retry.due(now_us):
            return ()
        self._left -= 1
        self._retry = self._retry.sent(now_us)
        return (*self._proof, Caught(self._accused, self._charge))

    @property
    def trouble(self) -> trouble.LogsDiffer | trouble.Caught | trouble.Accused:
        """Why this handheld does not go on."""
        if not self.is_proof_bound:
            return trouble.LogsDiffer()
        if self.is_mine:
            return trouble.Caught(self._accused, self._charge)
        return trouble.Accused(self._accuser, self._accused, self._charge)
