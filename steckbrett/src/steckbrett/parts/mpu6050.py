"""A strict model of the MPU-6050 accelerometer and gyroscope (register map RM-MPU-6000A, 4.2).

Checked against mpu6050-raspberrypi 1.2 and adafruit-circuitpython-mpu6050 1.3.9.

Decided here, because the sheet leaves it open:

- the first sample comes 5 ms after the part woke; the gyroscope is torn for 30 ms;
- offsets are within the tolerances of the product specification, by the seed; noise is not there;
- data read byte by byte is torn: the sheet warns of it;
- the offsets of an application note, 0x06 to 0x0B and 0x13 to 0x18, are kept and change nothing;
- motion detection, FIFO and the auxiliary bus have registers and do nothing; enabling one is noted.
"""

from collections.abc import Callable
from random import Random

from .registers import Field, Register, RegisterPart, block

_GRAVITY = 9.80665
_COUNTS_PER_G = 16384.0  # per g at ±2 g
_COUNTS_AT_250 = 131.0  # per °/s at ±250 °/s
_DATA, _GYRO, _DATA_END = 0x3B, 0x43, 0x48
_PULSE_US = 50
_WAKES_AFTER_US = 5_000
_GYRO_AFTER_US = 30_000  # its start-up time
_RESET_US = 1_000

Vector = tuple[float, float, float]


def _at_rest(_t_us: int) -> Vector:
    return (0.0, 0.0, _GRAVITY)


def _still(_t_us: int) -> Vector:
    return (0.0, 0.0, 0.0)


def _warm(_t_us: int) -> float:
    return 25.0


_REGISTERS = (
    *block(0x0D, 0x10, "SELF_TEST_"),
    Register(0x19, "SMPLRT_DIV"),
    Register(
        0x1A, "CONFIG", reserved=0xC0,
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
    Register(0x1F, "MOT_THR"),
    Register(0x23, "FIFO_EN"),
    *block(0x24, 0x34, "I2C_MST_"),
    *block(0x35, 0x36, "I2C_SLV4_DI_", "r"),
    Register(
        0x37, "INT_PIN_CFG", reserved=0x01,
        fields=(
            Field("INT_LEVEL", 7, 7), Field("INT_OPEN", 6, 6), Field("LATCH_INT_EN", 5, 5),
            Field("INT_RD_CLEAR", 4, 4), Field("FSYNC_INT_LEVEL", 3, 3),
            Field("FSYNC_INT_EN", 2, 2), Field("I2C_BYPASS_EN", 1, 1),
        ),
    ),
    Register(
        0x38, "INT_ENABLE", reserved=0xA6,
        fields=(
            Field("MOT_EN", 6, 6), Field("FIFO_OFLOW_EN", 4, 4),
            Field("I2C_MST_INT_EN", 3, 3), Field("DATA_RDY_EN", 0, 0),
        ),
    ),
    Register(0x3A, "INT_STATUS", "r", fields=(Field("DATA_RDY_INT", 0, 0),)),
    *block(_DATA, _DATA_END, "DATA_", "r"),
    *block(0x49, 0x60, "EXT_SENS_DATA_", "r"),
    *block(0x63, 0x67, "I2C_SLV_DO_"),
    Register(0x68, "SIGNAL_PATH_RESET", "rw", reserved=0xF8),
    Register(0x69, "MOT_DETECT_CTRL", reserved=0xCF),
    Register(
        0x6A, "USER_CTRL", reserved=0x88,
        fields=(Field("FIFO_ENABLE", 6, 6), Field("I2C_MST_EN", 5, 5)),
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
    *block(0x72, 0x73, "FIFO_COUNT_", "r"),
    Register(0x74, "FIFO_R_W"),
    Register(0x75, "WHO_AM_I", "r", 0x68),
)  # fmt: skip


class MPU6050(RegisterPart):
    """The sensor. Its worlds are ``acceleration`` in m/s², ``rotation`` in °/s and ``temperature``.

    Each is a function of the time in µs; ``temperature`` is in °C.
    """

    name = "MPU6050"
    address = 0x68
    other_address = 0x69
    outputs = ("int",)
    worlds = ("acceleration", "rotation", "temperature")
    registers = _REGISTERS
    unlisted = frozenset({*range(0x06, 0x0C), *range(0x13, 0x19)})

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        chance = Random(f"mpu6050 {seed}")
        self.acceleration: Callable[[int], Vector] = _at_rest
        self.rotation: Callable[[int], Vector] = _still
        self.temperature: Callable[[int], float] = _warm
        self._offset_g = tuple(chance.uniform(-1, 1) * most for most in (0.05, 0.05, 0.08))
        self._offset_dps = tuple(chance.uniform(-20, 20) for _ in range(3))
        super().__init__(seed, t_us)
        self.identity = 0x68

    def power_up(self, t_us: int) -> None:
        """Apply power: asleep, all data 0."""
        super().power_up(t_us)
        self._next_us: int | None = None
        self._sampled_us: int | None = None
        self._status = 0
        self._reset_ends_us = 0
        self._now_us = self._woken_us = t_us

    @property
    def period_us(self) -> int:
        """Time between two samples, in µs."""
        fastest_us = 125 if self.field("DLPF_CFG") in (0, 7) else 1_000
        return fastest_us * (1 + self.values[0x19])

    def advance(self, t_us: int) -> None:
        """Take the last sample that is due; those before it leave nothing behind."""
        self._now_us = t_us
        if self._reset_ends_us and t_us >= self._reset_ends_us:
            self.power_up(t_us)
        if self._next_us is None or t_us < self._next_us:
            return
        passed = (t_us - self._next_us) // self.period_us
        self._sampled_us = self._next_us + passed * self.period_us
        self._next_us = self._sampled_us + self.period_us
        self._status = 1
        self._measure(self._sampled_us)

    def _measure(self, t_us: int) -> None:
        per_g = _COUNTS_PER_G / (1 << self.field("AFS_SEL"))
        per_dps = _COUNTS_AT_250 / (1 << self.field("FS_SEL"))
        found = [
            (value / _GRAVITY + offset) * per_g
            for value, offset in zip(self.acceleration(t_us), self._offset_g)
        ]
        found.append((self.temperature(t_us) - 36.53) * 340)
        found += [
            (value + offset) * per_dps
            for value, offset in zip(self.rotation(t_us), self._offset_dps)
        ]
        for index, value in enumerate(found):
            counts = min(32767, max(-32768, round(value)))
            high, low = counts.to_bytes(2, signed=True)
            self.values[_DATA + 2 * index], self.values[_DATA + 2 * index + 1] = high, low

    def stored(self, at: int, before: int, t_us: int) -> None:
        """Reset, wake or sleep; begin the samples anew where their rate changes."""
        if at == 0x6B:
            if self.field("DEVICE_RESET"):
                self._reset_ends_us = t_us + _RESET_US
            elif self.field("SLEEP"):
                self._next_us = None
            elif before & 0x40:
                self._next_us = t_us + _WAKES_AFTER_US
                self._woken_us = t_us
            if self.field("CLKSEL") == 6:
                self.refuse(t_us, "CLKSEL 6 is reserved")
        elif at in (0x19, 0x1A) and self._next_us is not None:
            self._next_us = t_us + self.period_us
        elif at == 0x68:
            self.values[at] = 0
        elif at == 0x38 and self.values[at] & ~1:
            self.note("an interrupt other than data ready is enabled: it is not modelled")
        elif at in (0x23, 0x6A) and self.values[at]:
            self.note("FIFO or auxiliary bus enabled: they are not modelled")

    def loaded(self, at: int, t_us: int) -> int:
        """Give data and status; a read of the status clears it."""
        del t_us
        if at == 0x75:
            return self.identity
        if at == 0x3A or self.field("INT_RD_CLEAR"):
            status, self._status = self._status, 0
            if at == 0x3A:
                return status
        return self.values[at]

    def read(self, count: int, t_us: int) -> bytes:
        """Return registers; half of a value in one transfer can be torn."""
        first, last = self.pointer, self.pointer + count - 1
        if _DATA <= first <= _DATA_END and ((first - _DATA) % 2 or (last - _DATA) % 2 == 0):
            self.tear(t_us, "half a value read: its bytes can be of two samples")
        found = super().read(count, t_us)
        if _DATA <= first <= _DATA_END and self._sampled_us is None:
            self.tear(t_us, "data read before the first sample was taken")
        elif first <= _DATA_END and last >= _GYRO and t_us < self._woken_us + _GYRO_AFTER_US:
            self.tear(t_us, "gyroscope read less than 30 ms after it woke")
        return found

    def output(self, _pin: str) -> int:
        """Return the level of INT: a pulse at each sample or, if latched, high until a read."""
        active = bool(self.field("DATA_RDY_EN") and self._status)
        if not self.field("LATCH_INT_EN"):
            active = active and self._now_us < (self._sampled_us or 0) + _PULSE_US
        return int(active) ^ self.field("INT_LEVEL")

    def next_event_us(self) -> int | None:
        """Return when INT next changes by itself."""
        if not self.field("DATA_RDY_EN") or self._next_us is None:
            return None
        if self._status and self.field("LATCH_INT_EN"):
            return None
        if self._status and self._now_us < (self._sampled_us or 0) + _PULSE_US:
            return (self._sampled_us or 0) + _PULSE_US
        return self._next_us
