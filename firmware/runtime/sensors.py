"""Reading the sensors: the accelerometer's FIFO and the light, each reading with its own time.

Only this module stamps them. A batch of motion has the time at which it was drained, less the
samples that still wait in the FIFO: they are newer. A reading of the light has the time at which it
was read. It is *fresh* if it differs from the one before, or if a conversion has passed since the
last fresh one; until then it may be that same conversion, read again.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final

from drivers.adxl345 import SAMPLE_PERIOD_US, Accelerometer, Samples
from drivers.bus import I2CBus, Priority
from drivers.light_sensor import LightSensor
from drivers.time import US_PER_S, now_us
from firmware.input.gestures.samples import AccelBatch, Light

BATCH_WAIT_S: Final = 0.15
"""A batch of motion comes every 0.1 s by interrupt; after this long it is read without one."""


async def drained(bus: I2CBus, accelerometer: Accelerometer) -> AccelBatch:
    """Read the FIFO of an accelerometer that measures; the result may be empty.

    Raises:
        PartError: the part does not answer.
    """
    return _batch(await bus.run(accelerometer.drain, Priority.MOTION))


def _batch(samples: Samples) -> AccelBatch:
    newest_us = now_us(asyncio.get_running_loop()) - samples.left * SAMPLE_PERIOD_US
    return AccelBatch(newest_us, samples.xyz, overrun=samples.overrun)


async def motion_batches(
    bus: I2CBus, accelerometer: Accelerometer, due: Callable[[], Awaitable[object]]
) -> AsyncGenerator[AccelBatch, None]:
    """Drain an accelerometer that measures, for ever; a batch may be empty.

    ``due`` is awaited before each batch, such as INT1 or a sleep, but not while samples are left. A
    caller that leaves the generator closes it (``aclosing``).

    Raises:
        PartError: the part does not answer.
    """
    left = 0
    while True:
        if not left:
            await due()
        samples = await bus.run(accelerometer.drain, Priority.MOTION)
        left = samples.left
        yield _batch(samples)


async def begin_light(bus: I2CBus, sensor: LightSensor) -> None:
    """Set a light sensor up and let it convert fast.

    Raises:
        PartError: the part does not answer.
    """
    await bus.run(sensor.begin, Priority.LIGHT)
    await bus.run(sensor.fast, Priority.LIGHT)


async def light_readings(
    bus: I2CBus, sensor: LightSensor, pace: Callable[[], Awaitable[bool]] | None = None
) -> AsyncGenerator[Light, None]:
    """Read a light sensor that was just told to convert fast, from its first conversion on.

    Args:
        bus: the sensor's bus.
        sensor: as `begin_light` leaves it.
        pace: awaited after each reading, and says whether to go on; None waits for a conversion, so
            that every reading is fresh, and goes on for ever.

    Raises:
        PartError: the part does not answer.
    """
    loop = asyncio.get_running_loop()
    await asyncio.sleep(sensor.settle_us / US_PER_S)
    last, fresh_us = -1, 0
    goes_on = True
    while goes_on:
        counts = await bus.run(sensor.read, Priority.LIGHT)
        t_us = now_us(loop)
        fresh = counts != last or t_us - fresh_us >= sensor.fresh_us
        if fresh:
            last, fresh_us = counts, t_us
        yield Light(t_us, counts, fresh)
        if pace is not None:
            goes_on = await pace()
        else:
            await asyncio.sleep(sensor.fresh_us / US_PER_S)
