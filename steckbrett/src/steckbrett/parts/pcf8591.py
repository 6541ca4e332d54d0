"""A strict model of the PCF8591 converter of 8 bits, four inputs and one output (sheet Rev. 7).

Checked against adafruit-circuitpython-pcf8591 1.0.25.

Decided here, because the sheet leaves it open:

- supply and reference are 3.3 V; an input beyond them by more than 0.3 V is torn;
- noise is 0.2 counts rms; an open input floats at some tenths of a volt, by the seed;
- auto-increment without the analog output is torn: the sheet asks for it, for the oscillator.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from . import PartModel, drawn_once

_REFERENCE_V, _BEYOND_V = 3.3, 0.3
_AOUT, _INCREMENT, _RESERVED = 0x40, 0x04, 0x88
_AFTER_POWER = 0x80
_CHANNELS: Final = (
    ((0, None), (1, None), (2, None), (3, None)),
    ((0, 3), (1, 3), (2, 3)),
    ((0, None), (1, None), (2, 3)),
    ((0, 1), (2, 3)),
)
"""By bits 5 and 4 of the control byte: positive and negative input of each channel."""


def _open(volts: float) -> Callable[[int], float]:
    return lambda _t_us: volts


class PCF8591(PartModel):
    """The converter. Its worlds ``ain0`` to ``ain3`` are volts as functions of the time in µs.

    A read gives the result before it first, and begins a conversion with each byte.
    """

    name = "PCF8591"
    address = 0x48
    addresses = tuple(range(0x48, 0x50))
    worlds = ("ain0", "ain1", "ain2", "ain3")

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        chance = Random(f"pcf8591 {seed}")
        for world in self.worlds:
            setattr(self, world, _open(chance.uniform(0.2, 0.7)))
        self._noise = drawn_once(509, lambda: chance.gauss(0, 0.2))
        self.power_up(t_us)

    def power_up(self, t_us: int) -> None:
        """Apply power: channel 0 of four, the output off."""
        del t_us
        self._control = self._channel = self._output = 0
        self._result = _AFTER_POWER

    @property
    def aout(self) -> float | None:
        """The voltage of the analog output; None while it is off."""
        return self._output * _REFERENCE_V / 256 if self._control & _AOUT else None

    def write(self, data: bytes, t_us: int) -> None:
        """Take a control byte, and values of the analog output."""
        self.accesses += 1
        if not data:
            return
        if data[0] & _RESERVED:
            self.refuse(t_us, f"control bits 7 and 3 are 0: 0x{data[0]:02X} written")
        self._control = data[0] & ~_RESERVED
        self._channel = min(data[0] & 3, len(self._inputs) - 1)
        if len(data) > 1:
            self._output = data[-1]

    def read(self, count: int, t_us: int) -> bytes:
        """Return the result before, and one of each conversion but the last."""
        self.accesses += 1
        if self._control & _INCREMENT and not self._control & _AOUT:
            self.tear(t_us, "auto-increment without the analog output, bit 6 of the control byte")
        found = bytearray()
        for number in range(count):
            found.append(self._result)
            self._result = self._convert(t_us + round(number * self.byte_us))
            if self._control & _INCREMENT:
                self._channel = (self._channel + 1) % len(self._inputs)
        return bytes(found)

    def stop(self) -> None:
        """Take a STOP; the channel stays."""

    @property
    def _inputs(self) -> tuple[tuple[int, int | None], ...]:
        return _CHANNELS[self._control >> 4 & 3]

    def _convert(self, t_us: int) -> int:
        positive, negative = self._inputs[self._channel]
        volts = self._volts(positive, t_us)
        if negative is not None:
            volts -= self._volts(negative, t_us)
        counts = int(volts / _REFERENCE_V * 256 + next(self._noise))
        if negative is None:
            return min(255, max(0, counts))
        return min(127, max(-128, counts)) & 0xFF

    def _volts(self, channel: int, t_us: int) -> float:
        volts: float = getattr(self, f"ain{channel}")(t_us)
        if not -_BEYOND_V <= volts <= _REFERENCE_V + _BEYOND_V:
            self.tear(t_us, f"AIN{channel} is beyond the supply: at most 3.6 V, at least -0.3 V")
        return volts
