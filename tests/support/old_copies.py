"""Matches in which one handheld loses its power, and now and then what it wrote last.

All frames that were ever sent can arrive again at any time: after a return also what was on the air
before it. If somebody has heard anything of what is lost, the handheld must notice that; if nobody
can have heard anything, nothing is lost. Nobody ever takes it for a cheat.
"""

from firmware.effects import SendToSeat, Store
from firmware.table.log.entries import read_entries
from firmware.table.protocol import HEADER_BYTES, Header, MessageKind, kind_of
from firmware.table.protocol.messages import Answer, Give, Log, Propose, Vote
from firmware.table.seat.cup_custody import at_table
from tests.support.chaos import NAMES, Place, S, Table


class OldCopyPlace(Place):
    """Knows what was on its disk after each write, and what it has said until then."""

    def __init__(self, table, seat):
        super().__init__(table, seat)
        self.said, self.copies = [], []
        self.keep_copy()

    def keep_copy(self):
        self.copies.append((self.disk, len(self.said)))

    def carry_out(self):
        effect = self.to_do[0]
        if isinstance(effect, SendToSeat):
            self.said.append((effect.seat, effect.frame))
        super().carry_out()
        if isinstance(effect, Store):
            self.keep_copy()

    def come_back(self, copy):
        self.disk, _ = copy
        self.restart()


class OldCopyTable(Table):
    """``victim``: the seat that loses its power, and may lose what it wrote last."""

    place = OldCopyPlace
    asks = True
    keeps_disks = False

    def __init__(self, game, rng):
        super().__init__(game, rng, renews=True)
        self.victim = rng.randrange(len(NAMES))
        self.heard = set()
        self.recorded = None
        """While the victim asks, nothing but these may reach it; None: everything may."""
        self.went_on_alone = False

    def something(self):
        before = self[self.victim].own_seat
        returning, question = before.returning, before.question
        chance = self.rng.random()
        if not returning:
            self.recorded = None
        elif self.recorded and chance < 0.4:
            self.air.append(self.rng.choice(self.recorded))
        elif chance < 0.41:
            self.recorded = None
        if chance > 0.9 and self.sent:
            self.air.append(self.rng.choice(self.sent))
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
        if not self.air:
            return
        number = 0 if faithful else self.rng.randrange(len(self.air))
        to, frame = self.air[number]
        if faithful or self.rng.random() < 0.9:
            del self.air[number]
        if to == self.victim and self.recorded is not None and (to, frame) not in self.recorded:
            return
        header = Header.unpack(frame[:HEADER_BYTES])
        if header.epoch == self[to].own_seat.epoch or header.kind == MessageKind.VOTE:
            self.heard.add((to, frame))
        self[to].core.receive(frame, self.now_us)

    def wait(self):
        self.now_us += self.rng.choice((S // 10, S // 2))
        self.tick()

    def crash(self):
        """Crash one handheld: it forgets what it has heard."""
        place = self[self.victim]
        if place.own_seat.lost:
            return
        copy = self.rng.choice(place.copies)
        if self.rng.random() < 0.3 or not self.is_noticed(place, copy):
            place.restart()
            return
        self.count["old copies"] += 1
        place.come_back(copy)
        if self.rng.random() < 0.7:
            answers = (one for one in self.sent if kind_of(one[1]) == MessageKind.RECALL)
            self.recorded = [one for one in answers if one[0] == self.victim]

    def is_noticed(self, place, copy):
        """Whether nothing is lost with a copy, or somebody at the table has heard of it."""
        since = [one for one in place.said[copy[1] :] if self.is_lost(place, copy, *one)]
        there = {seat for seat in range(len(NAMES)) if seat in at_table(self[seat].own_seat.match)}
        return not since or any(one in self.heard and one[0] in there for one in since)

    def is_lost(self, place, copy, to, frame):
        """Whether a frame says something that cannot be said otherwise, if not by this copy."""
        header = Header.unpack(frame[:HEADER_BYTES])
        _, message = self[to].sealer.at(header.epoch).open(frame)
        match message:
            case Propose() | Answer() | Give():
                return True
            case Vote(voter=voter):
                return voter == place.seat
            case Log(first, _, entries):
                signed = ((n, one.signature) for n, one in enumerate(read_entries(entries), first))
                known = len(copy[0].entries)
                return any(n >= known and by and by.seat == place.seat for n, by in signed)
        return False


def played(game, rng, steps=1_500):
    """A match until the victim has lost its memory, or has waited in vain for all to answer."""
    table = OldCopyTable(game, rng)
    for _ in range(steps):
        table.something()
        if table[table.victim].own_seat.lost or table.went_on_alone:
            break
    return table
