"""The board's parts behind their drivers, and their readings.

Real buses and pins are opened here and nowhere else, and readings are stamped here. A batch of
motion has the time at which it was drained, less the samples that still wait in the FIFO: they are
newer. A reading of the light has the time at which it was read. It is *fresh* if it differs from
the one before, or if a conversion has passed since the last fresh one; until then it may be that
same conversion, read again.

Numbers without a source are chosen.
"""

import asyncio
import atexit
import importlib
import os
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final, cast

from drivers import US_PER_S, make_driver, now_us
from drivers.adxl345 import SAMPLE_PERIOD_US, WATERMARK, Accelerometer, Interrupt, Samples
from drivers.bus import (
    BusioAdapter,
    Execute,
    I2CBus,
    Priority,
    SMBusLike,
    thread_execute,
)
from drivers.gpio import GPIOModule, InterruptPin, PinError
from drivers.light_sensor import LIGHT_SENSORS, LightKind, LightSensor
from drivers.panel import PANEL, Panel
from drivers.piezo import Piezo
from drivers.pins import ACCELEROMETER_INT1, I2C_BUS, PIEZO, TOUCH
from firmware.input.gestures import AccelBatch, Covered, Light, Uncovered
from firmware.input.gestures.recognizer import Recognizer
from firmware.runtime.sleep import Wake
from game.options import check_choice


class BoardError(Exception):
    """The board cannot be opened; the text is one line that says what to do."""


@dataclass(frozen=True)
class Board:
    """One handheld's parts.

    Attributes:
        bus: the owner of the I2C bus that the three parts below share.
        gpio: the library of the pins; ``touch_pin`` is the pad's, by its BCM number.
        motion_pin: the accelerometer's INT1.
        piezo: plays tones, if one is fitted; only then it claims its pin.
    """

    bus: I2CBus
    accelerometer: Accelerometer
    panel: Panel
    light: LightSensor
    gpio: GPIOModule
    touch_pin: int
    motion_pin: InterruptPin
    piezo: Piezo


def assemble(
    smbus: SMBusLike,
    execute: Execute,
    gpio: GPIOModule,
    loop: asyncio.AbstractEventLoop,
    light: LightKind = "veml7700",
) -> Board:
    """Put the drivers on a bus and pins, real or simulated. Nothing is sent yet.

    ``light``: the light sensor that is fitted.
    """
    bus = I2CBus(smbus, execute)
    return Board(
        bus=bus,
        accelerometer=Accelerometer(bus.adapter),
        panel=make_driver(PANEL.driver, bus.adapter),
        light=light_part(bus.adapter, light),
        gpio=gpio,
        touch_pin=TOUCH,
        motion_pin=InterruptPin(gpio, ACCELEROMETER_INT1, loop),
        piezo=Piezo(gpio, PIEZO, loop),
    )


def light_part(adapter: BusioAdapter, kind: LightKind) -> LightSensor:
    """Create the driver of the fitted light sensor. Raises SetupError if there is no such kind."""
    check_choice("light", kind, LIGHT_SENSORS)
    return cast(LightSensor, make_driver(LIGHT_SENSORS[kind].driver, adapter))


@asynccontextmanager
async def open_board(light: LightKind = "veml7700") -> AsyncIterator[Board]:
    """Open the Pi's I2C bus and pins for as long as the block lasts.

    ``light``: the light sensor that is fitted.

    Raises:
        BoardError: this is not a Pi, the bus is switched off, or access is refused.
    """
    from smbus2 import SMBus

    gpio = open_pins()
    try:
        smbus = SMBus(I2C_BUS)
    except OSError as error:
        raise BoardError(
            f"no I2C bus {I2C_BUS} ({error.strerror}): switch it on with dtparam=i2c_arm=on in "
            "config.txt, and join the group i2c"
        ) from None
    with thread_execute() as execute:
        try:
            board = assemble(smbus, execute, gpio, asyncio.get_running_loop(), light)
        except PinError as error:
            smbus.close()
            raise BoardError(str(error)) from None
        try:
            yield board
        finally:
            board.piezo.close()
            board.motion_pin.close()
            smbus.close()


def open_pins() -> GPIOModule:
    """Import the library of the Pi's pins.

    rpi-lgpio puts pipes into the folder that LG_WD names, and changes into it. Without LG_WD it
    gets a temporary folder, and this function changes back, so that relative paths keep their
    meaning.

    Raises:
        BoardError: the library is missing, or does not load here.
    """
    import shutil
    import tempfile

    with _going_back():
        try:
            if "LG_WD" not in os.environ:
                folder = os.environ["LG_WD"] = tempfile.mkdtemp(prefix="maexchen-")
                atexit.register(shutil.rmtree, folder, ignore_errors=True)
            return cast(GPIOModule, importlib.import_module("RPi.GPIO"))
        except OSError as error:
            raise BoardError(
                f"the GPIO library finds no folder for its pipes ({error}): make room in /tmp, or "
                "name a folder that can be written to with LG_WD"
            ) from None
        except Exception as error:  # the libraries raise what they like, even Exception itself
            raise BoardError(
                f"no GPIO pins ({error}): run this on a Raspberry Pi with RPi.GPIO or rpi-lgpio, "
                "or play in a browser: make play"
            ) from None


@contextmanager
def _going_back() -> Iterator[None]:
    """Return to the same working directory after the block."""
    try:
        here = os.open(".", os.O_PATH)
    except PermissionError:  # another user's: nothing in it can be meant
        here = os.open("/", os.O_PATH)
    try:
        yield
    finally:
        os.fchdir(here)
        os.close(here)


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
            changed = any(isinstance(gesture, Covered | Uncovered) for gesture in seen)
            if changed or self._recognizer.light.lift_suspected:
                self._wake.wake()
            await awake.turned_on(sensor.slow_period_us / US_PER_S)


MOVED_AGAIN_S: Final = 5.0
"""Continued motion is reported again after this long, if the part only watches for waking."""

UNREADY_S: Final = 0.09
"""Pause after a batch that was not due, so that a stuck line does not drain for ever. Its samples
are fewer than those that the line waits for."""


class MotionSense:
    """Serves the accelerometer.

    Args:
        board: the parts.
        wake: says whether motion matters, and is woken by it.
        feed: is called with each batch that is not empty.
        reset: is called as the full rate begins, to drop what was sensed before.
    """

    def __init__(
        self,
        board: Board,
        wake: Wake,
        feed: Callable[[AccelBatch], None],
        reset: Callable[[], None],
    ) -> None:
        self._board = board
        self._wake = wake
        self._feed = feed
        self._reset = reset

    async def serve(self, well: Callable[[], None]) -> None:
        """Set the part up, call ``well``, and follow motion until cancelled.

        Raises:
            PartError: the part does not answer.
        """
        board = self._board
        await board.bus.run(board.accelerometer.begin, Priority.MOTION)
        well()
        due = partial(board.motion_pin.wait, BATCH_WAIT_S)
        while True:
            if not self._wake.sensing.on:
                await self._watch()
                continue
            batches = motion_batches(board.bus, board.accelerometer, due)
            async with aclosing(batches):
                async for batch in batches:
                    if batch.xyz:
                        self._feed(batch)
                    if len(batch.xyz) < WATERMARK:
                        await asyncio.sleep(UNREADY_S)
                    if not self._wake.sensing.on:
                        break

    async def _watch(self) -> None:
        """Let the part sleep until motion is wanted, or something moves it."""
        bus, accelerometer, sensing = self._board.bus, self._board.accelerometer, self._wake.sensing
        await bus.run(accelerometer.watch_for_motion, Priority.MOTION)
        await self._moved_or_wanted()
        if not sensing.on:
            if Interrupt.ACTIVITY in await bus.run(accelerometer.interrupt_source, Priority.MOTION):
                self._wake.wake()
            await sensing.turned_on(MOVED_AGAIN_S)
        if sensing.on:
            await bus.run(accelerometer.wake, Priority.MOTION)
            self._reset()

    async def _moved_or_wanted(self) -> None:
        """Return when INT1 is high, or motion is wanted."""
        waits = [
            asyncio.ensure_future(self._board.motion_pin.wait()),
            asyncio.ensure_future(self._wake.sensing.turned_on()),
        ]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
