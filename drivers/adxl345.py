"""ADXL345 accelerometer: I2C address 0x53, INT1 on BCM 17. Also the ADXL343 (same registers).

Wiring: VCC and CS to 3.3 V (CS high selects I2C), SDO (ALT ADDRESS) to GND, SDA, SCL, INT1.
Register numbers and bits: ADXL345 data sheet Rev. G, register map (table 19) and the text on FIFO
and interrupts. The Adafruit class does start-up, data rate and range. It has no id check, no FIFO
and no interrupt map, and its motion detection is dc-coupled, so those are here.

The set-up happens in standby, and Measure is set last. In use the part runs at 100 Hz, ±16 g in
full resolution, and streams into its FIFO. INT1 rises when `WATERMARK` samples wait, so the bus is
used for 2 ms in every 100 ms. Between turns the part only watches for motion.
"""

from enum import IntFlag
from struct import Struct
from typing import Final, NamedTuple

from adafruit_adxl34x import ADXL345, DataRate, Range
from smbus2 import i2c_msg

from drivers.bus import BusioAdapter
from drivers.errors import PartGuard
from drivers.pins import ACCELEROMETER_ADDRESS

COUNTS_PER_G: Final = 256
"""Full resolution, in every range; 230 to 282 by the sheet."""

SAMPLE_PERIOD_US: Final = 10_000
"""Time between two samples at 100 Hz."""

WATERMARK: Final = 10
"""Number of waiting samples that raises INT1: one batch each 100 ms."""

FIFO_LEVELS: Final = 32
"""Samples the FIFO holds; at 32 the oldest may have been dropped."""

MOST_LEVELS_PER_DRAIN: Final = 11
"""0.21 ms of bus each, so that a drain is never longer than 2.5 ms."""

_OTHER_ADDRESS = 0x1D  # ALT ADDRESS high

_DEVID = 0x00
_THRESH_ACT = 0x24  # 62.5 mg/LSB
_ACT_INACT_CTL = 0x27
_THRESH_FF = 0x28  # 62.5 mg/LSB; 29 follows: TIME_FF, 5 ms/LSB
_BW_RATE = 0x2C
_POWER_CTL = 0x2D
_INT_ENABLE = 0x2E
_INT_MAP = 0x2F
_INT_SOURCE = 0x30
_DATA_X0 = 0x32
_FIFO_CTL = 0x38  # 39 follows: FIFO_STATUS

_DEVICE_ID = 0xE5
_STANDBY = 0x00
_MEASURE = 0x08
_ALL_ON_INT1 = 0x00
_BYPASS = 0x00  # selecting it empties the FIFO
_STREAM = 0x80 | WATERMARK
_ENTRIES = 0x3F
_ACTIVITY_AC_XYZ = 0xF0
_ACTIVITY_OFF = 0x00

_WAKE_THRESHOLD = 4  # 250 mg: picking it up or tilting it by 15°, not a bumped table
_WATCH_RATE = 0x10 | DataRate.RATE_12_5_HZ  # LOW_POWER: 34 µA

_FALL_THRESHOLD = 7  # 437.5 mg; the sheet recommends 5 to 9 (300 to 600 mg)
_FALL_TIME = 36  # 180 ms; the sheet recommends 0x14 to 0x46 (100 to 350 ms)

_XYZ = Struct("<3h")


class Interrupt(IntFlag):
    """Bits of INT_SOURCE and INT_ENABLE."""

    DATA_READY = 0x80
    SINGLE_TAP = 0x40
    DOUBLE_TAP = 0x20
    ACTIVITY = 0x10
    INACTIVITY = 0x08
    FREE_FALL = 0x04
    WATERMARK = 0x02
    OVERRUN = 0x01


class Samples(NamedTuple):
    """A drained FIFO, oldest sample first.

    ``xyz``: counts of 1/256 g, ±4096 (±16 g), `SAMPLE_PERIOD_US` apart. ``overrun``: the FIFO was
    full, samples before these may be lost. ``left``: samples that still wait in the part, because
    a drain takes no more than `MOST_LEVELS_PER_DRAIN`; normally 0.
    """

    xyz: tuple[tuple[int, int, int], ...]
    overrun: bool
    left: int = 0


class Accelerometer:
    """The driver. Every method is one job for the bus, of at most 2.5 ms.

    With ``free_fall``, a fall of 180 ms below 0.44 g raises INT1, too. INT1 then stays high until
    `interrupt_source` is read.

    Every method raises PartError when the part does not answer or answers wrongly.
    """

    def __init__(
        self,
        adapter: BusioAdapter,
        address: int = ACCELEROMETER_ADDRESS,
        *,
        free_fall: bool = False,
    ) -> None:
        self._bus = adapter
        self._address = address
        self._guard = PartGuard(
            "ADXL345 accelerometer",
            address,
            "SDO is tied to GND and CS to 3.3 V",
            adapter.answers,
            _OTHER_ADDRESS,
        )
        self._interrupts = Interrupt.WATERMARK
        if free_fall:
            self._interrupts |= Interrupt.FREE_FALL
        self._streaming = False
        self._point_at_fifo = i2c_msg.write(address, (_FIFO_CTL,))
        self._read_fifo = i2c_msg.read(address, 2)
        self._point_at_data = i2c_msg.write(address, (_DATA_X0,))
        self._read_data = i2c_msg.read(address, _XYZ.size)

    def begin(self) -> None:
        """Check DEVID and start measuring, whatever the state of the part.

        Raises PartError if it is no ADXL345.
        """
        with self._guard:
            found = self._bus.read_register(self._address, _DEVID, 1)[0]
            if found != _DEVICE_ID:
                raise self._guard.wrong_part("an ADXL345", f"0x{_DEVICE_ID:02X}", f"0x{found:02X}")
            self._stand_by()
            # The class sets Measure as soon as it is made; everything is set up in standby.
            part = ADXL345(self._bus, self._address)
            self._stand_by()
            part.data_rate = DataRate.RATE_100_HZ
            part.range = Range.RANGE_16_G  # sets FULL_RES, too
            self._set(_THRESH_FF, _FALL_THRESHOLD, _FALL_TIME)
            self._measure()

    def wake(self) -> None:
        """Measure again after `watch_for_motion`; the first sample comes 11.1 ms later."""
        with self._guard:
            self._stand_by()
            self._set(_BW_RATE, DataRate.RATE_100_HZ)
            self._measure()

    def drain(self) -> Samples:
        """Read the waiting samples of the FIFO; none while watching for motion.

        The newest sample of the batch is ``left`` × `SAMPLE_PERIOD_US` old, plus up to one period.
        Raises PartError if the part has lost its set-up.
        """
        if not self._streaming:
            return Samples((), overrun=False)
        with self._guard:
            control, status = self._bus.write_then_read(self._point_at_fifo, self._read_fifo)
            if control != _STREAM:
                raise self._guard.lost_setup(f"FIFO_CTL 0x{control:02X}, not 0x{_STREAM:02X}")
            waiting = status & _ENTRIES
            # One level per transfer: a longer read runs on into the FIFO's own registers. The 5 µs
            # between two reads pass while the address and the pointer are sent.
            levels = min(waiting, MOST_LEVELS_PER_DRAIN)
            read, pointer, data = self._bus.write_then_read, self._point_at_data, self._read_data
            xyz = tuple([_XYZ.unpack(read(pointer, data)) for _ in range(levels)])
        return Samples(xyz, overrun=waiting >= FIFO_LEVELS, left=waiting - levels)

    def watch_for_motion(self) -> None:
        """Sleep until motion: INT1 rises when the part is moved or turned by more than 250 mg.

        The reference is the acceleration at this moment (ac-coupled), at 12.5 Hz in low power. INT1
        stays high until `wake` or `interrupt_source`.
        """
        with self._guard:
            self._stand_by()
            self._set(_BW_RATE, _WATCH_RATE)
            self._set(_THRESH_ACT, _WAKE_THRESHOLD)
            self._set(_ACT_INACT_CTL, _ACTIVITY_AC_XYZ)
            self._start(Interrupt.ACTIVITY)

    def interrupt_source(self) -> Interrupt:
        """Read, and so clear, the causes of INT1: ACTIVITY and FREE_FALL if enabled."""
        with self._guard:
            return self._clear_interrupts()

    def _measure(self) -> None:
        self._set(_ACT_INACT_CTL, _ACTIVITY_OFF)
        self._set(_FIFO_CTL, _STREAM)
        self._start(self._interrupts)
        self._streaming = True

    def _stand_by(self) -> None:
        self._streaming = False
        self._set(_POWER_CTL, _STANDBY)
        self._set(_INT_ENABLE, 0)
        self._set(_FIFO_CTL, _BYPASS)

    def _start(self, interrupts: Interrupt) -> None:
        self._set(_INT_MAP, _ALL_ON_INT1)
        self._clear_interrupts()
        self._set(_INT_ENABLE, interrupts)
        self._set(_POWER_CTL, _MEASURE)

    def _set(self, register: int, *values: int) -> None:
        self._bus.write(self._address, bytes((register, *values)))

    def _clear_interrupts(self) -> Interrupt:
        return Interrupt(self._bus.read_register(self._address, _INT_SOURCE, 1)[0])
