"""A handheld at its seat: at the beginning of a match, or with what it has kept of one."""

from collections.abc import Callable

from firmware.journal.writes import Begin, Write
from firmware.play.handheld import Handheld
from firmware.settings.table import TableTerms
from firmware.table.commitment.hash_chain import SEED_BYTES
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.keys import Keys, keys_of_table, number_of_table
from firmware.table.protocol.sealing import Sealer
from firmware.table.seat.seat import Seat
from firmware.table.seat.storage import SeatState


def new_handheld(
    table: TableTerms,
    seat: int,
    entropy: Callable[[int], bytes],
    *,
    fair: bool = True,
    lost: bool = False,
) -> tuple[Handheld, tuple[Write, ...]]:
    """Make a handheld at the beginning of a match, and tell what must be on the disk before.

    ``fair``: the dice are committed to; else they come from ``entropy`` as they are.
    ``lost``: the match may have begun, and was forgotten: no cup, and nothing for anybody's dice.
    """
    commits = fair and not lost and seat < len(table.seats)  # who watches throws nothing
    secret = entropy(SEED_BYTES) if commits else None
    state = SeatState.fresh(table.epoch, holds=seat == table.first, secret=secret)
    if lost:
        state = SeatState.forgotten(table.epoch)
    log = empty_log(table)
    handheld = seated(table, seat, state, log, entropy, fair=fair and not lost)
    return handheld, (Begin(log.header), *state.writes())


def seated(
    table: TableTerms,
    seat: int,
    state: SeatState,
    log: PublicLog,
    entropy: Callable[[int], bytes],
    *,
    fair: bool,
) -> Handheld:
    """Make the handheld of a seat from what it has kept, and the log as far as it knows it."""
    sealer = Sealer(keys_at(table, seat), seat, state.cup.epoch)
    return Handheld(Seat(log, sealer, state, entropy, fair=fair), table.faults)


def empty_log(table: TableTerms) -> PublicLog:
    """The log of the table's match before anything has happened."""
    return PublicLog(table.rules, table.names, table.first)


def keys_at(table: TableTerms, seat: int) -> Keys:
    """The keys of a seat: as agreed in the lobby, or from the key of the whole table."""
    if table.pairs is None:
        return keys_of_table(table.key, seat, range(len(table.seats)))
    return Keys(number_of_table(table.key), table.pairs)
