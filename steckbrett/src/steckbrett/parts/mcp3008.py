"""A strict model of the MCP3008 converter on SPI (sheet DS21295, revision D).

Checked against gpiozero's `MCP3008`.

Decided here, because the sheet leaves it open:

- supply and reference are 3.3 V, where the clock has at most 1.94 MHz: between the sheet's 1.35 MHz
  at 2.7 V and 3.6 MHz at 5 V;
- noise is 0.3 counts rms; an open input floats at some tenths of a volt, by the seed.
"""

from collections.abc import Callable
from random import Random
from typing import ClassVar

from . import PartModel, drawn_once

CHANNELS = 8
_REFERENCE_V, _FULL = 3.3, 1024
_NULL_AT, _LAST_AT = 5, 15  # clocks after the start bit at whose fall null bit and B0 come out


def _open(volts: float) -> Callable[[int], float]:
    return lambda _t_us: volts


class MCP3008(PartModel):
    """The converter. Its worlds ``ch0`` to ``ch7`` are volts as functions of the time in µs.

    It takes DIN at the rise of the clock and moves DOUT at its fall, while CS is low: SPI modes 0
    and 3. Pins that no wire leads to are those of SPI0 and CE0; with ``mcp3008@1`` CE1.
    ``selects`` are those two, as BCM numbers.
    """

    name = "MCP3008"
    outputs = ("miso",)
    inputs = ("clk", "mosi", "cs")
    worlds = tuple(f"ch{channel}" for channel in range(CHANNELS))
    usual: ClassVar = {"clk": 11, "mosi": 10, "miso": 9, "cs": 8}
    selects = (8, 7)
    fastest_hz = 1_940_000

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        chance = Random(f"mcp3008 {seed}")
        for world in self.worlds:
            setattr(self, world, _open(chance.uniform(0.1, 0.7)))
        self._noise = drawn_once(509, lambda: chance.gauss(0, 0.3))
        self.power_up(t_us)

    def power_up(self, t_us: int) -> None:
        """Apply power: not selected."""
        del t_us
        self._levels = {"clk": 0, "mosi": 0, "cs": 1}
        self._deselect()

    def _deselect(self) -> None:
        self._clocks: int | None = None
        self._asked = 0
        self._code = 0
        self._out: int | None = None

    def sense(self, pin: str, level: int, t_us: int) -> None:
        """Take an edge of the host."""
        self._levels[pin] = level
        if pin == "cs":
            if level and self._clocks is not None and self._clocks < _LAST_AT:
                self.tear(t_us, "CS went high before the whole result was out")
            self._deselect()
        elif pin == "clk" and not self._levels["cs"]:
            if level:
                self._rise(self._levels["mosi"], t_us)
            else:
                self._fall()

    def output(self, _pin: str) -> int | None:
        """Return the level of DOUT; None while it is let go."""
        return self._out

    def _rise(self, bit: int, t_us: int) -> None:
        if self._clocks is None:
            self._clocks = 0 if bit else None
            return
        self._clocks += 1
        if self._clocks <= 4:
            self._asked = self._asked << 1 | bit
        if self._clocks == 4:
            self._code = self._convert(t_us)

    def _fall(self) -> None:
        clocks = self._clocks or 0
        if clocks >= _NULL_AT:
            # Once the lowest bit is out, the same bits come in the other order, and then zeros.
            place = _LAST_AT - clocks if clocks <= _LAST_AT else clocks - _LAST_AT
            self._out = self._code >> place & 1

    def _convert(self, t_us: int) -> int:
        channel = self._asked & 7
        volts = self._volts(channel, t_us)
        if not self._asked & 8:  # against its neighbour
            volts -= self._volts(channel ^ 1, t_us)
        counts = int(volts / _REFERENCE_V * _FULL + next(self._noise))
        return min(_FULL - 1, max(0, counts))

    def _volts(self, channel: int, t_us: int) -> float:
        volts: float = getattr(self, f"ch{channel}")(t_us)
        if not -0.3 <= volts <= _REFERENCE_V + 0.3:
            self.tear(t_us, f"CH{channel} is beyond the supply: at most 3.6 V, at least -0.3 V")
        return volts
