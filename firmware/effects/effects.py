"""A core's requests to the runtime, the runtime's reports, and the places and sounds in both.

No sound depends on covered dice, and none is the only sign of anything.
"""

from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto
from typing import Final, NamedTuple

from drivers.piezo import LOUDEST
from firmware.display.screens import Screen
from firmware.journal.writes import Put, Write


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


VOLUMES: Final = range(LOUDEST + 1)
"""0, silence, to the loudest."""
USUAL_VOLUME: Final = 2
MS: Final = 1_000
"""One millisecond in µs."""


class Sound(IntEnum):
    """A sound; the first of several at once is heard."""

    MAEXCHEN = auto()
    """A Mäxchen was announced, or is shown."""
    LOST = auto()
    WON = auto()
    OFFER = auto()
    """The cup is offered to this player."""
    TURN = auto()
    """The cup is here, and this player acts."""
    NUDGE = auto()
    """Everybody waits for this player."""
    CUP_DOWN = auto()
    """The cup is put down on the dice."""
    RATTLE = auto()
    """0.1 s of dice in a cup; repeated for as long as they are shaken."""


class Received(NamedTuple):
    """A frame arrived, sealed or clear; its sender is unknown until it is opened."""

    frame: bytes


class OwnStore(Enum):
    """The stores of a handheld itself; those of a seat are numbered from 0."""

    BEGIN = auto()
    """A match that is played once it is on the disk."""
    END = auto()
    """A note that there is no match any more."""


Ticket = int | OwnStore
"""The ``Store`` that a ``Stored`` reports."""


class Stored(NamedTuple):
    """A store has ended. ``trouble``: None if it is on the disk, else a line with a remedy."""

    ticket: Ticket
    trouble: str | None = None


class Part(Enum):
    """The parts that can fail and be named on the display."""

    ACCELEROMETER = auto()
    PANEL = auto()
    LIGHT = auto()


class PartFailed(NamedTuple):
    """A part does not answer as it should.

    ``wrong``: the name of the part that belongs there, if another kind answers; else None.
    """

    part: Part
    wrong: str | None = None


class PartWell(NamedTuple):
    """A part that had failed answers again."""

    part: Part


class Presence(NamedTuple):
    """A seat is here or gone, as a broker says: only the display uses it."""

    seat: int
    is_here: bool


class Tick(NamedTuple):
    """The time of ``Core.next_timer_us`` has come."""


Report = Received | Stored | PartFailed | PartWell | Presence | Tick


class Show(NamedTuple):
    """Put a screen on the panel, instead of any older one.

    ``generation`` never decreases; a later ``Blank`` voids pictures of smaller ones.
    """

    screen: Screen
    generation: int


class Blank(NamedTuple):
    """Switch the panel off before anything else, and forget pictures of an older generation."""

    generation: int


class Store(NamedTuple):
    """Write ``batch`` to the journal as one transaction, then report ``Stored(ticket)``."""

    ticket: Ticket
    batch: tuple[Write, ...]


class SendToSeat(NamedTuple):
    """Send a sealed frame to a seat, but not before the store ``after`` (None: at once).

    A core around the seat knows whose it is; the runtime sends to devices alone.
    """

    seat: int
    frame: bytes
    after: int | None


class SendToDevice(NamedTuple):
    """Send a frame to a device (six bytes), or a clear one to everybody near (None).

    ``after``: see ``SendToSeat``.
    """

    device: bytes | None
    frame: bytes
    after: int | None = None


class ListenAt(NamedTuple):
    """Take a place from now on (None: nowhere), and announce nothing of the old one."""

    place: Place | None


class Sense(NamedTuple):
    """Sense at the full rate (the cup is or may come here), or sleep until something moves.

    ``asked``: this player is to act: the display may be dimmed, but stays on.
    """

    fully: bool
    asked: bool = False


class Beep(NamedTuple):
    """Play a sound at the handheld's volume; it ends a sound that still plays."""

    sound: Sound


class KeepChoice(NamedTuple):
    """Keep what the player chose beyond the next start; a failure stops nothing."""

    write: Put


Effect = Show | Blank | Store | SendToSeat | SendToDevice | ListenAt | Sense | Beep | KeepChoice
