"""A table of real handhelds on one medium, with faults of media, links and power.

Links are cut and handhelds lose their power in the middle of anything: the controller, the host and
the memory are gone, and the journal is opened again.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from firmware.journal import CUP_KEY, Put, Write
from firmware.journal.sqlite import Journal
from firmware.table.handover import Cup
from hw_sim.air.local_broker import LocalBroker, free_port
from hw_sim.table import TableSetup
from hw_sim.table.handheld import SharedServices, SimulatedHandheld
from hw_sim.table.table import seated
from hw_sim.trials.soak import HastyPlayer, RoughAir, SoakTally, Watch

DOWN_S = (0.5, 5.0)
"""How long a broker that was killed is away."""
PARTED_S = 30.0
"""How long no network reaches a seat."""
HELD_S = (0.2, 3.0)
"""How long a real broker, or a hand between two seats, is held."""


class NoFaults:
    """The faults of a medium that has none, and the interface of those that have."""

    def __init__(self, services: SharedServices) -> None:
        del services

    def cut(self, one: int, other: int) -> bool:
        """Cut what links two seats; False if nothing does now."""
        del one, other
        return False

    def fail(self, seat: int) -> bool:
        """Let a seat's controller, or the broker, fail and forget everything; False if none can."""
        del seat
        return False

    def mute(self, seat: int) -> bool:
        """Let a seat's controller answer no command any more; False if it has none."""
        del seat
        return False


class BluetoothFaults(NoFaults):
    """Cuts connections; controllers fail and fall silent."""

    def __init__(self, services: SharedServices) -> None:
        from hw_sim.air.bluetooth import BluetoothAir  # needs the extra bluetooth

        assert isinstance(services.air, BluetoothAir), "all seats have Bluetooth"
        self._air = services.air

    def cut(self, one: int, other: int) -> bool:
        """Cut the connection between two seats; False if they have none."""
        return self._air.cut(one, other)

    def fail(self, seat: int) -> bool:
        """Let the controller fail."""
        for controller in self._air.controllers_of(seat):
            controller.fail()
        return True

    def mute(self, seat: int) -> bool:
        """Let the controller answer no command any more."""
        for controller in self._air.controllers_of(seat):
            controller.fall_mute()
        return True


class InfraredFaults(NoFaults):
    """Holds a hand between two seats."""

    def __init__(self, services: SharedServices) -> None:
        self._air = services.infrared
        self._chance = Random("infrared faults")

    def cut(self, one: int, other: int) -> bool:
        """Hold a hand between two seats for 0.2 to 3 s; always True."""
        self._air.block(one, other, self._chance.uniform(*HELD_S))
        return True


class BrokerFaults(NoFaults):
    """Cuts seats off a broker in memory for 30 s, and kills it."""

    def __init__(self, services: SharedServices) -> None:
        assert services.broker is not None, "it is one in memory"
        self._broker = services.broker
        self._chance = Random("broker faults")

    def cut(self, one: int, other: int) -> bool:
        """Let no network reach a seat for 30 s; False if that one is not reached already."""
        del other
        return self._broker.cut(one, PARTED_S)

    def fail(self, seat: int) -> bool:
        """Kill the broker, and start it a while later; False if it is down already."""
        del seat
        if not self._broker.is_up:
            return False
        self._broker.kill()
        self._broker.loop.call_later(self._chance.uniform(*DOWN_S), self._broker.start)
        return True


class RealBrokerFaults(NoFaults):
    """Holds (SIGSTOP, 0.2 to 3 s) and kills (SIGKILL) a broker of its own on this machine.

    It is mosquitto where that is installed and ``with_amqtt`` is False.
    """

    def __init__(self, folder: Path, *, with_amqtt: bool = False) -> None:
        self._chance = Random("broker faults")
        self.broker = LocalBroker(folder, free_port(), with_amqtt=with_amqtt)
        self._tasks = set[asyncio.Task[None]]()
        self._is_up = True

    async def stop(self) -> None:
        """End the broker for good."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.broker.kill()

    def cut(self, one: int, other: int) -> bool:
        """Hold the broker for a while; False if it is held or down already."""
        del one, other
        return self._meanwhile(self._held())

    def fail(self, seat: int) -> bool:
        """Kill the broker and start it again; False if it is down or held already."""
        del seat
        return self._meanwhile(self._killed())

    def _meanwhile(self, work: Coroutine[Any, Any, None]) -> bool:
        if not self._is_up:
            work.close()
            return False
        self._is_up = False
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _held(self) -> None:
        self.broker.hold(True)
        try:
            await asyncio.sleep(self._chance.uniform(*HELD_S))
        finally:
            self.broker.hold(False)
        self._is_up = True

    async def _killed(self) -> None:
        self.broker.kill()
        await asyncio.sleep(self._chance.uniform(*DOWN_S))
        await self.broker.start()
        self._is_up = True


FAULTS: Mapping[str, Callable[[SharedServices], NoFaults]] = {
    "bluetooth": BluetoothFaults,
    "ir": InfraredFaults,
    "mqtt": BrokerFaults,
    "memory": NoFaults,
}
"""By the name of a soak's link."""


_log = logging.getLogger(__name__)
REBOOT_S = (15.0, 40.0)
"""From a power cut until the firmware runs again."""
STUCK_AFTER_S = 600.0
"""A cup that has not moved for this time is stuck."""
MISCHIEF_S = (0.0, 3.0)
"""After a hop, until a link is cut or the power fails, if either does."""


class Harm(NamedTuple):
    """The faults, and how often each comes.

    Attributes:
        loss: share of frames that get lost; as many come twice, and as many come late.
        cuts: links cut per hop.
        reboots: power cuts per hop.
        failures, silences: controllers that fail, or fall silent, per hop.
    """

    loss: float
    cuts: float
    reboots: float
    failures: float = 0.0
    silences: float = 0.0


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
        self, setup: TableSetup, services: SharedServices, faults: NoFaults, harm: Harm,
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
        self._air = RoughAir(self._chance, harm.loss, setup.players, self._watch)
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
