"""The places of a handheld: among neighbours, in a room at a broker, or at a table."""

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple


class Nearby(Enum):
    """Only neighbours reach the handheld."""

    NEARBY = auto()


class Room(NamedTuple):
    """A room at a broker: people who know its ``code`` make up a table there.

    ``host``, ``session``: those of the table at which this handheld is a guest. It passes frames on
    between that host and neighbours. Empty: it passes none on.

    ``key``: 16 bytes or more that seal the room's frames, for those alone who have them. Empty:
    the frames are clear.

    ``me``: the own device, six bytes; frames of lines reach it on a topic of its own. Empty: none.
    """

    code: str
    host: bytes = b""
    session: bytes = b""
    key: bytes = b""
    me: bytes = b""

    def __repr__(self) -> str:
        """Return a text without the key."""
        return f"Room({self.code!r}, {self.host!r}, {self.session!r})"


@dataclass(frozen=True)
class TableAddress:
    """A seat of a table.

    Attributes:
        tag: names the table at a broker, and does not reveal its players.
        seat: the own seat, or place behind the seats.
        devices: the device of each seat, six bytes each; empty without a carrier.
        carrier: the seat of the carrier; None for no carrier.
        password: the seat's password at a broker, unless there is an account in the settings.
    """

    tag: str
    seat: int
    devices: tuple[bytes, ...] = ()
    carrier: int | None = None
    password: str = field(default="", repr=False)

    @property
    def carries(self) -> bool:
        """Whether this handheld is the carrier."""
        return self.carrier == self.seat

    @property
    def carried_by(self) -> bytes | None:
        """The carrier's device for frames that this one cannot deliver; None without a carrier."""
        return None if self.carrier is None or self.carries else self.devices[self.carrier]

    @property
    def user(self) -> str:
        """The seat's login at a broker, unless there is an account in the settings."""
        return f"{self.tag}-{self.seat}"


Place = Nearby | Room | TableAddress
