"""A simulated ADXL345 alone on a bench."""

from struct import unpack

from steckbrett.parts.adxl345 import ADXL345

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
