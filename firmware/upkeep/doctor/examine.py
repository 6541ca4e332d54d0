"""The whole examination, from the system up; a fault hides the checks that depend on it."""

import asyncio
import errno
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Final

from drivers.bus import I2CBus, SMBusLike
from drivers.gpio import GPIOModule, PinError, PinWatch
from drivers.pins import ACCELEROMETER_INT1, PANEL_ADDRESS, TOUCH
from firmware.runtime.board import BoardError
from firmware.upkeep.doctor.bus import (
    Census,
    fitted_light,
    judge_lines,
    judge_parts,
    judge_speed,
    judge_transfers,
    take_census,
)
from firmware.upkeep.doctor.findings import (
    EVERYTHING,
    Check,
    CheckStatus,
    Diagnosis,
    Finding,
    skipped,
    wrong,
)
from firmware.upkeep.doctor.patient import Patient
from firmware.upkeep.doctor.senses import (
    judge_edges,
    judge_infrared,
    judge_light,
    judge_motion,
    judge_pad,
    judge_picture,
    judge_piezo,
    judge_tap,
)
from firmware.upkeep.doctor.system import look_at_system

Tell = Callable[[Finding], None]
_ON_PINS: Final = frozenset({Check.PINS, Check.INTERRUPT, Check.TOUCH, Check.TAP, Check.PIEZO})
_ON_BUS: Final = frozenset({Check.BUS, Check.ACCELEROMETER, Check.DISPLAY, Check.LIGHT})


async def examine(
    patient: Patient, tell: Tell, wanted: Collection[Check] = EVERYTHING
) -> list[Finding]:
    """Examine the things in ``wanted``; ``tell`` gets each finding at once. Return all, in order.

    A fault that hides a wanted thing is found, too.
    """
    findings: list[Finding] = []

    def told(more: Iterable[Finding]) -> None:
        for finding in more:
            findings.append(finding)
            tell(finding)

    told(one for one in look_at_system(patient.host) if one.check in wanted)
    gpio = None
    if not _ON_PINS.isdisjoint(wanted):
        gpio, finding = _pins(patient)
        told([finding])
    if not _ON_BUS.isdisjoint(wanted):
        smbus = _bus(patient)
        if isinstance(smbus, Finding):
            told([smbus])
        else:
            bus = I2CBus(smbus, patient.execute)
            try:
                await _electronics(patient, bus, smbus, gpio, wanted, told)
            finally:
                _close(smbus)
    if gpio is not None and Check.TOUCH in wanted:
        pad = await judge_pad(gpio)
        told([pad])
        if pad.status is CheckStatus.FINE:
            told([await judge_tap(gpio, patient)])
    if gpio is not None and Check.PIEZO in wanted:
        told([await judge_piezo(gpio, patient)])
    if Check.INFRARED in wanted:
        told([await judge_infrared(patient)])
    return findings


async def _electronics(
    patient: Patient,
    bus: I2CBus,
    smbus: SMBusLike,
    gpio: GPIOModule | None,
    wanted: Collection[Check],
    told: Callable[[Iterable[Finding]], None],
) -> None:
    census = await take_census(bus, smbus)
    if census.stuck:
        told([judge_lines(patient)])
        return
    if not census.present:
        told([wrong(Check.BUS, Diagnosis.BUS_EMPTY)])
        return
    told([await judge_transfers(bus, smbus, census)])
    patient = replace(patient, light=patient.light or fitted_light(census))
    parts = await judge_parts(bus, census, patient.light)
    told(one for one in parts if one.check in wanted or one.diagnosis is Diagnosis.PARTS_SWAPPED)
    bad = {finding.check for finding in parts if finding.status is CheckStatus.WRONG}
    swapped = any(finding.diagnosis is Diagnosis.PARTS_SWAPPED for finding in parts)
    known = Census(census.present - ({PANEL_ADDRESS} if Check.DISPLAY in bad or swapped else set()))
    if Check.BUS_SPEED in wanted:
        told([await judge_speed(bus, smbus, patient, known)])
    if swapped:
        return
    well = set(wanted) - bad
    if Check.DISPLAY in well:
        told([await judge_picture(bus, patient)])
    if Check.ACCELEROMETER in well:
        told(await judge_motion(bus, gpio))
    if Check.LIGHT in well:
        told(await judge_light(bus, patient))


def _pins(patient: Patient) -> tuple[GPIOModule | None, Finding]:
    """Claim the handheld's input pins once, to see whether they are available."""
    try:
        gpio = patient.open_gpio()
    except BoardError as error:
        if patient.host.model():  # on a Pi it has to load
            return None, wrong(Check.PINS, Diagnosis.PINS_UNLOADED, error=str(error))
        return None, skipped(Check.PINS, "NO_PI")
    polling = False
    try:
        for pin in (ACCELEROMETER_INT1, TOUCH):
            watch = PinWatch(gpio, pin, lambda _t, _level: None, asyncio.get_running_loop())
            polling = polling or watch.polling
            watch.close()
    except PinError as error:
        if error.busy:
            return None, wrong(Check.PINS, Diagnosis.PINS_BUSY)
        return None, wrong(Check.PINS, Diagnosis.PINS_REFUSED, error=error.reason)
    return gpio, judge_edges(polling)


def _bus(patient: Patient) -> SMBusLike | Finding:
    try:
        return patient.open_bus()
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM):
            return wrong(Check.BUS, Diagnosis.BUS_REFUSED)
        return wrong(Check.BUS, Diagnosis.NO_BUS)


def _close(smbus: SMBusLike) -> None:
    close = getattr(smbus, "close", None)
    if close is not None:
        close()
