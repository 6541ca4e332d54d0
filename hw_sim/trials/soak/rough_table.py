"""A table of real handhelds on one medium, with faults of media, links and power.

Links are cut and handhelds lose their power in the middle of anything: the controller, the host and
the memory are gone, and the journal is opened again.
"""

import asyncio
import logging
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from firmware.journal import CUP_KEY, Put, Write
from firmware.journal.sqlite import Journal
from firmware.table.handover import Cup
from hw_sim.table import TableSetup
from hw_sim.table.handheld import SharedServices, SimulatedHandheld
from hw_sim.table.table import seated
from hw_sim.trials.faults import FrameFaults, Harm, MediumFaults
from hw_sim.trials.soak import HastyPlayer, RoughAir, SoakTally, Watch

_log = logging.getLogger(__name__)
REBOOT_S = (15.0, 40.0)
"""From a power cut until the firmware runs again; chosen."""
STUCK_AFTER_S = 600.0
"""A cup that has not moved for this time is stuck; chosen."""
MISCHIEF_S = (0.0, 3.0)
"""After a hop, until a link is cut or the power fails, if either does; chosen."""


class WatchedJournal(Journal):
    """A journal of which every state of the cup is watched once it is written."""

    def __init__(self, table: "RoughTable", seat: int, path: Path) -> None:
        self._watched = table, seat
        super().__init__(path)

    def write(self, batch: tuple[Write, ...]) -> None:
        """Write a batch in one transaction; see `Journal`."""
        super().write(batch)
        table, seat = self._watched
        for item in batch:
            if isinstance(item, Put) and item.key == CUP_KEY:
                table.written(seat, Cup.decode(item.value))


class RoughTable:
    """All seats on one medium, on the running loop.

    Args:
        setup: the game, the seats and the medium.
        services: what the handhelds share.
        faults: of the medium.
        harm: what goes wrong, and how often.
        tally: where it counts.
        folder: an empty folder for the journals.
    """

    def __init__(
        self, setup: TableSetup, services: SharedServices, faults: MediumFaults, harm: Harm,
        tally: SoakTally, folder: Path,
    ) -> None:  # fmt: skip
        self.tally = tally
        self._setup = setup
        self._services = services
        self._faults = faults
        self._harm = harm
        self._folder = folder
        self._loop = asyncio.get_running_loop()
        self._chance = Random(f"soak {setup.seed}")
        self._watch = Watch(setup.players, tally)
        of_frames = FrameFaults(harm.loss, harm.loss, harm.loss)
        self._air = RoughAir(self._chance, of_frames, setup.players, self._watch)
        self._power: dict[int, asyncio.Timeout] = {}
        """The seats that have power, and what ends it."""
        self._moved_s = self._loop.time()
        """The time of the last hop, or of the last return of power."""
        self._until = 0
        self._over = asyncio.Event()

    async def run(self, hops: int) -> None:
        """Let the cup go until the tally has this number of hops, or the cup is stuck."""
        self._until = hops
        async with asyncio.TaskGroup() as tasks:
            serving = [tasks.create_task(self._serve(at)) for at in range(self._setup.players)]
            serving.append(tasks.create_task(self._watch_for_standstill()))
            await self._over.wait()
            for task in serving:
                task.cancel()

    async def _serve(self, seat: int) -> None:
        """Run a seat for ever; after each power cut it begins anew with its journal."""
        boots = 0
        while True:
            handheld = self._switched_on(seat, boots)
            try:
                async with asyncio.timeout(None) as self._power[seat]:
                    await handheld.run()
            except TimeoutError:
                pass  # the power is cut
            except ExceptionGroup as defect:
                _log.error("the handheld of seat %d ended: %r", seat, defect.exceptions[0])
                self.tally.defects += 1
                self._over.set()
                return
            self._watch.remembered(seat, Cup(0))
            self._services.air.switch_off(seat)
            await asyncio.sleep(self._chance.uniform(*REBOOT_S))
            self._moved_s = self._loop.time()
            boots += 1

    def _switched_on(self, seat: int, boots: int) -> SimulatedHandheld:
        services = replace(
            self._services,
            journal=partial(WatchedJournal, self, seat),
            core=partial(HastyPlayer, self._air, seat),
        )
        return seated(self._setup, seat, boots, services, self._folder)

    def written(self, seat: int, cup: Cup) -> None:
        """Note that a seat has this state of the cup on its disk."""
        seen = self.tally.hops
        self._watch.written(seat, cup)
        if self.tally.hops != seen:
            self._moved()
            after_s = self._chance.uniform(*MISCHIEF_S)
            self._loop.call_later(after_s, self._make_mischief)
        if self.tally.hops >= self._until:
            self._over.set()

    def _moved(self) -> None:
        """Measure how long nothing moved, unless somebody is without power."""
        now_s = self._loop.time()
        if len(self._power) == self._setup.players:
            still_s = now_s - self._moved_s
            self.tally.standstill_s = max(self.tally.standstill_s, still_s)
        self._moved_s = now_s

    async def _watch_for_standstill(self) -> None:
        before = -1
        while before != self.tally.hops:
            before = self.tally.hops
            await asyncio.sleep(STUCK_AFTER_S)
        self.tally.stuck = True
        self._over.set()

    def _make_mischief(self) -> None:
        if self._over.is_set():
            return
        chance, harm, seats = self._chance, self._harm, range(self._setup.players)
        if chance.random() < harm.cuts:
            self.tally.cuts += self._faults.cut(*chance.sample(seats, 2))
        strikes = zip(harm[2:], (self._cut_power, self._fail, self._mute))
        for share, strike in strikes:
            seat = chance.choice(seats)
            if chance.random() < share and seat in self._power:
                strike(seat)

    def _cut_power(self, seat: int) -> None:
        self.tally.reboots += 1
        self._power.pop(seat).reschedule(self._loop.time())

    def _fail(self, seat: int) -> None:
        self.tally.failures += self._faults.fail(seat)

    def _mute(self, seat: int) -> None:
        self.tally.silences += self._faults.mute(seat)
