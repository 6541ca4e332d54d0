"""All states of some seats that vote, and of the air between them."""

from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from firmware import effects
from firmware.journal import Survived
from firmware.table.handover import Cup, Where
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol import EVERY_SEAT, HEADER_BYTES, MessageKind, receiver_of
from firmware.table.protocol.sealing import Sealer, keys_of_table
from firmware.table.seat import turn, voting
from firmware.table.seat.cup_custody import Trouble
from firmware.table.seat.memory import RecallQuestion, SeatState
from firmware.table.seat.parts import SeatParts
from firmware.table.seat.seat import Seat
from firmware.table.seat.votes import REPEAT_US, Votes
from game import RULES
from game.actions import Roll
from tests.support import core_place as disks


class ViolationError(AssertionError):
    pass


EPOCH = 16
HOLDER = 1
NAMES = ("Ana", "Ben", "Cem", "Dora")
CARRIED = (
    *(MessageKind.VOTE, MessageKind.WANT, MessageKind.LOG, MessageKind.WISH),
    MessageKind.RECALL,
)
LONG_US = 60_000_000


class Disk(NamedTuple):
    """The state that a power cut leaves."""

    state: SeatState
    entries: tuple[bytes, ...] = ()

    def written(self, batch):
        values = dict(self.state.writes())
        survived = disks.written(Survived(values, 1, None, self.entries), batch)
        return Disk(replace(SeatState.load(survived.state), resumed=False), survived.entries)


class Memory(NamedTuple):
    """A handheld's knowledge as a value. Timers and frames under way are not in it.

    ``state`` is without the secrets of its dice. ``news_us``: when the last new frame of each seat
    came. ``nonce`` is that of its last question, and ``unanswered`` are those who owe the answer.
    """

    state: SeatState
    entries: tuple[bytes, ...] = ()
    trouble: Trouble | None = None
    wants: tuple[int, ...] = ()
    news_us: tuple[tuple[int, int], ...] = ()
    wishes: tuple = ()
    questions: tuple[tuple[int, int], ...] = ()
    nonce: int = 0
    unanswered: frozenset[int] = frozenset()
    returning: bool = False

    @classmethod
    def of(cls, parts):
        question, votes = parts.question, parts.votes
        return cls(
            SeatState(parts.cup, votes.all_votes, unsynced=parts.unsynced, lost=parts.lost),
            parts.log.since(0),
            parts.trouble,
            votes.wants,
            tuple(sorted(parts.inbox._news_us.items())),
            tuple(sorted(parts.wishes._signed.items())),
            tuple(parts.peers.questions.items()),
            0 if question is None else question.nonce,
            frozenset(() if question is None else question.open),
            parts.returning,
        )

    def restore(self, parts):
        """Put into the parts of a seat what is neither in ``state`` nor in ``entries``."""
        parts.trouble, parts.returning = self.trouble, self.returning
        parts.votes.wants = self.wants
        parts.inbox._news_us, parts.inbox.began_us = dict(self.news_us), -LONG_US
        parts.wishes._signed = dict(self.wishes)
        parts.peers.questions = dict(self.questions)
        if self.nonce:
            parts.question = RecallQuestion(self.unanswered, self.nonce, 0)
            if len(self.unanswered) < len(parts.mail.others):
                parts.question.has_reaction = True


class Local(NamedTuple):
    """One handheld."""

    disk: Disk
    memory: Memory


@dataclass(frozen=True)
class Bounds:
    """How far to explore.

    ``ballots`` are pairs of seats, of which the first may want to go on without the second; no seat
    votes more often than ``votes``. ``entries`` are made by who has the cup at the beginning.
    ``losses`` of memory may happen, to one seat each.
    """

    ballots: tuple[tuple[int, int], ...]
    votes: int = 1
    crashes: int = 0
    entries: int = 0
    losses: int = 0
    seats: int = 3


@cache
def header_of(seats):
    return PublicLog(RULES["class"], NAMES[:seats], HOLDER).header


@cache
def keys_of(me, seats):
    return keys_of_table(bytes(range(32)), me, range(seats))


@cache
def log_of(seats, entries):
    """A log; where it ends is the same for everybody: its covered dice are not told apart."""
    return PublicLog.restored(header_of(seats), entries)


class Explorer:
    """An exploration of all states of some handhelds and of the air between them.

    A state is the numbers of the handhelds' local states, the bit set of all frames ever sent, and
    how many crashes are left. ``looking_for`` is the violation to find; others are passed over.
    None: any one counts. ``states`` is how many were met.
    """

    votes_class = Votes

    def __init__(self, bounds, looking_for=None):
        self.bounds, self.looking_for, self.states = bounds, looking_for, 0
        self.seats = bounds.seats
        self.every_seat = tuple(range(bounds.seats))
        self.frames, self.number_of_frame, self.same_header = [], {}, {}
        self.addressed = [0] * bounds.seats
        self.locals, self.local_list = {}, []
        self.steps, self.checked, self.settled = {}, set(), {}

    def intern(self, local):
        """The number of a local state."""
        if local not in self.locals:
            self.locals[local] = len(self.local_list)
            self.local_list.append(local)
        return self.locals[local]

    def sent(self, frames):
        """The bit set of these frames."""
        bits = 0
        for frame in frames:
            if frame not in self.number_of_frame:
                self.number_of_frame[frame] = len(self.frames)
                self.frames.append(frame)
                bit = 1 << self.number_of_frame[frame]
                to = receiver_of(frame)
                for seat in range(len(self.addressed)) if to == EVERY_SEAT else (to,):
                    self.addressed[seat] |= bit
                header = frame[:HEADER_BYTES]
                self.same_header[header] = self.same_header.get(header, 0) | bit
            bits |= 1 << self.number_of_frame[frame]
        return bits

    def arriving(self, net, me):
        """The numbers of the frames that a seat may receive now."""
        net &= self.addressed[me]
        while net:
            yield (net & -net).bit_length() - 1
            net &= net - 1

    def check_state(self, numbers, net):
        """Check the air, and the handhelds unless they were checked with another air."""
        if any((net & same).bit_count() > 1 for same in self.same_header.values()):
            self.found("two bodies under one header")
        if numbers not in self.checked:
            self.checked.add(numbers)
            self.check(numbers)

    def found(self, violation):
        if self.looking_for in (None, violation):
            raise ViolationError(violation)

    # The real code, one handheld at a time

    def own_seat(self, me, memory, silent=None):
        """The handheld with this memory, which has heard of all but one for an age, or of none."""
        log = PublicLog.restored(header_of(self.seats), memory.entries)
        sealer = Sealer(keys_of(me, self.seats), me, memory.state.cup.epoch)
        parts = SeatParts(log, sealer, memory.state, bytes, fair=False)
        state = memory.state
        parts.votes = self.votes_class(
            me, self.seats, state.votes, sign=parts.mail.signed, forgot=state.lost
        )
        news_us = tuple(news for news in memory.news_us if news[0] != silent)
        memory._replace(news_us=news_us).restore(parts)
        return parts

    @staticmethod
    def remembered(parts):
        """Return a handheld's memory without what decides nothing.

        It leaves out own wishes, times, and news of seats that it has not voted without.
        """
        vote = parts.votes.open_vote(voting.here(parts))
        gone = vote.gone if vote else ()
        memory = Memory.of(parts)
        return memory._replace(
            news_us=tuple((seat, 0) for seat, _ in memory.news_us if seat in gone),
            wishes=tuple(wish for wish in memory.wishes if wish[0][0] != parts.seat),
        )

    def played(self, me, memory, event):
        """Its memory then, what it has written, and what leaves before that is done, and after."""
        parts = self.own_seat(me, memory, event[1] if isinstance(event, tuple) else None)
        match event:
            case int():
                Seat(parts).receive(self.frames[event], 0)
            case ("gone", seat):
                voting.go_on_without(parts, seat, 0)
            case "roll":
                turn.act(parts, Roll((6, 3)), 0)
            case "again":
                Seat(parts).start(0)
                Seat(parts).tick(REPEAT_US)
        written, at_once, after = (), [], []
        for effect in parts.outbox.take():
            match effect:
                case effects.Store(batch=batch):
                    written += batch
                case effects.SendToSeat(frame=frame, after=ticket) if frame[0] & 0x0F in CARRIED:
                    (at_once if ticket is None or self.is_hasty(frame) else after).append(frame)
        return self.remembered(parts), written, at_once, after

    def is_hasty(self, frame):
        """Whether this variant does not hold a frame back until the disk has what it needs."""
        return False

    def booted(self, disk):
        """A handheld that has just started, as ``firmware.device.open`` starts it."""
        state = replace(disk.state, votes=self.survived(disk.state.votes))
        return Local(disk, Memory(state, disk.entries, wants=(0,) * self.seats))

    def survived(self, votes):
        return votes

    def choices(self, me, local):
        memory = local.memory
        if memory.state.lost:
            yield "again"  # it asks to leave
        if memory.trouble or memory.state.lost:
            return
        if sum(vote.voter == me for vote in memory.state.votes) < self.bounds.votes:
            yield from (("gone", gone) for seat, gone in self.bounds.ballots if seat == me)
        cup = memory.state.cup
        first = cup.epoch == EPOCH and cup.where is Where.HOLDING
        if first and len(memory.entries) < self.bounds.entries:
            yield "roll"

    def step(self, me, number, event):
        """How an event ends, and the frames that leave, as a bit set: well; or in a crash before or
        after what it has written is on the disk. Remembered.

        Other events between a write and its end are not distinguished: nothing leaves the
        handheld that does not wait for the write, so a crash makes it undone.
        """
        key = (me, number, event)
        if key not in self.steps:
            disk, memory = self.local_list[number]
            memory, written, at_once, after = self.played(me, memory, event)
            local = Local(disk.written(written), memory)
            ends = [(self.intern(local), self.sent(at_once + after))]
            if written:
                sent = self.sent(at_once)
                for survived in (disk, local.disk):
                    ends.append((self.intern(self.booted(survived)), sent))
            if local.disk.state.cup.epoch < disk.state.cup.epoch:
                self.found("an epoch that falls")
            self.steps[key] = ends
        return self.steps[key]

    # All states

    def explore(self):
        start = []
        for me in self.every_seat:
            cup = Cup(EPOCH, Where.HOLDING if me == HOLDER else Where.IDLE)
            start.append(self.intern(self.booted(Disk(SeatState(cup)))))
        self.largest = {}
        queue = [(tuple(start), 0, (self.bounds.crashes, self.bounds.losses))]
        while queue:
            state = queue.pop()
            if self.is_covered(state):
                continue
            self.states += 1
            self.check_state(*state[:2])
            queue += self.successors(state)
        return self

    def is_covered(self, state):
        """Whether this was explored with these frames on the air and more; if not, it is now.

        More frames allow more, and what is asserted is asserted of the handhelds.
        """
        numbers, net, left = state
        nets = self.largest.setdefault((numbers, left), [])
        if any(net | other == other for other in nets):
            return True
        nets[:] = [other for other in nets if net | other != net] + [net]
        return False

    def successors(self, state):
        numbers, net, (crashes, losses) = state
        for me, number in enumerate(numbers):
            before, behind = numbers[:me], numbers[me + 1 :]
            if losses and not self.local_list[number].memory.state.lost:
                forgotten = self.intern(self.booted(Disk(SeatState.forgotten(1))))
                yield (*before, forgotten, *behind), net, (crashes, losses - 1)
            for event in (*self.choices(me, self.local_list[number]), *self.arriving(net, me)):
                (after, sent), *crashed = self.step(me, number, event)
                if after != number or sent & ~net:
                    yield (*before, after, *behind), net | sent, (crashes, losses)
                for after, sent in crashed if crashes else ():
                    yield (*before, after, *behind), net | sent, (crashes - 1, losses)

    def check(self, numbers):
        peers = [self.local_list[number] for number in numbers]
        cups = [{peer.disk.state.cup, peer.memory.state.cup} for peer in peers]
        held = [{cup.epoch for cup in both if cup.is_here} for both in cups]
        if sum(map(len, held)) > len(set().union(*held)):
            self.found("two holders")
        if any(peer.memory.trouble for peer in peers):
            self.found("an honest handheld is accused")
        for me, peer in enumerate(peers):
            self.check_votes(me, peer)
            if EPOCH not in held[me] and held[me]:
                self.check_begun(me, peers)
        if self.looking_for is None or "stuck" in self.looking_for:
            self.check_settles(numbers)

    def check_votes(self, me, peer):
        if peer.disk.state.votes != peer.memory.state.votes:
            self.found("a vote that a power cut takes back")

    def check_begun(self, me, peers):
        """A cup of a new epoch is here: who wanted that, and is all here that they knew?"""
        epoch, entries = peers[me].memory.state.cup.epoch, peers[me].memory.entries
        votes = [v for v in peers[me].disk.state.votes if v.epoch == epoch]
        mine = next((vote for vote in votes if vote.voter == me), None)
        log = log_of(self.seats, entries)
        agreeing = [vote for vote in votes if mine is not None and vote.gone == mine.gone]
        if 2 * len(agreeing) <= self.seats:
            self.found("an epoch without a majority")
        known = [
            vote
            for vote in agreeing
            if vote.since < mine.since
            or (vote.at.index <= log.index and log.position(vote.at.index) == vote.at)
        ]
        if 2 * len(known) <= self.seats:
            self.found("a log that is older than its voters'")

    def check_settles(self, numbers):
        remembering = [
            me for me in self.every_seat if not self.local_list[numbers[me]].memory.state.lost
        ]
        if len(remembering) == self.seats and not self.goes_on(numbers, self.every_seat):
            self.found("stuck")
        for gone in self.every_seat:
            there = tuple(me for me in remembering if me != gone)
            if len(there) < self.seats - 1 or self.goes_on(numbers, there):
                continue
            if not self.goes_on(numbers, there, gone):
                self.found("a majority that remembers is stuck")

    def goes_on(self, numbers, there, gone=None):
        """Whether those who are there come to one epoch and one cup, without or with votes."""
        path = []
        while (numbers, there, gone) not in self.settled:
            if numbers in path:
                peers = [self.local_list[numbers[me]].memory for me in there]
                epochs = {(peer.state.cup.epoch, peer.state.unsynced) for peer in peers}
                logs = {log_of(self.seats, peer.entries).at for peer in peers}
                well = (
                    len(epochs) == len(logs) == 1
                    and sum(peer.state.cup.is_here for peer in peers) == 1
                )
                break
            path.append(numbers)
            numbers = self.fair_round(numbers, there, gone)
        else:
            well = self.settled[numbers, there, gone]
        self.settled.update(((one, there, gone), well) for one in path)
        return well

    def fair_round(self, numbers, there, gone):
        """Every handheld that is there says again what it has to say, and votes to go on without
        ``gone`` while none of them has the cup; every frame arrives, and nobody crashes.
        """
        numbers, net = list(numbers), []
        for me in there:
            numbers[me] = self.play(me, numbers[me], "again", net)
            cups = [self.local_list[numbers[other]].memory.state.cup for other in there]
            newest = max(cup.epoch for cup in cups)
            if gone is not None and not any(c.is_here and c.epoch == newest for c in cups):
                numbers[me] = self.play(me, numbers[me], ("gone", gone), net)
        for frame in net:  # which grows
            me = next(me for me, mask in enumerate(self.addressed) if mask >> frame & 1)
            if me in there:
                numbers[me] = self.play(me, numbers[me], frame, net)
        return tuple(numbers)

    def play(self, me, number, event, net):
        (after, sent), *_ = self.step(me, number, event)
        net += [
            frame for frame in range(len(self.frames)) if sent >> frame & 1 and frame not in net
        ]
        return after
