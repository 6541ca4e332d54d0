"""A Raspberry Pi as programs see it: devices, texts of its kernel, modules for its pins."""

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

from ..board.board import Board
from . import gpiod, kernel_buses, lgpio, libraries, rpi_gpio, spi
from .baton import Baton
from .i2cdev import I2CDevice
from .lines import Lines


def _refuse_chip() -> None:
    raise PermissionError(13, "the bench has no ioctl of a GPIO chip: use gpiod, lgpio or RPi.GPIO")


class Pi:
    """All of it, for one program on a board.

    ``devices``, ``texts`` and ``absent`` are for `Files`; ``modules`` are by name.
    """

    def __init__(self, board: Board, baton: Baton) -> None:
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

    def close(self) -> None:
        """Close what is open."""
        if self._port is not None:
            self._port.close()
