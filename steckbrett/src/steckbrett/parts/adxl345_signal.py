"""The analog side of the ADXL345: from m/s² to the six data bytes (digest 1.3, 1.4, 1.8).

Decided here, because the sheet leaves it open: the clock is off by a seeded ±1 %; the zero-g offset
is a seeded fraction of the typical ±35 mg (x, y) and ±40 mg (z); sensitivity is exactly 256 counts
per g; the low-pass filter is not modelled; at ±16 g, which the sheet exempts from clipping, the
13-bit format is the limit.
"""

from collections.abc import Callable
from random import Random
from struct import Struct

from . import drawn_once

Acceleration = Callable[[int], tuple[float, float, float]]
"""The world at a time in µs: x, y, z in m/s², gravity included."""

STANDARD_GRAVITY_MPS2 = 9.80665
COUNTS_PER_MPS2 = 256.0 / STANDARD_GRAVITY_MPS2
CLOCK_TOLERANCE = 0.01
TYPICAL_OFFSET_MG = (35.0, 35.0, 40.0)

_COUNTS_PER_MG = 0.256
_OFFSET_STEP_COUNTS = 4  # 15.6 mg
_NOISE_XY, _NOISE_Z = 0.75, 1.1  # counts rms at 100 Hz
_NOISE_LOW_POWER_XY, _NOISE_LOW_POWER_Z = 1.8, 2.6  # limits with LOW_POWER
_NOISE_TRIPLES = 1021  # drawn once, then walked through again and again
_SELF_TEST_COUNTS = (  # middle of the sheet's band at 2.5 V times its factor for 3.3 V
    1.15 * 1.77 * 256,
    -1.15 * 1.77 * 256,
    1.85 * 1.47 * 256,
)
_SLOWEST_PERIOD_NS = 10_240_000_000  # 0.09765625 Hz, rate code 0
_INTERNAL_CODE = 15  # 3200 Hz
_RATE_100_HZ = 0x0A
_SLOWEST_WITHOUT_FINE_BIT = 14  # from 1600 Hz the lowest bit is 0 at the finest scale
_WAKEUP_8_HZ_NS = 125_000_000
_pack = Struct("<hhh").pack


class SignalChain:
    """Sensor, converter and formatter of one part; ``seed`` decides clock, offset and noise."""

    def __init__(self, seed: int | str) -> None:
        chance = Random(f"adxl345 {seed}")
        self.clock_factor = 1.0 + chance.uniform(-CLOCK_TOLERANCE, CLOCK_TOLERANCE)
        self.zero_g_counts = tuple(
            chance.uniform(-1, 1) * typical_mg * _COUNTS_PER_MG for typical_mg in TYPICAL_OFFSET_MG
        )
        gauss = chance.gauss
        self._next_noise = drawn_once(
            _NOISE_TRIPLES,
            lambda: (gauss(0, _NOISE_XY), gauss(0, _NOISE_XY), gauss(0, _NOISE_Z)),
        ).__next__
        self.internal_ns = round((_SLOWEST_PERIOD_NS >> _INTERNAL_CODE) * self.clock_factor)

    def configure(self, registers: bytearray) -> None:
        """Take over offsets, rate and data format from the register file."""
        layout, pace = registers[0x31], registers[0x2C]
        range_code = layout & 3
        code = pace & 0x0F
        full_resolution = bool(layout & 0x08)
        self._shift = 0 if full_resolution else range_code
        top = 512 << range_code if full_resolution else 512
        self._low, self._high = -top, top - 1
        self._left = (6 - range_code if full_resolution else 6) if layout & 0x04 else 0
        coarse = code >= _SLOWEST_WITHOUT_FINE_BIT and (full_resolution or range_code == 0)
        self._kept_bits = ~1 if coarse else ~0
        self._plain = not (self._shift or self._left or coarse)
        if pace & 0x10:
            self._noise_xy = _NOISE_LOW_POWER_XY / _NOISE_XY
            self._noise_z = _NOISE_LOW_POWER_Z / _NOISE_Z
        else:
            growth = 2.0 ** (max(0, code - _RATE_100_HZ) / 2)
            self._noise_xy = self._noise_z = growth
        push = _SELF_TEST_COUNTS if layout & 0x80 else (0.0, 0.0, 0.0)
        self._bias = tuple(
            zero_g + ((offset ^ 0x80) - 0x80) * _OFFSET_STEP_COUNTS + extra
            for zero_g, offset, extra in zip(self.zero_g_counts, registers[0x1E:0x21], push)
        )

    def period_ns(self, registers: bytearray, asleep: bool) -> int:
        """Return the distance of two samples: of the output rate, or the Wakeup rate asleep."""
        if asleep:
            nominal_ns = _WAKEUP_8_HZ_NS << (registers[0x2D] & 3)
        else:
            nominal_ns = _SLOWEST_PERIOD_NS >> (registers[0x2C] & 0x0F)
        return round(nominal_ns * self.clock_factor)

    def measure(self, mps2: tuple[float, float, float]) -> tuple[int, int, int]:
        """Return one noisy sample in counts of 1/256 g, before range and format."""
        x_noise, y_noise, z_noise = self._next_noise()
        x_bias, y_bias, z_bias = self._bias
        noise_xy = self._noise_xy
        return (
            round(mps2[0] * COUNTS_PER_MPS2 + x_noise * noise_xy + x_bias),
            round(mps2[1] * COUNTS_PER_MPS2 + y_noise * noise_xy + y_bias),
            round(mps2[2] * COUNTS_PER_MPS2 + z_noise * self._noise_z + z_bias),
        )

    def undecimated(self, mps2: tuple[float, float, float]) -> tuple[float, float, float]:
        """Return what the tap detector sees, in counts of 1/256 g, without noise."""
        x_bias, y_bias, z_bias = self._bias
        return (
            mps2[0] * COUNTS_PER_MPS2 + x_bias,
            mps2[1] * COUNTS_PER_MPS2 + y_bias,
            mps2[2] * COUNTS_PER_MPS2 + z_bias,
        )

    def formatted(self, x: int, y: int, z: int) -> bytes:
        """Bring counts of 1/256 g into the six bytes DATA_FORMAT asks for."""
        low, high = self._low, self._high
        if self._plain and low <= x <= high and low <= y <= high and low <= z <= high:
            return _pack(x, y, z)
        words = []
        for value in (x, y, z):
            scaled = max(low, min(high, value >> self._shift))
            words.append((scaled & self._kept_bits) << self._left)
        return _pack(*words)
