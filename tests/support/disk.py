"""The disk of a seat, as what survives in its journal: for worlds of cores without files."""

from collections.abc import Iterable
from functools import reduce

from firmware.journal import LEARNING_KEY, BeginLog, Cut, Survived, Write
from firmware.table.seat.memory import SeatState


def begun(header: bytes, state: SeatState) -> Survived:
    """Return the disk of a seat whose match has just begun."""
    return written(Survived.nothing(), (BeginLog(header), *state.writes()))


def written(disk: Survived, batch: Iterable[Write]) -> Survived:
    """Return the disk after a batch."""
    return reduce(_after, batch, disk)


def _after(disk: Survived, item: Write) -> Survived:
    learns = disk.state.get(LEARNING_KEY) == b"\1"
    assert learns or not isinstance(item, Cut), "only who comes into an epoch can forget entries"
    return disk.after(item)
