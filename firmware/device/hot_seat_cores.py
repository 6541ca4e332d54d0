"""The cores of a match on one handheld, new or from the journal.

Their frames never leave the handheld. They share one journal: the log once, as the seat that acts
writes it, and the state of each seat under keys of its own.
"""

from collections.abc import Callable, Iterable

from firmware.device.new_match import empty_log, new_handheld, seated
from firmware.journal.keys import ONE_HANDHELD_KEY
from firmware.journal.shared import SharedJournal, state_of_seat
from firmware.journal.writes import Put, Survived, Write
from firmware.lobby.one_handheld import OneHandheld, OneHandheldError
from firmware.play.handheld import Handheld
from firmware.settings.table import Faults
from firmware.table.log.entries import EntryError, read_entries
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.seat.storage import SeatState, SeatStateError
from game import IllegalAction, public
from game.record import RecordError


def begun(
    wanted: OneHandheld, faults: Faults, entropy: Callable[[int], bytes]
) -> tuple[tuple[Handheld, ...], tuple[Write, ...]]:
    """Create the cores, by seat, of a new match; also return the writes to store first."""
    kept = SharedJournal(0)
    cores = []
    for seat in range(len(wanted.names)):
        core, writes = new_handheld(wanted.table(seat), entropy, faults, fair=False)
        kept.add(seat, writes)
        cores.append(core)
    return tuple(cores), (Put(ONE_HANDHELD_KEY, wanted.encode()), *kept.take())


def resumed(
    wanted: OneHandheld, survived: Survived, faults: Faults, entropy: Callable[[int], bytes]
) -> tuple[Handheld, ...]:
    """Create the cores, by seat, of a match that a power cut interrupted.

    Raises:
        OneHandheldError: the journal's data contradicts itself.
    """
    fresh = empty_log(wanted.table(0))
    if survived.header != fresh.header:
        raise OneHandheldError("the log is not that of the match on one handheld")
    cores = []
    try:
        for seat in range(len(wanted.names)):
            state = SeatState.load(state_of_seat(survived.state, seat))
            if state is None:
                raise OneHandheldError(f"the journal has nothing of seat {seat}")
            log = PublicLog.restored(fresh.header, _as_known_to(seat, fresh, survived.entries))
            cores.append(seated(wanted.table(seat), state, log, entropy, faults, fair=False))
    except (SeatStateError, RecordError, LogConflict, EntryError, IllegalAction) as error:
        raise OneHandheldError(f"the match on one handheld cannot be resumed ({error})") from None
    return tuple(cores)


def _as_known_to(seat: int, fresh: PublicLog, entries: Iterable[bytes]) -> list[bytes]:
    """Return the entries as a seat's own journal has them: without dice that others covered."""
    log = PublicLog.restored(fresh.header, ())
    copies = []
    for kept in entries:
        for entry in read_entries(kept):
            mine = log.match.to_act == seat
            action = entry.action if mine else public(entry.action, log.match)
            copies.append(entry._replace(action=action).encode())
            log.append(entry.action, entry.note)
    return copies
