"""Registers of the ADXL345 and what the sheet forbids or warns of when they are written."""

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
