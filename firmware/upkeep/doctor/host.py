"""What the doctor reads of the system: the Pi's Linux, or a simulated one."""

import ctypes
import errno
import grp
import os
import platform
import pwd
import re
import socket
import struct
import subprocess
from enum import Enum
from importlib import metadata
from pathlib import Path
from typing import Protocol

_HCI_CHANNEL_USER = 1
_THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
"""Hexadecimal; bit 0: the supply is too low now, bit 16: it has been."""


class Adapter(Enum):
    """How the Bluetooth adapter is found when its user channel is asked for."""

    FREE = "free"
    MISSING = "missing"
    BUSY = "busy"
    REFUSED = "refused"
    BLOCKED = "blocked"


class Host(Protocol):
    """One Linux."""

    def machine(self) -> str:
        """Return the processor's architecture, ``aarch64`` on a 64-bit Pi OS."""

    def model(self) -> str:
        """Return the board's name, empty where there is none."""

    def kernel(self) -> str:
        """Return the kernel's release, such as ``6.6.31+rpt-rpi-v8``."""

    def python(self) -> str:
        """Return Python's version."""

    def version(self, package: str) -> str | None:
        """Return the version of an installed Python package, None if it is not there."""

    def user(self) -> str:
        """Return the name of who runs the doctor."""

    def groups(self) -> frozenset[str]:
        """Return the groups of this process."""

    def line_level(self, bcm: int) -> int | None:
        """Return the level of a pin without changing what it does; None if that cannot be told."""

    def under_voltage(self) -> bool | None:
        """Tell whether the supply has been too low; None if that cannot be told."""

    def adapter(self) -> Adapter:
        """Ask for the user channel of the first Bluetooth adapter, and give it back."""

    def adapter_owner(self) -> str:
        """Return the name of the program that likely holds the adapter."""


class LinuxHost:
    """The system this process runs on; files are read below ``root``."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def machine(self) -> str:
        """See `Host`."""
        return platform.machine()

    def model(self) -> str:
        """See `Host`."""
        return self._text("proc/device-tree/model").rstrip("\0")

    def kernel(self) -> str:
        """See `Host`."""
        return platform.release()

    def python(self) -> str:
        """See `Host`."""
        return platform.python_version()

    def version(self, package: str) -> str | None:
        """See `Host`."""
        try:
            return metadata.version(package)
        except metadata.PackageNotFoundError:
            return None

    def user(self) -> str:
        """See `Host`."""
        try:
            return pwd.getpwuid(os.geteuid()).pw_name
        except KeyError:
            return str(os.geteuid())

    def groups(self) -> frozenset[str]:
        """See `Host`. Root is in all of them."""
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
        """See `Host`. ``pinctrl`` (Pi OS from Bookworm) looks without claiming the pin."""
        try:
            told = subprocess.run(
                ["pinctrl", "lev", str(bcm)], capture_output=True, text=True, timeout=5, check=True
            ).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return None
        return int(told) if told in ("0", "1") else None

    def under_voltage(self) -> bool | None:
        """See `Host`. From the kernel's ``rpi_volt`` monitor, else from what the firmware tells.

        Both hold what ``vcgencmd get_throttled`` says in its first bit: too low now.
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

    def adapter(self) -> Adapter:
        """See `Host`."""
        if not (self._root / "sys/class/bluetooth/hci0").exists():
            return Adapter.MISSING
        for state in sorted(self._root.glob("sys/class/bluetooth/hci0/rfkill*/state")):
            if self._text(state.relative_to(self._root)).strip() == "0":
                return Adapter.BLOCKED
        return _asked_for()

    def adapter_owner(self) -> str:
        """See `Host`."""
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


def _asked_for() -> Adapter:
    """Bind the user channel of hci0, as bumble's transport does, and let go of it."""
    try:
        channel = socket.socket(socket.AF_BLUETOOTH, socket.SOCK_RAW, socket.BTPROTO_HCI)
    except (AttributeError, OSError):
        return Adapter.MISSING
    with channel:
        libc = ctypes.CDLL(None, use_errno=True)
        address = struct.pack("<HHH", socket.AF_BLUETOOTH, 0, _HCI_CHANNEL_USER)
        if libc.bind(channel.fileno(), address, len(address)) == 0:
            return Adapter.FREE
    number = ctypes.get_errno()
    if number in (errno.EPERM, errno.EACCES):
        return Adapter.REFUSED
    if number == errno.ENODEV:
        return Adapter.MISSING
    if number == errno.ERFKILL:
        return Adapter.BLOCKED
    return Adapter.BUSY


def numbers_of(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version, to compare: ``6.6.31+rpt`` is (6, 6, 31)."""
    match = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(int(part) for part in match.group().split(".")) if match else ()
