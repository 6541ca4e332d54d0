"""A core's requests to the runtime; the answers are ``firmware.effects.reports``."""

from typing import NamedTuple

from firmware.display.screens import Screen
from firmware.effects.places import Place
from firmware.effects.reports import Ticket
from firmware.effects.sounds import Sound
from firmware.journal.writes import Write


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


class KeepVolume(NamedTuple):
    """Keep the volume that the player chose beyond the next start: 0, silence, to 3."""

    volume: int


Effect = Show | Blank | Store | SendToSeat | SendToDevice | ListenAt | Sense | Beep | KeepVolume
