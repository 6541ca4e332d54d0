"""The parts of the board, over two seams: an ``smbus2.SMBus`` and an ``RPi.GPIO``.

The Adafruit packages need Blinka for its names only. Told here, before any module of this package
can import them, that it runs on a generic computer, Blinka probes no hardware and imports neither
``board`` nor ``gpiod`` nor ``RPi``: the bus is handed to the packages, they never open one.
"""

import os

os.environ["BLINKA_FORCEBOARD"] = "GENERIC_LINUX_PC"
os.environ["BLINKA_FORCECHIP"] = "GENERIC_X86"
