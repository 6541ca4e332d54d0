"""What can go wrong with a handheld, by name: injected into a simulated board and its system."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from drivers.bus import SMBusLike
from drivers.gpio import GPIOModule
from drivers.light_sensor import LightKind
from firmware.link.infrared.link import Port
from firmware.link.infrared.lirc import InfraredError
from firmware.link.infrared.modulation import modulated
from firmware.upkeep.doctor.host import Adapter
from firmware.upkeep.doctor.patient import Patient, Request
from hw_sim.air.infrared import NOMINAL, InfraredAir
from hw_sim.board.board import SimulatedBoard

ROOM_LUX = 120.0
THUMB_LUX = 0.6
TAP_S = 0.3
FOREIGN_S = 0.4
SECOND_THOUGHTS_S = 1.0
"""How long the hand takes to do what it is asked for."""


@dataclass
class SimulatedHost:
    """A Pi OS in good order; every field can be put in disorder."""

    board: SimulatedBoard
    machine_name: str = "aarch64"
    model_name: str = "Raspberry Pi 4 Model B Rev 1.5"
    kernel_release: str = "6.12.47+rpt-rpi-v8"
    python_version: str = "3.13.5"
    packages: dict[str, str] = field(
        default_factory=lambda: {
            "adafruit-circuitpython-ssd1306": "2.12.24",
            "adafruit-circuitpython-adxl34x": "1.12.20",
            "bumble": "0.0.236",
            "smbus2": "0.6.1",
            "pillow": "13.0.0",
            "cryptography": "50.0.2",
            "reedsolo": "1.7.0",
            "rpi-lgpio": "0.6",
        }
    )
    in_groups: frozenset[str] = frozenset({"gpio", "i2c", "video", "bluetooth"})
    low_voltage: bool | None = False
    adapter_state: Adapter = Adapter.FREE

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
        return self.board.line_level(bcm)

    def under_voltage(self) -> bool | None:
        """Tell whether the supply is low."""
        return self.low_voltage

    def adapter(self) -> Adapter:
        """Return how the adapter is found."""
        return self.adapter_state

    def adapter_owner(self) -> str:
        """Return who holds the adapter."""
        return "bluetoothd"


@dataclass
class SimulatedPatient:
    """A simulated handheld for the doctor, with a hand that does what it is asked for.

    ``bus_error``: what opening the bus raises; ``gpio_error``: the same of the pins' library.
    ``hand_taps``: whether the hand taps when asked; ``thumb_lux``: what its thumb lets through.
    """

    board: SimulatedBoard
    host: SimulatedHost
    air: InfraredAir
    bus_error: OSError | None = None
    infrared_error: InfraredError | None = None
    infrared_fitted: bool = True
    thumb_lux: float = THUMB_LUX
    room_lux: float = ROOM_LUX
    light: LightKind = "veml7700"

    @classmethod
    def healthy(cls, seed: int | str = 1, profile: str = "rpi-lgpio") -> "SimulatedPatient":
        """Make one in good order, on the running loop."""
        loop = asyncio.get_running_loop()
        board = SimulatedBoard(seed, loop, profile)  # type: ignore[arg-type]
        patient = cls(board, SimulatedHost(board), InfraredAir(0, loop))
        board.illuminance = lambda _t_us: patient.room_lux
        return patient

    def for_doctor(
        self, *, hands: bool = True, told: Callable[[Request], None] = lambda _request: None
    ) -> Patient:
        """Give what the doctor looks at; ``told`` hears what the hand is asked for."""

        def ask(request: Request) -> None:
            told(request)
            self._obey(request)

        return Patient(
            self.host,
            self.board.bus.execute,
            self._open_bus,
            self._open_gpio,
            lambda: self.board.bus.clock_ns,
            self._open_infrared,
            ask if hands else None,
            self.light,
        )

    def _open_bus(self) -> SMBusLike:
        if self.bus_error is not None:
            raise self.bus_error
        return self.board.bus

    def _open_infrared(self) -> Port | None:
        if self.infrared_error is not None:
            raise self.infrared_error
        return self.air.port(0) if self.infrared_fitted else None

    def _open_gpio(self) -> GPIOModule:
        return self.board.gpio

    def _obey(self, request: Request) -> None:
        loop = asyncio.get_running_loop()
        board = self.board

        def light(lux: float) -> None:
            board.illuminance = lambda _t_us: lux

        if request is Request.COVER:
            loop.call_later(SECOND_THOUGHTS_S, light, self.thumb_lux)
        elif request is Request.UNCOVER:
            loop.call_later(SECOND_THOUGHTS_S, light, self.room_lux)
        else:
            loop.call_later(SECOND_THOUGHTS_S, board.touch, True)
            loop.call_later(SECOND_THOUGHTS_S + TAP_S, board.touch, False)


def _light(**how: float) -> "Fault":
    def inject(patient: SimulatedPatient) -> None:
        patient.air.how = NOMINAL._replace(**how)

    return inject


def _foreign_light(patient: SimulatedPatient) -> None:
    """Somebody else sends without a pause."""
    other = patient.air.port(1)
    other.open(lambda _pulses: None)
    loop = asyncio.get_running_loop()

    def speak() -> None:
        other.transmit(modulated(bytes(60)))
        loop.call_later(FOREIGN_S, speak)

    speak()


def _no_receiver(patient: SimulatedPatient) -> None:
    patient.infrared_error = InfraredError("no infrared device that receives")


Fault = Callable[[SimulatedPatient], None]


def _packages(**changes: str | None) -> Fault:
    def inject(patient: SimulatedPatient) -> None:
        for name, version in changes.items():
            patient.host.packages.pop(name.replace("_", "-"), None)
            if version is not None:
                patient.host.packages[name.replace("_", "-")] = version

    return inject


def _rpi_gpio(patient: SimulatedPatient) -> None:
    patient.host.packages.pop("rpi-lgpio", None)
    patient.host.packages["RPi.GPIO"] = "0.7.1"


def _rpi_gpio_on_pi_5(patient: SimulatedPatient) -> None:
    _rpi_gpio(patient)
    patient.host.model_name = "Raspberry Pi 5 Model B Rev 1.0"


def _both_gpio_packages(patient: SimulatedPatient) -> None:
    patient.host.packages["RPi.GPIO"] = "0.7.1"


def _unplug_all(patient: SimulatedPatient) -> None:
    for part in ("accelerometer", "display", "light"):
        patient.board.unplug(part)


def _slow_bus(patient: SimulatedPatient) -> None:
    patient.board.bus.bit_ns = 10_000


def _fast_bus(patient: SimulatedPatient) -> None:
    patient.board.bus.bit_ns = 1_000


def _no_gravity(patient: SimulatedPatient) -> None:
    patient.board.acceleration = lambda _t_us: (0.0, 0.0, 0.5)


def _bus_refused(patient: SimulatedPatient) -> None:
    patient.bus_error = PermissionError(13, "Permission denied")


def _no_bus(patient: SimulatedPatient) -> None:
    patient.bus_error = FileNotFoundError(2, "No such file or directory")


def _pins_refused(patient: SimulatedPatient) -> None:
    patient.board.gpio.access_refused = True


def _pins_busy(patient: SimulatedPatient) -> None:
    patient.board.gpio.claimed_elsewhere.add(17)


def _dark_room(patient: SimulatedPatient) -> None:
    patient.room_lux = 0.3
    patient.thumb_lux = 0.01
    patient.board.illuminance = lambda _t_us: 0.3


def _leaky_cover(patient: SimulatedPatient) -> None:
    patient.thumb_lux = ROOM_LUX * 0.55


def _loose_cover(patient: SimulatedPatient) -> None:
    patient.thumb_lux = ROOM_LUX * 0.05


def _nervous_pad(patient: SimulatedPatient) -> None:
    board = patient.board
    board.cut("touch")
    loop = asyncio.get_running_loop()

    def flip(level: int) -> None:
        board.gpio.drive(22, level)
        loop.call_later(0.08, flip, 1 - level)

    flip(1)


def _set(**fields: object) -> Fault:
    def inject(patient: SimulatedPatient) -> None:
        for name, value in fields.items():
            setattr(patient.host, name, value)

    return inject


FAULTS: Final[Mapping[str, Fault]] = {
    "32-bit system": _set(machine_name="armv7l"),
    "old kernel": _set(kernel_release="5.15.84-v8+"),
    "old python": _set(python_version="3.9.2"),
    "package missing": _packages(bumble=None),
    "package of another version": _packages(bumble="0.0.200"),
    "two gpio packages": _both_gpio_packages,
    "no gpio package": _packages(rpi_lgpio=None),
    "rpi-gpio on a pi 5": _rpi_gpio_on_pi_5,
    "not in groups": _set(in_groups=frozenset({"video", "bluetooth"})),
    "under voltage": _set(low_voltage=True),
    "no adapter": _set(adapter_state=Adapter.MISSING),
    "adapter owned": _set(adapter_state=Adapter.BUSY),
    "adapter refused": _set(adapter_state=Adapter.REFUSED),
    "adapter blocked": _set(adapter_state=Adapter.BLOCKED),
    "no i2c bus": _no_bus,
    "i2c refused": _bus_refused,
    "sda stuck": lambda patient: patient.board.stick_bus(line="SDA"),
    "scl stuck": lambda patient: patient.board.stick_bus(line="SCL"),
    "bus stuck": lambda patient: patient.board.stick_bus(),
    "bus empty": _unplug_all,
    "bus errors": lambda patient: patient.board.bus_error(3, part="light"),
    "bus slow": _slow_bus,
    "bus fast": _fast_bus,
    "no accelerometer": lambda patient: patient.board.unplug("accelerometer"),
    "accelerometer strapped": lambda patient: patient.board.strap_other("accelerometer"),
    "wrong accelerometer": lambda patient: patient.board.wrong_chip("accelerometer"),
    "no gravity": _no_gravity,
    "int1 cut": lambda patient: patient.board.cut("INT1"),
    "int1 tied low": lambda patient: patient.board.tie("INT1", 0),
    "int1 tied high": lambda patient: patient.board.tie("INT1", 1),
    "no display": lambda patient: patient.board.unplug("display"),
    "display strapped": lambda patient: patient.board.strap_other("display"),
    "sh1106": lambda patient: patient.board.fit_foreign("display"),
    "no light sensor": lambda patient: patient.board.unplug("light"),
    "wrong light sensor": lambda patient: patient.board.wrong_chip("light"),
    "bh1750": lambda patient: patient.board.fit_foreign("light"),
    "accelerometer and display swapped": lambda patient: patient.board.swap(
        "accelerometer", "display"
    ),
    "accelerometer and light swapped": lambda patient: patient.board.swap("accelerometer", "light"),
    "display and light swapped": lambda patient: patient.board.swap("display", "light"),
    "dark room": _dark_room,
    "light never changes": lambda patient: patient.board.freeze_light(ROOM_LUX),
    "cover leaks": _leaky_cover,
    "cover loose": _loose_cover,
    "pins refused": _pins_refused,
    "pins busy": _pins_busy,
    "touch stuck": lambda patient: patient.board.tie("touch", 1),
    "touch tied low": lambda patient: patient.board.tie("touch", 0),
    "touch nervous": _nervous_pad,
    "infrared receiver missing": _no_receiver,
    "infrared led dark": _light(loss_rate=1.0),
    "infrared lossy": _light(loss_rate=0.3),
    "infrared jitter": _light(send_us=60.0),
    "infrared foreign light": _foreign_light,
    "touch cut": lambda patient: patient.board.cut("touch"),
}
"""By name; each is one fault and nothing else."""
