"""A strict model of the VEML7700 light sensor (sheet 84286, revision 1.8; digest 3).

Checked against adafruit-circuitpython-veml7700 2.2.2.

Decided here, because the sheet leaves it open:

- the part's clock is off by a seeded ±10 % (the sheet allows ±30 %); a reading carries seeded noise
  of 0.4 counts plus 0.1 % rms; the white channel counts like the ALS channel;
- register 03 is 0000 after power-up, the thresholds 01 and 02 hold FFFF and 0000 but may not be
  read before they were written;
- reading ALS or WHITE after SD went to 0 and before the first conversion ended is torn and
  gives the counts from before;
- gain or time changed while running is torn, and the conversion starts anew;
- power saving at 25 and 50 ms is unlisted;
- reading 06 clears its flags;
- a read without a repeated START is refused and gives FF bytes.

Beyond 1000 lx at gain ×1/4 and ×1/8 the part counts less than it should, by the polynomial whose
inverse the sheet gives; at ×1 and ×2 it is linear.
"""

from collections.abc import Callable
from random import Random

from . import Offence, PartModel, drawn_once, steady
from .registers import Field, Register

ALS_CONF, HIGH_THRESHOLD, LOW_THRESHOLD, POWER_SAVING, ALS, WHITE, FLAGS, ID = range(8)

_SHUT_DOWN = 0x0001
_INT_EN = 0x0002
_REGISTERS = (
    Register(
        ALS_CONF, "ALS_CONF", reset=0x0001, reserved=0xE40C,
        fields=(
            Field("ALS_GAIN", 12, 11), Field("ALS_IT", 9, 6), Field("ALS_PERS", 5, 4),
            Field("ALS_INT_EN", 1, 1), Field("ALS_SD", 0, 0),
        ),
    ),
    Register(HIGH_THRESHOLD, "ALS_WH", reset=0xFFFF),
    Register(LOW_THRESHOLD, "ALS_WL"),
    Register(
        POWER_SAVING, "PSM", reserved=0xFFF8, fields=(Field("PSM", 2, 1), Field("PSM_EN", 0, 0))
    ),
    Register(ALS, "ALS", "r"),
    Register(WHITE, "WHITE", "r"),
    Register(FLAGS, "ALS_INT", "r", fields=(Field("low", 15, 15), Field("high", 14, 14))),
    Register(ID, "ID", "r", 0xC481),
)  # fmt: skip
_RESERVED = [register.reserved for register in _REGISTERS]
_TIME_MS = {0xC: 25, 0x8: 50, 0x0: 100, 0x1: 200, 0x2: 400, 0x3: 800}
_GAIN = {0: 2 / 2, 1: 2.0, 2: 1 / 8, 3: 1 / 4}
_GAIN_AND_TIME = 0x1BC0
_FINEST_LX = 0.0042  # per count at 800 ms, gain ×2
_POWER_ON_US = 2_500
_FULL_SCALE = 0xFFFF
_CLOCK_TOLERANCE = 0.10
_POINTS = 6  # of the world's light in one conversion
_NOISE_COUNTS, _NOISE_SHARE = 0.4, 0.001
_NOISE_VALUES = 509
_CORRECTION = (6.0135e-13, -9.3924e-9, 8.1488e-5, 1.0023)  # lx measured to lx, x⁴ to x¹
_LINEAR_UP_TO_LX = 1000.0
_CURVE_ENDS_LX = 20_000.0  # of lx measured; beyond it the curve is not the sheet's any more


def _corrected(measured_lx: float) -> float:
    a, b, c, d = _CORRECTION
    return (((a * measured_lx + b) * measured_lx + c) * measured_lx + d) * measured_lx


def compressed(lux: float) -> float:
    """Return the lx a part at gain ×1/4 or ×1/8 seems to measure at ``lux`` (digest 3)."""
    if lux <= _LINEAR_UP_TO_LX:
        return lux
    low, high = 0.0, _CURVE_ENDS_LX
    if lux >= _corrected(high):
        return high * lux / _corrected(high)
    for _ in range(40):
        middle = (low + high) / 2
        if _corrected(middle) < lux:
            low = middle
        else:
            high = middle
    return low


class VEML7700(PartModel):
    """The light sensor. ``seed`` decides clock and noise; power comes at ``t_us``.

    ``illuminance(t_us)`` is the world, in lx at the sensor. ``identity`` is what register 07
    answers (C481 at address 0x10).
    """

    name = "VEML7700"
    address = 0x10
    addresses = (0x10,)
    worlds = ("illuminance",)
    registers = _REGISTERS
    width = 2

    def __init__(self, seed: int | str = 0, t_us: int = 0) -> None:
        super().__init__()
        chance = Random(f"veml7700 {seed}")
        self.illuminance: Callable[[int], float] = steady(0.0)
        self.identity = 0xC481
        self.clock_factor = 1.0 + chance.uniform(-_CLOCK_TOLERANCE, _CLOCK_TOLERANCE)
        self._noise = drawn_once(_NOISE_VALUES, lambda: chance.gauss(0, 1)).__next__
        self.power_up(t_us)

    def power_up(self, _t_us: int) -> None:
        """Apply power: shut down, registers at their reset values."""
        self._registers = [register.reset for register in _REGISTERS]
        self._written = {ALS_CONF, POWER_SAVING}
        self._code: int | None = None
        self._start_us = 0.0
        self._done = 0
        self._waiting = True
        self._ever = False
        self._beyond = [0, 0]
        self._next_us = 0.0  # before this no conversion ends
        self._configure()

    def _configure(self) -> None:
        """Derive what conversions need from the registers.

        ``integration_us``: length of one at this part's own clock; ``refresh_us``: from one to the
        next, power saving included.
        """
        configuration, saving = self._registers[ALS_CONF], self._registers[POWER_SAVING]
        nominal_ms = _TIME_MS[configuration >> 6 & 0xF]
        pause_us = 500_000 << (saving >> 1 & 3) if saving & 1 else 0
        self.integration_us = nominal_ms * 1000 * self.clock_factor
        self.refresh_us = self.integration_us + pause_us * self.clock_factor
        step_us = self.integration_us / _POINTS
        self._points_us = [(point + 0.5) * step_us for point in range(_POINTS)]
        self._gain = _GAIN[configuration >> 11 & 3]
        self._lux_per_count = _FINEST_LX * (800 / nominal_ms) * (2 / self._gain)

    # ---- bus face ----------------------------------------------------------------------------

    def write(self, data: bytes, t_us: int) -> None:
        """Apply a command code, alone before a repeated START or with its two bytes."""
        if not data:
            return
        if len(data) == 1:
            self._code = data[0]
            return
        if len(data) != 3:
            self.refuse(t_us, f"write of {len(data)} bytes: a register takes code, low, high")
            return
        self._convert_until(t_us)
        self._set(data[0], data[1] | data[2] << 8, t_us)

    def read(self, count: int, t_us: int) -> bytes:
        """Return the chosen register, low byte first, if a repeated START led here."""
        code = self._code
        if code is None:
            self.refuse(t_us, "read without a command code and a repeated START")
            return b"\xff" * count
        if count != 2:
            what = f"read of {count} bytes: one register of 2 bytes per transfer"
            self.refuse(t_us, what, Offence.UNLISTED)
            return (self._get(code, t_us).to_bytes(2, "little") + b"\xff" * count)[:count]
        return self._get(code, t_us).to_bytes(2, "little")

    def stop(self) -> None:
        """Take a STOP: it ends the command, so a later read has no register."""
        self._code = None

    # ---- registers ---------------------------------------------------------------------------

    def _get(self, code: int, t_us: int) -> int:
        if code > ID:
            self.refuse(t_us, f"read of unknown register 0x{code:02X}")
            return _FULL_SCALE
        if code == ID:
            return self.identity
        if code < ALS:
            if code not in self._written:
                self.tear(t_us, f"read of register 0x{code:02X} before it was written")
            return self._registers[code]
        self._convert_until(t_us)
        if code == FLAGS:
            flags, self._registers[FLAGS] = self._registers[FLAGS], 0
            return flags
        if self._waiting:
            self.tear(t_us, "counts read before the first conversion ended")
        return self._registers[code]

    def _set(self, code: int, value: int, t_us: int) -> None:
        if code > ID:
            self.refuse(t_us, f"write to unknown register 0x{code:02X}")
            return
        if code >= ALS:
            self.refuse(t_us, f"write to read-only register 0x{code:02X}")
            return
        if value & _RESERVED[code]:
            self.refuse(t_us, f"reserved bits set: 0x{value:04X} written to 0x{code:02X}")
            value &= ~_RESERVED[code]
        self._next_us = 0.0
        before = self._registers[code]
        if code == ALS_CONF and value >> 6 & 0xF not in _TIME_MS:
            self.refuse(t_us, f"integration time code 0x{value >> 6 & 0xF:X}")
            value = value & ~0x03C0 | before & 0x03C0
        self._registers[code] = value
        self._configure()
        self._written.add(code)
        running = not self._registers[ALS_CONF] & _SHUT_DOWN
        if code == ALS_CONF:
            self._reconfigured(before, value, t_us)
        elif code == POWER_SAVING and before != value and running:
            self._begin(t_us)
        time_code = self._registers[ALS_CONF] >> 6 & 0xF
        if self._registers[POWER_SAVING] & 1 and time_code in (0xC, 0x8) and running:
            self.refuse(t_us, "power saving at 25 or 50 ms", Offence.UNLISTED)

    def _reconfigured(self, before: int, value: int, t_us: int) -> None:
        if value & _SHUT_DOWN:
            self._waiting = not self._ever  # the last counts stay readable
        elif before & _SHUT_DOWN:
            self._begin(t_us + _POWER_ON_US)
        elif (before ^ value) & _GAIN_AND_TIME:
            self.tear(t_us, "gain or time changed while running: shut down first")
            self._begin(t_us)

    # ---- conversions -------------------------------------------------------------------------

    def _begin(self, t_us: int) -> None:
        self._start_us = float(t_us)
        self._done = 0
        self._waiting = True
        self._beyond = [0, 0]

    def _convert_until(self, t_us: int) -> None:
        """Do the conversions that have ended by ``t_us``: the newest, or all if flags need them."""
        if t_us < self._next_us:
            return
        configuration = self._registers[ALS_CONF]
        since_first = t_us - self._start_us - self.integration_us
        if configuration & _SHUT_DOWN or since_first < 0:
            return
        ended = int(since_first / self.refresh_us) + 1
        if ended == self._done:
            return
        first = self._done if configuration & _INT_EN else ended - 1
        for index in range(first, ended):
            self._convert(self._start_us + index * self.refresh_us)
            if configuration & _INT_EN:
                self._compare(1 << (configuration >> 4 & 3))
        self._done = ended
        self._next_us = self._start_us + self.integration_us + ended * self.refresh_us - 1
        self._waiting = False
        self._ever = True

    def _convert(self, start_us: float) -> None:
        light = self.illuminance
        total = 0.0
        for point_us in self._points_us:
            total += light(int(start_us + point_us))
        lux = total / _POINTS
        if self._gain < 1:
            lux = compressed(lux)
        counts = lux / self._lux_per_count
        spread = _NOISE_COUNTS + _NOISE_SHARE * counts
        for channel in (ALS, WHITE):
            noisy = round(counts + self._noise() * spread)
            self._registers[channel] = min(_FULL_SCALE, max(0, noisy))

    def _compare(self, persistence: int) -> None:
        """Raise the flags after ``persistence`` values in a row beyond a threshold."""
        counts = self._registers[ALS]
        beyond = (counts < self._registers[LOW_THRESHOLD], counts > self._registers[HIGH_THRESHOLD])
        for which, flag in ((0, 0x8000), (1, 0x4000)):
            self._beyond[which] = self._beyond[which] + 1 if beyond[which] else 0
            if self._beyond[which] >= persistence:
                self._registers[FLAGS] |= flag
