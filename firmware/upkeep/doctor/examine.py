"""The whole examination, from kernel and packages up to the last part.

A fault hides the checks that depend on it.
"""

import asyncio
import errno
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

from drivers.bus import I2CBus, SMBusLike
from drivers.gpio import GPIOModule, PinError, PinWatch
from drivers.panel import PANEL
from drivers.pins import ACCELEROMETER_INT1, TOUCH
from firmware.link.bluetooth.hci import AdapterTrouble
from firmware.runtime.board import BoardError
from firmware.upkeep.doctor import (
    EVERYTHING,
    Check,
    CheckStatus,
    Diagnosis,
    Finding,
    fine,
    note,
    skipped,
    wrong,
)
from firmware.upkeep.doctor.bus import (
    Census,
    fitted_light,
    judge_lines,
    judge_parts,
    judge_speed,
    judge_transfers,
    take_census,
)
from firmware.upkeep.doctor.patient import HostSystem, Patient, numbers_of
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

LEAST_KERNEL: Final = "6.1"
"""The kernel of Pi OS Bookworm."""
LEAST_PYTHON: Final = "3.11"
GROUPS: Final = ("gpio", "i2c", "video", "bluetooth")
PACKAGES: Final[Mapping[str, str]] = {
    "adafruit-circuitpython-ssd1306": "2.12.24",
    "adafruit-circuitpython-adxl34x": "1.12.20",
    "bumble": "0.0.236",
    "smbus2": "",
    "cryptography": "",
    "msgspec": "0.22.0",
    "reedsolo": "1.7.0",
}
"""Required packages, with the checked version; empty if any version will do."""

_ADAPTER: Final = {trouble: Diagnosis[f"ADAPTER_{trouble.name}"] for trouble in AdapterTrouble}


def look_at_system(host: HostSystem) -> list[Finding]:
    """Examine everything but electronics."""
    return [
        _system(host),
        *_packages(host),
        _permissions(host),
        _secrets(host),
        _power(host),
        _bluetooth(host),
    ]


def _system(host: HostSystem) -> Finding:
    machine, kernel, python = host.machine(), host.kernel(), host.python()
    if machine not in ("aarch64", "arm64", "x86_64"):
        return wrong(Check.SYSTEM, Diagnosis.NOT_64_BIT, machine=machine)
    if numbers_of(kernel) < numbers_of(LEAST_KERNEL):
        return wrong(Check.SYSTEM, Diagnosis.OLD_KERNEL, found=kernel, needed=LEAST_KERNEL)
    if numbers_of(python) < numbers_of(LEAST_PYTHON):
        return wrong(Check.SYSTEM, Diagnosis.OLD_PYTHON, found=python, needed=LEAST_PYTHON)
    if not host.model():
        return note(Check.SYSTEM, Diagnosis.NO_PI, found=f"{machine}, Linux {kernel}")
    return fine(Check.SYSTEM, "PLAIN", found=f"{host.model()}, Linux {kernel}, Python {python}")


def _packages(host: HostSystem) -> list[Finding]:
    found: list[Finding] = []
    for package, needed in PACKAGES.items():
        version = host.version(package)
        if version is None:
            found.append(wrong(Check.PACKAGES, Diagnosis.PACKAGE_MISSING, package=package))
        elif needed and version != needed:
            found.append(
                note(
                    Check.PACKAGES,
                    Diagnosis.PACKAGE_VERSION,
                    package=package,
                    found=version,
                    needed=f"=={needed}",
                )
            )
    old, new = host.version("RPi.GPIO"), host.version("rpi-lgpio")
    if old and new:
        found.append(wrong(Check.PACKAGES, Diagnosis.TWO_GPIO_PACKAGES))
    elif not old and not new:
        if host.model():  # elsewhere there are no pins
            found.append(wrong(Check.PACKAGES, Diagnosis.NO_GPIO_PACKAGE))
    elif old and "Pi 5" in host.model():
        found.append(wrong(Check.PACKAGES, Diagnosis.GPIO_PACKAGE_FOR_PI_5))
    if found or not (old or new):
        return found or [fine(Check.PACKAGES)]
    return [fine(Check.PACKAGES, "PLAIN", found=f"rpi-lgpio {new}" if new else f"RPi.GPIO {old}")]


def _permissions(host: HostSystem) -> Finding:
    missing = [group for group in GROUPS if group not in host.groups()]
    if missing:
        return wrong(
            Check.PERMISSIONS,
            Diagnosis.NOT_IN_GROUP,
            user=host.user(),
            groups=",".join(missing),
        )
    return fine(Check.PERMISSIONS, "PLAIN", found=", ".join(GROUPS))


def _power(host: HostSystem) -> Finding:
    low = host.under_voltage()
    if low is None:
        return skipped(Check.POWER, "NOT_TOLD")
    return wrong(Check.POWER, Diagnosis.UNDER_VOLTAGE) if low else fine(Check.POWER)


def _secrets(host: HostSystem) -> Finding:
    found = host.open_to_others()
    if found:
        return wrong(Check.SECRETS, Diagnosis.SECRETS_OPEN, paths=" ".join(found))
    return fine(Check.SECRETS)


def _bluetooth(host: HostSystem) -> Finding:
    trouble = host.adapter()
    if trouble is AdapterTrouble.REFUSED:  # of a plain user there is nothing else to expect
        return note(Check.BLUETOOTH, Diagnosis.ADAPTER_REFUSED)
    if trouble is not None:
        return wrong(Check.BLUETOOTH, _ADAPTER[trouble], owner=host.adapter_owner())
    return fine(Check.BLUETOOTH, "RADIO_FREE")


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
    known = Census(census.present - ({PANEL.address} if Check.DISPLAY in bad or swapped else set()))
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
