"""The packages of Adafruit over the simulated bus."""

import os
from importlib import import_module

from smbus2 import i2c_msg

os.environ.setdefault("BLINKA_FORCEBOARD", "GENERIC_LINUX_PC")
os.environ.setdefault("BLINKA_FORCECHIP", "GENERIC_X86")
adafruit_adxl34x = import_module("adafruit_adxl34x")
adafruit_ssd1306 = import_module("adafruit_ssd1306")


class Busio:
    """The busio shape that the Adafruit classes expect."""

    def __init__(self, smbus):
        self.smbus = smbus

    def try_lock(self):
        return True

    def unlock(self):
        pass

    def writeto(self, address, buffer, *, start=0, end=None):
        self.smbus.i2c_rdwr(i2c_msg.write(address, bytes(buffer[start:end])))

    def readfrom_into(self, address, buffer, *, start=0, end=None):
        message = i2c_msg.read(address, len(buffer[start:end]))
        self.smbus.i2c_rdwr(message)
        buffer[start:end] = bytes(message)


def refused(bench, text):
    """Check that a part on a bench objects once, now, and with this text."""
    (line,) = bench.part.violations
    assert line.startswith(f"{type(bench.part).__name__} at {bench.t_us} µs: ")
    assert text in line
