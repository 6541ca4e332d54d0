"""The medium of a soak over a broker: one in memory, under virtual time, or a real one."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any

from firmware.effects.places import TableAddress
from firmware.link.broker.address import BrokerAddress
from firmware.link.broker.link import BrokerLink
from firmware.link.broker.session import Session
from firmware.link.link import Link
from firmware.table.protocol.keys import tag_of_table
from hw_sim.air.air import ControllerProfile
from hw_sim.air.broker import MemoryBroker, MemorySession
from hw_sim.air.local_broker import LocalBroker, free_port
from hw_sim.trials.soak.radio_seat import KEY

DOWN_S = (0.5, 5.0)
"""How long a broker that was killed is away."""
PARTED_S = 30.0
"""How long no network reaches a seat."""
HELD_S = (0.2, 3.0)
"""How long a real broker is held, so that nobody hears it."""


class BrokerMedium:
    """The link over a broker in memory. Cuts are partitions of 30 s, failures kill the broker."""

    def __init__(self, seats: int, seed: int, controller: ControllerProfile) -> None:
        del seats, controller
        self.broker = MemoryBroker(seed)
        self._chance = Random(f"broker medium {seed}")
        self._sessions: dict[int, MemorySession] = {}

    def link(self, seat: int, on_frame: Callable[[bytes], None]) -> Link:
        """Make session and link of a seat anew."""
        self._sessions[seat] = session = self.broker.session()
        return seated(session, seat, on_frame)

    def disturb(self, one: int, other: int) -> bool:
        """Let no network reach one of two seats for 30 s; False if one is not reached already."""
        del other
        session = self._sessions[one]
        if session.is_cut:
            return False
        session.cut(PARTED_S)
        return True

    def fail(self, seat: int) -> bool:
        """Kill the broker, and start it a while later; False if it is down already."""
        del seat
        if not self.broker.is_up:
            return False
        self.broker.kill()
        self.broker.loop.call_later(self._chance.uniform(*DOWN_S), self.broker.start)
        return True

    def mute(self, seat: int) -> bool:
        """Do nothing: there is no controller."""
        del seat
        return False

    def off(self, seat: int) -> None:
        """Do nothing: the session ends with its link."""
        del seat


class RealBrokerMedium:
    """The link over a broker of its own on this machine, in real time, hurried or not.

    It is mosquitto where that is installed and ``with_amqtt`` is False.
    Cuts hold the broker's process (SIGSTOP) for 0.2 to 3 s, failures kill it (SIGKILL).
    """

    def __init__(self, seed: int, folder: Path, *, with_amqtt: bool = False) -> None:
        self._loop = asyncio.get_running_loop()
        self._chance = Random(f"broker medium {seed}")
        self.broker = LocalBroker(folder, free_port(), with_amqtt=with_amqtt)
        self._tasks = set[asyncio.Task[None]]()
        self._is_up = False

    async def start(self) -> None:
        """Start the broker. Raises CommandError where there is none."""
        await self.broker.start()
        self._is_up = True

    async def stop(self) -> None:
        """End the broker for good."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.broker.kill()

    def link(self, seat: int, on_frame: Callable[[bytes], None]) -> Link:
        """Make session and link of a seat anew."""
        from firmware.link.broker.mqtt import MqttSession  # needs the extra broker

        address = BrokerAddress.of(self.broker.url)
        return seated(MqttSession(address, _silently, self._chance.random), seat, on_frame)

    def disturb(self, one: int, other: int) -> bool:
        """Hold the broker for a while; False if it is held or down already."""
        del one, other
        return self._meanwhile(self._held())

    def fail(self, seat: int) -> bool:
        """Kill the broker and start it again; False if it is down or held already."""
        del seat
        return self._meanwhile(self._killed())

    def mute(self, seat: int) -> bool:
        """Do nothing: there is no controller."""
        del seat
        return False

    def off(self, seat: int) -> None:
        """Do nothing: the session ends with its link."""
        del seat

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


def seated(session: Session, seat: int, on_frame: Callable[[bytes], None]) -> Link:
    """The link of a seat of the soak's table over a session."""
    link = BrokerLink(session, on_frame)
    link.listen_at(TableAddress(tag_of_table(KEY), seat))
    return link


def _silently(_line: str) -> None:
    """Drop a line about trouble: the soak counts trouble by its cause."""
