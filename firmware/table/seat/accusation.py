"""Who was caught cheating, by whom, and how everybody gets to know."""

from firmware.display.screens import AlertPage
from firmware.display.text.alerts import Alert
from firmware.table.commitment.charges import Charge
from firmware.table.protocol.dice_messages import Caught

AGAIN_US = 2_000_000
"""Who has caught somebody says so this often, …"""
TIMES = 30
"""… so many times."""

MOST_LETTERS = 6
"""So long may each of two names be that stand in one line."""

_CHARGES = {
    Charge.DICE: Alert.CAUGHT_DICE,
    Charge.PROOF: Alert.CAUGHT_PROOF,
    Charge.ROOT: Alert.CAUGHT_ROOT,
    Charge.ORDER: Alert.CAUGHT_ORDER,
    Charge.RECORD: Alert.RECORDS_DIFFER,
    Charge.ANSWER: Alert.CAUGHT_ANSWER,
}


class Accusation:
    """One seat's handheld is accused by that of a seat, maybe this one; the match is over.

    Args:
        seat: this handheld's seat.
        accuser, accused: the seats.
        charge: what the accused has done.
        tells: whether this handheld tells the others, if the accusation is its own.
    """

    def __init__(
        self, seat: int, accuser: int, accused: int, charge: Charge, *, tells: bool = True
    ) -> None:
        self.is_mine = accuser == seat
        self._accuser = accuser
        self._accused = accused
        self._charge = charge
        self._due_us = 0
        self._left = TIMES if self.is_mine and tells else 0

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
        """Whether it stands on more than two records that differ."""
        return self._charge is not Charge.RECORD

    @property
    def next_timer_us(self) -> int | None:
        """When ``due`` has something to say; None if everything was said."""
        return self._due_us if self._left else None

    def due(self, now_us: int) -> Caught | None:
        """What to tell everybody now, if it is time to."""
        if not self._left or now_us < self._due_us:
            return None
        self._left -= 1
        self._due_us = now_us + AGAIN_US
        return Caught(self._accused, self._charge)

    def screen(self, names: tuple[str, ...]) -> AlertPage:
        """What the display says of it."""
        if self.is_mine:
            return AlertPage(_CHARGES[self._charge], names[self._accused])
        accuser, accused = (_short(names[seat]) for seat in (self._accuser, self._accused))
        return AlertPage(Alert.ACCUSED, f"{accuser}: {accused}")


def _short(name: str) -> str:
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}."
