"""BH1750FVI light sensor, the second choice: I2C address 0x23, no interrupt pin.

Wiring: VCC to 3.3 V, GND, SDA, SCL; ADDR open or to GND. Opcodes and times: ROHM BH1750FVI
Technical Note, pages 2, 5 and 7. A transfer carries one opcode. A result is 2 bytes, high byte
first, read without an opcode before it. There is no ready flag and no id: any part that answers is
taken for a BH1750.

It has the shape of `drivers.light_sensor.LightSensor` and counts in the same unit as the VEML7700.
Its finest mode (H2) converts for up to 180 ms, against 33 ms of the VEML7700. The measurement time
is therefore set to its shortest, MTreg 31 of 69: 81 ms at most, in steps of 0.9 lx. A lift and a
covering still show 0.1 s later than with the VEML7700.
"""

from typing import Final

from smbus2 import i2c_msg

from drivers.bus import BusioAdapter
from drivers.errors import PartGuard
from drivers.light_sensor import LIGHT_SENSORS, LUX_PER_COUNT

MEASUREMENT_TIME: Final = 31
"""MTreg, 31 to 254; a conversion takes this share of what it takes at 69."""

FRESH_US: Final = 180_000 * MEASUREMENT_TIME // 69 + 1
"""Longest conversion: two readings at least this far apart are two conversions."""

SETTLE_US: Final = FRESH_US
"""From `Bh1750.fast` or ``slow`` until its first conversion can be read."""

SLOW_PERIOD_US: Final = 600_000
"""As often as the VEML7700 converts in slow mode; this one has no such mode."""

HIDDEN_AFTER_US: Final = 300_000
"""Dice have left the display this long after dark: 3 conversions, 243 ms at most, and a picture."""

COUNTS_PER_LUX: Final = 2.4 * MEASUREMENT_TIME / 69
"""In H2 mode: twice the typical 1.2 at MTreg 69; 0.8 to 1.2 times as much by the sheet."""

_PART = LIGHT_SENSORS["bh1750"]
_POWER_DOWN = 0x00
_CONTINUOUS_H2 = 0x11
_TIME_HIGH = 0x40 | MEASUREMENT_TIME >> 5
_TIME_LOW = 0x60 | MEASUREMENT_TIME & 0x1F


class Bh1750:
    """The driver. Every method is one job for the bus, of well under 1 ms.

    Every method raises PartError when the part does not answer.
    """

    fresh_us = FRESH_US
    settle_us = SETTLE_US
    slow_period_us = SLOW_PERIOD_US
    slow_settle_us = SETTLE_US
    hidden_after_us = HIDDEN_AFTER_US

    def __init__(self, adapter: BusioAdapter, address: int = _PART.address) -> None:
        self._bus = adapter
        self._address = address
        self._guard = PartGuard(
            "BH1750 light sensor",
            address,
            "ADDR is open or tied to GND",
            adapter.answers,
            _PART.other_address,
        )
        self._reading = i2c_msg.read(address, 2)

    def begin(self) -> None:
        """Leave the part powered down, whatever its state."""
        with self._guard:
            self._bus.write(self._address, bytes((_POWER_DOWN,)))

    def fast(self) -> None:
        """Convert all the time, 0.9 lx a count, up to 60 klx; first result after `SETTLE_US`."""
        with self._guard:
            for opcode in (_POWER_DOWN, _TIME_HIGH, _TIME_LOW, _CONTINUOUS_H2):
                self._bus.write(self._address, bytes((opcode,)))

    def slow(self) -> None:
        """Do the same as `fast`: the part has no mode that sleeps between conversions."""
        self.fast()

    def read(self) -> int:
        """Return the last conversion in counts of `LUX_PER_COUNT`.

        It is half a step of 0.9 lx less than the part says: its first step is as good as dark.
        """
        with self._guard:
            counts = int.from_bytes(self._bus.read_plainly(self._reading), "big")
        return round(max(0.0, counts - 0.5) / COUNTS_PER_LUX / LUX_PER_COUNT)

    def shut_down(self) -> None:
        """Stop converting: 0.01 µA instead of 120. The last result stays readable."""
        with self._guard:
            self._bus.write(self._address, bytes((_POWER_DOWN,)))
