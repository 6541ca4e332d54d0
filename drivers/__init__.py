"""The parts of the board, over two seams: an ``smbus2.SMBus`` and an ``RPi.GPIO``.

May import: nothing of ours.
Begin with ``pins``, then ``bus``.

The Adafruit packages need Blinka for its names only. Two variables, set here before any module of
this package imports them, make it a generic computer. It then probes no hardware and imports
neither ``board`` nor ``gpiod`` nor ``RPi``. The packages get the bus from the drivers and never
open one.
"""

import asyncio
import os
from importlib import import_module
from typing import Any, Final

os.environ["BLINKA_FORCEBOARD"] = "GENERIC_LINUX_PC"
os.environ["BLINKA_FORCECHIP"] = "GENERIC_X86"

US_PER_S: Final = 1_000_000
"""By definition."""


def now_us(loop: asyncio.AbstractEventLoop) -> int:
    """Return ``loop.time()`` in whole microseconds, rounded."""
    return round(loop.time() * US_PER_S)


def make_driver(path: str, adapter: Any) -> Any:
    """Load a driver, ``module:class``, and create it on a bus adapter."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)(adapter)
