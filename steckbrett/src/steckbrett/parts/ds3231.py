"""A strict model of the DS3231 clock (sheet 19-5170, revision 10).

Checked against adafruit-circuitpython-ds3231 2.4.28.

Decided here, because the sheet leaves it open:

- the crystal is off by up to 2 ppm, by the seed;
- a conversion takes between the typical 125 and the longest 200 ms, by the seed;
- a date that does not exist is torn: the registers keep it, and the clock goes on from before;
- a module has no battery.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import ClassVar

from . import steady
from .registers import Field, Register, RegisterPart

CONTROL, STATUS, AGING = 0x0E, 0x0F, 0x10
_TEMPERATURE_EVERY_US = 64_000_000
_SQUARE_HZ = (1, 1024, 4096, 8192)
_PER_AGING = 1e-7  # 0.1 ppm at 25 °C
_HALF_32K_US = 1e6 / 65536
_EPOCH = datetime(2000, 1, 1)


_REGISTERS = (
    Register(0x00, "seconds", reserved=0x80),
    Register(0x01, "minutes", reserved=0x80),
    Register(0x02, "hours", reserved=0x80, fields=(Field("H12", 6, 6),)),
    Register(0x03, "day", reset=0x01, reserved=0xF8),
    Register(0x04, "date", reset=0x01, reserved=0xC0),
    Register(0x05, "month", reset=0x01, reserved=0x60, fields=(Field("Century", 7, 7),)),
    Register(0x06, "year"),
    Register(0x07, "alarm 1 seconds", fields=(Field("A1M1", 7, 7),)),
    Register(0x08, "alarm 1 minutes", fields=(Field("A1M2", 7, 7),)),
    Register(0x09, "alarm 1 hours", fields=(Field("A1M3", 7, 7),)),
    Register(0x0A, "alarm 1 day", fields=(Field("A1M4", 7, 7), Field("A1DY", 6, 6))),
    Register(0x0B, "alarm 2 minutes", fields=(Field("A2M2", 7, 7),)),
    Register(0x0C, "alarm 2 hours", fields=(Field("A2M3", 7, 7),)),
    Register(0x0D, "alarm 2 day", fields=(Field("A2M4", 7, 7), Field("A2DY", 6, 6))),
    Register(
        CONTROL, "control", reset=0x1C, unmodelled=0xC0,  # what happens on a battery alone
        fields=(
            Field("EOSC", 7, 7), Field("BBSQW", 6, 6), Field("CONV", 5, 5), Field("RS", 4, 3),
            Field("INTCN", 2, 2), Field("A2IE", 1, 1), Field("A1IE", 0, 0),
        ),
    ),
    Register(
        STATUS, "status", reset=0x88,
        fields=(
            Field("OSF", 7, 7), Field("EN32kHz", 3, 3), Field("BSY", 2, 2), Field("A2F", 1, 1),
            Field("A1F", 0, 0),
        ),
    ),
    Register(AGING, "aging offset"),
    Register(0x11, "temperature high", "r", 0x19),
    Register(0x12, "temperature low", "r"),
)  # fmt: skip


class DS3231(RegisterPart):
    """The clock. Its world ``temperature`` is °C as a function of the time in µs.

    ``now`` is the date and time that it has. After power-up it is 1 January 2000, and the status
    says that the oscillator had stopped.
    """

    name = "DS3231"
    address = 0x68
    addresses = (0x68,)
    outputs = ("sqw", "32k")
    after: ClassVar = {0x12: 0x00}
    worlds = ("temperature",)
    registers = _REGISTERS

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        chance = Random(f"ds3231 {seed}")
        self.temperature: Callable[[int], float] = steady(25.0)
        self._rate = 1 + chance.uniform(-2e-6, 2e-6)
        self._conversion_us = chance.randrange(125_000, 200_001)
        super().__init__(seed, t_us)

    def power_up(self, t_us: int) -> None:
        """Apply power without a battery: the time of the reset, OSF set."""
        super().power_up(t_us)
        self.now = _EPOCH
        self._second_us = t_us
        self._now_us = t_us
        self._converts_until_us: int | None = None
        self._next_temperature_us = t_us + 1  # of the world that the program begins in

    @property
    def _second_lasts_us(self) -> float:
        aging = self.values[AGING]
        return 1e6 * (self._rate + (aging - (aging & 0x80) * 2) * _PER_AGING)

    def advance(self, t_us: int) -> None:
        """Let seconds pass, one by one as long as an alarm is set."""
        self._now_us = t_us
        if t_us >= self._next_temperature_us:
            passed = (t_us - self._next_temperature_us) // _TEMPERATURE_EVERY_US + 1
            self._next_temperature_us += passed * _TEMPERATURE_EVERY_US
            self._convert(t_us)
        if self._converts_until_us is not None and t_us >= self._converts_until_us:
            self._converts_until_us = None
            self._convert(t_us)
            self.set_field("CONV", 0)
        passed = int((t_us - self._second_us) / self._second_lasts_us)
        if passed <= 0:
            return
        self._second_us += round(passed * self._second_lasts_us)
        for second in range(1, passed + 1):
            if second == passed or second <= 86_400 * 7:  # alarms come once in a week or never
                self._look_for_alarms(self.now + timedelta(seconds=second))
        self.now += timedelta(seconds=passed)
        self._show()

    def _convert(self, t_us: int) -> None:
        quarters = round(self.temperature(t_us) * 4) & 0x3FF
        self.values[0x11], self.values[0x12] = quarters >> 2, quarters << 6 & 0xC0

    def _show(self) -> None:
        """Put the time into the registers, in the host's choice of 12 or 24 hours."""
        values, now = self.values, self.now
        values[0x00], values[0x01] = _bcd(now.second), _bcd(now.minute)
        if self.field("H12"):
            values[0x02] = 0x40 | 0x20 * (now.hour >= 12) | _bcd((now.hour - 1) % 12 + 1)
        else:
            values[0x02] = _bcd(now.hour)
        values[0x03] = (self._weekday + now.toordinal() - self._weekday_set) % 7 + 1
        values[0x04], values[0x06] = _bcd(now.day), _bcd(now.year % 100)
        values[0x05] = _bcd(now.month) | 0x80 * (now.year >= 2100)

    _weekday = 0
    _weekday_set = _EPOCH.toordinal()

    def _look_for_alarms(self, now: datetime) -> None:
        for first, flag in ((0x07, "A1F"), (0x0B, "A2F")):
            if flag == "A2F" and now.second:
                continue
            fields = [_bcd(now.minute), _bcd(now.hour)]
            if flag == "A1F":
                fields.insert(0, _bcd(now.second))
            values = [self.values[first + index] for index in range(len(fields) + 1)]
            by_day = values[-1] & 0x40
            day = (self._weekday + now.toordinal() - self._weekday_set) % 7 + 1
            fields.append(day if by_day else _bcd(now.day))
            if all(
                value & 0x80 or value & (0x3F if index == len(fields) - 1 else 0x7F) == field
                for index, (value, field) in enumerate(zip(values, fields))
            ):
                self.set_field(flag, 1)

    def stored(self, at: int, before: int, t_us: int) -> None:
        """Set the time, begin a conversion, or clear flags, which cannot be set."""
        if at <= 0x06:
            if at == 0x00:
                self._second_us = t_us  # the countdown chain begins anew
            self._set_time()
        elif at == CONTROL:
            if self.field("CONV") and not before & 0x20:
                self._converts_until_us = t_us + self._conversion_us
        elif at == STATUS:
            self.values[at] &= before & 0x83 | 0x08
            if self._converts_until_us is not None:
                self.set_field("BSY", 1)

    def _set_time(self) -> None:
        values = self.values
        hours = values[0x02]
        if hours & 0x40:
            hour = _plain(hours & 0x1F) % 12 + 12 * bool(hours & 0x20)
        else:
            hour = _plain(hours & 0x3F)
        year = 2000 + _plain(values[0x06]) + 100 * bool(values[0x05] & 0x80)
        try:
            self.now = datetime(
                year,
                _plain(values[0x05] & 0x1F),
                _plain(values[0x04]),
                hour,
                _plain(values[0x01]),
                _plain(values[0x00]),
            )
        except ValueError as problem:
            self._wrong_date = str(problem)
        else:
            self._wrong_date = ""
            self._weekday = values[0x03] - 1
            self._weekday_set = self.now.toordinal()

    _wrong_date = ""

    def stop(self) -> None:
        """Take a STOP; a date that was written has to exist by now."""
        if self._wrong_date:
            self.tear(self._now_us, f"a time that does not exist: {self._wrong_date}")
            self._wrong_date = ""

    def loaded(self, at: int, t_us: int) -> int:
        """Give a register; BSY is set during a conversion."""
        del t_us
        if at == STATUS:
            self.set_field("BSY", self._converts_until_us is not None)
        return self.values[at]

    def output(self, pin: str) -> int | None:
        """Return the level of INT/SQW or of 32K, which are open drains: 0, or None."""
        if pin == "32k":
            low = int(self._now_us / _HALF_32K_US) % 2 == 0
            return 0 if low and self.field("EN32kHz") else None
        if self.field("INTCN"):
            active = self.field("A1F") & self.field("A1IE") | self.field("A2F") & self.field("A2IE")
            return 0 if active else None
        half_us = self._second_lasts_us / _SQUARE_HZ[self.field("RS")] / 2
        return 0 if int((self._now_us - self._second_us) / half_us) % 2 == 0 else None

    def next_event_us(self) -> int | None:
        """Return when a pin may next change: a second or half a wave on."""
        if "32k" in self.wired and self.field("EN32kHz"):
            return int((int(self._now_us / _HALF_32K_US) + 1) * _HALF_32K_US) + 1
        if self.field("INTCN"):
            if not self.field("A1IE") and not self.field("A2IE"):
                return None
            return self._second_us + int(self._second_lasts_us) + 2
        half_us = self._second_lasts_us / _SQUARE_HZ[self.field("RS")] / 2
        passed = int((self._now_us - self._second_us) / half_us) + 1
        return self._second_us + int(passed * half_us) + 1


def _bcd(number: int) -> int:
    return number // 10 << 4 | number % 10


def _plain(code: int) -> int:
    return (code >> 4) * 10 + (code & 0x0F)
