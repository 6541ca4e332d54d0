"""The cup passed on over simulated radios: real links, seals and journals, in virtual time.

Links are cut and handhelds lose their power in the middle of anything: the controller, the host and
the memory are gone, and the journal is opened again.
"""

import asyncio
from pathlib import Path
from random import Random

from firmware.table.handover.cup import Cup
from hw_sim.trials.soak.radio_seat import RadioSeat, RoughAir, SoakMedium
from hw_sim.trials.soak.watch import SoakTally, Watch

REBOOT_S = (15.0, 40.0)
"""From a power cut until the firmware runs again."""
STUCK_AFTER_S = 600.0
"""A cup that has not moved for this time is stuck."""
MISCHIEF_S = (0.0, 3.0)
"""After a hop, until a link is cut or the power fails, if either does."""


class RadioTable:
    """All seats on one medium, on the running loop.

    Args:
        seats: how many.
        medium: links them.
        loss: share of frames that get lost; as many come twice, and as many come late.
        cuts: links cut per hop.
        reboots: power cuts per hop.
        failures, silences: controllers that fail, or fall silent, per hop.
        seed: decides everything that the medium does not.
        tally: where it counts.
        folder: an empty folder for the journals.
    """

    def __init__(
        self,
        seats: int,
        medium: SoakMedium,
        *,
        loss: float,
        cuts: float,
        reboots: float,
        failures: float,
        silences: float,
        seed: int,
        tally: SoakTally,
        folder: Path,
    ) -> None:
        self.tally = tally
        self._loop = asyncio.get_running_loop()
        self._medium = medium
        self._chance = Random(f"soak {seed}")
        self._cuts = cuts
        self._reboots = reboots
        self._failures = failures
        self._silences = silences
        self._moved_s = self._loop.time()
        """The time of the last hop, or of the last return of power."""
        self._hops = 0
        self._over = self._loop.create_future()
        self._tasks = set[asyncio.Task[None]]()
        self._watch = Watch(seats, tally)
        air = RoughAir(self._loop, medium, self._chance, loss, self._watch, self._written)
        self._seats = [RadioSeat(air, seat, seats, folder) for seat in range(seats)]

    async def run(self, hops: int) -> None:
        """Let the cup go a number of hops."""
        self._hops = hops
        for seat in self._seats:
            await seat.start()
        self._watch_for_standstill(-1)
        await self._over
        for task in self._tasks:
            task.cancel()
        for seat in self._seats:
            seat.power_off()

    def _written(self, seat: int, cup: Cup) -> None:
        """A seat has its cup's state on the disk."""
        seen = self.tally.hops
        self._watch.written(seat, cup)
        if self.tally.hops != seen:
            self._moved()
        for _ in range(self.tally.hops - seen):
            self._loop.call_later(self._chance.uniform(*MISCHIEF_S), self._make_mischief)
        if self.tally.hops >= self._hops:
            self._end()

    def _moved(self) -> None:
        """Measure how long nothing moved, unless somebody is without power."""
        now_s = self._loop.time()
        if all(seat.is_on for seat in self._seats):
            still_s = now_s - self._moved_s
            self.tally.standstill_s = max(self.tally.standstill_s, still_s)
        self._moved_s = now_s

    def _watch_for_standstill(self, before: int) -> None:
        self.tally.stuck = self.tally.hops == before
        if self.tally.stuck:
            self._end()
        else:
            self._loop.call_later(STUCK_AFTER_S, self._watch_for_standstill, self.tally.hops)

    def _end(self) -> None:
        if not self._over.done():
            self._over.set_result(None)

    def _make_mischief(self) -> None:
        if self._over.done():
            return
        if self._chance.random() < self._cuts:
            one, other = self._chance.sample(range(len(self._seats)), 2)
            self.tally.cuts += self._medium.disturb(one, other)
        if self._chance.random() < self._reboots:
            self._reboot(self._chance.choice(self._seats))
        if self._chance.random() < self._failures:
            seat = self._chance.choice(self._seats)
            self.tally.failures += seat.is_on and self._medium.fail(seat.seat)
        if self._chance.random() < self._silences:
            seat = self._chance.choice(self._seats)
            self.tally.silences += seat.is_on and self._medium.mute(seat.seat)

    def _reboot(self, seat: RadioSeat) -> None:
        if seat.is_on:
            self.tally.reboots += 1
            seat.power_off()
            task = asyncio.ensure_future(self._start_again(seat))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            task.add_done_callback(self._failed)

    async def _start_again(self, seat: RadioSeat) -> None:
        await seat.start_again(self._chance.uniform(*REBOOT_S))
        self._moved_s = self._loop.time()

    @staticmethod
    def _failed(task: "asyncio.Task[None]") -> None:
        if not task.cancelled():
            task.result()
