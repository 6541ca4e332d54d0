"""A simulated Linux host for the doctor to look at."""

from dataclasses import dataclass, field

from firmware.link.bluetooth.adapter import AdapterTrouble
from firmware.upkeep.doctor.system import PACKAGES
from hw_sim.board.board import SimulatedBoard


@dataclass
class SimulatedHost:
    """A Pi OS in good order; every field can be put in disorder."""

    board: SimulatedBoard
    machine_name: str = "aarch64"
    model_name: str = "Raspberry Pi 4 Model B Rev 1.5"
    kernel_release: str = "6.12.47+rpt-rpi-v8"
    python_version: str = "3.13.5"
    packages: dict[str, str] = field(default_factory=lambda: {**PACKAGES, "rpi-lgpio": "0.6"})
    in_groups: frozenset[str] = frozenset({"gpio", "i2c", "video", "bluetooth"})
    low_voltage: bool | None = False
    adapter_trouble: AdapterTrouble | None = None
    asked_rate_hz: int | None = None
    opened: tuple[str, ...] = ()

    def machine(self) -> str:
        """See `firmware.upkeep.doctor.host.Host`, here and below."""
        return self.machine_name

    def model(self) -> str:
        """Return the board's name."""
        return self.model_name

    def kernel(self) -> str:
        """Return the kernel's release."""
        return self.kernel_release

    def python(self) -> str:
        """Return Python's version."""
        return self.python_version

    def version(self, package: str) -> str | None:
        """Return a package's version."""
        return self.packages.get(package)

    def user(self) -> str:
        """Return the user."""
        return "pi"

    def groups(self) -> frozenset[str]:
        """Return the groups."""
        return self.in_groups

    def line_level(self, bcm: int) -> int | None:
        """Return the level of a bus line."""
        return self.board.pins[bcm].level

    def under_voltage(self) -> bool | None:
        """Tell whether the supply is low."""
        return self.low_voltage

    def bus_rate_hz(self) -> int | None:
        """Return what is asked of the bus."""
        return self.asked_rate_hz

    def open_to_others(self) -> list[str]:
        """Return which secrets are open."""
        return list(self.opened)

    def adapter(self) -> AdapterTrouble | None:
        """Return why the adapter cannot be had."""
        return self.adapter_trouble

    def adapter_owner(self) -> str:
        """Return who holds the adapter."""
        return "bluetoothd"
