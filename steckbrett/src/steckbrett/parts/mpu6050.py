"""A strict model of the MPU-6050 accelerometer and gyroscope (register map RM-MPU-6000A, 4.2).

Checked against mpu6050-raspberrypi 1.2 and adafruit-circuitpython-mpu6050 1.3.9.

Decided here, because the sheet leaves it open:

- the first sample comes 5 ms after the part woke; the gyroscope is torn for 30 ms;
- offsets are within the tolerances of the product specification, by the seed; so are the answers to
  a self-test, and the internal clock, which a gyroscope's replaces if CLKSEL is 1 to 3;
- nobody drives CLKIN: with CLKSEL 4, 5 or 7 there are no samples;
- noise has the specified density over the bandwidth of the filter;
- data read byte by byte is torn: the sheet warns of it;
- the offsets of an application note, 0x06 to 0x0B and 0x13 to 0x18, are unlisted and act.

`Factory` is one part as it left the factory: offsets, clock, noise, and answers to a self-test.
Registers of free fall and zero motion stand in the map up to 3.2; the chip has them still.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from math import sqrt
from random import Random
from typing import ClassVar

from . import drawn_once, steady
from .registers import Field, Register, RegisterPart, block

_BANDWIDTH_HZ = (260, 184, 94, 44, 21, 10, 5, 260)  # by DLPF_CFG
_PER_SQRT_HZ = (400e-6, 0.005)  # noise in g and °/s
_COUNTS = (2048.0, 32.8)  # of an offset, per g and per °/s
_OFFSETS = (0x06, 0x13)  # their registers of x


class Factory:
    """One part as it left the factory, by its ``seed``. Values are in g and °/s.

    ``slowness``: its clocks, the internal one and a gyroscope's, as shares of the right period.
    """

    def __init__(self, seed: int | str) -> None:
        chance = Random(f"mpu6050 {seed}")
        self._zeros = (
            tuple(chance.uniform(-1, 1) * most for most in (0.05, 0.05, 0.08)),
            tuple(chance.uniform(-20, 20) for _ in range(3)),
        )
        self.slowness = chance.uniform(0.985, 1.015), chance.uniform(0.999, 1.001)
        self._trim = [chance.randrange(2, 7) << 5 | chance.randrange(8, 25) for _ in range(3)]
        self._trim.append(chance.randrange(64))
        self._answers = [[chance.uniform(0.93, 1.07) for _ in range(3)] for _ in range(2)]
        self._usual = chance.randbytes(6)  # what the offset registers of the accelerometer hold
        self._noise = drawn_once(1009, lambda: chance.gauss(0, 1))

    def registers(self) -> dict[int, int]:
        """Return what the factory wrote into registers, by number."""
        found = dict(enumerate(self._trim, 0x0D)) | dict(enumerate(self._usual, 0x06))
        return found | dict.fromkeys(range(0x13, 0x19), 0)

    def felt(
        self,
        truth: Iterable[float],
        values: Mapping[int, int],
        gyro: bool,
        tested: int,
        filtered: int,
    ) -> list[float]:
        """Return what the sensors of three axes give where the world has ``truth``.

        ``values`` are the registers; ``tested`` the bits of the self-test, x first; ``filtered``
        is DLPF_CFG.
        """
        found = []
        for axis, value in enumerate(truth):
            at = _OFFSETS[gyro] + 2 * axis
            usual = 0 if gyro else int.from_bytes(self._usual[2 * axis : 2 * axis + 2])
            moved = ((values[at] << 8 | values[at + 1]) - usual + 0x8000 & 0xFFFF) - 0x8000
            noise = next(self._noise) * sqrt(_BANDWIDTH_HZ[filtered]) * _PER_SQRT_HZ[gyro]
            answer = 0.0
            if tested >> 2 - axis & 1:
                answer = self._answers[gyro][axis] * self._promised(axis, gyro=gyro)
            found.append(value + self._zeros[gyro][axis] + moved / _COUNTS[gyro] + noise + answer)
        return found

    def _promised(self, axis: int, *, gyro: bool) -> float:
        """Return the answer to a self-test that the trim registers promise (register map, 4.1)."""
        if gyro:
            return 25.0 * 1.046 ** ((self._trim[axis] & 0x1F) - 1) * (-1 if axis == 1 else 1)
        code = self._trim[axis] >> 3 & 0x1C | self._trim[3] >> 4 - 2 * axis & 3
        return float(0.34 * (0.92 / 0.34) ** ((code - 1) / 30))


DATA, GYRO, DATA_END = 0x3B, 0x43, 0x48
FIFO_COUNT, FIFO_R_W, WHO_AM_I = 0x72, 0x74, 0x75

REGISTERS = (
    *block(0x0D, 0x10, "SELF_TEST_", unmodelled=0xFF),
    Register(0x19, "SMPLRT_DIV"),
    Register(
        0x1A, "CONFIG", reserved=0xC0, unmodelled=0x38,
        fields=(Field("EXT_SYNC_SET", 5, 3), Field("DLPF_CFG", 2, 0)),
    ),
    Register(
        0x1B, "GYRO_CONFIG", reserved=0x07,
        fields=(Field("GYRO_ST", 7, 5), Field("FS_SEL", 4, 3)),
    ),
    Register(
        0x1C, "ACCEL_CONFIG", reserved=0x07,
        fields=(Field("ACCEL_ST", 7, 5), Field("AFS_SEL", 4, 3)),
    ),
    *block(0x1D, 0x22, "MOTION_", unmodelled=0xFF),  # of free fall, of motion, of none
    Register(
        0x23, "FIFO_EN", unmodelled=0x07,
        fields=(
            Field("TEMP_FIFO_EN", 7, 7), Field("XG_FIFO_EN", 6, 6), Field("YG_FIFO_EN", 5, 5),
            Field("ZG_FIFO_EN", 4, 4), Field("ACCEL_FIFO_EN", 3, 3), Field("SLV_FIFO_EN", 2, 0),
        ),
    ),
    *block(0x24, 0x34, "I2C_MST_", unmodelled=0xFF),
    *block(0x35, 0x36, "I2C_SLV4_DI_", "r"),
    Register(
        0x37, "INT_PIN_CFG", reserved=0x01, unmodelled=0x0E,
        fields=(
            Field("INT_LEVEL", 7, 7), Field("INT_OPEN", 6, 6), Field("LATCH_INT_EN", 5, 5),
            Field("INT_RD_CLEAR", 4, 4), Field("FSYNC_INT_LEVEL", 3, 3),
            Field("FSYNC_INT_EN", 2, 2), Field("I2C_BYPASS_EN", 1, 1),
        ),
    ),
    Register(
        0x38, "INT_ENABLE", reserved=0x06, unmodelled=0xE8,
        fields=(
            Field("MOTION_EN", 7, 5), Field("FIFO_OFLOW_EN", 4, 4),
            Field("I2C_MST_INT_EN", 3, 3), Field("DATA_RDY_EN", 0, 0),
        ),
    ),
    Register(
        0x3A, "INT_STATUS", "r",
        fields=(Field("FIFO_OFLOW_INT", 4, 4), Field("DATA_RDY_INT", 0, 0)),
    ),
    *block(DATA, DATA_END, "DATA_", "r"),
    *block(0x49, 0x60, "EXT_SENS_DATA_", "r"),
    Register(0x61, "MOT_DETECT_STATUS", "r"),
    *block(0x63, 0x67, "I2C_SLV_DO_", unmodelled=0xFF),
    Register(0x68, "SIGNAL_PATH_RESET", reserved=0xF8),
    Register(0x69, "MOT_DETECT_CTRL", reserved=0xC0, unmodelled=0x3F),
    Register(
        0x6A, "USER_CTRL", unmodelled=0xBA,
        fields=(
            Field("DMP_EN", 7, 7), Field("FIFO_ENABLE", 6, 6), Field("I2C_MST_EN", 5, 5),
            Field("I2C_IF_DIS", 4, 4), Field("DMP_RESET", 3, 3), Field("FIFO_RESET", 2, 2),
            Field("I2C_MST_RESET", 1, 1), Field("SIG_COND_RESET", 0, 0),
        ),
    ),
    Register(
        0x6B, "PWR_MGMT_1", reset=0x40, reserved=0x10,
        fields=(
            Field("DEVICE_RESET", 7, 7), Field("SLEEP", 6, 6), Field("CYCLE", 5, 5),
            Field("TEMP_DIS", 3, 3), Field("CLKSEL", 2, 0),
        ),
    ),
    Register(
        0x6C, "PWR_MGMT_2", fields=(Field("LP_WAKE_CTRL", 7, 6), Field("STBY", 5, 0))
    ),
    *block(0x6D, 0x71, "DMP_", unmodelled=0xFF),
    *block(FIFO_COUNT, 0x73, "FIFO_COUNT_", "r"),
    Register(FIFO_R_W, "FIFO_R_W"),
    Register(WHO_AM_I, "WHO_AM_I", "r", 0x68),
)  # fmt: skip


_GRAVITY = 9.80665
_COUNTS_PER_G = 16384.0  # per g at ±2 g
_COUNTS_AT_250 = 131.0  # per °/s at ±250 °/s
_PULSE_US = 50
_WAKES_AFTER_US = 5_000
_GYRO_AFTER_US = 30_000  # its start-up time
_RESET_US = 1_000
_WAKE_HZ = (1.25, 5.0, 20.0, 40.0)  # of cycles, by LP_WAKE_CTRL
_FIFO_BYTES = 1024
_DATA_READY, _OVERFLOW = 0x01, 0x10
_CYCLE = 0x20
_FIFO_SLOTS = ((0x08, (0, 1, 2)), (0x80, (3,)), (0x40, (4,)), (0x20, (5,)), (0x10, (6,)))
"""Bits of FIFO_EN, and which of the seven values each lets in, in the order of the registers."""

Vector = tuple[float, float, float]


class MPU6050(RegisterPart):
    """The sensor. Its worlds are ``acceleration`` in m/s², ``rotation`` in °/s and ``temperature``.

    Each is a function of the time in µs; ``temperature`` is in °C.
    """

    name = "MPU6050"
    address = 0x68
    other_address = 0x69
    outputs = ("int",)
    worlds = ("acceleration", "rotation", "temperature")
    registers = REGISTERS
    after: ClassVar = {FIFO_R_W: FIFO_R_W}
    unlisted = frozenset({*range(0x06, 0x0C), *range(0x13, 0x19)})

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        self.acceleration: Callable[[int], Vector] = steady((0.0, 0.0, _GRAVITY))
        self.rotation: Callable[[int], Vector] = steady((0.0, 0.0, 0.0))
        self.temperature: Callable[[int], float] = steady(25.0)
        self._factory = Factory(seed)
        super().__init__(seed, t_us)
        self.identity = 0x68

    def power_up(self, t_us: int) -> None:
        """Apply power: asleep, all data 0."""
        super().power_up(t_us)
        self.values.update(self._factory.registers())
        self._next_us: int | None = None
        self._sampled_us: int | None = None
        self._status = self._reset_ends_us = 0
        self._fifo = deque[int](maxlen=_FIFO_BYTES)
        self._last_out = 0
        self._now_us = self._woken_us = t_us

    @property
    def period_us(self) -> int:
        """Time between two samples, in µs."""
        clock = self._factory.slowness[self.field("CLKSEL") in (1, 2, 3)]
        if self.field("CYCLE"):
            return round(1e6 / _WAKE_HZ[self.field("LP_WAKE_CTRL")] * clock)
        fastest_us = 125 if self.field("DLPF_CFG") in (0, 7) else 1_000
        return round(fastest_us * (1 + self.values[0x19]) * clock)

    def advance(self, t_us: int) -> None:
        """Take the samples that are due: the last one, or all that the FIFO can have room for."""
        self._now_us = t_us
        if self._reset_ends_us and t_us >= self._reset_ends_us:
            self.power_up(t_us)
        if self._next_us is None or t_us < self._next_us:
            return
        period_us = self.period_us
        due = (t_us - self._next_us) // period_us + 1
        kept = min(due, _FIFO_BYTES // 2 + 1) if self._collects else 1
        for _ in range(kept):
            self._sampled_us = self._next_us + (due - kept) * period_us
            self._measure(self._sampled_us)
            self._next_us += period_us
        self._next_us += (due - kept) * period_us
        self._status |= _DATA_READY

    @property
    def _collects(self) -> bool:
        return bool(self.field("FIFO_ENABLE") and self.values[0x23] & 0xF8)

    def _measure(self, t_us: int) -> None:
        """Put what the world is now into the data registers, and into the FIFO."""
        per_g = _COUNTS_PER_G / (1 << self.field("AFS_SEL"))
        per_dps = _COUNTS_AT_250 / (1 << self.field("FS_SEL"))
        filtered, felt = self.field("DLPF_CFG"), self._factory.felt
        forces = [value / _GRAVITY for value in self.acceleration(t_us)]
        accel = felt(forces, self.values, False, self.field("ACCEL_ST"), filtered)
        gyro = felt(self.rotation(t_us), self.values, True, self.field("GYRO_ST"), filtered)
        found = [value * per_g for value in accel] + [(self.temperature(t_us) - 36.53) * 340]
        found += [value * per_dps for value in gyro]
        standby = self.field("STBY") | 0x07 * self.field("CYCLE")  # a cycle has no gyroscope
        stays = [standby >> bit & 1 for bit in (5, 4, 3)] + [self.field("TEMP_DIS")]
        stays += [standby >> bit & 1 for bit in (2, 1, 0)]
        for index, (value, stay) in enumerate(zip(found, stays)):
            counts = min(32767, max(-32768, round(value)))
            if not stay:
                self.values.update(enumerate(counts.to_bytes(2, signed=True), DATA + 2 * index))
        if self._collects:
            self._collect()

    def _collect(self) -> None:
        for bit, slots in _FIFO_SLOTS:
            if not self.values[0x23] & bit:
                continue
            for at in (DATA + 2 * slot + half for slot in slots for half in (0, 1)):
                if len(self._fifo) == _FIFO_BYTES:
                    self._status |= _OVERFLOW
                self._fifo.append(self.values[at])

    def stored(self, at: int, before: int, t_us: int) -> None:
        """Reset, wake or sleep; begin the samples anew where their rate changes."""
        if at == 0x6B:
            self._switch(before, t_us)
        elif at in (0x19, 0x1A, 0x68, 0x6C):
            anew = {0x68: self.values[0x68], 0x6C: self.field("CYCLE")}.get(at, 1)
            if anew and self._next_us is not None:
                self._next_us = t_us + self.period_us
            self.values[0x68] = 0
        elif at == 0x6A:
            if self.field("FIFO_RESET"):
                self._fifo.clear()
            if self.field("SIG_COND_RESET"):
                self.values.update(dict.fromkeys(range(DATA, DATA_END + 1), 0))
            self.values[at] &= 0xF0
        elif at == FIFO_R_W:
            self._fifo.append(self.values[at])

    def _switch(self, before: int, t_us: int) -> None:
        """Follow PWR_MGMT_1."""
        if self.field("CLKSEL") == 6:
            self.refuse(t_us, "CLKSEL 6 is reserved")
            self.set_field("CLKSEL", before & 7)
        if self.field("DEVICE_RESET"):
            self._reset_ends_us = t_us + _RESET_US
        elif self.field("SLEEP") or self.field("CLKSEL") in (4, 5, 7):
            self._next_us = None
        elif self._next_us is None:
            self._next_us, self._woken_us = t_us + _WAKES_AFTER_US, t_us
        elif (before ^ self.values[0x6B]) & (_CYCLE | 7):
            self._next_us = t_us + self.period_us

    def loaded(self, at: int, t_us: int) -> int:
        """Give data and status; a read of the status clears it."""
        del t_us
        if at == WHO_AM_I:
            return self.identity
        if at == 0x3A or self.field("INT_RD_CLEAR"):
            status, self._status = self._status, 0
            if at == 0x3A:
                return status
        if at in (FIFO_COUNT, FIFO_COUNT + 1):
            return len(self._fifo) >> 8 * (FIFO_COUNT + 1 - at) & 0xFF
        if at == FIFO_R_W:
            self._last_out = self._fifo.popleft() if self._fifo else self._last_out
            return self._last_out
        return self.values[at]

    def read(self, count: int, t_us: int) -> bytes:
        """Return registers; half of a value in one transfer can be torn."""
        first, last = self.pointer, self.pointer + count - 1
        if DATA <= first <= DATA_END and ((first - DATA) % 2 or (last - DATA) % 2 == 0):
            self.tear(t_us, "half a value read: its bytes can be of two samples")
        if first == FIFO_R_W and count > len(self._fifo):
            self.tear(t_us, "more read than the FIFO has")
        found = super().read(count, t_us)
        if DATA <= first <= DATA_END and self._sampled_us is None:
            self.tear(t_us, "data read before the first sample was taken")
        elif first <= DATA_END and last >= GYRO and t_us < self._woken_us + _GYRO_AFTER_US:
            self.tear(t_us, "gyroscope read less than 30 ms after it woke")
        return found

    def output(self, _pin: str) -> int | None:
        """Return the level of INT: a pulse at each sample or, if latched, high until a read.

        As an open drain it drives low alone: None stands for what it lets go.
        """
        active = bool(self._status & self.values[0x38])
        if not self.field("LATCH_INT_EN"):
            active = active and self._now_us < (self._sampled_us or 0) + _PULSE_US
        level = int(active) ^ self.field("INT_LEVEL")
        return None if level and self.field("INT_OPEN") else level

    def next_event_us(self) -> int | None:
        """Return when INT next changes by itself."""
        enabled = self.values[0x38] & (_DATA_READY | _OVERFLOW)
        if not enabled or self._next_us is None:
            return None
        if self._status & enabled:
            if self.field("LATCH_INT_EN"):
                return None
            if self._now_us < (self._sampled_us or 0) + _PULSE_US:
                return (self._sampled_us or 0) + _PULSE_US
        return self._next_us
