"""VEML7700 light sensor: I2C address 0x10, no interrupt pin.

Wiring: VIN to 3.3 V, GND, SDA, SCL. Command codes and bits: Vishay 84286 Rev 1.8, tables 1 to 8;
lux per count (`LUX_PER_COUNT`): application note 84323, base 0.0042 since Rev 1.7 of the sheet.

Registers are 16 bit, low byte first, and are read with a repeated START. Gain and integration time
are changed in shut-down only, as the application note's flow chart has it. There is no data-ready
flag: the caller must know when a conversion has ended (`SETTLE_US`, `FRESH_US`).
"""

from typing import Final

from smbus2 import i2c_msg

from drivers.bus import BusioAdapter
from drivers.errors import PartGuard
from drivers.light_sensor import LIGHT_SENSORS

START_US: Final = 2_500
"""From shut-down to the start of the first conversion."""

INTEGRATION_US: Final = 25_000
"""Nominal length of a conversion in fast mode; ±30 %."""

FRESH_US: Final = INTEGRATION_US * 13 // 10
"""Two readings at least this far apart are two conversions, in fast mode."""

SETTLE_US: Final = START_US + FRESH_US
"""From `Veml7700.fast` until its first conversion can be read."""

SLOW_INTEGRATION_US: Final = 100_000
SLOW_PERIOD_US: Final = SLOW_INTEGRATION_US + 500_000
"""Refresh time of slow mode: integration time + 0.5 s (power saving mode 1)."""

SLOW_SETTLE_US: Final = START_US + SLOW_INTEGRATION_US * 13 // 10
"""From `Veml7700.slow` until its first conversion can be read."""

HIDDEN_AFTER_US: Final = 200_000
"""Dice have left the display this long after dark: 5 conversions, 163 ms at most, and a picture."""

_PART = LIGHT_SENSORS["veml7700"]
assert _PART.identity is not None
_ID = _PART.identity
"""The low byte of register 07; the high one codes the address and the package."""
_CONFIGURATION = 0x00
_POWER_SAVING = 0x03
_COUNTS = 0x04

_SHUT_DOWN = 0x0001
_GAIN_2 = 1 << 11
_TIME_25_MS = 0xC << 6
_TIME_100_MS = 0x0 << 6
_SAVING_OFF = 0x0000
_SAVING_MODE_1 = 0x0001

_SLOW_SHIFT = 2
"""Slow mode integrates 4 times as long, so 4 counts of it are 1 of fast mode."""


class Veml7700:
    """The driver. Every method is one job for the bus, of well under 1 ms.

    Every method raises PartError when the part does not answer or answers wrongly.
    """

    fresh_us = FRESH_US
    settle_us = SETTLE_US
    slow_period_us = SLOW_PERIOD_US
    slow_settle_us = SLOW_SETTLE_US
    hidden_after_us = HIDDEN_AFTER_US

    def __init__(self, adapter: BusioAdapter, address: int = _PART.address) -> None:
        self._bus = adapter
        self._address = address
        self._guard = PartGuard(
            "VEML7700 light sensor",
            address,
            "the settings name the light sensor that is fitted",
            adapter.answers,
            LIGHT_SENSORS["bh1750"].address,
        )
        self._configuration = _SHUT_DOWN
        self._shift = 0
        self._point_at_counts = i2c_msg.write(address, (_COUNTS,))
        self._read_counts = i2c_msg.read(address, 2)

    def begin(self) -> None:
        """Check the id and leave the part shut down. Raises PartError if it is no VEML7700."""
        with self._guard:
            found = self._get(_ID.register)
            if found & _ID.mask != _ID.value:
                raise self._guard.wrong_part("a VEML7700", f"0x__{_ID.value:X}", f"0x{found:04X}")
            self._shut_down()

    def fast(self) -> None:
        """Convert every 25 ms at gain ×2, up to 8808 lx; the first result after `SETTLE_US`."""
        with self._guard:
            self._restart(_GAIN_2 | _TIME_25_MS, _SAVING_OFF)
            self._shift = 0

    def slow(self) -> None:
        """Convert every 0.6 s (`SLOW_PERIOD_US`) and sleep in between, up to 2202 lx.

        The integration time is 100 ms, because the sheet gives power saving for 100 ms and more
        only. The first result comes after `SLOW_SETTLE_US`.
        """
        with self._guard:
            self._restart(_GAIN_2 | _TIME_100_MS, _SAVING_MODE_1)
            self._shift = _SLOW_SHIFT

    def read(self) -> int:
        """Return the last conversion in counts of `LUX_PER_COUNT` in both modes, 0–65535.

        In slow mode the range is 0–16383. The last value stays readable in shut-down, and until a
        changed mode has settled. Throw that one away: it was measured in the other mode.
        """
        with self._guard:
            found = self._bus.write_then_read(self._point_at_counts, self._read_counts)
            counts = int.from_bytes(found, "little")
            if counts == 0:
                self._check_running()
        return counts >> self._shift

    def shut_down(self) -> None:
        """Stop converting: 0.5 µA instead of 45."""
        with self._guard:
            self._shut_down()

    def _restart(self, configuration: int, saving: int) -> None:
        self._shut_down()
        self._set(_CONFIGURATION, configuration | _SHUT_DOWN)
        self._set(_POWER_SAVING, saving)
        self._set(_CONFIGURATION, configuration)
        self._configuration = configuration

    def _check_running(self) -> None:
        # Darkness, or a part that has lost its power for a moment and is shut down since.
        found = self._get(_CONFIGURATION)
        if found != self._configuration:
            raise self._guard.lost_setup(f"ALS_CONF 0x{found:04X}, not 0x{self._configuration:04X}")

    def _shut_down(self) -> None:
        configuration = self._get(_CONFIGURATION)
        if not configuration & _SHUT_DOWN:
            configuration |= _SHUT_DOWN
            self._set(_CONFIGURATION, configuration)
        self._configuration = configuration

    def _get(self, code: int) -> int:
        return int.from_bytes(self._bus.read_register(self._address, code, 2), "little")

    def _set(self, code: int, value: int) -> None:
        self._bus.write(self._address, bytes((code, *value.to_bytes(2, "little"))))
