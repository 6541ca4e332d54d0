"""The terms that all handhelds of a table share."""

from dataclasses import dataclass, field
from typing import Literal

from firmware.effects.places import TableAddress
from firmware.table.protocol.invitations import device_of
from firmware.table.protocol.keys import (
    Keys,
    broker_password,
    keys_of_table,
    tag_of_table,
)
from game import AnyRules

Faults = Literal["ask", "strict", "off"]
"""Treatment of faults that the sensors notice (R-PHYS-7, R-HF-5): ask first, count, or ignore."""


@dataclass(frozen=True)
class TablePlayer:
    """One seat of the table: its player's name and the Bluetooth address of the handheld.

    ``address`` is a static random one, such as ``F0:F1:F2:F3:F4:00``.
    """

    name: str
    address: str


@dataclass(frozen=True)
class TableTerms:
    """The terms that all handhelds of a table share.

    Attributes:
        key: 32 bytes that only the handhelds of this table know.
        rules: the game with its options.
        seats: in the order of play (clockwise).
        first: the seat that opens the first round.
        epoch: number of the match at this table, 1 to 4095; raised at every seat for a new one.
        faults: the treatment of faults that the sensors notice.
        keys: those of the lobby's key exchange; None derives all from ``key``.
        carrier: the seat whose handheld passes frames between media; None: nobody's.
    """

    key: bytes = field(repr=False)
    rules: AnyRules
    seats: tuple[TablePlayer, ...]
    first: int
    epoch: int = 1
    faults: Faults = "ask"
    keys: Keys | None = field(default=None, repr=False)
    carrier: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return tuple(seat.name for seat in self.seats)

    def keys_of(self, seat: int) -> Keys:
        """Return the keys of a seat: those agreed on, or derived from the table's."""
        return self.keys or keys_of_table(self.key, seat, range(len(self.seats)))

    def table_address(self, seat: int) -> TableAddress:
        """Return the place at a broker of a seat, or of a spectator behind the seats."""
        return TableAddress(
            tag_of_table(self.key),
            seat,
            () if self.carrier is None else self.devices,
            self.carrier,
            broker_password(self.keys_of(seat).seed),
        )

    @property
    def devices(self) -> tuple[bytes, ...]:
        """The devices of the players by seat, six bytes each.

        Raises ValueError for an address that cannot be read.
        """
        return tuple(device_of(seat.address) for seat in self.seats)
