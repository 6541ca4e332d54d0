"""A Raspberry Pi as programs see it: devices, texts of its kernel, modules for its pins."""

import errno
import os
import shutil
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, Final

from ..board.board import Board
from ..parts.part import Offence
from . import gpiod, kernel_buses, lgpio, libraries, rpi_gpio, spi
from .baton import Baton
from .i2cdev import I2CDevice
from .lines import Lines


def _refuse_chip() -> None:
    raise PermissionError(13, "the bench has no ioctl of a GPIO chip: use gpiod, lgpio or RPi.GPIO")


_SCAN = "scan the bus with smbus2"
_PINS = "use RPi.GPIO, gpiozero, lgpio or gpiod"
_CAMERA = "it has no camera"
COMMANDS: Final = {
    **dict.fromkeys(("i2cdetect", "i2cget", "i2cset", "i2cdump", "i2ctransfer"), _SCAN),
    **dict.fromkeys(("gpio", "raspi-gpio", "pinctrl", "gpioget", "gpioset", "gpiomon"), _PINS),
    **dict.fromkeys(("raspistill", "raspivid", "libcamera-still", "rpicam-still"), _CAMERA),
    "vcgencmd": "read /sys/class/thermal/thermal_zone0/temp",
    "pigpiod": _PINS,
    **dict.fromkeys(("libgpiod_pulsein", "libgpiod_pulsein64"), "it has no DHT sensor"),
    "raspi-config": "its buses are there already",
}
"""Commands of a Pi that a program may begin, and what to do on the bench."""


class Pi:
    """All of it, for one program on a board.

    ``devices``, ``texts`` and ``absent`` are for `Files`; ``modules`` are by name.
    """

    def __init__(self, board: Board, baton: Baton) -> None:
        self._board = board
        self.devices: dict[str, Callable[..., Any]] = {"/dev/i2c-1": lambda: I2CDevice(board.bus)}
        for chip in range(len(spi.CHIP_SELECTS)):
            self.devices[f"/dev/spidev0.{chip}"] = partial(spi.SPIDevice, board, chip)
        self.devices[gpiod.PATH] = _refuse_chip
        self._port = kernel_buses.serial_port(board)
        if self._port is not None:
            self.devices |= dict.fromkeys(kernel_buses.SERIAL_PORTS, self._port)
        self.texts = libraries.TEXTS | kernel_buses.one_wire(board)
        self.absent = partial(kernel_buses.absent, board)
        lines = Lines(board, baton)
        self.modules: dict[str, ModuleType] = {
            **rpi_gpio.modules(board, baton),
            "spidev": spi.module(board),
            "lgpio": lgpio.module(board, lines),
            **gpiod.module(lines),
        }

    def begins(self, words: Any) -> None:
        """Hear of a command that a program begins: one of a Pi that is not here is told.

        Raises:
            FileNotFoundError: the program begins it without a shell; the text says what to do.
        """
        alone = words.split() if isinstance(words, str) else [os.fsdecode(word) for word in words]
        name = os.path.basename(next((word for word in alone if word != "sudo"), ""))
        if name not in COMMANDS or shutil.which(name) is not None:
            return
        why = f"no {name} on the bench: {COMMANDS[name]}"
        self._board.lacking.add("bench", self._board.now_us(), why, Offence.UNMODELLED)
        if not isinstance(words, str):
            raise FileNotFoundError(errno.ENOENT, why, name)

    def close(self) -> None:
        """Close what is open."""
        if self._port is not None:
            self._port.close()
