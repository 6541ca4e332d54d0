"""The examined handheld: a board's bus and pins, opened one by one to tell failures apart."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, cast

from drivers.bus import Execute, SMBusLike, thread_execute
from drivers.gpio import GPIOModule
from drivers.light_sensor import LightKind
from drivers.pins import I2C_BUS
from firmware.display.text.language import ENGLISH, Language
from firmware.link.infrared.lirc import found, open_port
from firmware.link.infrared.port import Port
from firmware.runtime.board import open_pins
from firmware.upkeep.doctor.host import HostSystem, LinuxHost

Request = Enum("Request", "UNCOVER COVER TAP")
"""A request to a person."""


class AskForHand(Protocol):
    """Asks a person for an action; returns at once."""

    def __call__(self, request: Request, /) -> None:
        """Ask."""


@dataclass
class Patient:
    """One handheld to examine.

    Attributes:
        host: the system below.
        execute: runs a job of the bus.
        open_bus: opens the I2C bus; raises OSError.
        open_gpio: returns the pins' library; raises BoardError.
        clock_ns: the clock for transfers, inside a job.
        open_infrared: opens the infrared devices; None without any; raises InfraredError.
        ask: asks for a hand; None without a person.
        light: the settings' light sensor; None if they cannot be read.
        language: of the picture on the display.
    """

    host: HostSystem
    execute: Execute
    open_bus: Callable[[], SMBusLike]
    open_gpio: Callable[[], GPIOModule]
    clock_ns: Callable[[], int]
    open_infrared: Callable[[], Port | None]
    ask: AskForHand | None = None
    light: LightKind | None = "veml7700"
    language: Language = ENGLISH

    def now_s(self) -> float:
        """Return the loop's time in seconds."""
        return asyncio.get_running_loop().time()


@contextmanager
def this_pi(
    ask: AskForHand | None = None, light: LightKind | None = "veml7700"
) -> Iterator[Patient]:
    """Yield the Pi that this runs on, during the block."""
    with thread_execute() as execute:
        yield Patient(
            LinuxHost(),
            execute,
            _open_bus,
            open_pins,
            time.perf_counter_ns,
            _open_infrared,
            ask,
            light,
        )


def _open_bus() -> SMBusLike:
    from smbus2 import SMBus

    return cast(SMBusLike, SMBus(I2C_BUS))


def _open_infrared() -> Port | None:
    return open_port() if found() else None
