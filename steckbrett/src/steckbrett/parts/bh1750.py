"""A strict model of the BH1750FVI light sensor (technical note, revision C; digest 4).

Checked against adafruit-circuitpython-bh1750 1.1.19.

Decided here, because the sheet leaves it open:

- the part's clock is between the typical and the longest conversion of the sheet, by its seed, and
  its counts per lux between 1.0 and 1.4;
- a read before the first result gives the old value, 0 after reset, and is refused;
- a changed MTreg counts from the next measurement opcode; changing it while measuring is torn;
- unknown opcodes and transfers of more than one byte are refused without effect.
"""

from collections.abc import Callable
from random import Random

from . import Offence, PartModel, steady

_POWER_DOWN, _POWER_ON, _RESET = 0x00, 0x01, 0x07
_TYPICAL_US = {0: 120_000, 1: 120_000, 3: 16_000}
_LONGEST_SHARE = 1.5  # 180 of 120 ms, 24 of 16 ms
_MT_RESET, _MT_LEAST, _MT_MOST = 69, 31, 254
_POINTS = 6


class BH1750(PartModel):
    """The light sensor. ``seed`` decides clock and sensitivity; power comes at ``t_us``.

    ``illuminance(t_us)`` is the world, in lx at the sensor.
    """

    name = "BH1750"
    address = 0x23
    other_address = 0x5C
    worlds = ("illuminance",)

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__()
        chance = Random(f"bh1750 {seed}")
        self.illuminance: Callable[[int], float] = steady(0.0)
        self.clock_factor = chance.uniform(1.0, _LONGEST_SHARE)
        self.counts_per_lux = chance.uniform(1.0, 1.4)
        self.power_up(t_us)

    def power_up(self, _t_us: int) -> None:
        """Apply power: powered down, MTreg 69, data 0."""
        self._powered = False
        self._mode: int | None = None
        self._one_shot = False
        self._time = self._next_time = _MT_RESET
        self._start_us = 0
        self._done = 0
        self._data = 0
        self._ever = False

    @property
    def conversion_us(self) -> float:
        """Length of one conversion at this part's own clock, in µs."""
        return _TYPICAL_US[self._mode or 0] * self.clock_factor * self._time / _MT_RESET

    def write(self, data: bytes, t_us: int) -> None:
        """Apply one opcode."""
        if not data:
            return
        if len(data) > 1:
            self.refuse(t_us, f"{len(data)} bytes in a transfer: one opcode, then STOP")
            return
        self._convert_until(t_us)
        opcode = data[0]
        if opcode == _POWER_DOWN:
            self._powered, self._mode = False, None
        elif opcode == _POWER_ON:
            self._powered = True
        elif opcode == _RESET:
            if self._powered:
                self._data = 0
            else:
                self.refuse(t_us, "reset of the data register in power down")
        elif opcode & 0xF8 == 0x40:
            self._set_time(self._next_time & 0x1F | (opcode & 0x07) << 5, t_us)
        elif opcode & 0xE0 == 0x60:
            self._set_time(self._next_time & 0xE0 | opcode & 0x1F, t_us)
        elif opcode & 0xCC == 0 and opcode & 0x30 in (0x10, 0x20) and opcode & 3 in _TYPICAL_US:
            self._powered, self._mode = True, opcode & 3
            self._one_shot = bool(opcode & 0x20)
            self._begin(t_us)
        else:
            self.refuse(t_us, f"unknown opcode 0x{opcode:02X}")

    def read(self, count: int, t_us: int) -> bytes:
        """Return the data register, high byte first."""
        if count != 2:
            self.refuse(t_us, f"read of {count} bytes: a result is 2 bytes", Offence.UNLISTED)
        self._convert_until(t_us)
        if not self._ever:
            self.tear(t_us, "read before the first result")
        return (self._data.to_bytes(2) + b"\xff" * count)[:count]

    def stop(self) -> None:
        """Take a STOP: every opcode ends with one."""

    def _set_time(self, value: int, t_us: int) -> None:
        if self._mode is not None:
            self.tear(t_us, "MTreg changed while measuring: power down first")
        self._next_time = value

    def _begin(self, t_us: int) -> None:
        if not _MT_LEAST <= self._next_time <= _MT_MOST:
            self.refuse(t_us, f"MTreg {self._next_time}: 31 to 254")
            self._next_time = _MT_RESET
        self._time = self._next_time
        self._start_us, self._done = t_us, 0

    def _convert_until(self, t_us: int) -> None:
        if self._mode is None:
            return
        ended = int((t_us - self._start_us) / self.conversion_us)
        if ended <= self._done:
            return
        if self._one_shot:
            ended = 1
        self._done = ended
        began_us = self._start_us + (ended - 1) * self.conversion_us
        step_us = self.conversion_us / _POINTS
        total = sum(
            self.illuminance(int(began_us + (point + 0.5) * step_us)) for point in range(_POINTS)
        )
        counts = total / _POINTS * self.counts_per_lux * self._time / _MT_RESET
        if self._mode == 1:
            counts *= 2
        elif self._mode == 3:
            counts = counts // 4 * 4  # 4 lx resolution
        self._data = min(0xFFFF, round(counts))
        self._ever = True
        if self._one_shot:
            self._powered, self._mode = False, None
