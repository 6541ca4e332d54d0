"""The core of a seat: new at the beginning of a match, or from the journal."""

from collections.abc import Callable

from firmware.journal.keys import SEAT_KEY
from firmware.journal.writes import Begin, Put, Write
from firmware.play.handheld import Handheld
from firmware.settings.table import TableTerms
from firmware.table.commitment.hash_chain import SEED_BYTES
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.keys import Keys, keys_of_table, number_of_table
from firmware.table.protocol.sealing import Sealer
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.seat import Seat
from firmware.table.seat.storage import SeatState


def new_handheld(
    table: TableTerms,
    seat: int,
    entropy: Callable[[int], bytes],
    *,
    fair: bool = True,
    lost: bool = False,
    by_light: bool = False,
) -> tuple[Handheld, tuple[Write, ...]]:
    """Make a handheld at the beginning of a match; also return what must be on the disk before.

    Args:
        table: the terms of the match.
        seat: its place; from ``len(table.seats)`` on it watches.
        entropy: returns that many random bytes.
        fair: the dice are committed to; else they come from ``entropy`` as they are.
        lost: the match may have begun and was forgotten: no cup, and no part in fair dice.
        by_light: infrared alone carries frames.
    """
    commits = fair and not lost and seat < len(table.seats)  # who watches throws nothing
    secret = entropy(SEED_BYTES) if commits else None
    state = SeatState.fresh(table.epoch, holds=seat == table.first, secret=secret)
    if lost:
        state = SeatState.forgotten(table.epoch)
    log = empty_log(table)
    fair = fair and not lost
    handheld = seated(table, seat, state, log, entropy, fair=fair, by_light=by_light)
    return handheld, (Begin(log.header), Put(SEAT_KEY, whose(table, seat)), *state.writes())


def whose(table: TableTerms, seat: int) -> bytes:
    """Return the journal's owner, in three bytes: the number of the table, and the seat there."""
    return number_of_table(table.key).to_bytes(2, "big") + bytes([seat])


def seated(
    table: TableTerms,
    seat: int,
    state: SeatState,
    log: PublicLog,
    entropy: Callable[[int], bytes],
    *,
    fair: bool,
    by_light: bool = False,
) -> Handheld:
    """Make the handheld of a seat from its stored state, and the log as far as it knows it.

    ``fair``, ``by_light``: see ``new_handheld``.
    """
    sealer = Sealer(keys_at(table, seat), seat, state.cup.epoch)
    by_light = by_light and table.carrier is None  # what is carried names who is to have it
    parts = SeatParts(log, sealer, state, entropy, fair=fair, by_light=by_light)
    return Handheld(Seat(parts), table.faults, table.carrier)


def empty_log(table: TableTerms) -> PublicLog:
    """Return the log of the table's match before its first entry."""
    return PublicLog(table.rules, table.names, table.first)


def keys_at(table: TableTerms, seat: int) -> Keys:
    """Return the keys of a seat: from the lobby's key exchange or from the table's key."""
    if table.keys is None:
        return keys_of_table(table.key, seat, range(len(table.seats)))
    return table.keys
