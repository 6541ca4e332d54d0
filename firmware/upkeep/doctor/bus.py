"""The I2C bus: its lines, its parts, lost transfers, and its speed.

The speed follows from the difference in time of a long and a short write, which cancels the
system's share; no setting shows the controller's real speed.
"""

import errno
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from smbus2 import i2c_msg

from drivers.bus import I2CBus, Priority, SMBusLike
from drivers.pins import (
    ACCELEROMETER_ADDRESS,
    I2C_RATE_HZ,
    LIGHT_ADDRESS,
    LIGHT_ADDRESS_BH1750,
    PANEL_ADDRESS,
    SCL,
    SDA,
)
from firmware.upkeep.doctor.checks import Check
from firmware.upkeep.doctor.diagnoses import Diagnosis
from firmware.upkeep.doctor.findings import Finding, fine, note, skipped, wrong
from firmware.upkeep.doctor.patient import Patient

EXPECTED: Final = (ACCELEROMETER_ADDRESS, PANEL_ADDRESS, LIGHT_ADDRESS)
OTHERS: Final = (0x1D, 0x3D, LIGHT_ADDRESS_BH1750, 0x5C)
"""Addresses of parts with other straps, and of a BH1750."""
TRIES: Final = 8
"""Times each address is asked, so that noise does not make a part look absent."""
RELIABILITY_READS: Final = 100
SPEED_REPEATS: Final = 5
SHORT_BYTES, LONG_BYTES = 8, 264
BITS_PER_BYTE: Final = 9
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
    if PANEL_ADDRESS not in census.present:
        return skipped(Check.BUS_SPEED, "NEEDS_DISPLAY")
    try:
        rate_hz = await measure_speed(bus, smbus, patient, PANEL_ADDRESS)
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
