"""A handheld's activities from power on: lobby, match, one handheld for all, a match resumed.

The cores of seats are here: new at the beginning of a match, or from the journal.
If one handheld has all seats (`begun`, `resumed`), their frames never leave it. They share one
journal: the log once, as the seat that acts writes it, and the state of each seat under keys of its
own.

May import: play, lobby, settings, bots, table, link.broker, effects, input, display, journal, game.
Begin with ``device``. ``open`` begins a match, or resumes it from the journal.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

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
from firmware.settings import Faults, Opponents
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


@dataclass(frozen=True)
class SeatMaker:
    """Makes the cores of seats on one device.

    Attributes:
        entropy: returns that many random bytes; the only source of chance.
        faults: the treatment of faults that the sensors notice.
        fair: the dice are committed to; else they come from ``entropy`` as they are, and the others
            show them as unchecked.
        by_light: infrared alone carries frames.
        opponent: plays the seats without a person on one handheld for all.
    """

    entropy: Callable[[int], bytes]
    faults: Faults = "ask"
    fair: bool = True
    by_light: bool = False
    opponent: Opponents = "usual"

    def new(
        self, table: StandingTable, *, lost: bool = False
    ) -> tuple[Handheld, tuple[Write, ...]]:
        """Make a seat at the beginning of a match; also return what must be on the disk before.

        Args:
            table: the table; a place from ``len(table.lost)`` on watches.
            lost: the match may have begun and was forgotten: no cup, and no part in fair dice.
        """
        me, log = table.agreed.me, empty_log(table)
        commits = self.fair and me < len(table.lost)  # who watches throws nothing
        if lost:
            state = SeatState.forgotten(table.number)
        else:
            secret = self.entropy(SEED_BYTES) if commits else None
            state = SeatState.fresh(table.number, holds=me == table.first, secret=secret)
        maker = replace(self, fair=False) if lost else self
        begins: tuple[Write, ...] = (
            BeginLog(log.header),
            Put(SEAT_KEY, whose(table)),
            *state.writes(),
        )
        return maker.seated(table, state, log), begins

    def seated(self, table: StandingTable, state: SeatState, log: PublicLog) -> Handheld:
        """Make a seat from its stored state, and the log as far as it knows it."""
        sealer = Sealer(table.keys, table.agreed.me, state.cup.epoch)
        carrier = table.agreed.carrier
        by_light = self.by_light and carrier is None  # what is carried names who is to have it
        parts = SeatParts(log, sealer, state, self.entropy, fair=self.fair, by_light=by_light)
        return Handheld(Seat(parts), self.faults, carrier)

    @property
    def inside(self) -> "SeatMaker":
        """The maker of seats whose frames never leave the device."""
        return replace(self, fair=False, by_light=False)


def whose(table: StandingTable) -> bytes:
    """Return the journal's owner, in three bytes: the number of the table, and the seat there."""
    return table.keys.table.to_bytes(2, "big") + bytes([table.agreed.me])


def empty_log(table: StandingTable) -> PublicLog:
    """Return the log of the table's match before its first entry."""
    return PublicLog(table.agreed.rules, table.names, table.first)


def begun(wanted: OneHandheld, maker: SeatMaker) -> tuple[tuple[Handheld, ...], tuple[Write, ...]]:
    """Create the cores, by seat, of a new match; also return the writes to store first."""
    kept = SharedJournal(0)
    cores = []
    for seat in range(len(wanted.names)):
        core, writes = maker.inside.new(wanted.table(seat))
        kept.add(seat, writes)
        cores.append(core)
    return tuple(cores), (Put(ONE_HANDHELD_KEY, wanted.encode()), *kept.take())


def resumed(wanted: OneHandheld, survived: Survived, maker: SeatMaker) -> tuple[Handheld, ...]:
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
            cores.append(maker.inside.seated(wanted.table(seat), state, log))
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
