"""The light sensor's readings: at the full rate, or only now and then, to wake by light."""

import asyncio
from collections.abc import Callable
from typing import Final

from drivers.bus import Priority
from drivers.time import US_PER_S, now_us
from firmware.input.gestures.gesture import Covered, Lifted
from firmware.input.gestures.recognizer import Recognizer
from firmware.input.gestures.samples import Light
from firmware.runtime.board import Board
from firmware.runtime.sensors import light_readings
from firmware.runtime.wake import Wake

LIGHT_PERIOD_S: Final = 0.020
"""Interval of readings of the light while the cup may be lifted …"""
LIGHT_SOON_S: Final = 0.004
"""… and while one bright conversion waits for a second to confirm it."""
LIGHT_ASLEEP_S: Final = 0.5
"""Interval of readings while the cup is elsewhere."""


def pause_s(*, suspected: bool) -> float:
    """Return seconds to the next reading with a cup to be lifted; ``suspected``: one was high."""
    return LIGHT_SOON_S if suspected else LIGHT_PERIOD_S


class LightSense:
    """Serves the light sensor.

    Args:
        board: the parts.
        wake: says whether light matters; light wakes it.
        recognizer: says whether a lift is suspected; gets the readings while the handheld sleeps.
        feed: is called with each reading while awake.
    """

    def __init__(
        self, board: Board, wake: Wake, recognizer: Recognizer, feed: Callable[[Light], None]
    ) -> None:
        self._bus = board.bus
        self._sensor = board.light
        self._wake = wake
        self._recognizer = recognizer
        self._feed = feed

    async def serve(self, well: Callable[[], None]) -> None:
        """Set the part up, call ``well``, and follow the light until cancelled.

        ``well`` is called again after each change between awake and asleep.

        Raises:
            PartError: the part does not answer.
        """
        await self._bus.run(self._sensor.begin, Priority.LIGHT)
        while True:
            await (self._follow(well) if self._wake.awake.on else self._sleep_until_light(well))

    async def _follow(self, well: Callable[[], None]) -> None:
        """Feed the light, until the handheld falls asleep."""
        await self._bus.run(self._sensor.fast, Priority.LIGHT)
        well()
        async for reading in light_readings(self._bus, self._sensor, self._pace):
            self._feed(reading)

    async def _pace(self) -> bool:
        if self._recognizer.light.lift_suspected or self._wake.sensing.on:
            await asyncio.sleep(pause_s(suspected=self._recognizer.light.lift_suspected))
        else:
            await self._wake.sensing.turned_on(LIGHT_ASLEEP_S)
        return self._wake.awake.on

    async def _sleep_until_light(self, well: Callable[[], None]) -> None:
        """Read the light now and then until the handheld wakes, perhaps by the light."""
        bus, sensor, awake = self._bus, self._sensor, self._wake.awake
        await bus.run(sensor.slow, Priority.LIGHT)
        well()
        await awake.turned_on(sensor.slow_settle_us / US_PER_S)
        while not awake.on:
            counts = await bus.run(sensor.read, Priority.LIGHT)
            if awake.on:
                return
            t_us = now_us(asyncio.get_running_loop())
            seen = self._recognizer.feed(Light(t_us, counts), t_us)
            changed = any(isinstance(gesture, Covered | Lifted) for gesture in seen)
            if changed or self._recognizer.light.lift_suspected:
                self._wake.wake()
            await awake.turned_on(sensor.slow_period_us / US_PER_S)
