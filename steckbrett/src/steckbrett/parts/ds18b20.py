"""A model of the DS18B20 thermometer on 1-Wire, as the kernel's w1_therm sees it.

Sheet: DS18B20, revision 6. Checked against the example of Maxim's application note 27.

Decided here: it is off by up to 0.5 °C and converts in 600 to 750 ms, by the seed. Resolution is
always 12 bits.
"""

from collections.abc import Callable
from random import Random
from typing import ClassVar

from . import PartModel

_FAMILY = 0x28
_STEP_C = 0.0625
_POLYNOMIAL = 0x8C


def _room(_t_us: int) -> float:
    return 21.0


class DS18B20(PartModel):
    """The thermometer. Its world ``temperature`` is °C as a function of the time in µs.

    Its wire is that of the kernel's 1-Wire bus, GPIO 4.
    """

    name = "DS18B20"
    inputs = ("dq",)
    worlds = ("temperature",)
    usual: ClassVar = {"dq": 4}
    pulls: ClassVar = {"dq": 1}

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        chance = Random(f"ds18b20 {seed}")
        self.temperature: Callable[[int], float] = _room
        self._offset_c = chance.uniform(-0.5, 0.5)
        self.conversion_us = chance.randrange(600_000, 750_001)

    def scratchpad(self, t_us: int) -> bytes:
        """Return the nine bytes after a conversion that ended at ``t_us``."""
        celsius = min(125.0, max(-55.0, self.temperature(t_us) + self._offset_c))
        raw = round(celsius / _STEP_C) & 0xFFFF
        eight = raw.to_bytes(2, "little") + b"\x4b\x46\x7f\xff" + bytes((0x10 - (raw & 0xF), 0x10))
        return eight + bytes((crc8(eight),))


def rom_of(name: str) -> str:
    """Return family and serial number, as the kernel writes them, of the part of this name."""
    return f"{_FAMILY:02x}-{Random(f'ds18b20 {name}').randrange(1 << 32):012x}"


def crc8(data: bytes) -> int:
    """Return the checksum of 1-Wire: x⁸ + x⁵ + x⁴ + 1, the lowest bit first."""
    found = 0
    for octet in data:
        found ^= octet
        for _ in range(8):
            found = found >> 1 ^ _POLYNOMIAL * (found & 1)
    return found
