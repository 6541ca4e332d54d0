"""Strict models of analog converters: the ADS1115, the PCF8591 and the MCP3008.

Decided here for all of them, because the sheets leave it open:

- supply and reference are 3.3 V; an input beyond them by more than 0.3 V is torn, once a conversion
  meets it, and its diodes hold it there;
- an open input floats at some tenths of a volt, by the seed.
"""

from collections.abc import Callable
from math import pi, sin, sqrt
from random import Random
from typing import ClassVar, Final

from . import PartModel, drawn_once, steady
from .registers import Field, Register, RegisterPart

_SUPPLY_V, _BEYOND_V = 3.3, 0.3


def _volts_between(part: PartModel, positive: int, negative: int | None, t_us: int) -> float:
    """Return the voltage of an input of `worlds` against another one, or None for ground."""
    volts = _volts_of(part, part.worlds[positive], t_us)
    return volts if negative is None else volts - _volts_of(part, part.worlds[negative], t_us)


def _volts_of(part: PartModel, world: str, t_us: int) -> float:
    volts = float(getattr(part, world)(t_us))
    if not -_BEYOND_V <= volts <= _SUPPLY_V + _BEYOND_V:
        what = f"{world.upper()} is beyond the supply: at most 3.6 V, at least -0.3 V"
        part.tear(t_us, what)
    return min(_SUPPLY_V + _BEYOND_V, max(-_BEYOND_V, volts))


# ---- ADS1115 -------------------------------------------------------------------------------------

CONVERSION, CONFIG, LO_THRESH, HI_THRESH = range(4)
_RATES = (8, 16, 32, 64, 128, 250, 475, 860)
_FULL_SCALE_V = (6.144, 4.096, 2.048, 1.024, 0.512, 0.256, 0.256, 0.256)
_MUX = ((0, 1), (0, 3), (1, 3), (2, 3), (0, None), (1, None), (2, None), (3, None))
_WAKES_AFTER_US = 25
_READY_PULSE_US = 8
_NOISE_V = 3e-6


def _humming(chance: Random) -> Callable[[int], float]:
    """Return the voltage of an input that nobody drives, and that picks up 50 Hz."""
    volts, hum, phase = chance.uniform(0.2, 0.7), chance.uniform(0.005, 0.03), chance.uniform(0, 6)
    return lambda t_us: volts + hum * sin(2 * pi * 50e-6 * t_us + phase)


_ADS1115_REGISTERS = (
    Register(CONVERSION, "conversion", "r"),
    Register(
        CONFIG, "config", reset=0x8583,
        fields=(
            Field("OS", 15, 15), Field("MUX", 14, 12), Field("PGA", 11, 9), Field("MODE", 8, 8),
            Field("DR", 7, 5), Field("COMP_MODE", 4, 4), Field("COMP_POL", 3, 3),
            Field("COMP_LAT", 2, 2), Field("COMP_QUE", 1, 0),
        ),
    ),
    Register(LO_THRESH, "Lo_thresh", reset=0x8000),
    Register(HI_THRESH, "Hi_thresh", reset=0x7FFF),
)  # fmt: skip


class ADS1115(RegisterPart):
    """The converter of 16 bits on I2C (sheet SBAS444, revision E).

    Its worlds ``a0`` to ``a3`` are volts as functions of the time in µs. Checked against
    adafruit-circuitpython-ads1x15 3.0.5.

    Decided here, because the sheet leaves it open:

    - the part's clock is off by up to 10 %, by the seed, as the sheet allows;
    - noise is 3 µV rms at 128 a second, more by the root of the rate, and at least the step's
      rounding;
    - an open input picks up 50 Hz.
    """

    name = "ADS1115"
    address = 0x48
    other_address = 0x49
    addresses = (0x48, 0x49, 0x4A, 0x4B)
    outputs = ("alert",)
    worlds = ("a0", "a1", "a2", "a3")
    width = 2
    increments = False
    registers = _ADS1115_REGISTERS

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        chance = Random(f"ads1115 {seed}")
        self._slowness = chance.uniform(0.9, 1.1)
        self.a0, self.a1, self.a2, self.a3 = (_humming(chance) for _ in range(4))
        self._noise = drawn_once(1009, lambda: chance.gauss(0, _NOISE_V))
        super().__init__(seed, t_us)

    def power_up(self, t_us: int) -> None:
        """Apply power: powered down, the last result 0."""
        super().power_up(t_us)
        self._ends_us: int | None = None
        self._settings = self.values[CONFIG]
        self._ready_us: int | None = None
        self._alert = False
        self._beyond = 0
        self._now_us = t_us

    @property
    def conversion_us(self) -> int:
        """Time of one conversion of this part, in µs."""
        return round(1e6 / _RATES[self.field("DR")] * self._slowness)

    def advance(self, t_us: int) -> None:
        """End the conversions that are due."""
        self._now_us = t_us
        while self._ends_us is not None and t_us >= self._ends_us:
            ended_us, self._ends_us = self._ends_us, None
            settled = self._settings == self.values[CONFIG]
            self._convert(ended_us)
            if not self.field("MODE"):
                if settled and self.field("COMP_QUE") == 3:  # nobody sees those between
                    ended_us += (t_us - ended_us) // self.conversion_us * self.conversion_us
                    self._convert(ended_us)
                self._begin(ended_us)

    def _begin(self, t_us: int) -> None:
        self._settings = self.values[CONFIG]
        self._ends_us = t_us + self.conversion_us

    def _convert(self, t_us: int) -> None:
        positive, negative = _MUX[self._settings >> 12 & 7]
        volts = _volts_between(self, positive, negative, t_us)
        volts += next(self._noise) * sqrt(_RATES[self._settings >> 5 & 7] / 128)
        step = _FULL_SCALE_V[self._settings >> 9 & 7] / 32768
        counts = min(32767, max(-32768, round(volts / step)))
        self.values[CONVERSION] = counts & 0xFFFF
        self._ready_us = t_us
        self._compare(counts)

    def _compare(self, counts: int) -> None:
        low, high = (_signed(self.values[at]) for at in (LO_THRESH, HI_THRESH))
        if self.field("COMP_MODE"):
            outside, inside = not low <= counts <= high, low <= counts <= high
        else:
            outside, inside = counts > high, counts < low
        self._beyond = self._beyond + 1 if outside else 0
        if self._beyond > (0, 1, 3, 1 << 30)[self.field("COMP_QUE")]:
            self._alert = True
        elif inside and not self.field("COMP_LAT"):
            self._alert = False

    def stored(self, at: int, before: int, t_us: int) -> None:
        """Begin a conversion with OS in single-shot mode, or go on in continuous mode.

        A conversion at work ends with its own settings; those written count from the next one.
        """
        if at != CONFIG:
            return
        if before & 0x3:  # a new setting of the comparator
            self._beyond = 0
        single, begins = self.field("MODE"), self.field("OS")
        self.set_field("OS", 0)
        if self._ends_us is not None and before & 0x100 and single:
            if begins:
                self.refuse(t_us, "a conversion asked for during another")
        elif not single:
            if self._ends_us is None:
                self._begin(t_us)
        elif begins:
            self._begin(t_us + _WAKES_AFTER_US)

    def called(self, data: bytes, t_us: int) -> bool:
        """Reset by a general call of 06."""
        if data == b"\x06":
            self.power_up(t_us)
        return True

    def loaded(self, at: int, t_us: int) -> int:
        """Give the last result or a setting; a read of the result ends a latched alert."""
        if at == CONFIG:
            return self.values[at] | 0x8000 * (self._ends_us is None)
        if at == CONVERSION:
            if self._ready_us is None:
                self.tear(t_us, "result read before the first conversion ended")
            elif self._ends_us is not None and self.field("MODE"):
                self.tear(t_us, "result read during a conversion: it is the one before")
            self._alert = False
        return self.values[at]

    def output(self, _pin: str) -> int | None:
        """Return the level of ALERT/RDY, which is open drain: 0, or None."""
        if self.field("COMP_QUE") == 3:
            return None
        active = self._alert
        if self.values[HI_THRESH] & 0x8000 and not self.values[LO_THRESH] & 0x8000:
            # It tells of results: a pulse in continuous mode, else from then on.
            active = self._ready_us is not None and self._ends_us is None
            if not self.field("MODE"):
                active = self._now_us < (self._ready_us or -1_000_000) + _READY_PULSE_US
        return None if active == bool(self.field("COMP_POL")) else 0

    def next_event_us(self) -> int | None:
        """Return when ALERT/RDY may next change by itself."""
        if self.field("COMP_QUE") == 3:
            return None
        pulse_us = None if self._ready_us is None else self._ready_us + _READY_PULSE_US
        if pulse_us is not None and self._now_us < pulse_us:
            return pulse_us
        return self._ends_us


def _signed(value: int) -> int:
    return value - 0x10000 if value & 0x8000 else value


# ---- PCF8591 -------------------------------------------------------------------------------------

_AOUT, _INCREMENT, _RESERVED = 0x40, 0x04, 0x88
_AFTER_POWER = 0x80
_CHANNELS: Final = (
    ((0, None), (1, None), (2, None), (3, None)),
    ((0, 3), (1, 3), (2, 3)),
    ((0, None), (1, None), (2, 3)),
    ((0, 1), (2, 3)),
)
"""By bits 5 and 4 of the control byte: positive and negative input of each channel."""


class PCF8591(PartModel):
    """The converter of 8 bits on I2C, with four inputs and one output (sheet Rev. 7).

    Its worlds ``ain0`` to ``ain3`` are volts as functions of the time in µs. A read gives the
    result before it first, and begins a conversion with each byte. Checked against
    adafruit-circuitpython-pcf8591 1.0.25.

    Decided here, because the sheet leaves it open:

    - noise is 0.2 counts rms;
    - auto-increment without the analog output is torn: the sheet asks for it, for the oscillator.
    """

    name = "PCF8591"
    address = 0x48
    addresses = tuple(range(0x48, 0x50))
    worlds = ("ain0", "ain1", "ain2", "ain3")

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        chance = Random(f"pcf8591 {seed}")
        for world in self.worlds:
            setattr(self, world, steady(chance.uniform(0.2, 0.7)))
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
        return self._output * _SUPPLY_V / 256 if self._control & _AOUT else None

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
        volts = _volts_between(self, positive, negative, t_us)
        counts = int(volts / _SUPPLY_V * 256 + next(self._noise))
        if negative is None:
            return min(255, max(0, counts))
        return min(127, max(-128, counts)) & 0xFF


# ---- MCP3008 -------------------------------------------------------------------------------------

_FULL = 1024
_NULL_AT, _LAST_AT = 5, 15  # clocks after the start bit at whose fall null bit and B0 come out


class MCP3008(PartModel):
    """The converter of 10 bits on SPI (sheet DS21295, revision D).

    Its worlds ``ch0`` to ``ch7`` are volts as functions of the time in µs. It takes DIN at the rise
    of the clock and moves DOUT at its fall, while CS is low: SPI modes 0 and 3. Pins that no wire
    leads to are those of SPI0 and CE0; with ``mcp3008@1`` CE1. ``selects`` are those two, as BCM
    numbers. Checked against gpiozero's `MCP3008`.

    Decided here, because the sheet leaves it open:

    - the clock has at most 1.94 MHz at 3.3 V: between the sheet's 1.35 MHz at 2.7 V and 3.6 MHz at
      5 V;
    - noise is 0.3 counts rms.
    """

    name = "MCP3008"
    outputs = ("miso",)
    inputs = ("clk", "mosi", "cs")
    worlds = tuple(f"ch{channel}" for channel in range(8))
    usual: ClassVar = {"clk": 11, "mosi": 10, "miso": 9, "cs": 8}
    selects = (8, 7)
    fastest_hz = 1_940_000

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__(seed, t_us)
        chance = Random(f"mcp3008 {seed}")
        for world in self.worlds:
            setattr(self, world, steady(chance.uniform(0.1, 0.7)))
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
        neighbour = None if self._asked & 8 else channel ^ 1
        volts = _volts_between(self, channel, neighbour, t_us)
        counts = int(volts / _SUPPLY_V * _FULL + next(self._noise))
        return min(_FULL - 1, max(0, counts))
