"""The board's parts behind their drivers: the only place that opens real buses and pins."""

import asyncio
import atexit
import importlib
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import cast

from drivers.adxl345 import Accelerometer
from drivers.bus import BusioAdapter, Execute, I2CBus, SMBusLike, thread_execute
from drivers.gpio import GPIOModule, PinError
from drivers.interrupt import InterruptPin
from drivers.light_sensor import LIGHT_SENSORS, LightKind, LightSensor
from drivers.piezo import Piezo
from drivers.pins import ACCELEROMETER_INT1, I2C_BUS, PIEZO, TOUCH
from drivers.ssd1306 import Panel
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
        panel=Panel(bus.adapter),
        light=light_part(bus.adapter, light),
        gpio=gpio,
        touch_pin=TOUCH,
        motion_pin=InterruptPin(gpio, ACCELEROMETER_INT1, loop),
        piezo=Piezo(gpio, PIEZO, loop),
    )


def light_part(adapter: BusioAdapter, kind: LightKind) -> LightSensor:
    """Create the driver of the fitted light sensor. Raises SetupError if there is no such kind."""
    check_choice("light", kind, LIGHT_SENSORS)
    return LIGHT_SENSORS[kind].made(adapter)


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
