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
    def carries(self) -> bool:
        """Whether this handheld passes on what others cannot bring."""
        return self.carrier == self.seat

    @property
    def carried_by(self) -> bytes | None:
        """The device that takes what this one cannot bring; None: nobody's."""
        return None if self.carrier is None or self.carries else self.devices[self.carrier]

    @property
    def user(self) -> str:
        """As whom a seat logs in at a broker, unless there is an account in the settings."""
        return f"{self.tag}-{self.seat}"


Place = Nearby | Room | Chair
