"""One seat of a table of cores: the core, its disk and its panel."""

from collections.abc import Iterable
from functools import reduce
from hashlib import sha256

from firmware.device.open import open_match
from firmware.effects import Shell
from firmware.journal import CUP_KEY, LEARNING_KEY, BeginLog, Cut, Survived, Write
from firmware.journal.sqlite import Journal
from firmware.play.handheld import Handheld
from firmware.table.handover import Cup
from firmware.table.log.entries import decode_entries
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.sealing import Sealer, keys_of_table
from firmware.table.seat.memory import SeatState
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.seat import Seat


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


class Place:
    """One seat: its core, its disk and its panel."""

    def __init__(self, table, seat):
        self.table, self.seat = table, seat
        secret = sha256(f"{table.seed} {seat}".encode()).digest() if table.fair else None
        self.state = SeatState.fresh(table.epoch, holds=seat == table.first, secret=secret)
        keys = keys_of_table(table.key, seat, range(table.size))
        self.sealer = Sealer(keys, seat, self.state.cup.epoch)
        self.journal = None
        self.shown = []
        self.heard = []
        self.stored = []
        self.left = []
        self.open()

    def open(self, begin=True):
        """Switch on: with a journal from what it has, else anew."""
        table = self.table
        table.outboxes[self.seat].clear()
        self.confirmed = set()
        self.shell = Shell()
        self.generation = 0
        self.dice_shown = None
        self.sensing = None
        entropy = table.entropy[self.seat]
        if table.folder is None:
            log = PublicLog(table.rules, table.names, table.first)
            self.disk = begun(log.header, self.state)
            how = {"fair": table.fair, "by_light": table.by_light}
            parts = SeatParts(log, self.sealer, self.state, entropy, **how)
            self.handheld = Handheld(Seat(parts), table.fault_rule)
        else:
            settings = table.settings(self.seat)
            self.journal = Journal(settings.journal)
            self.handheld = open_match(
                settings, self.journal, entropy, begin=begin, fair=table.fair
            ).handheld
            self.disk = self.journal._now

    @property
    def own_seat(self):
        return self.handheld.own_seat

    @property
    def position(self):
        return self.handheld.position

    @property
    def match(self):
        return self.handheld.match

    @property
    def screen(self):
        return self.handheld.screen

    @property
    def dial(self):
        return self.handheld.dial

    @property
    def actions(self):
        """All actions, as this handheld knows them."""
        return decode_entries(b"".join(self.own_seat.log.since(0)))

    @property
    def cup(self):
        """The cup on the disk."""
        return Cup.decode(self.disk.state[CUP_KEY])

    @property
    def entries(self):
        """The entries on the disk."""
        return self.disk.entries

    def write(self, batch):
        if self.journal is not None:
            self.journal.write(batch)
        self.disk = written(self.disk, batch)
        self.stored.append(batch)
