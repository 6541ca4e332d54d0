"""A handheld at the beginning of a match, and what must be on the disk before it does anything."""

from collections.abc import Callable

from firmware.journal.writes import Begin, Put, Write
from firmware.play.handheld import Handheld
from firmware.settings.table import TableTerms
from firmware.table.commitment.committer import Committer
from firmware.table.commitment.hash_chain import SEED_BYTES
from firmware.table.commitment.state import CommitterState
from firmware.table.handover.cup import Cup, Where
from firmware.table.handover.handover import Handover
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.keys import Keys, keys_of_table, number_of_table
from firmware.table.protocol.sealing import Sealer
from firmware.table.seat.seat import (
    CAUGHT_KEY,
    CUP_KEY,
    FAIR_KEY,
    LEARNING_KEY,
    LOST_KEY,
    VOTES_KEY,
    Seat,
)
from firmware.table.seat.votes import EPOCHS_PER_MATCH


def new_handheld(
    table: TableTerms, seat: int, entropy: Callable[[int], bytes], *, fair: bool = True
) -> tuple[Handheld, tuple[Write, ...]]:
    """Make a handheld at the beginning of a match, and tell what must be on the disk before.

    ``fair``: the dice are committed to; else they come from ``entropy`` as they are.
    """
    fair = fair and seat < len(table.seats)  # who watches throws nothing
    log = PublicLog(table.rules, table.names, table.first)
    where = Where.HOLDING if seat == table.first else Where.IDLE
    cup = Cup(EPOCHS_PER_MATCH * table.epoch, where)
    kept = CommitterState(entropy(SEED_BYTES) if fair else bytes(SEED_BYTES))
    writes = (
        Begin(log.header),
        Put(CUP_KEY, cup.encode()),
        Put(VOTES_KEY, b""),
        Put(LEARNING_KEY, b"\0"),
        Put(FAIR_KEY, kept.encode()),
        Put(CAUGHT_KEY, b""),
        Put(LOST_KEY, b"\0"),
    )
    sealer = Sealer(keys_at(table, seat), seat, cup.epoch)
    play = Committer(seat, log.ledger.match, kept) if fair else None
    passing = Seat(seat, log, Handover(sealer.seal, cup), sealer, learning=False, fair=play)
    return Handheld(passing, entropy, table.faults), writes


def lost_handheld(
    table: TableTerms, seat: int, entropy: Callable[[int], bytes]
) -> tuple[Handheld, tuple[Write, ...]]:
    """Make a handheld that has forgotten a match which may have begun, as ``new_handheld`` does.

    It has no cup, and contributes to no dice.
    """
    log = PublicLog(table.rules, table.names, table.first)
    cup = Cup(EPOCHS_PER_MATCH * table.epoch, Where.IDLE)
    writes = (
        Begin(log.header),
        Put(CUP_KEY, cup.encode()),
        Put(VOTES_KEY, b""),
        Put(LEARNING_KEY, b"\1"),
        Put(FAIR_KEY, CommitterState(bytes(SEED_BYTES)).encode()),
        Put(CAUGHT_KEY, b""),
        Put(LOST_KEY, b"\1"),
    )
    sealer = Sealer(keys_at(table, seat), seat, cup.epoch)
    handover = Handover(sealer.seal, cup)
    passing = Seat(seat, log, handover, sealer, learning=True, lost=True)
    return Handheld(passing, entropy, table.faults), writes


def keys_at(table: TableTerms, seat: int) -> Keys:
    """The keys of a seat: as agreed in the lobby, or from the key of the whole table."""
    if table.pairs is None:
        return keys_of_table(table.key, seat, range(len(table.seats)))
    return Keys(number_of_table(table.key), table.pairs)
