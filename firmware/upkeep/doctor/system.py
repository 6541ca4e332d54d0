"""The system below the handheld: kernel, packages, permissions, supply, Bluetooth adapter."""

from collections.abc import Mapping
from typing import Final

from firmware.link.bluetooth.hci import AdapterTrouble
from firmware.upkeep.doctor.findings import Check, Diagnosis, Finding, fine, note, skipped, wrong
from firmware.upkeep.doctor.patient import HostSystem, numbers_of

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
