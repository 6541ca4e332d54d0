"""Registers of the ADXL345 and what the sheet forbids or warns of when they are written."""

from collections.abc import Iterator

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

RESET = {BW_RATE: 0x0A}
WRITABLE = frozenset(
    (*range(FIRST_OPEN, ACT_TAP_STATUS), *range(BW_RATE, INT_SOURCE), DATA_FORMAT, FIFO_CTL)
)
RESERVED_BITS = {0x2A: 0xF0, BW_RATE: 0xE0, POWER_CTL: 0xC0, DATA_FORMAT: 0x10}

_THRESH_TAP, _THRESH_ACT, _THRESH_INACT, _THRESH_FF, _TIME_FF = 0x1D, 0x24, 0x25, 0x28, 0x29
_UNDESIRABLE_ZERO = (
    (ACTIVITY, _THRESH_ACT, "activity with THRESH_ACT 0"),
    (INACTIVITY, _THRESH_INACT, "inactivity with THRESH_INACT 0"),
    (FREE_FALL, _THRESH_FF, "free fall with THRESH_FF 0"),
    (FREE_FALL, _TIME_FF, "free fall with TIME_FF 0"),
    (SINGLE_TAP | DOUBLE_TAP, _THRESH_TAP, "taps with THRESH_TAP 0"),
)
_SELF_TEST = 0x80
_SELF_TEST_PACES = (0x0A, 0x0B, 0x0C, 0x0D, 0x0F)  # BW_RATE: 100–800 and 3200 Hz, full power
_FASTEST_CODE_ON_I2C = 0x0D  # 800 Hz at 400 kHz


def refusals(registers: bytearray, register: int, value: int) -> Iterator[str]:
    """Yield what the sheet forbids about writing ``value`` over ``registers[register]``."""
    before = registers[register]
    if register == POWER_CTL:
        if before & value & MEASURE and before & ~value & (LINK | AUTO_SLEEP | SLEEP):
            yield "Link, AUTO_SLEEP or Sleep cleared without going by way of standby"
        if value & (LINK | AUTO_SLEEP) == AUTO_SLEEP:
            yield "AUTO_SLEEP set without Link"
    elif register == INT_ENABLE:
        for sources, needed, what in _UNDESIRABLE_ZERO:
            if value & sources and not registers[needed]:
                yield f"enabled {what}: set the function before its interrupt"
    elif register == FIFO_CTL:
        if value >> 6 == TRIGGER and not value & 0x1F:
            yield "trigger mode with 0 samples"
    elif register in (BW_RATE, DATA_FORMAT):
        pace = value if register == BW_RATE else registers[BW_RATE]
        layout = value if register == DATA_FORMAT else registers[DATA_FORMAT]
        if layout & _SELF_TEST and pace not in _SELF_TEST_PACES:
            yield "SELF_TEST with LOW_POWER or outside 100–800 and 3200 Hz"


def warnings(registers: bytearray, register: int, value: int) -> Iterator[str]:
    """Yield what is legal and outside what the sheet recommends."""
    if register == INT_ENABLE and value & FREE_FALL:
        if not (5 <= registers[_THRESH_FF] <= 9 and 0x14 <= registers[_TIME_FF] <= 0x46):
            yield "free fall outside the recommended 300–600 mg and 100–350 ms"
    elif register == BW_RATE and value & 0x0F > _FASTEST_CODE_ON_I2C:
        yield "faster than 800 Hz: I2C at 400 kHz cannot fetch every sample"
