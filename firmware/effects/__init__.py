"""The contract between what decides and what does: effects, reports, sounds.

Effects are a core's requests to the runtime, and reports the runtime's answers. No sound depends on
covered dice, and none is the only sign of anything.

A core knows no clock and does no I/O: gestures, reports and the time go in, effects come out. A
handheld's lobby and its match have cores of their own: they get its `Shell` when they start, and it
shows their screens.

May import: display, input, journal, drivers.piezo.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto
from typing import Final, NamedTuple, Protocol

from drivers.piezo import LOUDEST
from firmware.display.screens import AlertPage, Screen, shows_dice
from firmware.display.text.labels import Alert
from firmware.input.gestures import Gesture
from firmware.journal import RULES_KEY, VOLUME_KEY, Put, Write


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
        seats: how many the table has; 0 for an unknown number.
    """

    tag: str
    seat: int
    devices: tuple[bytes, ...] = ()
    carrier: int | None = None
    password: str = field(default="", repr=False)
    seats: int = 0

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
"""The volume of a new handheld, 0 (silence) to 3; chosen."""
MS: Final = 1_000
"""One millisecond in µs, by definition."""


class Sound(IntEnum):
    """A sound; the first of several at once is heard.

    ``play.turn.sound_cues`` decides when it is due, ``runtime.TONES`` has its notes.
    """

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


_MISSING: dict[Part, Alert] = {
    Part.ACCELEROMETER: Alert.ACCELEROMETER,
    Part.PANEL: Alert.DISPLAY,
    Part.LIGHT: Alert.LIGHT_SENSOR,
}


class PartAlerts:
    """The failed parts, in the order in which they failed; false while all answer."""

    def __init__(self) -> None:
        self._alerts: dict[Part, AlertPage] = {}

    def __iter__(self) -> Iterator[Part]:
        return iter(self._alerts)

    def __len__(self) -> int:
        return len(self._alerts)

    @property
    def screen(self) -> AlertPage | None:
        """The alert of the part that failed first; None while all answer."""
        return next(iter(self._alerts.values()), None)

    def report(self, report: PartFailed | PartWell) -> None:
        """Remember that a part failed, or forget it when it answers again."""
        match report:
            case PartFailed(part, str(wrong)):
                self._alerts[part] = AlertPage(Alert.WRONG_PART, wrong)
            case PartFailed(part):
                self._alerts[part] = AlertPage(_MISSING[part])
            case PartWell(part):
                self._alerts.pop(part, None)


class Shell:
    """Cores read it and change what a player chose; their owner reports parts and shows screens.

    ``volume``: of the sounds, 0, silence, to 3, as the journal or the settings have it. ``rules``:
    the player's own house rules as the journal has them; empty before any were kept.
    """

    def __init__(self, volume: int = USUAL_VOLUME, rules: bytes = b"") -> None:
        self.part_alerts = PartAlerts()
        """The parts that do not answer."""
        self.volume = volume
        self.rules = rules
        self.screen: Screen | None = None
        """The screen on the panel; None before the first one."""
        self._kept = self._chosen()
        self._generation = 0

    def raise_volume(self) -> None:
        """Make the sounds louder by one step; silence follows the loudest."""
        self.volume = (self.volume + 1) % len(VOLUMES)

    def _chosen(self) -> tuple[Put, ...]:
        return Put(VOLUME_KEY, bytes([self.volume])), Put(RULES_KEY, self.rules)

    def show(self, screen: Screen, effects: Iterable[Effect] = ()) -> list[Effect]:
        """Keep what was chosen anew, and put ``screen`` on the panel, unless it is there already.

        Returns ``effects``, and after them each ``KeepChoice`` and a ``Show``. If dice leave the
        panel, a ``Blank`` of a new generation comes first.
        """
        effects = [*effects]
        before_it, self._kept = self._kept, self._chosen()
        effects += [KeepChoice(new) for new, old in zip(self._kept, before_it) if new != old]
        before, self.screen = self.screen, screen
        if screen == before:
            return effects
        if before is not None and shows_dice(before) and not shows_dice(screen):
            self._generation += 1
            effects.insert(0, Blank(self._generation))
        return [*effects, Show(screen, self._generation)]


class Core(Protocol):
    """A handheld, in whichever state."""

    @property
    def next_timer_us(self) -> int | None:
        """When a ``Tick`` is due, in µs; None while nothing waits for time to pass."""

    @property
    def screen(self) -> Screen | None:
        """The screen on the display; None before ``start``."""

    @property
    def shell(self) -> Shell:
        """The volume, and the parts that do not answer."""

    def start(self, now_us: int) -> list[Effect]:
        """Begin, or continue from the journal; return the effects, in order."""

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """React to an event; return the effects, in order.

        Args:
            what: a gesture or a report; one of a time that has passed counts as of now.
            now_us: the time, never smaller than in the call before.
        """


def earliest(times_us: Iterable[int | None]) -> int | None:
    """Return the smallest of some times; None if all are None."""
    return min((time_us for time_us in times_us if time_us is not None), default=None)
