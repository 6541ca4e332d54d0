"""Registers of the ADXL345, their rules, and the events that they set up (sheet: A, digest 1.7).

The rules are what the sheet forbids or warns of when a register is written. Events are activity,
inactivity, free fall and taps.

All values are counts of 1/256 g, all instants nanoseconds. A threshold step of 62.5 mg is exactly
16 counts.

Decided here, because the sheet leaves it open:

- Activity, inactivity and free fall judge the samples of the output data rate; the real part
  judges activity and free fall at its internal rate and may fire on something shorter. Taps are
  judged on the internal 3200 Hz grid, without noise.
- Thresholds compare with the output *after* the offset registers were added.
- The ac reference of activity is taken anew when its interrupt has been cleared.
- With Link set, inactivity is looked for first.
- Free fall and inactivity fire once and again only after the condition was broken.
"""

from collections.abc import Iterator

from .registers import Field, Register, block

DEVID, DATA, DATA_END, FIFO_CTL, FIFO_STATUS, LAST = 0x00, 0x32, 0x37, 0x38, 0x39, 0x39
ACT_TAP_STATUS, BW_RATE, POWER_CTL, INT_ENABLE, INT_MAP, INT_SOURCE = range(0x2B, 0x31)
DATA_FORMAT = 0x31
FIRST_OPEN = 0x1D  # 0x01–0x1C are reserved: "do not access"

DATA_READY = 0x80
SINGLE_TAP = 0x40
DOUBLE_TAP = 0x20
ACTIVITY = 0x10
INACTIVITY = 0x08
FREE_FALL = 0x04
WATERMARK = 0x02
OVERRUN = 0x01

LINK, AUTO_SLEEP, MEASURE, SLEEP = 0x20, 0x10, 0x08, 0x04
BYPASS, FIFO, STREAM, TRIGGER = range(4)

_SOURCES = tuple(
    Field(name, bit, bit)
    for bit, name in enumerate(
        ("Overrun", "Watermark", "FREE_FALL", "Inactivity", "Activity", "DOUBLE_TAP", "SINGLE_TAP",
         "DATA_READY")
    )
)  # fmt: skip
REGISTERS = (
    Register(DEVID, "DEVID", "r", 0xE5),
    Register(0x1D, "THRESH_TAP"),
    Register(0x1E, "OFSX"),
    Register(0x1F, "OFSY"),
    Register(0x20, "OFSZ"),
    Register(0x21, "DUR"),
    Register(0x22, "Latent"),
    Register(0x23, "Window"),
    Register(0x24, "THRESH_ACT"),
    Register(0x25, "THRESH_INACT"),
    Register(0x26, "TIME_INACT"),
    Register(
        0x27, "ACT_INACT_CTL",
        fields=(
            Field("ACT ac", 7, 7), Field("ACT XYZ", 6, 4), Field("INACT ac", 3, 3),
            Field("INACT XYZ", 2, 0),
        ),
    ),
    Register(0x28, "THRESH_FF"),
    Register(0x29, "TIME_FF"),
    Register(
        0x2A, "TAP_AXES", reserved=0xF0, fields=(Field("Suppress", 3, 3), Field("TAP XYZ", 2, 0))
    ),
    Register(
        ACT_TAP_STATUS, "ACT_TAP_STATUS", "r",
        fields=(Field("ACT XYZ", 6, 4), Field("Asleep", 3, 3), Field("TAP XYZ", 2, 0)),
    ),
    Register(
        BW_RATE, "BW_RATE", reset=0x0A, reserved=0xE0,
        fields=(Field("LOW_POWER", 4, 4), Field("Rate", 3, 0)),
    ),
    Register(
        POWER_CTL, "POWER_CTL", reserved=0xC0,
        fields=(
            Field("Link", 5, 5), Field("AUTO_SLEEP", 4, 4), Field("Measure", 3, 3),
            Field("Sleep", 2, 2), Field("Wakeup", 1, 0),
        ),
    ),
    Register(INT_ENABLE, "INT_ENABLE", fields=_SOURCES),
    Register(INT_MAP, "INT_MAP", fields=_SOURCES),
    Register(INT_SOURCE, "INT_SOURCE", "r", reset=0x02, fields=_SOURCES),
    Register(
        DATA_FORMAT, "DATA_FORMAT", reserved=0x10, unmodelled=0x40,
        fields=(
            Field("SELF_TEST", 7, 7), Field("SPI", 6, 6), Field("INT_INVERT", 5, 5),
            Field("FULL_RES", 3, 3), Field("Justify", 2, 2), Field("Range", 1, 0),
        ),
    ),
    *block(DATA, DATA_END, "DATA", "r"),
    Register(
        FIFO_CTL, "FIFO_CTL",
        fields=(Field("FIFO_MODE", 7, 6), Field("Trigger", 5, 5), Field("Samples", 4, 0)),
    ),
    Register(
        FIFO_STATUS, "FIFO_STATUS", "r",
        fields=(Field("FIFO_TRIG", 7, 7), Field("Entries", 5, 0)),
    ),
)  # fmt: skip
RESET = {register.at: register.reset for register in REGISTERS}
WRITABLE = frozenset(register.at for register in REGISTERS if register.access == "rw")
BY_NUMBER = {register.at: register for register in REGISTERS}

_THRESH_TAP, _THRESH_ACT, _THRESH_INACT, _THRESH_FF, _TIME_FF = 0x1D, 0x24, 0x25, 0x28, 0x29
_UNDESIRABLE_ZERO = (
    (ACTIVITY, _THRESH_ACT, "activity with THRESH_ACT 0"),
    (INACTIVITY, _THRESH_INACT, "inactivity with THRESH_INACT 0"),
    (FREE_FALL, _THRESH_FF, "free fall with THRESH_FF 0"),
    (FREE_FALL, _TIME_FF, "free fall with TIME_FF 0"),
    (SINGLE_TAP | DOUBLE_TAP, _THRESH_TAP, "taps with THRESH_TAP 0"),
)
_FALL_LIMITS, _FALLS = range(5, 10), range(0x14, 0x47)  # of THRESH_FF and TIME_FF
_SELF_TEST = 0x80
_SELF_TEST_PACES = (0x0A, 0x0B, 0x0C, 0x0D, 0x0F)  # BW_RATE: 100–800 and 3200 Hz, full power
_FASTEST_CODE_ON_I2C = 0x0D  # 800 Hz at 400 kHz


def refusals(register: int, value: int) -> Iterator[str]:
    """Yield what of ``value``, written to a register, the chip does not do."""
    if register == POWER_CTL and value & (LINK | AUTO_SLEEP) == AUTO_SLEEP:
        yield "AUTO_SLEEP set without Link"


def warnings(registers: bytearray, register: int, value: int) -> Iterator[str]:
    """Yield what the chip does, with data or events that the sheet does not answer for."""
    before = registers[register]
    if register == POWER_CTL:
        if before & value & MEASURE and before & ~value & (LINK | AUTO_SLEEP | SLEEP):
            yield "Link, AUTO_SLEEP or Sleep cleared without going by way of standby"
    elif register == INT_ENABLE:
        for sources, needed, what in _UNDESIRABLE_ZERO:
            if value & sources and not registers[needed]:
                yield f"enabled {what}: set the function before its interrupt"
        limit, lasts = registers[_THRESH_FF], registers[_TIME_FF]
        if (
            value & FREE_FALL
            and limit
            and lasts
            and not (limit in range(5, 10) and lasts in _FALLS)
        ):
            yield "free fall outside the recommended 300–600 mg and 100–350 ms"
    elif register == FIFO_CTL:
        if value >> 6 == TRIGGER and not value & 0x1F:
            yield "trigger mode with 0 samples"
    elif register in (BW_RATE, DATA_FORMAT):
        pace = value if register == BW_RATE else registers[BW_RATE]
        layout = value if register == DATA_FORMAT else registers[DATA_FORMAT]
        if layout & _SELF_TEST and pace not in _SELF_TEST_PACES:
            yield "SELF_TEST with LOW_POWER or outside 100–800 and 3200 Hz"
        if register == BW_RATE and value & 0x0F > _FASTEST_CODE_ON_I2C:
            yield "faster than 800 Hz: I2C at 400 kHz cannot fetch every sample"


THRESHOLD_COUNTS = 16  # 62.5 mg per step at 256 counts per g
_INACTIVITY_STEP_NS = 1_000_000_000
_FREE_FALL_STEP_NS = 5_000_000
_DURATION_STEP_NS = 625_000
_WINDOW_STEP_NS = 1_250_000

X_AXIS, Y_AXIS, Z_AXIS = 4, 2, 1
"""Bits of ACT_TAP_STATUS and TAP_AXES."""


def _above(axes: int, threshold: int, x: float, y: float, z: float) -> int:
    """Those of ``axes`` (4 x, 2 y, 1 z) whose magnitude lies above ``threshold``."""
    found = 0
    if axes & X_AXIS and abs(x) > threshold:
        found |= X_AXIS
    if axes & Y_AXIS and abs(y) > threshold:
        found |= Y_AXIS
    if axes & Z_AXIS and abs(z) > threshold:
        found |= Z_AXIS
    return found


class MotionDetectors:
    """Activity, inactivity and free fall, with Link and auto-sleep.

    ``enabled`` are the detectors (bits of INT_ENABLE) that may fire at present, ``asleep`` is bit 3
    of ACT_TAP_STATUS, ``activity_axes`` bits 6–4 of it (as 4 x, 2 y, 1 z).
    """

    def __init__(self) -> None:
        self.enabled = 0
        self.asleep = False
        self.activity_axes = 0
        self._control = 0
        self._activity_threshold = 0
        self._inactivity_threshold = 0
        self._inactivity_ns = 0
        self._fall_threshold = 0
        self._fall_ns = 0
        self._link = False
        self._auto_sleep = False
        self._armed = INACTIVITY
        self._reference: tuple[int, int, int] | None = None
        self._still_reference: tuple[int, int, int] | None = None
        self._still_since_ns: int | None = None
        self._stillness_told = False
        self._fall_since_ns: int | None = None
        self._fall_told = False

    def configure(self, registers: bytearray) -> None:
        """Take over the register file (addresses 0x24–0x2E); detection starts anew."""
        control = registers[0x27]
        enabled = registers[0x2E] & (ACTIVITY | INACTIVITY | FREE_FALL)
        if not control & 0x70:
            enabled &= ~ACTIVITY
        if not control & 0x07:
            enabled &= ~INACTIVITY
        link = bool(registers[0x2D] & 0x20)
        if link != self._link:
            self._armed = INACTIVITY
        self._control = control
        self.enabled = enabled
        self._activity_threshold = registers[0x24] * THRESHOLD_COUNTS
        self._inactivity_threshold = registers[0x25] * THRESHOLD_COUNTS
        self._inactivity_ns = registers[0x26] * _INACTIVITY_STEP_NS
        self._fall_threshold = registers[0x28] * THRESHOLD_COUNTS
        self._fall_ns = registers[0x29] * _FREE_FALL_STEP_NS
        self._link = link
        self._auto_sleep = link and bool(registers[0x2D] & 0x10)
        if not self._auto_sleep:
            self.asleep = False
        self._reference = None
        self._still_reference = None
        self._still_since_ns = None
        self._stillness_told = False
        self._fall_since_ns = None
        self._fall_told = False

    def cleared(self, bits: int) -> None:
        """Let ``bits`` of INT_SOURCE be cleared: the host has read it."""
        if bits & ACTIVITY:
            self._reference = None

    def look(self, t_ns: int, x: int, y: int, z: int, latched: int) -> int:
        """Judge one sample; ``latched`` are the events still uncleared. Returns new event bits."""
        fired = 0
        enabled = self.enabled
        if enabled & FREE_FALL and self._falls(t_ns, x, y, z):
            fired |= FREE_FALL
        if (
            enabled & ACTIVITY
            and not latched & ACTIVITY
            and not (self._link and self._armed != ACTIVITY)
            and self._moves(x, y, z)
        ):
            fired |= ACTIVITY
            self._armed = INACTIVITY
            self._still_since_ns = None
            self._stillness_told = False
            if self._auto_sleep:
                self.asleep = False
        elif (
            enabled & INACTIVITY
            and not (self._link and (self._armed != INACTIVITY or latched & ACTIVITY))
            and self._rests(t_ns, x, y, z)
        ):
            fired |= INACTIVITY
            self._armed = ACTIVITY
            self._reference = None
            if self._auto_sleep:
                self.asleep = True
        return fired

    def earliest_ns(self, wanted: int, next_sample_ns: int, batch_ns: int) -> int | None:
        """Return the earliest instant worth looking at for the events ``wanted``, None for never.

        ``next_sample_ns`` is the next sample's instant. Activity may fire with any sample, so
        samples within ``batch_ns`` are looked at together.
        """
        wanted &= self.enabled
        if not wanted:
            return None
        found = None
        if wanted & ACTIVITY:
            found = next_sample_ns + batch_ns
        if wanted & FREE_FALL:
            since = None if self._fall_told else self._fall_since_ns
            at = (next_sample_ns if since is None else since) + self._fall_ns
            found = at if found is None else min(found, at)
        if wanted & INACTIVITY:
            since = None if self._stillness_told else self._still_since_ns
            at = (next_sample_ns if since is None else since) + self._inactivity_ns
            found = at if found is None else min(found, at)
        return found if found is None else max(found, next_sample_ns)

    def _falls(self, t_ns: int, x: int, y: int, z: int) -> bool:
        threshold = self._fall_threshold
        if not (
            -threshold < z < threshold and -threshold < x < threshold and -threshold < y < threshold
        ):
            self._fall_since_ns = None
            self._fall_told = False
            return False
        if self._fall_since_ns is None:
            self._fall_since_ns = t_ns
        if self._fall_told or t_ns - self._fall_since_ns < self._fall_ns:
            return False
        self._fall_told = True
        return True

    def _moves(self, x: int, y: int, z: int) -> bool:
        if self._control & 0x80:
            reference = self._reference
            if reference is None:
                self._reference = (x, y, z)
                return False
            x -= reference[0]
            y -= reference[1]
            z -= reference[2]
        axes = _above(self._control >> 4 & 7, self._activity_threshold, x, y, z)
        if axes:
            self.activity_axes = axes
        return bool(axes)

    def _rests(self, t_ns: int, x: int, y: int, z: int) -> bool:
        dx, dy, dz = x, y, z
        if self._control & 0x08:
            reference = self._still_reference
            if reference is None:
                reference = self._still_reference = (x, y, z)
            dx, dy, dz = x - reference[0], y - reference[1], z - reference[2]
        # "below" excludes equality, "above" does too: equality breaks the rest.
        if _above(self._control & 7, self._inactivity_threshold - 1, dx, dy, dz):
            self._still_reference = (x, y, z)
            self._still_since_ns = None
            self._stillness_told = False
            return False
        if self._still_since_ns is None:
            self._still_since_ns = t_ns
        if self._stillness_told or t_ns - self._still_since_ns < self._inactivity_ns:
            return False
        self._stillness_told = True
        return True


class TapDetector:
    """Single and double taps, judged at the internal rate (sheet: A, 1.7 of the digest).

    ``axes`` are those of the last tap (4 x, 2 y, 1 z).
    """

    def __init__(self) -> None:
        self.enabled = 0
        self.axes = 0
        self._watched = 0
        self._suppress = False
        self._threshold = 0
        self._duration_ns = 0
        self._latency_ns = 0
        self._window_ns = 0
        self._since_ns: int | None = None
        self._since_axes = 0
        self._first_end_ns: int | None = None
        self._window_checked = False

    def configure(self, registers: bytearray) -> None:
        """Take over the register file (addresses 0x1D–0x2E); detection starts anew."""
        enabled = registers[0x2E] & (SINGLE_TAP | DOUBLE_TAP)
        watched = registers[0x2A] & 7
        self._duration_ns = registers[0x21] * _DURATION_STEP_NS
        self._latency_ns = registers[0x22] * _WINDOW_STEP_NS
        self._window_ns = registers[0x23] * _WINDOW_STEP_NS
        if not watched or not self._duration_ns:
            enabled = 0
        if not self._latency_ns or not self._window_ns:
            enabled &= ~DOUBLE_TAP
        self.enabled = enabled
        self._watched = watched
        self._suppress = bool(registers[0x2A] & 8)
        self._threshold = registers[0x1D] * THRESHOLD_COUNTS
        self._since_ns = None
        self._first_end_ns = None

    def look(self, t_ns: int, x: float, y: float, z: float) -> int:
        """Judge one instant of the internal grid. Returns new event bits."""
        fired = 0
        axes = _above(self._watched, self._threshold, x, y, z)
        first_end = self._first_end_ns
        if first_end is not None:
            window_opens = first_end + self._latency_ns
            if t_ns < window_opens:
                if axes and self._suppress:
                    fired |= self._single_only()
            elif not self._window_checked:
                self._window_checked = True
                if axes or self._since_ns is not None:
                    fired |= self._single_only()
            elif self._since_ns is None and t_ns > window_opens + self._window_ns:
                fired |= self._single_only()
        if axes:
            if self._since_ns is None:
                self._since_ns = t_ns
                self._since_axes = axes
            return fired
        if self._since_ns is None:
            return fired
        short = t_ns - self._since_ns < self._duration_ns
        self._since_ns = None
        if self._first_end_ns is not None and self._window_checked:
            return fired | (self._both() if short else self._single_only())
        if self._first_end_ns is not None or not short:
            return fired  # a spike while the latency runs, or too long for a tap
        self.axes = self._since_axes
        if self.enabled & DOUBLE_TAP:
            self._first_end_ns = t_ns
            self._window_checked = False
            return fired
        return fired | (self.enabled & SINGLE_TAP)

    def _single_only(self) -> int:
        self._first_end_ns = None
        return self.enabled & SINGLE_TAP

    def _both(self) -> int:
        self._first_end_ns = None
        return self.enabled & (SINGLE_TAP | DOUBLE_TAP)
