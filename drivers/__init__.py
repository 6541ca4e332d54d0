"""The parts of the board, over two seams: an ``smbus2.SMBus`` and an ``RPi.GPIO``.

May import: nothing of ours.
Begin with ``pins``, then ``bus``.

The Adafruit packages need Blinka for its names only. Set here, before any module of this
package can import them, two variables make it a generic computer: it probes no hardware and imports
neither ``board`` nor ``gpiod`` nor ``RPi``. The packages are handed the bus and never open one.
"""

import os

os.environ["BLINKA_FORCEBOARD"] = "GENERIC_LINUX_PC"
os.environ["BLINKA_FORCECHIP"] = "GENERIC_X86"
