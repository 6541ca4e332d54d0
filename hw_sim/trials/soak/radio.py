"""The cup passed on over simulated radios: real links, seals and journals, in virtual time.

Between a seat and its link a rough stretch of air loses, repeats and delays frames, and an attacker
adds what he makes of those he heard: with a bit changed, cut short, sealed for another table, or
sent back to where they came from. Links are cut and handhelds lose their power in the middle of
anything: the controller, the host and the memory are gone, and the journal is opened again.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Protocol

from firmware.journal.sqlite import Journal
from firmware.journal.writes import Put
from firmware.table.handover.cup import Cup
from firmware.table.handover.effects import SendFrame
from firmware.table.protocol.cup_messages import Taken
from firmware.table.protocol.header import HEADER_BYTES, FrameError
from firmware.table.protocol.keys import keys_of_table
from firmware.table.protocol.sealing import Sealer
from firmware.table.seat.storage import CUP_KEY
from hw_sim.clock.virtual import now_us
from hw_sim.trials.soak.porter import Porter
from hw_sim.trials.soak.watch import SoakTally, Watch

KEY = bytes(range(32))
OTHER_KEY = bytes(32)
WRITE_S = (0.004, 0.025)
"""What one synchronous write takes on a memory card."""
LATE_S = (0.05, 2.0)
"""What a frame that comes late takes longer."""
REBOOT_S = (15.0, 40.0)
"""From a power cut until the firmware runs again."""
STUCK_AFTER_S = 600.0
"""A cup that has not moved for so long will not move any more."""
MISCHIEF_S = (0.0, 3.0)
"""After a hop, until a link is cut or the power fails, if either does."""
FORGERY_RATE = 0.02
"""Share of frames that an attacker uses."""
HEARD = 50
"""So many frames he remembers."""


class Link(Protocol):
    """One handheld's side of a medium."""

    async def start(self) -> None:
        """Switch it on."""
        ...

    def abandon(self) -> None:
        """The power is cut."""
        ...

    def send(self, seat: int, frame: bytes) -> None:
        """Send a frame to a seat; it arrives, or not."""
        ...


class Medium(Protocol):
    """What links the seats."""

    def link(self, seat: int, on_frame: Callable[[int, bytes], None]) -> Link:
        """Make the link of a seat anew, as when it is switched on."""
        ...

    def disturb(self, one: int, other: int) -> bool:
        """Cut what links two seats; False if nothing does now."""
        ...

    def off(self, seat: int) -> None:
        """A seat has lost its power."""
        ...


class RadioTable:
    """All seats on one medium, on the running loop.

    Args:
        seats: how many.
        medium: links them.
        loss: share of frames that get lost; as many come twice, and as many come late.
        cuts: links cut per hop.
        reboots: power cuts per hop.
        seed: decides everything that the medium does not.
        tally: where it counts.
        folder: an empty folder for the journals.
    """

    def __init__(
        self,
        seats: int,
        medium: Medium,
        *,
        loss: float,
        cuts: float,
        reboots: float,
        seed: int,
        tally: SoakTally,
        folder: Path,
    ) -> None:
        self.tally = tally
        self.loop = asyncio.get_running_loop()
        self.medium = medium
        self.chance = Random(f"soak {seed}")
        self.loss = loss
        self._cuts = cuts
        self._reboots = reboots
        self._hops = 0
        self._over = self.loop.create_future()
        self._tasks = set[asyncio.Task[None]]()
        self.watch = Watch(seats, tally)
        self.seats = [RadioSeat(self, seat, seats, folder) for seat in range(seats)]

    async def run(self, hops: int) -> None:
        """Let the cup go so many hops."""
        self._hops = hops
        for seat in self.seats:
            await seat.start()
        self._watch_for_standstill(-1)
        await self._over
        for task in self._tasks:
            task.cancel()
        for seat in self.seats:
            seat.power_off()

    def written(self, seat: int, cup: Cup) -> None:
        """A seat has its cup's state on the disk."""
        seen = self.tally.hops
        self.watch.written(seat, cup)
        for _ in range(self.tally.hops - seen):
            self.loop.call_later(self.chance.uniform(*MISCHIEF_S), self._make_mischief)
        if self.tally.hops >= self._hops:
            self._end()

    def _watch_for_standstill(self, before: int) -> None:
        self.tally.stuck = self.tally.hops == before
        if self.tally.stuck:
            self._end()
        else:
            self.loop.call_later(STUCK_AFTER_S, self._watch_for_standstill, self.tally.hops)

    def _end(self) -> None:
        if not self._over.done():
            self._over.set_result(None)

    def _make_mischief(self) -> None:
        if self._over.done():
            return
        if self.chance.random() < self._cuts:
            one, other = self.chance.sample(range(len(self.seats)), 2)
            self.tally.cuts += self.medium.disturb(one, other)
        if self.chance.random() < self._reboots:
            self._reboot(self.chance.choice(self.seats))

    def _reboot(self, seat: "RadioSeat") -> None:
        if seat.is_on:
            self.tally.reboots += 1
            seat.power_off()
            task = asyncio.ensure_future(seat.start_again(self.chance.uniform(*REBOOT_S)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            task.add_done_callback(self._failed)

    @staticmethod
    def _failed(task: "asyncio.Task[None]") -> None:
        if not task.cancelled():
            task.result()


class RadioSeat:
    """One seat: a porter, its keys, its journal and its link."""

    def __init__(self, table: RadioTable, seat: int, seats: int, folder: Path) -> None:
        self.seat = seat
        self.is_on = False
        self._table = table
        self._path = folder / f"seat{seat}.sqlite"
        self._sealer = Sealer(keys_of_table(KEY, seat, range(seats)), seat, 0)
        self._stranger = Sealer(keys_of_table(OTHER_KEY, seat, range(seats)), seat, 0)
        self._heard = deque[bytes](maxlen=HEARD)
        self._queue: deque[tuple[Cup, list[SendFrame]]] = deque()
        self._timers: list[asyncio.TimerHandle] = []
        self._resend: asyncio.TimerHandle | None = None
        self._link: Any = None
        self._journal = Journal(self._path)
        self.porter = Porter(seat, seats, self._sealer.seal, table.watch, self, table.chance)
        self._journal.write((Put(CUP_KEY, self.porter.handover.cup.encode()),))

    @property
    def now_us(self) -> int:
        """The loop's time."""
        return now_us(self._table.loop)

    async def start(self) -> None:
        """Switch the link on; who has the cup passes it on."""
        self._link = self._table.medium.link(self.seat, self._on_frame)
        await self._link.start()
        self.is_on = True
        self.porter.pass_on()

    async def start_again(self, after_s: float) -> None:
        """Come back after a power cut with what the journal has."""
        await asyncio.sleep(after_s)
        self._journal = Journal(self._path)
        cup = Cup.decode(self._journal.survived.state[CUP_KEY])
        self._link = self._table.medium.link(self.seat, self._on_frame)
        await self._link.start()
        self.is_on = True
        self._table.watch.remembered(self.seat, cup)
        self.porter.boot(cup)
        self._plan()

    def power_off(self) -> None:
        """Lose the memory, and what was not written yet."""
        if not self.is_on:
            return
        self.is_on = False
        for timer in (*self._timers, self._resend):
            if timer is not None:
                timer.cancel()
        self._timers.clear()
        self._queue.clear()
        self._table.watch.remembered(self.seat, Cup(0))
        self._link.abandon()
        self._table.medium.off(self.seat)
        self._journal.close()

    # What the porter needs

    def store(self, seat: int, cup: Cup, then: list[SendFrame]) -> None:
        """Write behind what is being written, then send."""
        del seat
        self._queue.append((cup, then))
        if len(self._queue) == 1:
            self._later(self._table.chance.uniform(*WRITE_S), self._written)
        self._plan()

    def send(self, seat: int, send: SendFrame) -> None:
        """Send what follows from what is written, or is being written."""
        del seat
        if self._queue:
            self._queue[-1][1].append(send)
        else:
            self._transmit(send)

    def _written(self) -> None:
        cup, then = self._queue.popleft()
        self._journal.write((Put(CUP_KEY, cup.encode()),))
        self._table.written(self.seat, cup)
        for send in then:
            self._transmit(send)
        if self._queue:
            self._later(self._table.chance.uniform(*WRITE_S), self._written)

    def _plan(self) -> None:
        if self._resend is not None:
            self._resend.cancel()
        due_us = self.porter.next_timer_us
        self._resend = None
        if due_us is not None:
            self._resend = self._table.loop.call_at(due_us / 1e6, self._on_due)

    def _on_due(self) -> None:
        self.porter.tick()
        self._plan()

    def _later(self, after_s: float, what: Callable[..., None], *args: object) -> None:
        now_s = self._table.loop.time()
        self._timers = [timer for timer in self._timers if timer.when() > now_s]
        self._timers.append(self._table.loop.call_later(after_s, what, *args))

    # The air

    def _transmit(self, send: SendFrame) -> None:
        table, chance = self._table, self._table.chance
        fate = chance.random()
        if fate < table.loss:
            table.tally.lost_frames += 1
            return
        if fate < 2 * table.loss:
            table.tally.late_frames += 1
            self._later(chance.uniform(*LATE_S), self._link.send, send.seat, send.frame)
            return
        self._link.send(send.seat, send.frame)
        if fate > 1 - table.loss:
            table.tally.repeated_frames += 1
            self._link.send(send.seat, send.frame)
        if table.loss and chance.random() < FORGERY_RATE:
            self._link.send(send.seat, self._forged(send.seat))

    def _forged(self, to: int) -> bytes:
        """What an attacker makes of what he heard, or of nothing."""
        chance = self._table.chance
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

    def _on_frame(self, _: int, frame: bytes) -> None:
        if not self.is_on:
            return
        self._heard.append(frame)
        try:
            sender, message = self._sealer.open(frame)
        except FrameError:
            self._table.tally.refused_forgeries += 1
            return
        self.porter.receive(sender, message)
        self._plan()
