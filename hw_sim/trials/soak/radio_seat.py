"""One seat on a rough stretch of air: the real link, seals and journal around a porter.

Between a seat and its link frames are lost, come twice or late. An attacker adds forgeries of
earlier frames: with a bit changed, cut short, sealed for another table, or sent back to their
sender. A power cut takes the link and the memory; the journal is opened again.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

from drivers.time import now_us
from firmware.journal.keys import CUP_KEY
from firmware.journal.sqlite import Journal
from firmware.journal.writes import Put
from firmware.link.link import Link
from firmware.table.handover.cup import Cup
from firmware.table.handover.effects import SendFrame
from firmware.table.protocol.cup_messages import Taken
from firmware.table.protocol.header import HEADER_BYTES, FrameError, FrameProblem
from firmware.table.protocol.invitations import device_of
from firmware.table.protocol.keys import keys_of_table
from firmware.table.protocol.sealing import Sealer
from hw_sim.air.air import bluetooth_address
from hw_sim.trials.soak.porter import Porter
from hw_sim.trials.soak.watch import Watch

KEY = bytes(range(32))
OTHER_KEY = bytes(32)
WRITE_S = (0.004, 0.025)
"""The least and the most time of one synchronous write on a memory card."""
LATE_S = (0.05, 2.0)
"""The least and the most delay of a frame that comes late."""
FORGERY_RATE = 0.02
"""Share of frames that an attacker uses."""
HEARD = 50
"""The number of frames that the attacker remembers."""


def devices_of(seats: int) -> list[bytes]:
    """The device (six bytes) of each seat on the simulated air, by seat."""
    return [device_of(bluetooth_address(seat)) for seat in range(seats)]


class SoakMedium(Protocol):
    """The medium that links the seats."""

    def link(self, seat: int, on_frame: Callable[[bytes], None]) -> Link:
        """Make the link of a seat anew, not started; ``on_frame`` gets whole sealed frames."""

    def disturb(self, one: int, other: int) -> bool:
        """Cut what links two seats; False if nothing does now."""

    def fail(self, seat: int) -> bool:
        """Let a seat's controller fail and forget everything; False if it has none."""

    def mute(self, seat: int) -> bool:
        """Let a seat's controller answer no command any more; False if it has none."""

    def off(self, seat: int) -> None:
        """Switch off a seat's parts on the air: it lost its power."""


@dataclass(frozen=True)
class RoughAir:
    """The objects and settings that all seats of a soak share.

    Attributes:
        loop: whose time it is.
        medium: links them.
        chance: decides everything that the medium does not.
        loss: share of frames that get lost; as many come twice, and as many come late.
        watch: sees every state of every cup.
        written: gets a seat and the state of its cup when that is on the disk.
    """

    loop: asyncio.AbstractEventLoop
    medium: SoakMedium
    chance: Random
    loss: float
    watch: Watch
    written: Callable[[int, Cup], None]


class RadioSeat:
    """One seat: a porter, its keys, its journal and its link; off until `start`.

    Args:
        air: what it shares with the others.
        seat, seats: its number, and how many there are.
        folder: for its journal.
    """

    def __init__(self, air: RoughAir, seat: int, seats: int, folder: Path) -> None:
        self.seat = seat
        self.is_on = False
        self._air = air
        self._path = folder / f"seat{seat}.sqlite"
        self._sealer = Sealer(keys_of_table(KEY, seat, range(seats)), seat, 0)
        self._stranger = Sealer(keys_of_table(OTHER_KEY, seat, range(seats)), seat, 0)
        self._heard = deque[bytes](maxlen=HEARD)
        self._queue: deque[tuple[Cup, list[SendFrame]]] = deque()
        self._timers: list[asyncio.TimerHandle] = []
        self._resend: asyncio.TimerHandle | None = None
        self._link: Link | None = None
        self._devices = devices_of(seats)
        self._journal = Journal(self._path)
        self.porter = Porter(seat, seats, self._sealer.seal, air.watch, self, air.chance)
        self._journal.write((Put(CUP_KEY, self.porter.handover.cup.encode()),))

    @property
    def now_us(self) -> int:
        """The loop's time in µs."""
        return now_us(self._air.loop)

    async def start(self) -> None:
        """Switch the link on; a seat with the cup passes it on."""
        self._link = self._air.medium.link(self.seat, self._on_frame)
        await self._link.start()
        self.is_on = True
        self.porter.pass_on()

    async def start_again(self, after_s: float) -> None:
        """Switch on again, ``after_s`` virtual seconds from now, with what the journal has."""
        await asyncio.sleep(after_s)
        self._journal = Journal(self._path)
        cup = Cup.decode(self._journal.survived.state[CUP_KEY])
        self._link = self._air.medium.link(self.seat, self._on_frame)
        await self._link.start()
        self.is_on = True
        self._air.watch.remembered(self.seat, cup)
        self.porter.boot(cup)
        self._plan()

    def power_off(self) -> None:
        """Cut the power, if it is on: memory, link and what is not written yet are gone."""
        if not self.is_on:
            return
        self.is_on = False
        for timer in (*self._timers, self._resend):
            if timer is not None:
                timer.cancel()
        self._timers.clear()
        self._queue.clear()
        self._air.watch.remembered(self.seat, Cup(0))
        if self._link is not None:
            self._link.abandon()
        self._air.medium.off(self.seat)
        self._journal.close()

    # The porter's interface

    def store(self, seat: int, cup: Cup, then: list[SendFrame]) -> None:
        """Queue a write behind the earlier ones (4 to 25 ms each), then send ``then``."""
        del seat
        self._queue.append((cup, then))
        if len(self._queue) == 1:
            self._later(self._air.chance.uniform(*WRITE_S), self._written)
        self._plan()

    def send(self, seat: int, send: SendFrame) -> None:
        """Send after the writes that are under way."""
        del seat
        if self._queue:
            self._queue[-1][1].append(send)
        else:
            self._transmit(send)

    def _written(self) -> None:
        cup, then = self._queue.popleft()
        self._journal.write((Put(CUP_KEY, cup.encode()),))
        self._air.written(self.seat, cup)
        for send in then:
            self._transmit(send)
        if self._queue:
            self._later(self._air.chance.uniform(*WRITE_S), self._written)

    def _plan(self) -> None:
        if self._resend is not None:
            self._resend.cancel()
        due_us = self.porter.next_timer_us
        self._resend = None
        if due_us is not None:
            self._resend = self._air.loop.call_at(due_us / 1e6, self._on_due)

    def _on_due(self) -> None:
        self.porter.tick()
        self._plan()

    def _later(self, after_s: float, what: Callable[..., None], *args: object) -> None:
        now_s = self._air.loop.time()
        self._timers = [timer for timer in self._timers if timer.when() > now_s]
        self._timers.append(self._air.loop.call_later(after_s, what, *args))

    # The air

    def _transmit(self, send: SendFrame) -> None:
        air, chance = self._air, self._air.chance
        fate = chance.random()
        if fate < air.loss:
            air.watch.tally.lost_frames += 1
            return
        if fate < 2 * air.loss:
            air.watch.tally.late_frames += 1
            self._later(chance.uniform(*LATE_S), self._send, send.seat, send.frame)
            return
        self._send(send.seat, send.frame)
        if fate > 1 - air.loss:
            air.watch.tally.repeated_frames += 1
            self._send(send.seat, send.frame)
        if air.loss and chance.random() < FORGERY_RATE:
            self._send(send.seat, self._forged(send.seat))

    def _send(self, seat: int, frame: bytes) -> None:
        if self._link is not None:
            self._link.send(self._devices[seat], frame)

    def _forged(self, to: int) -> bytes:
        """Make a frame as an attacker does: from overheard frames, or from nothing."""
        chance = self._air.chance
        frame = bytearray(chance.choice(self._heard) if self._heard else bytes(26))
        match chance.randrange(4):
            case 0:
                frame[chance.randrange(len(frame))] ^= 1 << chance.randrange(8)
            case 1:
                del frame[chance.randrange(len(frame)) :]
            case 2:
                return self._stranger.seal(Taken(max(self.porter.handover.cup.last, 1)), to)
            case _:
                pass  # a frame that this very seat was sent, reflected or replayed to another
        return bytes(frame).ljust(HEADER_BYTES, b"\0")

    def _on_frame(self, frame: bytes) -> None:
        if not self.is_on:
            return
        self._heard.append(frame)
        try:
            sender, message = self._sealer.open(frame)
        except FrameError as error:
            if error.problem is not FrameProblem.NOT_FOR_ME:  # over infrared everybody hears it
                self._air.watch.tally.refused_forgeries += 1
            return
        self.porter.receive(sender, message)
        self._plan()
