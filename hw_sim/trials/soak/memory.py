"""The handover core alone, over an air of memory that loses, repeats and reorders.

Nothing is sealed or encoded here: a frame is the message itself. The soak tries the core alone,
with all faults around it, at as many hops a second as it can do.
"""

from random import Random
from typing import cast

from firmware.table.handover.cup import Cup
from firmware.table.handover.effects import SendFrame
from firmware.table.protocol.codec import Message
from hw_sim.trials.soak.porter import Porter
from hw_sim.trials.soak.watch import SoakTally, Watch

_STUCK_AFTER = 100_000
"""A cup that has not moved after this number of frames is stuck."""
_WINDOW = 4
"""A frame is overtaken by those of the next few that are on the air."""


class MemoryTable:
    """All seats, one air.

    Args:
        seats: how many.
        loss: share of frames that get lost, 0 to 0.5; as many come twice, and as many come late.
        reboots: power cuts per hop, in the mean.
        seed: decides everything.
        tally: where it counts.
    """

    def __init__(
        self, seats: int, *, loss: float, reboots: float, seed: int, tally: SoakTally
    ) -> None:
        self.now_us = 0
        self.tally = tally
        self._chance = Random(f"soak {seed}")
        self._random = self._chance.random
        self._loss = loss
        self._reboot = reboots / 5
        """Per write; a hop has five."""
        self._air: list[tuple[int, int, Message]] = []
        watch = Watch(seats, tally)
        self._watch = watch
        self._disks = [Cup(0)] * seats
        self.porters = [
            Porter(seat, seats, _unsealed, watch, self, self._chance) for seat in range(seats)
        ]
        for porter in self.porters:
            self._disks[porter.seat] = porter.handover.cup

    def run(self, hops: int) -> None:
        """Let the cup go until it has this number of hops in all, or is stuck."""
        self.porters[0].pass_on()
        air, porters, tally = self._air, self.porters, self.tally
        moved = frames = 0
        while tally.hops < hops and not tally.stuck:
            if air:
                frames += 1
                if tally.hops != moved:
                    moved, frames = tally.hops, 0
                tally.stuck = frames > _STUCK_AFTER
                sender, receiver, message = air.pop(0 if len(air) < _WINDOW else self._overtaken())
                porters[receiver].receive(sender, message)
            else:
                self._wait()

    def store(self, seat: int, cup: Cup, then: list[SendFrame]) -> None:
        """Write and send at once, unless the power fails before or after the write: then boot."""
        fails = self._random()
        if fails < self._reboot:
            if fails < self._reboot / 2:
                self._disks[seat] = cup
                self._watch.written(seat, cup)
            self.tally.reboots += 1
            self._watch.remembered(seat, Cup(0))
            self.porters[seat].boot(self._disks[seat])
            return
        self._disks[seat] = cup
        self._watch.written(seat, cup)
        for send in then:
            self.send(seat, send)

    def send(self, seat: int, send: SendFrame) -> None:
        """Put a frame on the air once, twice, or not at all."""
        fate = self._random()
        if fate < self._loss:
            self.tally.lost_frames += 1
            return
        frame = (seat, send.seat, cast(Message, send.frame))
        self._air.append(frame)
        if fate > 1 - self._loss:
            self.tally.repeated_frames += 1
            self._air.append(frame)

    def _overtaken(self) -> int:
        place = self._chance.randrange(_WINDOW)
        self.tally.late_frames += place > 0
        return place

    def _wait(self) -> None:
        waiting = [porter for porter in self.porters if porter.next_timer_us is not None]
        if not waiting:
            self.tally.stuck = True
            return
        self.now_us = min(porter.next_timer_us for porter in waiting if porter.next_timer_us)
        for porter in waiting:
            porter.tick()


def _unsealed(message: Message, _: int) -> bytes:
    return cast(bytes, message)
