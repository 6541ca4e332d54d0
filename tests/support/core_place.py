"""One seat of a table of cores: the core, its disk, its panel, and what it has still to do."""

from collections import deque
from hashlib import sha256

from firmware.device.open import open_match
from firmware.effects.shell import Shell
from firmware.journal.keys import (
    CAUGHT_KEY,
    CUP_KEY,
    FAIR_KEY,
    LEARNING_KEY,
    LOST_KEY,
    VOTES_KEY,
)
from firmware.journal.sqlite import Journal
from firmware.journal.writes import Append, Cut, Put
from firmware.play.handheld import Handheld
from firmware.table.commitment.state import CommitterState
from firmware.table.handover.cup import Cup
from firmware.table.log.entries import decode_entries
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.keys import keys_of_table
from firmware.table.protocol.sealing import Sealer
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.seat import Seat
from firmware.table.seat.storage import SeatState
from firmware.table.seat.votes import unpacked_votes


class Place:
    """One seat: its core, its disk, its panel, and what it has still to write and to send."""

    def __init__(self, table, seat):
        self.table = table
        self.seat = seat
        secret = sha256(f"{table.seed} {seat}".encode()).digest() if table.fair else None
        self.state = SeatState.fresh(table.epoch, holds=seat == table.first, secret=secret)
        keys = keys_of_table(table.key, seat, range(table.size))
        self.sealer = Sealer(keys, seat, self.state.cup.epoch)
        self.journal = None
        self.entries = []
        self.cup = self.state.cup
        self.unsynced = False
        self.kept = self.state.committer if table.fair else None
        self.shown = []
        self.heard = []
        self.stored = []
        self.left = []
        self.open()

    def open(self, begin=True):
        """Switch on: with a journal from what it has, else anew."""
        table = self.table
        self.outbox = deque()
        self.confirmed = set()
        self.shell = Shell()
        self.generation = 0
        self.dice_shown = None
        self.sensing = None
        if table.folder is None:
            log = PublicLog(table.rules, table.names, table.first)
            entropy = table.entropy[self.seat]
            parts = SeatParts(
                log,
                self.sealer,
                self.state,
                entropy,
                fair=table.fair,
                by_light=table.by_light,
            )
            self.handheld = Handheld(Seat(parts), table.faults)
        else:
            settings = table.settings(self.seat)
            self.journal = Journal(settings.journal)
            self.entries = list(self.journal.survived.entries)
            self.handheld = open_match(
                settings, self.journal, table.entropy[self.seat], begin=begin, fair=table.fair
            ).handheld
            self.unsynced = self.unsynced or self.handheld.own_seat.unsynced

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
        return decode_entries(b"".join(self.handheld.own_seat.log.since(0)))

    def write(self, batch):
        if self.journal is not None:
            self.journal.write(batch)
        for item in batch:
            match item:
                case Put(key, value) if key == VOTES_KEY:
                    assert unpacked_votes(value) or self.handheld.own_seat.lost
                case Put(key, value) if key == LEARNING_KEY:
                    self.unsynced = value == b"\1"
                case Put(key, value) if key == FAIR_KEY:
                    self.kept = CommitterState.decode(value)
                case Put(key, value) if key == CAUGHT_KEY:
                    self.caught = value
                case Put(key, value) if key == LOST_KEY:
                    assert value == b"\1"
                case Put(key, value):
                    assert key == CUP_KEY
                    self.cup = Cup.decode(value)
                case Append(place, entry):
                    assert place == len(self.entries)
                    self.entries.append(entry)
                case Cut(place):
                    assert self.unsynced, "only who comes into an epoch can forget entries"
                    del self.entries[place:]
        self.stored.append(batch)
