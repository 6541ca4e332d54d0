"""A strict model of the BME280 sensor of pressure, temperature and humidity (BST-BME280-DS002).

Checked against RPi.bme280 0.2.4. The trimming values are those of the example in the sheet of the
BMP280, whose pressure and temperature are the same, and common ones for humidity.

Decided here, because the sheet leaves it open:

- a measurement takes between the sheet's typical and longest time, by the seed;
- noise is that of the sheet's tables for a filter that is off; a filter begins at the first value;
- after a reset the trimming is copied for 2 ms; a board that begins is past that;
- a write to config in normal mode is taken, and torn: the sheet says that it may be ignored.
"""

from collections.abc import Callable
from random import Random
from struct import pack

from . import drawn_once, steady
from .registers import Field, Register, RegisterPart, block

_T = (27504, 26435, -1000)
_P = (36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000)
_H1, _H2, _H3, _H4, _H5, _H6 = 75, 362, 0, 313, 50, 30
_DATA, _DATA_END = 0xF7, 0xFE
_STANDBY_US = (500, 62_500, 125_000, 250_000, 500_000, 1_000_000, 10_000, 20_000)
_RESET_WORD = 0xB6
_NOTHING = b"\x80\x00\x00\x80\x00\x00\x80\x00"  # data of what is not measured
_SLEEP, _FORCED, _NORMAL = 0, (1, 2), 3
_START_UP_US = 2_000
_NOISE_C = (0.005, 0.004, 0.003, 0.003, 0.002)  # rms by oversampling ×1 to ×16 (tables 14 to 16)
_NOISE_PA = (3.3, 2.6, 2.1, 1.6, 1.3)
_NOISE_PERCENT = (0.07, 0.05, 0.04, 0.03, 0.02)


def _trimming() -> dict[int, int]:
    low = pack("<Hhh", *_T) + pack("<Hhhhhhhhh", *_P) + bytes((0, _H1))
    high = pack("<hB", _H2, _H3)
    high += bytes((_H4 >> 4, _H5 << 4 & 0xF0 | _H4 & 0x0F, _H5 >> 4, _H6))
    return dict(enumerate(low, 0x88)) | dict(enumerate(high, 0xE1))


def _fine(raw: float) -> float:
    first = (raw / 16384 - _T[0] / 1024) * _T[1]
    return first + (raw / 131072 - _T[0] / 8192) ** 2 * _T[2]


def _celsius(raw: float) -> float:
    return _fine(raw) / 5120


def _pascal(raw: float, fine: float) -> float:
    half = fine / 2 - 64000
    offset = half * half * _P[5] / 32768 + half * _P[4] * 2
    offset = offset / 4 + _P[3] * 65536
    scale = (_P[2] * half * half / 524288 + _P[1] * half) / 524288
    scale = (1 + scale / 32768) * _P[0]
    found = (1048576 - raw - offset / 4096) * 6250 / scale
    return found + (_P[8] * found * found / 2147483648 + found * _P[7] / 32768 + _P[6]) / 16


def _percent(raw: float, fine: float) -> float:
    left = fine - 76800
    found = raw - (_H4 * 64 + _H5 / 16384 * left)
    curve = 1 + _H6 / 67108864 * left * (1 + _H3 / 67108864 * left)
    found *= _H2 / 65536 * curve
    return found * (1 - _H1 * found / 524288)


def _raw_of(value: float, formula: Callable[[float], float], most: int) -> int:
    """Return the count from 0 to ``most`` for which ``formula`` gives ``value``."""
    low, high = 0, most
    rises = formula(high) > formula(low)
    while low < high:
        middle = (low + high) // 2
        if (formula(middle) < value) == rises:
            low = middle + 1
        else:
            high = middle
    return low


_REGISTERS = (
    *block(0x88, 0xA1, "calib", "r"),
    Register(0xD0, "id", "r", 0x60),
    Register(0xE0, "reset"),
    *block(0xE1, 0xE7, "calib26+", "r"),
    Register(0xF2, "ctrl_hum", reserved=0xF8, fields=(Field("osrs_h", 2, 0),)),
    Register(0xF3, "status", "r", fields=(Field("measuring", 3, 3), Field("im_update", 0, 0))),
    Register(
        0xF4, "ctrl_meas",
        fields=(Field("osrs_t", 7, 5), Field("osrs_p", 4, 2), Field("mode", 1, 0)),
    ),
    Register(
        0xF5, "config", reserved=0x02, unmodelled=0x01,
        fields=(Field("t_sb", 7, 5), Field("filter", 4, 2), Field("spi3w_en", 0, 0)),
    ),
    *block(_DATA, _DATA_END, "data", "r"),
)  # fmt: skip


class BME280(RegisterPart):
    """The sensor. Its worlds are functions of the time in µs.

    They are ``temperature`` in °C, ``pressure`` in hPa and ``humidity`` in %.
    """

    name = "BME280"
    address = 0x76
    other_address = 0x77
    worlds = ("temperature", "pressure", "humidity")
    pairs = True
    registers = _REGISTERS
    unlisted = frozenset({0xD1})  # the version of a BMP085, which programs read along with the id

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        self.temperature: Callable[[int], float] = steady(21.0)
        self.pressure: Callable[[int], float] = steady(1013.25)
        self.humidity: Callable[[int], float] = steady(45.0)
        chance = Random(f"bme280 {seed}")
        self._slowness = chance.uniform(1.0, 1.15)
        self._noise = drawn_once(1009, lambda: chance.gauss(0, 1))
        super().__init__(seed, t_us)
        self._copied_us = t_us
        self.identity = 0x60

    def power_up(self, t_us: int) -> None:
        """Apply power: asleep, nothing measured."""
        super().power_up(t_us)
        self.values.update(_trimming())
        self.values.update(enumerate(_NOTHING, _DATA))
        self._oversamples_h = 0
        self._began_us = self._ends_us = None
        self._measured = False
        self._filtered: tuple[float, float] | None = None
        self._copied_us = t_us + _START_UP_US

    _began_us: int | None
    _ends_us: int | None

    @property
    def measuring_us(self) -> int:
        """Time of one measurement of this part with its present settings, in µs (9.1)."""
        t, p, h = (
            _oversampling(code)
            for code in (self.field("osrs_t"), self.field("osrs_p"), self._oversamples_h)
        )
        typical_ms = 1 + 2 * t + (2 * p + 0.5 if p else 0) + (2 * h + 0.5 if h else 0)
        return round(typical_ms * 1000 * self._slowness)

    def advance(self, t_us: int) -> None:
        """End the measurements that are due."""
        while self._ends_us is not None and t_us >= self._ends_us:
            ended_us = self._ends_us
            self._began_us = self._ends_us = None
            self._measure(ended_us)
            if self.field("mode") in _FORCED:
                self.set_field("mode", _SLEEP)
            elif self.field("mode") == _NORMAL:
                period_us = _STANDBY_US[self.field("t_sb")] + self.measuring_us
                missed = (t_us - ended_us) // period_us
                self._begin(ended_us + missed * period_us + _STANDBY_US[self.field("t_sb")])

    def _begin(self, t_us: int) -> None:
        self._began_us, self._ends_us = t_us, t_us + self.measuring_us

    def _measure(self, t_us: int) -> None:
        """Put what the world is now into the data registers."""
        self._measured = True
        fine = _fine(_raw_of(self.temperature(t_us), _celsius, 0xFFFFF))
        celsius, pascal, percent = (
            next(self._noise) * table[max(0, min(code, 5) - 1)]
            for table, code in (
                (_NOISE_C, self.field("osrs_t")),
                (_NOISE_PA, self.field("osrs_p")),
                (_NOISE_PERCENT, self._oversamples_h),
            )
        )
        raw_t = _raw_of(self.temperature(t_us) + celsius, _celsius, 0xFFFFF)
        wanted_pa, wanted_percent = (
            self.pressure(t_us) * 100 + pascal,
            self.humidity(t_us) + percent,
        )
        raw_p = _raw_of(wanted_pa, lambda raw: _pascal(raw, fine), 0xFFFFF)
        raw_h = _raw_of(wanted_percent, lambda raw: _percent(raw, fine), 0xFFFF)
        if self.field("filter") and self._filtered is not None:
            size = 1 << min(4, self.field("filter"))
            raw_t, raw_p = (
                round((old * (size - 1) + new) / size)
                for old, new in zip(self._filtered, (raw_t, raw_p))
            )
        self._filtered = (raw_t, raw_p)
        data = (raw_p << 4).to_bytes(3) if self.field("osrs_p") else _NOTHING[:3]
        data += (raw_t << 4).to_bytes(3) if self.field("osrs_t") else _NOTHING[:3]
        data += raw_h.to_bytes(2) if self._oversamples_h else _NOTHING[6:]
        self.values.update(enumerate(data, _DATA))

    def stored(self, at: int, before: int, t_us: int) -> None:
        """Reset, or begin to measure; ctrl_hum counts from the next write to ctrl_meas."""
        if at == 0xE0:
            word, self.values[at] = self.values[at], 0
            if word == _RESET_WORD:
                self.power_up(t_us)
            else:
                self.refuse(t_us, f"reset word 0x{word:02X}: only 0xB6 resets")
        elif at == 0xF4:
            self._oversamples_h = self.field("osrs_h")
            if self.field("mode") == _SLEEP:
                self._began_us = self._ends_us = None
            else:
                self._begin(t_us)
        elif at == 0xF5 and before != self.values[at] and self.field("mode") == _NORMAL:
            self.tear(t_us, "config written in normal mode: it may be ignored")

    def loaded(self, at: int, t_us: int) -> int:
        """Give data and status."""
        if at == 0xD0:
            return self.identity
        if at == 0xF3:
            measuring = self._began_us is not None and t_us >= self._began_us
            return 8 * measuring | (t_us < self._copied_us)
        if at == _DATA and not self._measured:
            self.tear(t_us, "data read before the first measurement ended")
        return self.values[at]

    def read(self, count: int, t_us: int) -> bytes:
        """Return registers; only a burst is of one measurement (4.1)."""
        if _DATA <= self.pointer <= _DATA_END and count == 1:
            self.tear(t_us, "data read byte by byte: they can be of two measurements")
        return super().read(count, t_us)


def _oversampling(code: int) -> int:
    return (0, 1, 2, 4, 8, 16)[min(code, 5)]
