"""One world for cores: a clock, an air with faults, disks, and cores that are real.

A core is whatever a test has under its hands: a handheld, a lobby, a pairing, a seat without a
display. A world says how its cores take a report; all else is here. Effects are carried out in
their order: no frame overtakes a write before it. Time jumps from one due event to the next.
"""

from collections import defaultdict, deque
from math import inf
from operator import attrgetter
from typing import NamedTuple

from firmware.effects import Received, SendToDevice, SendToSeat, Store, Stored, Tick
from firmware.input.gestures import Held, Pose, Pressed, Released, Tap
from firmware.table.protocol import HEADER_BYTES, kind_of
from firmware.table.protocol.invitations import EVERYBODY

MS = 1_000
S = 1_000_000


def device(at):
    """The device of a core by its number."""
    return bytes((0xF0, 0xF1, 0xF2, 0xF3, 0xF4, at))


class Flight(NamedTuple):
    """A frame on the air, which arrives ``at_us``; or one that was said then.

    ``to``: a core by its number; of what was said, a seat or a device, None for everybody.
    """

    at_us: int
    sender: int
    to: int | bytes | None
    frame: bytes


_at_us = attrgetter("at_us")


class Net:
    """Cores that hear each other.

    Args:
        cores: by their number; a place in the list can get another core at any time.
        disks: what has ``write`` for each core; None: no write is confirmed.
        disk_us, air_us: what a write and a frame take.
        faults: of the air, a `FrameFaults`; None: it has none.
        chance: of the faults.
    """

    insider = None
    """The core that lies, and may say two things under one header; None for none."""
    again_us = None
    """How soon a core is called again whose timer stays due; None: none may."""

    def __init__(self, cores, *, disks=None, disk_us=0, air_us=0, faults=None, chance=None):
        self.cores, self.disks = cores, disks
        self.disk_us, self.air_us = disk_us, air_us
        self.faults, self.rng = faults, chance
        self.lost = None
        """Is asked of every frame (sender, receiver, message) whether it is lost; None: none is."""
        self.now_us = 0
        self.air, self.said = [], []
        self.bodies = {}
        """By header: the sealed frame that was said with it."""
        self.outboxes = defaultdict(deque)
        """By number: the writes and frames that a core has still to carry out, and when."""
        self._not_before_us = {}

    # The facts that a world gives of its cores

    def handle(self, at, report):
        """The effects of a report to a core."""
        return self.cores[at].handle(report, self.now_us)

    def pending(self, _at):
        """The effects of what a test has done to a core without a report."""
        return ()

    def timer_us(self, at):
        """When a core has something to do; None if never."""
        return self.cores[at].next_timer_us

    def checked(self, _sender, effect):
        """The thing that ``lost`` judges: the frame that leaves, or the message in it."""
        return effect.frame

    def other(self, at, effect):
        """Carry out an effect that is neither a write nor a frame."""

    def check(self):
        """Check what must hold after every report."""

    # Reports and effects

    def do(self, at, *reports):
        """Report gestures or anything else to a core, and let all that follows happen."""
        for report in reports:
            self.report(at, report)
            self.settle()

    def report(self, at, report):
        self.follow(at, self.handle(at, report))

    def follow(self, at, effects):
        """Carry effects out, or keep them until they are due."""
        for effect in effects:
            if isinstance(effect, Store | SendToSeat | SendToDevice):
                self.outboxes[at].append((self.now_us + self.disk_us, effect))
            else:
                self.other(at, effect)
        self.check()

    def settle(self):
        """Carry out all that needs no time."""
        moved = True
        while moved:
            moved = False
            for at in range(len(self.cores)):
                if effects := self.pending(at):
                    self.follow(at, effects)
                while self.outboxes[at] and self.carry_out(at):
                    moved = True
            while self.air and (flight := min(self.air, key=_at_us)).at_us <= self.now_us:
                self.air.remove(flight)
                self.hear(flight.to, flight.frame)
                moved = True

    def carry_out(self, at):
        """Carry out the next effect of a core; return False if it is not due yet."""
        due_us, effect = self.outboxes[at][0]
        if not isinstance(effect, Store):
            self.outboxes[at].popleft()
            self.send(at, effect)
            return True
        if due_us > self.now_us:
            return False
        self.outboxes[at].popleft()
        if self.write(at, effect):
            self.report(at, Stored(effect.ticket))
        return True

    def write(self, at, store):
        """Write to a core's disk; return whether the core may know of it."""
        if self.disks is None:
            return False
        self.disks[at].write(store.batch)
        return True

    def send(self, sender, effect):
        """Send a frame to all that it is for; no sealed header ever stands over two bodies."""
        to = effect.seat if isinstance(effect, SendToSeat) else effect.device
        self.said.append(Flight(self.now_us, sender, to, effect.frame))
        if kind_of(effect.frame) is not None:
            header = effect.frame[:HEADER_BYTES]
            is_one = self.bodies.setdefault(header, effect.frame) == effect.frame
            assert is_one or sender == self.insider, f"two bodies under a header: {header.hex()}"
        message = self.checked(sender, effect)
        for receiver in self.receivers(sender, effect):
            if self.lost is None or not self.lost(sender, receiver, message):
                self.fly(sender, receiver, effect.frame)

    def receivers(self, sender, effect):
        """The numbers of the cores that a frame is for."""
        if isinstance(effect, SendToSeat):
            return [effect.seat]
        others = (other for other in range(len(self.cores)) if other != sender)
        to_all = effect.device in (None, EVERYBODY)
        return [other for other in others if to_all or effect.device == device(other)]

    def fly(self, sender, receiver, frame):
        """Have a frame on the air, with its faults."""
        for delay_us in (0,) if self.faults is None else self.faults.delays_us(self.rng):
            at_us = self.now_us + self.air_us + delay_us
            self.air.append(Flight(at_us, sender, receiver, frame))

    def lose(self):
        """Lose a frame that is on the air, if any is."""
        if self.air:
            del self.air[self.rng.randrange(len(self.air))]

    def say_again(self, said):
        """Have a frame on the air that was there before."""
        self.fly(*said[1:])

    def hear(self, receiver, frame):
        self.report(receiver, Received(frame))

    # Time

    @property
    def next_us(self):
        """When something is due; infinity if nothing ever will be."""
        due = [self._due_us(at) for at in range(len(self.cores))]
        due += (outbox[0][0] for outbox in self.outboxes.values() if outbox)
        return min((*due, *map(_at_us, self.air)), default=inf)

    def wait(self, duration_us):
        """Let time pass, stopping at all that is due."""
        until_us = self.now_us + duration_us
        self.settle()
        while (next_us := self.next_us) <= until_us:
            self.now_us = max(self.now_us, next_us)
            self.settle()
            self.tick()
            self.settle()
        self.now_us = until_us

    def tick(self):
        """Let all cores do what is due."""
        for at in range(len(self.cores)):
            if self._due_us(at) <= self.now_us:
                self.report(at, Tick())
                if self._due_us(at) <= self.now_us:
                    assert self.again_us is not None, "a timer that stays due"
                    self._not_before_us[at] = self.now_us + self.again_us

    def _due_us(self, at):
        due_us = self.timer_us(at)
        return inf if due_us is None else max(due_us, self._not_before_us.get(at, 0))

    def until(self, done, most_s=120):
        """Let time pass until something is so."""
        end_us = self.now_us + most_s * S
        while not done():
            assert self.now_us < end_us, [getattr(core, "screen", core) for core in self.cores]
            self.wait(100 * MS)


class NetBelow(Net):
    """Cores without a screen: seats, pairings, lobbies. They keep what they want until asked."""

    def core(self, at):
        return self.cores[at]

    def handle(self, at, report):
        match report:
            case Received(frame):
                self.core(at).receive(frame, self.now_us)
            case Stored(ticket):
                self.core(at).stored(ticket, None)
            case Tick():
                self.core(at).tick(self.now_us)
        return self.pending(at)


def cut_off(net, *places, wait_us=0):
    """Let nothing more reach these cores or leave them, and so much time pass."""
    net.lost = lambda sender, receiver, _: sender in places or receiver in places
    if wait_us:
        net.wait(wait_us)


def drop(net, *kinds):
    """Let all messages of these kinds get lost."""
    net.lost = lambda _sender, _receiver, message: isinstance(message, kinds)


POSE_US = 100 * MS
MOST_POSES = 1_000
"""Poses in which the longest dial turns from end to end."""


class Thumb:
    """Gestures at a place by its number; for what has ``now_us``, ``wait`` and ``do``."""

    def pose(self, at, roll_deg, still=True, pause_us=POSE_US):
        self.wait(pause_us)
        self.do(at, Pose(self.now_us, roll_deg, 0.0, still))

    def rest(self, at, duration_us=500 * MS):
        for _ in range(duration_us // POSE_US):
            self.pose(at, 0.0)

    def tilt_dial(self, at, dial, index):
        """Bring the highlight of the open dial at a place to an entry by tilting alone."""
        if dial.angle_deg(Pose(0, 0.0, 0.0, True)) is None:
            self.rest(at)
        for _ in range(MOST_POSES):
            if dial.index == index:
                break
            before = dial.index
            self.pose(at, 60.0 if index > before else -60.0)
            assert abs(dial.index - before) <= 1
        assert dial.index == index, "the dial does not turn"
        self.pose(at, 0.0)

    def do_entry(self, at, *, holds):
        """Tap or hold, as the highlighted entry asks."""
        (self.hold if holds else self.tap)(at)

    def press(self, at):
        self.do(at, Pressed(self.now_us))

    def release(self, at):
        self.do(at, Released(self.now_us))

    def tap(self, at):
        self.press(at)
        self.wait(200 * MS)
        self.do(at, Tap(self.now_us))

    def hold(self, at, before_release=lambda: None):
        self.press(at)
        self.wait(800 * MS)
        self.do(at, Held(self.now_us))
        before_release()
        self.wait(100 * MS)
        self.release(at)
