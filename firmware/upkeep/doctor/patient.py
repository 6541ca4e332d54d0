"""The examined handheld: its system, its bus and its pins, opened one by one.

The system is the Pi's Linux, or a simulated one.
"""

import asyncio
import grp
import os
import platform
import pwd
import re
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final, Protocol, cast

from drivers.bus import Execute, SMBusLike, thread_execute
from drivers.gpio import GPIOModule
from drivers.light_sensor import LightKind
from drivers.pins import I2C_BUS
from firmware.display.text.language import ENGLISH, Language
from firmware.link.bluetooth.hci import AdapterTrouble, open_user_channel, trouble_of
from firmware.link.infrared import Port
from firmware.link.infrared.lirc import found, open_port
from firmware.runtime.board import open_pins

SECRETS: Final = ("etc/maexchen", "etc/maexchen/settings.toml", "var/lib/maexchen")
"""Files with keys and dice, below the root folder."""
_THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
"""Hexadecimal; bit 0: the supply is too low now, bit 16: it has been."""


class HostSystem(Protocol):
    """One Linux."""

    def machine(self) -> str:
        """Return the processor's architecture, ``aarch64`` on a 64-bit Pi OS."""

    def model(self) -> str:
        """Return the board's name, empty if there is none."""

    def kernel(self) -> str:
        """Return the kernel's release, such as ``6.6.31+rpt-rpi-v8``."""

    def python(self) -> str:
        """Return Python's version."""

    def version(self, package: str) -> str | None:
        """Return the version of an installed Python package, None if it is not there."""

    def user(self) -> str:
        """Return the name of the doctor's user."""

    def groups(self) -> frozenset[str]:
        """Return the groups of this process."""

    def line_level(self, bcm: int) -> int | None:
        """Return the level of a pin without changing its function; None if unknown."""

    def under_voltage(self) -> bool | None:
        """Return whether the supply has been too low; None if unknown."""

    def bus_rate_hz(self) -> int | None:
        """Return the system's rate of the I2C bus in Hz; None if unknown."""

    def open_to_others(self) -> list[str]:
        """Return the members of `SECRETS` that every user of this system may read."""

    def adapter(self) -> AdapterTrouble | None:
        """Ask for the user channel of the first Bluetooth adapter, and give it back.

        None: it is available.
        """

    def adapter_owner(self) -> str:
        """Return the name of the program that likely holds the adapter."""


class LinuxHost:
    """The system this process runs on; files are read below ``root``."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def machine(self) -> str:
        """See `HostSystem`."""
        return platform.machine()

    def model(self) -> str:
        """See `HostSystem`."""
        return self._text("proc/device-tree/model").rstrip("\0")

    def kernel(self) -> str:
        """See `HostSystem`."""
        return platform.release()

    def python(self) -> str:
        """See `HostSystem`."""
        return platform.python_version()

    def version(self, package: str) -> str | None:
        """See `HostSystem`."""
        from importlib import metadata  # only the doctor needs it, a handheld that plays does not

        try:
            return metadata.version(package)
        except metadata.PackageNotFoundError:
            return None

    def user(self) -> str:
        """See `HostSystem`."""
        try:
            return pwd.getpwuid(os.geteuid()).pw_name
        except KeyError:
            return str(os.geteuid())

    def groups(self) -> frozenset[str]:
        """See `HostSystem`. Root is in all of them."""
        if os.geteuid() == 0:
            return frozenset(group.gr_name for group in grp.getgrall())
        names = set()
        for number in {*os.getgroups(), os.getegid()}:
            try:
                names.add(grp.getgrgid(number).gr_name)
            except KeyError:
                continue
        return frozenset(names)

    def line_level(self, bcm: int) -> int | None:
        """See `HostSystem`. ``pinctrl`` (Pi OS from Bookworm) looks without claiming the pin."""
        try:
            told = subprocess.run(
                ["pinctrl", "lev", str(bcm)], capture_output=True, text=True, timeout=5, check=True
            ).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return None
        return int(told) if told in ("0", "1") else None

    def under_voltage(self) -> bool | None:
        """See `HostSystem`. From the kernel's ``rpi_volt`` monitor, else from the firmware.

        Both hold the first bit of ``vcgencmd get_throttled``: too low now.
        """
        for name in sorted(self._root.glob("sys/class/hwmon/hwmon*/name")):
            if self._text(name.relative_to(self._root)).strip() == "rpi_volt":
                alarm = self._text(name.with_name("in0_lcrit_alarm").relative_to(self._root))
                return alarm.strip() == "1" if alarm else None
        throttled = self._text(_THROTTLED).strip()
        try:
            return bool(int(throttled, 16) & 1)
        except ValueError:
            return None

    def bus_rate_hz(self) -> int | None:
        """See `HostSystem`. The device tree has ``i2c_arm_baudrate`` of config.txt."""
        tree = self._root / "proc/device-tree"
        node = self._text("proc/device-tree/aliases/i2c1").strip("\0").lstrip("/")
        try:
            return int.from_bytes((tree / node / "clock-frequency").read_bytes(), "big") or None
        except OSError:
            return None

    def open_to_others(self) -> list[str]:
        """See `HostSystem`."""
        found = []
        for path in SECRETS:
            try:
                mode = (self._root / path).stat().st_mode
            except OSError:
                continue
            if stat.S_IMODE(mode) & stat.S_IRWXO:
                found.append(f"/{path}")
        return found

    def adapter(self) -> AdapterTrouble | None:
        """See `HostSystem`."""
        if not (self._root / "sys/class/bluetooth/hci0").exists():
            return AdapterTrouble.MISSING
        for state in sorted(self._root.glob("sys/class/bluetooth/hci0/rfkill*/state")):
            if self._text(state.relative_to(self._root)).strip() == "0":
                return AdapterTrouble.BLOCKED
        try:
            open_user_channel().close()
        except OSError as problem:
            return trouble_of(problem)
        return None

    def adapter_owner(self) -> str:
        """See `HostSystem`."""
        for comm in self._root.glob("proc/[0-9]*/comm"):
            name = self._text(comm.relative_to(self._root)).strip()
            if name in ("bluetoothd", "maexchen", "btattach"):
                return name
        return "hci0"

    def _text(self, path: str | Path) -> str:
        try:
            return (self._root / path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""


def numbers_of(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version, to compare: ``6.6.31+rpt`` is (6, 6, 31)."""
    match = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(int(part) for part in match.group().split(".")) if match else ()


Request = Enum("Request", "UNCOVER COVER TAP")
"""A request to a person."""


class AskForHand(Protocol):
    """Asks a person for an action; returns at once."""

    def __call__(self, request: Request, /) -> None:
        """Ask."""


@dataclass
class Patient:
    """One handheld to examine.

    Attributes:
        host: the system below.
        execute: runs a job of the bus.
        open_bus: opens the I2C bus; raises OSError.
        open_gpio: returns the pins' library; raises BoardError.
        clock_ns: the clock for transfers, inside a job.
        open_infrared: opens the infrared devices; None without any; raises InfraredError.
        ask: asks for a hand; None without a person.
        light: the settings' light sensor; None if they cannot be read.
        language: of the picture on the display.
    """

    host: HostSystem
    execute: Execute
    open_bus: Callable[[], SMBusLike]
    open_gpio: Callable[[], GPIOModule]
    clock_ns: Callable[[], int]
    open_infrared: Callable[[], Port | None]
    ask: AskForHand | None = None
    light: LightKind | None = "veml7700"
    language: Language = ENGLISH

    def now_s(self) -> float:
        """Return the loop's time in seconds."""
        return asyncio.get_running_loop().time()


@contextmanager
def this_pi(
    ask: AskForHand | None = None, light: LightKind | None = "veml7700"
) -> Iterator[Patient]:
    """Yield the Pi that this runs on, during the block."""
    with thread_execute() as execute:
        yield Patient(
            LinuxHost(),
            execute,
            _open_bus,
            open_pins,
            time.perf_counter_ns,
            _open_infrared,
            ask,
            light,
        )


def _open_bus() -> SMBusLike:
    from smbus2 import SMBus

    return cast(SMBusLike, SMBus(I2C_BUS))


def _open_infrared() -> Port | None:
    return open_port() if found() else None
