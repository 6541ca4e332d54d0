"""The board's parts behind their drivers, their readings, and when display and sensors sleep.

Real buses and pins are opened here and nowhere else, and readings are stamped here. A batch of
motion has the time at which it was drained, less the samples that still wait in the FIFO: they are
newer. A reading of the light has the time at which it was read. It is *fresh* if it differs from
the one before, or if a conversion has passed since the last fresh one; until then it may be that
same conversion, read again.

An action of the player is activity, and so is a screen that concerns them; a cup between others is
not. The display of a player who is to act dims, but never turns off.

Numbers without a source are chosen.
"""

import asyncio
import atexit
import importlib
import os
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
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
from firmware.display.screens import Screen
from firmware.input.gestures import AccelBatch, Covered, Gesture, Light, Pose, TooDark, Uncovered
from firmware.input.gestures.recognizer import Recognizer
from game.options import check_choice

DIM_US: Final = 20_000_000
"""The display is dimmed after this long without activity …"""

OFF_US: Final = 60_000_000
"""… and off after this long."""

FLASH_US: Final = 5_000_000
"""A nudge brightens the display for so long."""

TURNED_DEG: Final = 10.0
"""A pose that differs by this much in roll or pitch from the last counts as moved."""


class Brightness(Enum):
    """Brightness levels of the display."""

    FULL = auto()
    DIM = auto()
    OFF = auto()


class Idle:
    """The time of the last activity. Times in µs on the handheld's clock."""

    def __init__(self, now_us: int) -> None:
        self._active_us = now_us
        self._flash_until_us = now_us
        self._pose: Pose | None = None
        self.asked = False
        """Whether the player is to act: then the display is dimmed at most."""

    def wake(self, now_us: int) -> None:
        """Count as active at ``now_us``."""
        self._active_us = max(self._active_us, now_us)

    def flash(self, now_us: int) -> None:
        """Make the display FULL for `FLASH_US`, without counting as active."""
        self._flash_until_us = now_us + FLASH_US

    def add_gesture(self, gesture: Gesture, now_us: int) -> None:
        """Wake for any gesture except ``TooDark`` and a pose within `TURNED_DEG` of the last."""
        match gesture:
            case TooDark():
                return
            case Pose():
                if not self._moved(gesture):
                    return
                self._pose = gesture
            case _:
                pass
        self.wake(now_us)

    def brightness(self, now_us: int) -> Brightness:
        """Return the brightness of the display now."""
        if now_us < self._flash_until_us:
            return Brightness.FULL
        since_us = now_us - self._active_us
        if since_us >= OFF_US and not self.asked:
            return Brightness.OFF
        return Brightness.DIM if since_us >= DIM_US else Brightness.FULL

    def next_timer_us(self, now_us: int) -> int | None:
        """Return when the brightness changes next, without activity; None if it stays."""
        due_us = [self._flash_until_us, self._active_us + DIM_US]
        if not self.asked:
            due_us.append(self._active_us + OFF_US)
        return min((us for us in due_us if us > now_us), default=None)

    def _moved(self, pose: Pose) -> bool:
        if not pose.still or self._pose is None:
            return True
        turned_deg = max(
            abs(pose.roll_deg - self._pose.roll_deg), abs(pose.pitch_deg - self._pose.pitch_deg)
        )
        return turned_deg >= TURNED_DEG


@dataclass
class Switch:
    """On or off; turning it on ends every ``turned_on``."""

    on: bool = False
    _waiters: list[asyncio.Future[None]] = field(default_factory=list)

    def set(self, on: bool) -> None:
        """Turn the switch on or off."""
        self.on = on
        if on:
            waiters, self._waiters = self._waiters, []
            for waiter in waiters:
                _wake(waiter)

    async def turned_on(self, timeout_s: float | None = None) -> None:
        """Return when it is on, or after ``timeout_s`` (None: wait for ever)."""
        if self.on:
            return
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[None] = loop.create_future()
        self._waiters.append(waiter)
        timer = None
        if timeout_s is not None:
            timer = loop.call_later(timeout_s, _wake, waiter)
        try:
            await waiter
        finally:
            if timer is not None:
                timer.cancel()
            if waiter in self._waiters:
                self._waiters.remove(waiter)


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


class Timer:
    """Calls ``call`` once, at the latest set time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
        self._loop = loop
        self._call = call
        self._handle: asyncio.TimerHandle | None = None
        self._due_us: int | None = None

    def set(self, due_us: int | None) -> None:
        """Call at ``due_us`` (µs of the loop; soon, if passed); this replaces any earlier time.

        None: do not call.
        """
        if due_us == self._due_us:
            return
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self._due_us = due_us
        if due_us is not None:
            due_s = max(due_us, now_us(self._loop)) / US_PER_S
            self._handle = self._loop.call_at(due_s, self._came_due)

    def _came_due(self) -> None:
        self._handle = self._due_us = None
        self._call()


class Wake:
    """Brightness by ``Idle``, and the switches that the sensors follow.

    Args:
        loop: tells the time.
        set_brightness: gets the brightness at each ``settle``.
        woken: is called when the handheld wakes, before its sensors do.

    Attributes:
        awake: off while the display is off because nobody looks; then only waking is sensed.
        sensing: whether gestures matter now, so that the sensors run at full rate.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        set_brightness: Callable[[Brightness], None],
        woken: Callable[[], None],
    ) -> None:
        self.awake = Switch(on=True)
        self.sensing = Switch()
        self._loop = loop
        self._set_brightness = set_brightness
        self._woken = woken
        self._wants_sensing = False
        self._idle = Idle(now_us(loop))
        self._timer = Timer(loop, self.settle)

    def sense(self, fully: bool, *, asked: bool) -> None:
        """Set whether the core wants gestures, and whether the player is to act; and settle.

        The handheld senses gestures at the full rate while it is awake, and otherwise only what
        wakes it. It stays awake while the player is to act.
        """
        self._wants_sensing = fully
        self._idle.asked = asked
        self.settle()

    def add_gesture(self, gesture: Gesture) -> None:
        """Pass a gesture to ``Idle``; call ``settle`` after the last one."""
        self._idle.add_gesture(gesture, now_us(self._loop))

    def add_screen(self, screen: Screen) -> None:
        """Wake for a screen that concerns the player."""
        if screen.concerns_player:
            self.wake()

    def wake(self) -> None:
        """Count as active now, and settle."""
        self._idle.wake(now_us(self._loop))
        self.settle()

    def flash(self) -> None:
        """Make the display FULL for `FLASH_US`, and settle."""
        self._idle.flash(now_us(self._loop))
        self.settle()

    def settle(self) -> None:
        """Set brightness and switches by ``Idle``, and schedule its next change."""
        t_us = now_us(self._loop)
        self._timer.set(self._idle.next_timer_us(t_us))
        brightness = self._idle.brightness(t_us)
        awake = brightness is not Brightness.OFF
        if awake and not self.awake.on:
            self._woken()
        self._set_brightness(brightness)
        self.awake.set(awake)
        self.sensing.set(awake and self._wants_sensing)

    def stop(self) -> None:
        """Stop the timer."""
        self._timer.set(None)


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
