"""A Raspberry Pi as programs see it: devices, texts of its kernel, modules for its pins."""

import errno
import os
import shutil
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

from ..board.board import Board
from ..parts.part import Offence
from . import commands, gpiod, kernel_buses, lgpio, libraries, rpi_gpio, spi
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

    def begins(self, words: Any) -> Any:
        """Hear of a command that a program begins, and return the one to begin.

        Raises:
            FileNotFoundError: it is one of a Pi that is not here, and the program begins it
                without a shell; the text says what to do.
        """
        other = commands.in_place_of(words, self._board)
        name = os.path.basename(next(iter(commands.first_of(words)), ""))
        if other is not None:
            return other
        if name not in commands.COMMANDS or shutil.which(name) is not None:
            return words
        why = f"no {name} on the bench: {commands.COMMANDS[name]}"
        self._board.lacking.add("bench", self._board.now_us(), why, Offence.UNMODELLED)
        if not isinstance(words, str):
            raise FileNotFoundError(errno.ENOENT, why, name)
        return words

    def close(self) -> None:
        """Close what is open."""
        if self._port is not None:
            self._port.close()
