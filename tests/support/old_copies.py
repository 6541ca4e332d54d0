"""Matches in which one handheld loses its power, and now and then what it wrote last.

All frames that were ever sent can arrive again at any time: after a return also what was on the air
before it. If somebody has heard anything of what is lost, the handheld must notice that; if nobody
can have heard anything, nothing is lost. Nobody ever takes it for a cheat.
"""

from firmware.table.log.entries import read_entries
from firmware.table.protocol import HEADER_BYTES, Header, MessageKind, kind_of
from firmware.table.protocol.messages import Answer, Give, Log, Propose, Vote
from firmware.table.seat.cup_custody import at_table
from tests.support.chaos import NAMES, Table
from tests.support.net import S


class OldCopyTable(Table):
    """``victim``: the seat that loses its power, and may lose what it wrote last."""

    asks = True
    keeps_disks = False

    def __init__(self, game, rng):
        super().__init__(game, rng, renews=True)
        self.victim = rng.randrange(len(NAMES))
        self.told = []
        """What the victim has said: receiver and frame."""
        self.copies = []
        """The victim's disk after each of its writes, and how much it had said until then."""
        self.keep_copy()
        self.heard = set()
        self.recorded = None
        """While the victim asks, nothing but these may reach it; None: everything may."""
        self.went_on_alone = False

    def keep_copy(self):
        self.copies.append((self[self.victim].disk, len(self.told)))

    def send(self, sender, effect):
        if sender == self.victim:
            self.told.append((effect.seat, effect.frame))
        super().send(sender, effect)

    def write(self, seat, store):
        super().write(seat, store)
        if seat == self.victim:
            self.keep_copy()
        return True

    def something(self):
        before = self[self.victim].own_seat
        returning, question = before.returning, before.question
        chance = self.rng.random()
        if not returning:
            self.recorded = None
        elif self.recorded and chance < 0.4:
            self.say_again(self.rng.choice(self.recorded))
        elif chance < 0.41:
            self.recorded = None
        if chance > 0.9 and self.said:
            self.say_again(self.rng.choice(self.said))
        elif chance > 0.8:
            self.lose()
        elif chance > 0.78 and not returning:
            self.crash()
        super().something()
        self.off = None
        own_seat = self[self.victim].own_seat
        goes_on = not own_seat.returning and not own_seat.lost
        self.went_on_alone = returning and goes_on and bool(question.open)

    def deliver(self, *, faithful=False):
        self.off = None
        super().deliver(faithful=faithful)

    def hear(self, receiver, frame):
        one = (receiver, frame)
        is_recorded = any(one == said[2:] for said in self.recorded or ())
        if receiver == self.victim and self.recorded is not None and not is_recorded:
            return
        header = Header.unpack(frame[:HEADER_BYTES])
        if header.epoch == self[receiver].own_seat.epoch or header.kind == MessageKind.VOTE:
            self.heard.add(one)
        super().hear(receiver, frame)

    def pass_time(self):
        self.now_us += self.rng.choice((S // 10, S // 2))
        self.tick()

    def crash(self):
        """Crash one handheld: it forgets what it has heard."""
        place = self[self.victim]
        if place.own_seat.lost:
            return
        copy = self.rng.choice(self.copies)
        if self.rng.random() < 0.3 or not self.is_noticed(copy):
            place.restart()
            return
        self.count["old copies"] += 1
        place.disk, _ = copy
        place.restart()
        if self.rng.random() < 0.7:
            answers = (one for one in self.said if kind_of(one.frame) == MessageKind.RECALL)
            self.recorded = [one for one in answers if one.to == self.victim]

    def is_noticed(self, copy):
        """Whether nothing is lost with a copy, or somebody at the table has heard of it."""
        disk, told = copy
        since = [one for one in self.told[told:] if self.is_lost(disk, *one)]
        there = {seat for seat in range(len(NAMES)) if seat in at_table(self[seat].own_seat.match)}
        return not since or any(one in self.heard and one[0] in there for one in since)

    def is_lost(self, disk, to, frame):
        """Whether a frame says something that cannot be said otherwise, if not by this disk."""
        header = Header.unpack(frame[:HEADER_BYTES])
        _, message = self[to].sealer.at(header.epoch).open(frame)
        match message:
            case Propose() | Answer() | Give():
                return True
            case Vote(voter=voter):
                return voter == self.victim
            case Log(first, _, entries):
                signed = ((n, one.signature) for n, one in enumerate(read_entries(entries), first))
                known = len(disk.entries)
                return any(n >= known and by and by.seat == self.victim for n, by in signed)
        return False


def played(game, rng, steps=1_500):
    """A match until the victim has lost its memory, or has waited in vain for all to answer."""
    table = OldCopyTable(game, rng)
    for _ in range(steps):
        table.something()
        if table[table.victim].own_seat.lost or table.went_on_alone:
            break
    return table
