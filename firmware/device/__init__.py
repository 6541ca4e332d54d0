"""A handheld's activities from power on: lobby, match at a table, one handheld for all.

The cores of seats are here: new at the beginning of a match, or from the journal.
If one handheld has all seats (`begun`, `resumed`), their frames never leave it. They share one
journal: the log once, as the seat that acts writes it, and the state of each seat under keys of its
own.

May import: play, lobby, settings, bots, table, effects, input, display, journal, game.
Begin with ``device``.
"""

from collections.abc import Callable, Iterable

from firmware.journal import (
    ONE_HANDHELD_KEY,
    SEAT_KEY,
    BeginLog,
    Put,
    SharedJournal,
    Survived,
    Write,
    state_of_seat,
)
from firmware.lobby.choices import OneHandheld, OneHandheldError
from firmware.play.handheld import Handheld
from firmware.settings import Faults
from firmware.table.commitment.fair_dice import SEED_BYTES
from firmware.table.log.entries import EntryError, read_entries
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.pairing.standing import StandingTable
from firmware.table.protocol.sealing import Sealer
from firmware.table.seat.memory import SeatState, SeatStateError
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.seat import Seat
from game import IllegalAction, public
from game.record import RecordError


def new_handheld(
    table: StandingTable,
    entropy: Callable[[int], bytes],
    faults: Faults,
    *,
    fair: bool = True,
    lost: bool = False,
    by_light: bool = False,
) -> tuple[Handheld, tuple[Write, ...]]:
    """Make a handheld at the beginning of a match; also return what must be on the disk before.

    Args:
        table: the table; a place from ``len(table.lost)`` on watches.
        entropy: returns that many random bytes.
        faults: the treatment of faults that the sensors notice.
        fair: the dice are committed to; else they come from ``entropy`` as they are.
        lost: the match may have begun and was forgotten: no cup, and no part in fair dice.
        by_light: infrared alone carries frames.
    """
    me = table.agreed.me
    commits = fair and not lost and me < len(table.lost)  # who watches throws nothing
    secret = entropy(SEED_BYTES) if commits else None
    state = SeatState.fresh(table.number, holds=me == table.first, secret=secret)
    if lost:
        state = SeatState.forgotten(table.number)
    log = empty_log(table)
    fair = fair and not lost
    handheld = seated(table, state, log, entropy, faults, fair=fair, by_light=by_light)
    return handheld, (BeginLog(log.header), Put(SEAT_KEY, whose(table)), *state.writes())


def whose(table: StandingTable) -> bytes:
    """Return the journal's owner, in three bytes: the number of the table, and the seat there."""
    return table.keys.table.to_bytes(2, "big") + bytes([table.agreed.me])


def seated(
    table: StandingTable,
    state: SeatState,
    log: PublicLog,
    entropy: Callable[[int], bytes],
    faults: Faults,
    *,
    fair: bool,
    by_light: bool = False,
) -> Handheld:
    """Make the handheld of a seat from its stored state, and the log as far as it knows it.

    ``faults``, ``fair``, ``by_light``: see ``new_handheld``.
    """
    sealer = Sealer(table.keys, table.agreed.me, state.cup.epoch)
    carrier = table.agreed.carrier
    by_light = by_light and carrier is None  # what is carried names who is to have it
    parts = SeatParts(log, sealer, state, entropy, fair=fair, by_light=by_light)
    return Handheld(Seat(parts), faults, carrier)


def empty_log(table: StandingTable) -> PublicLog:
    """Return the log of the table's match before its first entry."""
    return PublicLog(table.agreed.rules, table.names, table.first)


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
