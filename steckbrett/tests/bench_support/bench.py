"""Boards of any parts on a stepped clock, an ADXL345 alone, and Adafruit's packages over a bus."""

import os
from importlib import import_module
from struct import unpack

from smbus2 import i2c_msg
from steckbrett.board.board import Board
from steckbrett.board.bus import BusMessage
from steckbrett.clock import SteppedClock
from steckbrett.parts.adxl345 import ADXL345


class SteppedBoard(Board):
    """A board whose first part on the bus is asked in short."""

    def __init__(self, *parts, **options):
        super().__init__(parts, clock=SteppedClock(), **options)
        self.part = next(iter(self.parts.values()), None)
        self.address = next(iter(self.addresses.values()), None)

    def put(self, *data):
        """Write bytes to the first part."""
        self.bus.i2c_rdwr(BusMessage(self.address, bytes(data)))

    def get(self, register, count=1):
        """Read bytes from a register of the first part."""
        answer = BusMessage(self.address, count)
        self.bus.i2c_rdwr(BusMessage(self.address, bytes([register])), answer)
        return bytes(answer)

    def wait(self, us):
        """Let time pass."""
        self.clock.advance(self.now_us() + us)

    def told(self, *kinds):
        """Return offences without part and time."""
        return [line.split(": ", 1)[1] for line in self.offences(*kinds)]


def words(data):
    """Return bytes as signed numbers of two bytes, the high one first."""
    return [int.from_bytes(data[at : at + 2], signed=True) for at in range(0, len(data), 2)]


G = 9.80665
FLAT = (0.0, 0.0, G)


class Bench:
    """One part on a table: raw transfers at times the test chooses."""

    def __init__(self, seed=7, world=FLAT):
        self.t_us = 0
        self.part = ADXL345(seed)
        self.world(world)

    def world(self, world):
        self.part.acceleration = world if callable(world) else lambda _t: world

    def put(self, register, *values):
        self.part.write(bytes((register, *values)), self.t_us)

    def get(self, register, count=1):
        self.part.write(bytes((register,)), self.t_us)
        data = self.part.read(count, self.t_us)
        return data[0] if count == 1 else data

    def xyz(self):
        return unpack("<hhh", self.get(0x32, 6))

    def without_offset(self, counts):
        return [value - zero for value, zero in zip(counts, self.part.signal.zero_g_counts)]

    def go_to(self, t_us):
        self.t_us = t_us
        self.part.advance(t_us)

    def wait(self, seconds):
        self.go_to(self.t_us + round(seconds * 1e6))

    def measure(self, settings=None, for_s=0.0, *, layout=0x0B, rate=0x0A, fifo=0x00, enable=0x00):
        """Set up registers in standby, begin to measure, and do so for a while."""
        usual = {0x31: layout, 0x2C: rate, 0x38: fifo, 0x2E: enable, 0x2D: 0x08}
        for register, value in ((settings or {}) | usual).items():
            self.put(register, value)
        if for_s:
            self.wait(for_s)

    @property
    def period_us(self):
        return 10_000 * self.part.signal.clock_factor


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
