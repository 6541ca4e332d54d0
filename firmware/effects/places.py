"""Where a handheld is to be reached: among those near, in a room at a broker, or at a table."""

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple


class Nearby(Enum):
    """Reached by those near alone."""

    NEARBY = auto()


class Room(NamedTuple):
    """A room at a broker, where a table is made up by those who know its ``code``."""

    code: str


@dataclass(frozen=True)
class Chair:
    """A seat of a table.

    Attributes:
        tag: names the table at a broker, and tells nobody who plays there.
        seat: the own seat, or place behind the seats.
        devices: whom the seats belong to, six bytes each; empty where nobody carries frames.
        carrier: the seat whose handheld passes on what others cannot bring; None: nobody's.
        password: what this seat shows a broker, unless there is an account in the settings.
    """

    tag: str
    seat: int
    devices: tuple[bytes, ...] = ()
    carrier: int | None = None
    password: str = field(default="", repr=False)

    @property
    def user(self) -> str:
        """As whom a seat logs in at a broker, unless there is an account in the settings."""
        return f"{self.tag}-{self.seat}"


Place = Nearby | Room | Chair
