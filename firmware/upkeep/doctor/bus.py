"""The I2C bus and its parts: lines, lost transfers, speed, and the identity of each chip.

The speed follows from the difference in time of a long and a short write, which cancels the
system's share; no setting shows the controller's real speed.

An SSD1306 cannot be read over I2C (Rev 1.1, serial interfaces write only): it answers a status byte
at most. An SH1106 gives back its memory. The doctor therefore writes and reads three bytes: the
same bytes identify an SH1106. The display is off meanwhile, and its next start clears its memory.

An ADXL343 looks like an ADXL345, and works like one.

Numbers without a source are chosen.
"""

import errno
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from smbus2 import i2c_msg

from drivers.bus import BusioAdapter, I2CBus, Priority, SMBusLike
from drivers.light_sensor import LIGHT_SENSORS, LightKind, LightPart
from drivers.panel import PANEL
from drivers.pins import ACCELEROMETER_ADDRESS, I2C_RATE_HZ, SCL, SDA
from firmware.settings import Settings
from firmware.upkeep.doctor import Check, Diagnosis, Finding, fine, note, skipped, wrong
from firmware.upkeep.doctor.patient import Patient

_USUAL_LIGHT: Final = LIGHT_SENSORS[Settings.light]
EXPECTED: Final = (ACCELEROMETER_ADDRESS, PANEL.address, _USUAL_LIGHT.address)
_LIGHTS = frozenset().union(*(part.addresses for part in LIGHT_SENSORS.values()))
OTHERS: Final = (0x1D, PANEL.other_address, *sorted(_LIGHTS - {_USUAL_LIGHT.address}))
"""Addresses of parts with other straps, and of other light sensors."""
TRIES: Final = 8
"""Times each address is asked, so that noise does not make a part look absent."""
RELIABILITY_READS: Final = 100
"""Times that registers are read, to count lost transfers."""
SPEED_REPEATS: Final = 5
"""Times each write is timed; the quickest counts."""
SHORT_BYTES, LONG_BYTES = 8, 264
BITS_PER_BYTE: Final = 9
"""Eight, and the bit that acknowledges them (UM10204)."""
SLOWEST_SHARE, FASTEST_SHARE = 0.75, 1.15
"""Shares of 400 kHz: the Pi's clock divider and rise times make it a little slower than set."""

_STUCK = frozenset({errno.ETIMEDOUT, errno.EAGAIN})
_NO_OPERATION = 0xE3


@dataclass
class Census:
    """Answering parts, by 7-bit address; ``failed`` of ``tried`` transfers to them got lost.

    ``by_reading``: the parts that an empty write does not reach. Some controllers cannot write
    nothing (designware, of the Pi 5).
    """

    present: set[int] = field(default_factory=set)
    by_reading: set[int] = field(default_factory=set)
    failed: int = 0
    tried: int = 0
    stuck: bool = False


async def take_census(bus: I2CBus, smbus: SMBusLike) -> Census:
    """Ask every address at which a part of the handheld may sit, several times."""
    census = Census()
    for address in (*EXPECTED, *OTHERS):
        answers = await bus.run(partial(_knock, smbus, _written(address)), Priority.MOTION)
        if answers == 0:
            answers = await bus.run(partial(_knock, smbus, _read(address)), Priority.MOTION)
            if answers:
                census.by_reading.add(address)
        if answers is None:
            census.stuck = True
            return census
        if answers:
            census.present.add(address)
            census.tried += TRIES
            census.failed += TRIES - answers
    return census


def _written(address: int) -> i2c_msg:
    return i2c_msg.write(address, b"")


def _read(address: int) -> i2c_msg:
    return i2c_msg.read(address, 1)


def _knock(smbus: SMBusLike, question: i2c_msg) -> int | None:
    """Count how often a question is answered; None for a bus that does not move."""
    answers = 0
    for _ in range(TRIES):
        try:
            smbus.i2c_rdwr(question)
            answers += 1
        except OSError as problem:
            if problem.errno in _STUCK:
                return None
    return answers


def judge_lines(patient: Patient) -> Finding:
    """Return the finding of a bus that does not move: the line that is held low."""
    sda, scl = patient.host.line_level(SDA), patient.host.line_level(SCL)
    if sda == 0 and scl == 1:
        return wrong(Check.BUS, Diagnosis.SDA_STUCK)
    if scl == 0 and sda == 1:
        return wrong(Check.BUS, Diagnosis.SCL_STUCK)
    return wrong(Check.BUS, Diagnosis.BUS_STUCK)


async def judge_transfers(bus: I2CBus, smbus: SMBusLike, census: Census) -> Finding:
    """Ask the present parts again and again, and count lost transfers."""
    where = sorted(census.present)
    questions = [_read(at) if at in census.by_reading else _written(at) for at in where]

    def ask_all() -> int:
        failed = 0
        for turn in range(RELIABILITY_READS):
            try:
                smbus.i2c_rdwr(questions[turn % len(questions)])
            except OSError:
                failed += 1
        return failed

    failed = census.failed + await bus.run(ask_all, Priority.MOTION)
    tried = census.tried + RELIABILITY_READS
    if failed:
        return wrong(Check.BUS, Diagnosis.BUS_UNRELIABLE, failed=failed, tried=tried)
    found = ", ".join(f"0x{address:02X}" for address in where)
    return fine(Check.BUS, "PLAIN", found=found)


async def measure_speed(bus: I2CBus, smbus: SMBusLike, patient: Patient, address: int) -> float:
    """Return the bus's bits a second, by commands without effect to the display."""

    def timed(count: int) -> Callable[[], int]:
        message = i2c_msg.write(address, b"\x00" + bytes((_NO_OPERATION,)) * (count - 1))

        def job() -> int:
            before = patient.clock_ns()
            smbus.i2c_rdwr(message)
            return patient.clock_ns() - before

        return job

    shortest = [
        min([await bus.run(timed(count), Priority.PICTURE) for _ in range(SPEED_REPEATS)])
        for count in (SHORT_BYTES, LONG_BYTES)
    ]
    bits = (LONG_BYTES - SHORT_BYTES) * BITS_PER_BYTE
    return bits * 1e9 / max(1, shortest[1] - shortest[0])


async def judge_speed(bus: I2CBus, smbus: SMBusLike, patient: Patient, census: Census) -> Finding:
    """Compare the bus's speed with what the handheld needs."""
    if PANEL.address not in census.present:
        return skipped(Check.BUS_SPEED, "NEEDS_DISPLAY")
    try:
        rate_hz = await measure_speed(bus, smbus, patient, PANEL.address)
    except OSError:
        return skipped(Check.BUS_SPEED, "TRANSFER_FAILED")
    khz = round(rate_hz / 1000)
    if rate_hz < SLOWEST_SHARE * I2C_RATE_HZ:
        if (patient.host.bus_rate_hz() or 0) >= I2C_RATE_HZ:
            return note(Check.BUS_SPEED, Diagnosis.BUS_FOLLOWS_CORE, khz=khz)
        return wrong(Check.BUS_SPEED, Diagnosis.BUS_SLOW, khz=khz)
    if rate_hz > FASTEST_SHARE * I2C_RATE_HZ:
        return wrong(Check.BUS_SPEED, Diagnosis.BUS_FAST, khz=khz)
    return fine(Check.BUS_SPEED, "PLAIN", found=f"{khz} kHz")


_ADXL345_DEVID, _ADXL345_ID = 0x00, 0xE5
_ACCELEROMETER_OTHER = 0x1D
_PATTERN: Final = b"\xa5\x3c\x96"
_FIRST_CELL: Final = b"\x00\xae\xb0\x02\x10"
"""Display off, page 0, column 2: both chips know these commands."""

Roles: Final = {
    ACCELEROMETER_ADDRESS: Check.ACCELEROMETER,
    PANEL.address: Check.DISPLAY,
    _USUAL_LIGHT.address: Check.LIGHT,
}


def fitted_light(census: Census) -> LightKind:
    """Return the present light sensor: the first one that answers, else the usual."""
    there = (kind for kind, part in LIGHT_SENSORS.items() if part.addresses & census.present)
    return next(there, Settings.light)


async def judge_parts(bus: I2CBus, census: Census, light: LightKind | None = None) -> list[Finding]:
    """Name every part, or the part in its place; ``light`` is the sensor that should be fitted."""
    looks: dict[Check, Callable[[BusioAdapter, Census], Finding]] = {
        Check.ACCELEROMETER: _accelerometer,
        Check.DISPLAY: _display,
        Check.LIGHT: partial(_light, LIGHT_SENSORS[light or Settings.light]),
    }
    swapped = await bus.run(lambda: _swapped(bus.adapter, census), Priority.MOTION)
    if swapped is not None:
        first, second = (Roles[address] for address in swapped)
        one, other = (f"0x{address:02X}" for address in swapped)
        finding = wrong(first, Diagnosis.PARTS_SWAPPED, one=one, other=other)
        rest = [role for role in Roles.values() if role not in (first, second)]
        return [finding, *[await _judge(bus, census, looks[role]) for role in rest]]
    return [await _judge(bus, census, looks[role]) for role in Roles.values()]


async def _judge(
    bus: I2CBus, census: Census, look: Callable[[BusioAdapter, Census], Finding]
) -> Finding:
    return await bus.run(lambda: look(bus.adapter, census), Priority.MOTION)


def _accelerometer(adapter: BusioAdapter, census: Census) -> Finding:
    if ACCELEROMETER_ADDRESS in census.present:
        found = _byte(adapter, ACCELEROMETER_ADDRESS)
        if found == _ADXL345_ID:
            return fine(Check.ACCELEROMETER, "ADXL345")
        return wrong(Check.ACCELEROMETER, Diagnosis.WRONG_ACCELEROMETER, found=found)
    if (
        _ACCELEROMETER_OTHER in census.present
        and _byte(adapter, _ACCELEROMETER_OTHER) == _ADXL345_ID
    ):
        return wrong(Check.ACCELEROMETER, Diagnosis.ACCELEROMETER_STRAPPED)
    return wrong(Check.ACCELEROMETER, Diagnosis.NO_ACCELEROMETER)


def _display(adapter: BusioAdapter, census: Census) -> Finding:
    if PANEL.address in census.present:
        if _gives_memory_back(adapter):
            return wrong(Check.DISPLAY, Diagnosis.SH1106_DISPLAY)
        return fine(Check.DISPLAY, "SSD1306")
    if PANEL.other_address in census.present:
        return wrong(Check.DISPLAY, Diagnosis.DISPLAY_STRAPPED)
    return wrong(Check.DISPLAY, Diagnosis.NO_DISPLAY)


def _light(wanted: LightPart, adapter: BusioAdapter, census: Census) -> Finding:
    there, values = wanted.address, {"wanted": wanted.name, "expected": wanted.address}
    if there in census.present and _is(wanted, adapter, there):
        return fine(Check.LIGHT, "PART", name=wanted.name, address=there)
    if wanted.other_address in census.present:
        values |= {"address": wanted.other_address, "pin": wanted.address_pin}
        return wrong(Check.LIGHT, Diagnosis.LIGHT_SENSOR_STRAPPED, **values)
    for kind, part in LIGHT_SENSORS.items():
        for address in sorted((part.addresses - wanted.addresses) & census.present):
            if _is(part, adapter, address):
                values |= {"found": part.name, "address": address, "kind": kind}
                return wrong(Check.LIGHT, Diagnosis.OTHER_LIGHT_SENSOR, **values)
    if there in census.present and wanted.identity is not None:
        found = _word(adapter, there, wanted.identity.register)
        return wrong(Check.LIGHT, Diagnosis.WRONG_LIGHT_SENSOR, **values, found=found)
    return wrong(Check.LIGHT, Diagnosis.NO_LIGHT_SENSOR, **values)


def _is(part: LightPart, adapter: BusioAdapter, address: int) -> bool:
    """Return whether the chip at an address may be such a light sensor."""
    if part.identity is None:
        return True
    register, mask, value = part.identity
    return _word(adapter, address, register) & mask == value


def _swapped(adapter: BusioAdapter, census: Census) -> tuple[int, int] | None:
    """Find two addresses with swapped parts; asked only after a wrong id."""
    here = census.present
    accelerometer_is_wrong = (
        ACCELEROMETER_ADDRESS in here and _byte(adapter, ACCELEROMETER_ADDRESS) != _ADXL345_ID
    )
    light = _USUAL_LIGHT.address
    light_is_wrong = light in here and not _is(_USUAL_LIGHT, adapter, light)
    if accelerometer_is_wrong and light_is_wrong:
        if _byte(adapter, light) == _ADXL345_ID:
            return ACCELEROMETER_ADDRESS, light
    elif PANEL.address in here:
        if accelerometer_is_wrong and _byte(adapter, PANEL.address) == _ADXL345_ID:
            return ACCELEROMETER_ADDRESS, PANEL.address
        if light_is_wrong and _is(_USUAL_LIGHT, adapter, PANEL.address):
            return PANEL.address, light
    return None


def _byte(adapter: BusioAdapter, address: int) -> int:
    try:
        return adapter.read_register(address, _ADXL345_DEVID, 1)[0]
    except OSError:
        return -1


def _word(adapter: BusioAdapter, address: int, register: int) -> int:
    try:
        return int.from_bytes(adapter.read_register(address, register, 2), "little")
    except OSError:
        return 0


def _gives_memory_back(adapter: BusioAdapter) -> bool:
    try:
        adapter.write(PANEL.address, _FIRST_CELL)
        adapter.write(PANEL.address, b"\x40" + _PATTERN)
        adapter.write(PANEL.address, _FIRST_CELL)
        found = adapter.read_register(PANEL.address, 0x40, len(_PATTERN) + 1)
    except OSError:
        return False
    return found[1:] == _PATTERN
