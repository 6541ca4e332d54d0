"""Seats below the screen to which anything happens at any time: frames lost, late or twice, cuts.

Handhelds at one table play, leave, void rounds and mishandle the cup at random, and at random the
air and the disks do what they like. After every single step there is at most one cup, and nobody's
log contradicts another's.

In some matches one handheld loses its power, and now and then what it wrote last. All frames that
were ever sent can arrive again at any time. If somebody has heard anything of what is lost, the
handheld must notice that; if nobody can have heard anything, nothing is lost. Nobody ever takes it
for a cheat.
"""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

from firmware.effects import Store
from firmware.journal import CUP_KEY, Append
from firmware.table.handover import Cup
from firmware.table.log.entries import decode_entries, read_entries
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol import HEADER_BYTES, Header, MessageKind, kind_of
from firmware.table.protocol.messages import Answer, Give, Log, Propose, Vote
from firmware.table.protocol.sealing import Sealer, keys_of_table
from firmware.table.seat import turn, voting
from firmware.table.seat.cup_custody import LogsDiffer, Position, at_table
from firmware.table.seat.memory import SeatState
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.seat import Seat
from game import RULES, Match, illegality, laid_open, legal_actions
from game.actions import EndMatch, Fault, FaultKind, Leave, Lift, Roll, StopMatch, VoidRound
from tests.support.core_place import begun, written
from tests.support.net import NetBelow, S

NAMES = ("Ana", "Ben", "Cem", "Dora")
KEY = bytes(range(32))


class Place:
    """One handheld: what it has on its disk and in its memory."""

    def __init__(self, table, seat):
        self.table, self.seat, self.own_seat = table, seat, None
        self.begin(SeatState.fresh(1, holds=seat == 0))

    def begin(self, state):
        """Switch on with a new disk."""
        keys = keys_of_table(KEY, self.seat, range(len(NAMES)))
        self.sealer = Sealer(keys, self.seat, state.cup.epoch)
        self.disk = begun(PublicLog(self.table.rules, NAMES, 0).header, state)
        self.restart()

    @property
    def cup(self):
        """The cup on the disk."""
        return Cup.decode(self.disk.state[CUP_KEY])

    def restart(self):
        resumed = self.table.asks and self.own_seat is not None
        state = replace(SeatState.load(self.disk.state), resumed=resumed)
        self.own_seat = SeatParts(
            PublicLog.restored(self.disk.header, self.disk.entries),
            self.sealer.at(state.cup.epoch),
            state,
            self.table.rng.randbytes,
            fair=False,
            by_light=self.table.by_light,
        )
        self.core = Seat(self.own_seat)
        self.table.outboxes[self.seat].clear()
        self.core.start(self.table.now_us)

    @property
    def next_timer_us(self):
        return self.own_seat.next_timer_us


class Table(NetBelow):
    """``renews``: now and then a handheld is off, and others may vote to go on without it.

    ``insider``: the seat that lies; None for none. ``asks``: whether a handheld that had no power
    asks first what the others know of it.
    """

    asks = False
    keeps_disks = True
    """Whether no disk is ever exchanged for an older one."""

    def __init__(self, game, rng, *, renews=False, insider=None):
        super().__init__([], chance=rng)
        self.rules = RULES[game]
        self.by_light = rng.random() < 0.5
        self.thrown = None
        """What the newest throw on a disk was, and whether it is a tower."""
        self.count = Counter()
        self.renews = renews
        self.insider = insider
        self.off = None
        self.places = self.cores
        self.places += (Place(self, seat) for seat in range(len(NAMES)))

    def __getitem__(self, seat):
        return self.places[seat]

    def core(self, seat):
        return self[seat].core

    def pending(self, seat):
        return self.core(seat).take_effects()

    def take(self):
        for place in self.places:
            if effects := self.pending(place.seat):
                self.follow(place.seat, effects)

    def hear(self, seat, frame):
        if seat != self.off:
            super().hear(seat, frame)

    def send(self, sender, effect):
        if sender != self.off:
            self.count["frames"] += 1
            super().send(sender, effect)

    def write(self, seat, store):
        place = self[seat]
        place.disk = written(place.disk, store.batch)
        for item in store.batch:
            if isinstance(item, Append):
                (action,) = decode_entries(item.entry)
                if isinstance(action, Roll) and action.dice is not None:
                    self.thrown = (action.dice, action.tower)
        return True

    def check(self):
        """One cup in each epoch, and one log; nobody names an innocent."""
        honest = [place for place in self.places if place.seat != self.insider]
        for epoch in {place.own_seat.epoch for place in honest}:
            there = [place for place in honest if place.own_seat.epoch == epoch]
            assert sum(place.own_seat.holding for place in there) <= 1, "two cups in memory"
            on_disk = [cup for place in honest if (cup := place.cup).epoch == epoch and cup.is_here]
            assert not self.keeps_disks or len(on_disk) <= 1, "two cups on the disks"
            if self.insider is None:
                self.check_records(p.own_seat.log for p in there if not p.own_seat.unsynced)
        fine = {None} if self.insider is None else {None, LogsDiffer()}
        for trouble in {place.own_seat.trouble for place in honest} - fine:
            assert getattr(trouble, "seat", -1) == self.insider, f"an innocent is named: {trouble}"

    def check_records(self, logs):
        for short, long in pairwise(sorted(logs, key=lambda log: log.index)):
            assert long.position(short.index) == short.at, "the logs differ"

    # Possible actions of players and links

    def something(self):
        if self.renews:
            self.renew()
        at_random = (self.deliver, self.lose, self.work, self.crash)
        at_random += (self.pass_time, self.play, self.interrupt)
        (happen,) = self.rng.choices(at_random, (60, 6, 30, 1, 4, 10, 1))
        happen()
        self.take()

    def renew(self):
        chance = self.rng.random()
        if chance < 0.004:
            self.off = None if self.off is not None else self.rng.randrange(len(NAMES))
        elif chance < 0.03:
            self.vote()

    def vote(self):
        gone = self.rng.randrange(len(NAMES)) if self.off is None else self.off
        place = self.rng.choice([place for place in self.places if place.seat != gone])
        if place.own_seat.match.to_act is not None:
            voting.go_on_without(place.own_seat, gone, self.now_us)

    def deliver(self, *, faithful=False):
        self.air = [flight for flight in self.air if flight.to != self.off]
        if self.air:
            number = 0 if faithful else self.rng.randrange(len(self.air))
            flight = self.air[number]
            if faithful or self.rng.random() < 0.9:
                del self.air[number]
            self.hear(flight.to, flight.frame)

    def work(self):
        place = self.rng.choice(self.places)
        for _ in range(self.rng.randint(0, len(self.outboxes[place.seat]))):
            self.carry_out(place.seat)

    def crash(self):
        place = self.rng.choice(self.places)
        unwritten = (effect for _, effect in self.outboxes[place.seat] if isinstance(effect, Store))
        self.count["lost writes"] += any(unwritten)
        place.restart()

    def pass_time(self):
        self.now_us += self.rng.choice((S // 10, S, 4 * S))
        self.tick()

    def play(self):
        for place in self.places:
            self.move(place)

    def move(self, place):
        if place.seat == self.off:
            return
        own_seat, match = place.own_seat, place.own_seat.match
        match own_seat.position:
            case Position.OFFERED:
                turn.answer(own_seat, self.rng.choice(legal_actions(match)), self.now_us)
            case Position.TO_PASS:
                turn.pass_on(own_seat, self.now_us)
            case Position.MINE:
                self.act(own_seat, match)

    def act(self, own_seat, match):
        legal = [action for action in legal_actions(match) if action != EndMatch()]
        kind = self.rng.choice(sorted({type(action) for action in legal}, key=str))
        action = self.rng.choice([action for action in legal if type(action) is kind])
        if isinstance(action, Roll):
            turn.throw(own_seat, None, self.now_us)
            return
        if isinstance(action, Lift) and isinstance(match, Match):
            assert self.renews or (own_seat.dice, own_seat.tower) == self.thrown
            action = Lift(own_seat.dice, own_seat.tower)
        turn.act(own_seat, laid_open(match, action), self.now_us)

    def interrupt(self):
        """Somebody wishes for something, or mishandles the cup."""
        place = self.rng.choice(self.places)
        own_seat = place.own_seat
        faults = [Fault(kind, place.seat) for kind in FaultKind if kind is not FaultKind.OTHER]
        possible = [fault for fault in faults if illegality(own_seat.match, fault) is None]
        if own_seat.position is Position.PASSING and possible and self.rng.random() < 0.8:
            turn.announce_question(own_seat, possible[0].kind)
            turn.enter_fault(own_seat, self.rng.choice(possible), self.now_us)
            return
        wishes = (Leave(place.seat), VoidRound(), VoidRound(), VoidRound(), StopMatch())
        action = self.rng.choice(wishes)
        if illegality(own_seat.match, action) is None:
            turn.wish(own_seat, action, self.now_us)

    # When all is well again

    def heal(self):
        """Let frames arrive in order, writes succeed and players answer until one can act."""
        until_us = self.now_us + 120 * S
        while self.now_us < until_us and not self.at_rest():
            self.settle()
            for place in self.places:
                if place.own_seat.position in (Position.OFFERED, Position.TO_PASS):
                    self.move(place)
                elif place.own_seat.position is Position.MINE:
                    turn.show(place.own_seat, self.now_us)
            self.settle()
            self.now_us += S // 2
            self.tick()
            self.settle()

    def at_rest(self):
        quiet = not self.air and not any(self.outboxes.values())
        positions = Counter(place.own_seat.position for place in self.places)
        alone = {Position.MINE: 1, Position.WATCHING: len(self.places) - 1}
        same = len({place.own_seat.log.digest for place in self.places}) == 1
        return quiet and same and (set(positions) == {Position.OVER} or positions == alone)

    @property
    def where(self):
        seats = [place.own_seat for place in self.places]
        return [(seat.position.name, seat.epoch, seat.lost) for seat in seats]


class OldCopyTable(Table):
    """``victim``: the seat that loses its power, and may lose what it wrote last."""

    asks = True
    keeps_disks = False

    def __init__(self, game, rng):
        super().__init__(game, rng, renews=True)
        self.victim = rng.randrange(len(NAMES))
        self.told = []
        """The frames that the victim has sent, with their receivers."""
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
