"""A strict model of the ADS1115 converter (sheet SBAS444, revision E).

Checked against adafruit-circuitpython-ads1x15 3.0.5.

Decided here, because the sheet leaves it open:

- the part's clock is off by up to 10 %, by the seed, as the sheet allows;
- noise is 3 µV rms at 128 a second, more by the root of the rate, and at least the step's rounding;
- an input beyond the supply of 3.3 V by more than 0.3 V is torn, once a conversion meets it;
- an open input floats at some tenths of a volt, by the seed, and picks up 50 Hz.
"""

from collections.abc import Callable
from math import pi, sin, sqrt
from random import Random

from . import drawn_once
from .registers import Field, Register, RegisterPart

CONVERSION, CONFIG, LO_THRESH, HI_THRESH = range(4)
_RATES = (8, 16, 32, 64, 128, 250, 475, 860)
_FULL_SCALE_V = (6.144, 4.096, 2.048, 1.024, 0.512, 0.256, 0.256, 0.256)
_MUX = ((0, 1), (0, 3), (1, 3), (2, 3), (0, None), (1, None), (2, None), (3, None))
_WAKES_AFTER_US = 25
_SUPPLY_V, _BEYOND_V = 3.3, 0.3
_READY_PULSE_US = 8


_NOISE_V = 3e-6


def _open(chance: Random) -> Callable[[int], float]:
    """Return the voltage of an input that nobody drives."""
    volts, hum, phase = chance.uniform(0.2, 0.7), chance.uniform(0.005, 0.03), chance.uniform(0, 6)
    return lambda t_us: volts + hum * sin(2 * pi * 50e-6 * t_us + phase)


_REGISTERS = (
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
    """The converter. Its worlds ``a0`` to ``a3`` are volts as functions of the time in µs."""

    name = "ADS1115"
    address = 0x48
    other_address = 0x49
    addresses = (0x48, 0x49, 0x4A, 0x4B)
    outputs = ("alert",)
    worlds = ("a0", "a1", "a2", "a3")
    width = 2
    increments = False
    registers = _REGISTERS

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        chance = Random(f"ads1115 {seed}")
        self._slowness = chance.uniform(0.9, 1.1)
        self.a0, self.a1, self.a2, self.a3 = (_open(chance) for _ in range(4))
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
        volts = self._volts(positive, t_us)
        if negative is not None:
            volts -= self._volts(negative, t_us)
        volts += next(self._noise) * sqrt(_RATES[self._settings >> 5 & 7] / 128)
        step = _FULL_SCALE_V[self._settings >> 9 & 7] / 32768
        counts = min(32767, max(-32768, round(volts / step)))
        self.values[CONVERSION] = counts & 0xFFFF
        self._ready_us = t_us
        self._compare(counts)

    def _volts(self, channel: int, t_us: int) -> float:
        volts = float((self.a0, self.a1, self.a2, self.a3)[channel](t_us))
        if not -_BEYOND_V <= volts <= _SUPPLY_V + _BEYOND_V:
            self.tear(t_us, f"A{channel} is beyond the supply: at most 3.6 V, at least -0.3 V")
        return min(_SUPPLY_V + _BEYOND_V, max(-_BEYOND_V, volts))

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
