"""The core of a seat: new at the beginning of a match, or from the journal."""

from collections.abc import Callable

from firmware.journal.keys import SEAT_KEY
from firmware.journal.writes import BeginLog, Put, Write
from firmware.play.handheld import Handheld
from firmware.settings.table import Faults
from firmware.table.commitment.hash_chain import SEED_BYTES
from firmware.table.log.public_log import PublicLog
from firmware.table.pairing.standing import StandingTable
from firmware.table.protocol.sealing import Sealer
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.seat import Seat
from firmware.table.seat.storage import SeatState


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
