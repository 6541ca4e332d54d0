"""Faults of the media that a soak runs over."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from random import Random
from typing import Any

from hw_sim.air.local_broker import LocalBroker, free_port
from hw_sim.table.handheld import SharedServices

DOWN_S = (0.5, 5.0)
"""How long a broker that was killed is away."""
PARTED_S = 30.0
"""How long no network reaches a seat."""
HELD_S = (0.2, 3.0)
"""How long a real broker, or a hand between two seats, is held."""


class NoFaults:
    """The faults of a medium that has none, and the interface of those that have."""

    def __init__(self, around: SharedServices) -> None:
        del around

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

    def __init__(self, around: SharedServices) -> None:
        from hw_sim.air.bluetooth import BluetoothAir  # needs the extra bluetooth

        assert isinstance(around.air, BluetoothAir), "all seats have Bluetooth"
        self._air = around.air

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

    def __init__(self, around: SharedServices) -> None:
        self._air = around.infrared
        self._chance = Random("infrared faults")

    def cut(self, one: int, other: int) -> bool:
        """Hold a hand between two seats for 0.2 to 3 s; always True."""
        self._air.block(one, other, self._chance.uniform(*HELD_S))
        return True


class BrokerFaults(NoFaults):
    """Cuts seats off a broker in memory for 30 s, and kills it."""

    def __init__(self, around: SharedServices) -> None:
        assert around.broker is not None, "it is one in memory"
        self._broker = around.broker
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
