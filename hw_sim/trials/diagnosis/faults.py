"""Faults of a handheld by name: injected into a simulated board and its system."""

import asyncio
from collections.abc import Mapping
from typing import Final

from firmware.link.bluetooth.hci import AdapterTrouble
from firmware.link.infrared.modulation import modulated
from firmware.runtime.board import BoardError
from hw_sim.trials.diagnosis.patient import (
    ROOM_LUX,
    InjectedFault,
    SimulatedPatient,
    closed_light,
    no_receiver,
)

FOREIGN_S = 0.4


def _foreign_light(patient: SimulatedPatient) -> None:
    """Somebody else sends without a pause."""
    other = patient.air.port(1)
    other.open(lambda _pulses: None)
    loop = asyncio.get_running_loop()

    def speak() -> None:
        other.transmit(modulated(bytes(60)))
        loop.call_later(FOREIGN_S, speak)

    speak()


def _packages(**changes: str | None) -> InjectedFault:
    def inject(patient: SimulatedPatient) -> None:
        for name, version in changes.items():
            patient.host.packages.pop(name.replace("_", "-"), None)
            if version is not None:
                patient.host.packages[name.replace("_", "-")] = version

    return inject


def _no_pi(patient: SimulatedPatient) -> None:
    patient.host.model_name = ""
    patient.host.packages.pop("rpi-lgpio", None)


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


def _bus_follows_core(patient: SimulatedPatient) -> None:
    patient.board.bus.bit_ns = 4_000
    patient.host.asked_rate_hz = 400_000


def _new_kernel(patient: SimulatedPatient) -> None:
    patient.host.kernel_release = "6.18.39+rpt-rpi-v8"
    closed_light(loss_rate=1.0)(patient)


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


def _pins_unloaded(patient: SimulatedPatient) -> None:
    patient.pins_error = BoardError("no GPIO pins")


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
    loop = asyncio.get_running_loop()

    def flip(level: int) -> None:
        board.tie("touch.q", level)
        loop.call_later(0.08, flip, 1 - level)

    flip(1)


def _set(**fields: object) -> InjectedFault:
    def inject(patient: SimulatedPatient) -> None:
        for name, value in fields.items():
            setattr(patient.host, name, value)

    return inject


FAULTS: Final[Mapping[str, InjectedFault]] = {
    "no pi": _no_pi,
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
    "secrets open": _set(opened=("/etc/maexchen/settings.toml",)),
    **{
        f"adapter {trouble.name.lower()}": _set(adapter_trouble=trouble)
        for trouble in AdapterTrouble
    },
    "no i2c bus": _no_bus,
    "i2c refused": _bus_refused,
    "sda stuck": lambda patient: patient.board.stick("SDA"),
    "scl stuck": lambda patient: patient.board.stick("SCL"),
    "bus stuck": lambda patient: patient.board.stick(),
    "bus empty": _unplug_all,
    "bus errors": lambda patient: patient.board.nack(3, "light"),
    "bus slow": _slow_bus,
    "bus follows core": _bus_follows_core,
    "bus fast": _fast_bus,
    "no accelerometer": lambda patient: patient.board.unplug("accelerometer"),
    "accelerometer strapped": lambda patient: patient.board.strap("accelerometer"),
    "wrong accelerometer": lambda patient: patient.board.wrong_chip("accelerometer"),
    "no gravity": _no_gravity,
    "int1 cut": lambda patient: patient.board.cut("accelerometer.int1"),
    "int1 tied low": lambda patient: patient.board.tie("accelerometer.int1", 0),
    "int1 tied high": lambda patient: patient.board.tie("accelerometer.int1", 1),
    "no display": lambda patient: patient.board.unplug("display"),
    "display strapped": lambda patient: patient.board.strap("display"),
    "sh1106": lambda patient: patient.board.replace("display", "sh1106"),
    "no light sensor": lambda patient: patient.board.unplug("light"),
    "wrong light sensor": lambda patient: patient.board.wrong_chip("light"),
    "bh1750": lambda patient: patient.board.replace("light", "bh1750"),
    "accelerometer and display swapped": lambda patient: patient.board.swap(
        "accelerometer", "display"
    ),
    "accelerometer and light swapped": lambda patient: patient.board.swap("accelerometer", "light"),
    "display and light swapped": lambda patient: patient.board.swap("display", "light"),
    "dark room": _dark_room,
    "light never changes": lambda patient: patient.board.freeze("light", illuminance=ROOM_LUX),
    "cover leaks": _leaky_cover,
    "cover loose": _loose_cover,
    "pins unloaded": _pins_unloaded,
    "pins refused": _pins_refused,
    "pins busy": _pins_busy,
    "touch stuck": lambda patient: patient.board.tie("touch.q", 1),
    "touch tied low": lambda patient: patient.board.tie("touch.q", 0),
    "touch nervous": _nervous_pad,
    "infrared receiver missing": no_receiver,
    "infrared led dark": closed_light(loss_rate=1.0),
    "infrared kernel": _new_kernel,
    "infrared lossy": closed_light(loss_rate=0.3),
    "infrared jitter": closed_light(send_us=60.0),
    "infrared foreign light": _foreign_light,
    "touch cut": lambda patient: patient.board.cut("touch.q"),
}
"""By name; each is one fault and nothing else."""
