"""An exhaustive exploration of the real handover code: never two cups, never none, never stuck.

The network may lose, repeat, reorder and replay: every frame ever sent can be delivered at any
time, or never. A write is asynchronous, so anything can happen between a store and its fsync, a
crash too. Every reachable state must satisfy:

- at most one handheld holds the cup, in its memory or on its disk;
- the cup exists on the disks alone: somebody holds it, or offers it to one who may still take it,
  or who has refused it;
- it still contains what it contained;
- no header ever stands over two different bodies (one nonce, two plaintexts);
- if from here on every frame arrives and nobody crashes, one handheld ends up holding the cup and
  nobody waits, although the network has forgotten everything.

The checker is checked too: the known ways of doing it wrong must each be found.
"""

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import pytest

from firmware.table.handover import (
    FIRST_RESEND_US,
    RETRY,
    Cup,
    CupTaken,
    Handover,
    SendFrame,
    StoreCup,
    Where,
)
from firmware.table.protocol import LogPosition, MessageKind
from firmware.table.protocol.messages import Answer, Cancel, Contents, CupAnswer, Give, Propose
from firmware.table.protocol.sealing import Sealer, keys_of_table
from tests.support.nights import soaked
from tests.support.votes_exploring import Exploration, ViolationError

KEY = bytes(range(32))
CONTENTS = Contents((6, 3), tower=True)


class Local(NamedTuple):
    """One handheld: what is on its disk, its memory, and the writes under way.

    The log is only as long as the newest hop whose end it knows: it was taken, or taken back to
    enter something. Its entries travel with the cup.
    """

    disk: Cup
    memory: Handover
    disk_log: int = 0
    log: int = 0
    pending: tuple[tuple[Cup, int, tuple[bytes, ...]], ...] = ()


@dataclass(frozen=True)
class Bounds:
    """How far to explore. ``moves`` are what players and the table may do beside proposing.

    "withdraw" takes a proposal back and does nothing with it, "undo" enters something in the same
    write, of which the others hear when it is on the disk. "cancel" asks for a cup on its way,
    instead of sending it again: ours never does that, but must bear it.
    """

    peers: int
    hops: int
    crashes: int
    moves: tuple[str, ...] = ("answer",)


class Explorer(Exploration):
    def __init__(self, bounds, looking_for=None, urgent=()):
        """``urgent`` kinds of message do not wait until the disk has what they need."""
        super().__init__(bounds, bounds.peers, looking_for)
        self.urgent = urgent
        self.settled = set()
        seats = range(bounds.peers)
        self.sealers = [Sealer(keys_of_table(KEY, me, seats), me, 0) for me in seats]

    # The real code, one handheld at a time

    def react(self, handover, me, event, at):
        match event:
            case int():
                sender, message = self.sealers[me].open(self.frames[event])
                return self.receive(handover, me, sender, message, at)
            case ("propose", to, asks):
                return handover.propose(to, asks, 62, at, 0)
            case "learn" | ("told", _):
                return handover.caught_up(at, 0)
            case "answer":
                return handover.answer(CupAnswer.BELIEVE, 0)
            case "doubt":
                return handover.answer(CupAnswer.DOUBT, 0)
            case "withdraw" | "undo":
                return handover.withdraw()
            case "cancel":
                cup = handover.cup
                asked = handover.seal(Cancel(cup.last), cup.peer)
                after = handover._replace(cup=cup._replace(frame=asked))
                return after, (SendFrame(cup.peer, asked),)
            case "tick":
                return handover.tick(FIRST_RESEND_US)
            case "crash":
                return handover.resumed(0)
        raise AssertionError(event)

    def receive(self, handover, me, sender, message, at):
        return handover.received(sender, message, at, 0)

    def choices(self, local, me):
        memory = local.memory
        bounds = self.bounds
        if memory.cup.where is Where.HOLDING and memory.cup.last < bounds.hops:
            for to in range(bounds.peers):
                if to != me:
                    yield ("propose", to, True)
                    if "empty" in bounds.moves:
                        yield ("propose", to, False)
        if memory.offer and not memory.offer.ready:
            yield "learn"
        elif memory.offer:
            yield from (move for move in ("answer", "doubt") if move in bounds.moves)
        asks = memory.cup.frame[:1] and memory.cup.frame[0] & 0x0F == MessageKind.CANCEL
        if memory.cup.where is Where.OFFERED and not asks and "cancel" in bounds.moves:
            yield "cancel"
        if memory.cup.where is Where.PROPOSED:
            yield from (move for move in ("withdraw", "undo") if move in bounds.moves)

    def gossip(self, local, numbers):
        """What this handheld lacks of the log, as far as somebody has it on the disk."""
        known = max(self.local_list[number].disk_log for number in numbers)
        if "undo" in self.bounds.moves and known > local.log:
            yield ("told", known)

    def step(self, me, number, event):
        """The state after an event, and the frames that leave, as a bit set. Remembered."""
        key = (me, number, event)
        if key not in self.steps:
            local, sent = self.played(self.local_list[number], me, event)
            self.steps[key] = (self.intern(local), self.sent(sent))
        return self.steps[key]

    def played(self, local, me, event):
        disk, memory, disk_log, log, pending = local
        if event == "fsync":
            (disk, disk_log, frames), *later = pending
            return Local(disk, memory, max(disk_log, local.disk_log), log, tuple(later)), frames
        if event == "crash":
            memory, log, pending = Handover(memory.seal, disk), disk_log, ()
        if event == "learn":
            disk_log = log = memory.offer.at.index
        elif isinstance(event, tuple) and event[0] == "told":
            disk_log = log = event[1]
        after, effects = self.react(memory, me, event, LogPosition(log, bytes(8)))
        if after.next_timer_us is not None:
            after = after._replace(retry=RETRY.sent(0))
        log = next((effect.hop for effect in effects if isinstance(effect, CupTaken)), log)
        log = after.cup.last if event == "undo" else log
        stores = [effect.cup for effect in effects if isinstance(effect, StoreCup)]
        sends = [effect.frame for effect in effects if isinstance(effect, SendFrame)]
        hasty = tuple(frame for frame in sends if frame[0] & 0x0F in self.urgent)
        held = tuple(frame for frame in sends if frame[0] & 0x0F not in self.urgent)
        if stores:
            pending = (*pending, (stores[-1], log, held))
        elif pending:
            *earlier, (cup, with_log, frames) = pending
            pending = (*earlier, (cup, with_log, tuple(dict.fromkeys(frames + held))))
        else:
            hasty += held
        changed = after.cup != memory.cup and event != "cancel"
        assert stores or not changed, "the cup changed without a store"
        return Local(disk, after, disk_log, log, pending), hasty

    # All states

    def explore(self):
        start = []
        for me in range(self.bounds.peers):
            cup = Cup(0, Where.HOLDING, contents=CONTENTS) if me == 0 else Cup(0)
            start.append(self.intern(Local(cup, Handover(self.sealers[me].seal, cup))))
        first = (tuple(start), 0, self.bounds.crashes)
        seen = {first}
        queue = deque([first])
        while queue:
            state = queue.popleft()
            self.check_state(*state[:2])
            for following in self.successors(state):
                if following not in seen:
                    seen.add(following)
                    queue.append(following)
        self.states = len(seen)
        return self

    def successors(self, state):
        numbers, net, crashes = state
        for me, number in enumerate(numbers):
            local = self.local_list[number]
            events = [*self.choices(local, me), *self.gossip(local, numbers)]
            if local.pending:
                events.append("fsync")
            for event in (*events, *self.arriving(net, me)):
                after, sent = self.step(me, number, event)
                if after != number or sent & ~net:
                    yield (*numbers[:me], after, *numbers[me + 1 :]), net | sent, crashes
            if crashes:
                after, sent = self.step(me, number, "crash")
                yield (*numbers[:me], after, *numbers[me + 1 :]), net | sent, crashes - 1

    def check(self, numbers):
        peers = [self.local_list[number] for number in numbers]
        holders = [p for p in peers if p.disk.is_here or p.memory.cup.is_here]
        if len(holders) > 1:
            self.found("two holders")
        if not any(p.disk.is_here or self.may_arrive(p.disk, peers) for p in peers):
            self.found("the cup is lost")
        for cup in (cup for p in holders for cup in (p.disk, p.memory.cup) if cup.is_here):
            if cup.contents != CONTENTS:
                self.found("other contents")
        self.check_settles(numbers)

    @staticmethod
    def may_arrive(disk, peers):
        if disk.where is not Where.OFFERED:
            return False
        taker = peers[disk.peer].disk
        return taker.taken < disk.last

    def check_settles(self, numbers):
        path = []
        while numbers not in self.settled:
            if self.rests(numbers):
                break
            if numbers in path:
                self.found("stuck")
                break
            path.append(numbers)
            numbers = self.fair_round(numbers)
        self.settled.update([*path, numbers])

    def rests(self, numbers):
        peers = [self.local_list[number] for number in numbers]
        where = sorted(p.memory.cup.where for p in peers)
        quiet = not any(p.pending or p.memory.offer for p in peers)
        return quiet and where == [Where.IDLE] * (len(peers) - 1) + [Where.HOLDING]

    def fair_round(self, numbers):
        """Every write ends, every player answers, every timer runs out, every frame arrives."""
        numbers, net = list(numbers), 0
        for me, _ in enumerate(numbers):
            for event in self.gossip(self.local_list[numbers[me]], numbers):
                numbers[me], sent = self.step(me, numbers[me], event)
                net |= sent
            for event in ("learn", "answer"):
                heard = self.local_list[numbers[me]].memory.offer
                if heard and heard.ready is (event == "answer"):
                    numbers[me], sent = self.step(me, numbers[me], event)
                    net |= sent
            for event in ("tick", *["fsync"] * len(self.local_list[numbers[me]].pending)):
                numbers[me], sent = self.step(me, numbers[me], event)
                net |= sent
        while net:
            frame = net & -net
            net ^= frame
            me = next(me for me, mask in enumerate(self.addressed) if mask & frame)
            numbers[me], sent = self.step(me, numbers[me], frame.bit_length() - 1)
            net |= sent
            while self.local_list[numbers[me]].pending:
                numbers[me], sent = self.step(me, numbers[me], "fsync")
                net |= sent
        return tuple(numbers)


EVERYTHING = ("answer", "withdraw", "cancel")
pytestmark = pytest.mark.whole


@pytest.mark.parametrize(
    ("bounds", "at_least"),
    [
        (Bounds(peers=2, hops=2, crashes=2, moves=(*EVERYTHING, "empty", "doubt")), 19_000),
        (Bounds(peers=3, hops=2, crashes=1, moves=EVERYTHING), 8_000),
        (Bounds(peers=3, hops=2, crashes=1, moves=("answer", "undo")), 20_000),
        (Bounds(peers=2, hops=3, crashes=1, moves=EVERYTHING), 4_000),
        (Bounds(peers=3, hops=3, crashes=2), 10_000),
        (Bounds(peers=2, hops=2, crashes=2, moves=(*EVERYTHING, "undo", "empty")), 37_000),
        soaked(Bounds(peers=2, hops=3, crashes=2, moves=(*EVERYTHING, "empty")), 200_000),
        soaked(Bounds(peers=3, hops=3, crashes=0, moves=EVERYTHING), 270_000),
        soaked(Bounds(peers=2, hops=3, crashes=1, moves=("answer", "undo")), 200_000),
    ],
    ids=str,
)
def test_there_is_exactly_one_cup_and_it_is_never_stuck(bounds, at_least):
    assert Explorer(bounds).explore().states >= at_least


# The known ways of doing it wrong


class TakesBackOnTimeOut(Explorer):
    def choices(self, local, me):
        yield from super().choices(local, me)
        if local.memory.cup.where is Where.OFFERED:
            yield "time-out"

    def react(self, handover, me, event, at):
        if event == "time-out":
            cup = Cup(0, Where.HOLDING, handover.cup.last, contents=handover.cup.contents)
            return Handover(handover.seal, cup), (StoreCup(cup),)
        return super().react(handover, me, event, at)


class OffersOneHopToAnother(Explorer):
    """The giver grows impatient, and gives to whoever else has answered for the hop."""

    def react(self, handover, me, event, at):
        if handover.cup.where is Where.OFFERED and isinstance(event, tuple):
            hop = handover.cup.last
            frame = handover.seal(Propose(hop, at, True, 62), event[1])
            cup = handover.cup._replace(where=Where.PROPOSED, peer=event[1], frame=frame)
            return handover._replace(cup=cup), (StoreCup(cup), SendFrame(event[1], frame))
        return super().react(handover, me, event, at)

    def choices(self, local, me):
        yield from super().choices(local, me)
        if local.memory.cup.where is Where.OFFERED:
            yield from (
                ("propose", to, True) for to in range(3) if to not in (me, local.memory.cup.peer)
            )


class KnowsDuplicatesOnlyInMemory(Explorer):
    """A crash makes the taker forget the hop."""

    def played(self, local, me, event):
        if event == "crash" and local.disk.where is Where.IDLE:
            local = local._replace(disk=local.disk._replace(last=0, taken=0), disk_log=0)
        return super().played(local, me, event)


def ignoring_stale(kind):
    """Return an explorer whose cups leave messages about a past hop unanswered."""

    class Ignores(Explorer):
        def receive(self, handover, me, sender, message, at):
            waits = kind is Answer and handover.cup.where in (Where.PROPOSED, Where.OFFERED)
            if isinstance(message, kind) and not waits and message.hop <= handover.cup.last:
                return handover, ()
            return super().receive(handover, me, sender, message, at)

    return Ignores


class EmptiesTheCupOnItsWay(Explorer):
    def receive(self, handover, me, sender, message, at):
        if isinstance(message, Give):
            message = Give(message.hop, Contents(), message.contribution)
        return super().receive(handover, me, sender, message, at)


@pytest.mark.parametrize(
    ("wrong", "violation", "bounds"),
    [
        (TakesBackOnTimeOut, "two holders", Bounds(2, 1, 0)),
        (OffersOneHopToAnother, "two holders", Bounds(3, 2, 0)),
        (KnowsDuplicatesOnlyInMemory, "two holders", Bounds(2, 2, 1)),
        (ignoring_stale(Give), "stuck", Bounds(2, 1, 0)),
        (ignoring_stale(Cancel), "stuck", Bounds(2, 1, 0, EVERYTHING)),
        (ignoring_stale(Answer), "stuck", Bounds(2, 1, 0, ("answer", "undo"))),
        (EmptiesTheCupOnItsWay, "other contents", Bounds(2, 1, 0)),
    ],
)
def test_the_checker_finds_what_is_known_to_be_wrong(wrong, violation, bounds):
    Explorer(bounds).explore()
    with pytest.raises(ViolationError, match=violation):
        wrong(bounds, looking_for=violation).explore()


@pytest.mark.parametrize(
    ("hasty", "violation", "bounds"),
    [
        (MessageKind.TAKEN, "the cup is lost", Bounds(2, 1, 1)),
        (MessageKind.GIVE, "two holders", Bounds(2, 1, 1)),
        (MessageKind.NAK, "two holders", Bounds(2, 2, 1, EVERYTHING)),
        (MessageKind.ANSWER, "two bodies under one header", Bounds(2, 1, 1, ("answer", "doubt"))),
        (MessageKind.PROPOSE, "two bodies under one header", Bounds(2, 1, 1, ("answer", "empty"))),
    ],
)
def test_the_checker_finds_every_frame_that_leaves_before_its_fsync(hasty, violation, bounds):
    Explorer(bounds).explore()
    with pytest.raises(ViolationError, match=violation):
        Explorer(bounds, urgent=(hasty,), looking_for=violation).explore()
