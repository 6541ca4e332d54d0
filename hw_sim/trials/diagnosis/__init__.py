"""Trials of ``maexchen doctor`` and ``maexchen calibrate``: a patient, and a pupil.

The doctor examines a patient: a simulated board with a hand, and its Linux host. The pupil's hand
is led through a calibration, and does what the guide asks for.

Numbers without a source are chosen.

May import: board, air, hand.signals, trials.faults; firmware.link, firmware.runtime,
firmware.upkeep; drivers.
``wiring`` has the mistakes of a builder.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from drivers import now_us
from drivers.bus import SMBusLike
from drivers.gpio import GPIOModule
from drivers.light_sensor import LightKind
from firmware.link.bluetooth.hci import AdapterTrouble
from firmware.link.infrared import InfraredError, Port
from firmware.runtime.board import BoardError
from firmware.upkeep.calibrate import Guide, GuideStep
from firmware.upkeep.doctor.examine import PACKAGES
from firmware.upkeep.doctor.patient import Patient, Request
from hw_sim.air import InfraredAir
from hw_sim.board import SimulatedBoard
from hw_sim.hand.signals.hand import Hand, Person
from hw_sim.hand.signals.light import LightScene


def _told(field_name: str) -> Callable[[Any], Any]:
    """Return a method that tells a field."""
    return lambda host: getattr(host, field_name)


@dataclass
class SimulatedHost:
    """A Pi OS in good order; every field can be put in disorder.

    Its methods are those of `firmware.upkeep.doctor.patient.HostSystem`.
    """

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
    user_name: str = "pi"
    owner_name: str = "bluetoothd"

    machine, model, kernel = _told("machine_name"), _told("model_name"), _told("kernel_release")
    python, groups, user = _told("python_version"), _told("in_groups"), _told("user_name")
    under_voltage, bus_rate_hz = _told("low_voltage"), _told("asked_rate_hz")
    adapter, adapter_owner = _told("adapter_trouble"), _told("owner_name")

    def version(self, package: str) -> str | None:
        """Return a package's version."""
        return self.packages.get(package)

    def line_level(self, bcm: int) -> int | None:
        """Return the level of a bus line."""
        return self.board.pins[bcm].level

    def open_to_others(self) -> list[str]:
        """Return which secrets are open."""
        return list(self.opened)


ROOM_LUX = 120.0
"""The light on an open sensor."""
THUMB_LUX = 0.6
"""The light on a covered sensor."""
TAP_S = 0.3
"""How long the hand touches the pad."""
SECOND_THOUGHTS_S = 1.0
"""How long the hand takes to do what it is asked for."""


@dataclass
class SimulatedPatient:
    """A simulated handheld for the doctor, with a hand that does what it is asked for.

    Attributes:
        board, host, air: what is examined; ``air`` has its infrared light only.
        bus_error, infrared_error, pins_error: what opening each raises; None: it opens.
        infrared_fitted: whether there is an infrared transmitter and receiver.
        thumb_lux, room_lux: light at the sensor under the thumb, and open.
        light: the light sensor that the settings name.
    """

    board: SimulatedBoard
    host: SimulatedHost
    air: InfraredAir
    bus_error: OSError | None = None
    infrared_error: InfraredError | None = None
    pins_error: BoardError | None = None
    infrared_fitted: bool = True
    thumb_lux: float = THUMB_LUX
    room_lux: float = ROOM_LUX
    light: LightKind = "veml7700"

    @classmethod
    def healthy(
        cls, seed: int | str = 1, profile: str = "rpi-lgpio", light: LightKind = "veml7700"
    ) -> "SimulatedPatient":
        """Make one in good order, on the running loop.

        ``profile``: see `SimulatedGPIO`. ``light``: the sensor that is fitted, as the settings say.
        """
        loop = asyncio.get_running_loop()
        board = SimulatedBoard(seed, loop, profile, light)  # type: ignore[arg-type]
        patient = cls(board, SimulatedHost(board), InfraredAir(0, loop), light=light)
        board.illuminance = lambda _t_us: patient.room_lux
        return patient

    def for_doctor(
        self, *, hands: bool = True, told: Callable[[Request], None] = lambda _request: None
    ) -> Patient:
        """Return what the doctor examines; ``told`` gets every request to the hand.

        ``hands`` False is nobody there: the doctor asks for nothing.
        """

        def ask(request: Request) -> None:
            told(request)
            self.obey(request)

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
        if self.pins_error is not None:
            raise self.pins_error
        return self.board.gpio

    def obey(self, request: Request) -> None:
        """Do what the doctor asks for, after a moment."""
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


InjectedFault = Callable[[SimulatedPatient], None]
"""Puts a fault in: a record of the catalogue, or a netlist."""
S = 1_000_000
"""One second in µs, by definition."""
Habit = Callable[[Hand, int], object]
"""A hand's action in a step, from a time in µs on."""


class Pupil:
    """Does what a calibration asks for, a second later; call it whenever the guide has changed.

    Args:
        board: its accelerometer and light sensor sense the hand.
        loop: whose time it is.
        seed: decides how the hand moves.
        person: who it is; None draws somebody.
        lux: the light of the room.
        habits: what the hand does instead, by the step's name in small letters.

    ``steps``: what was asked for so far.
    """

    def __init__(
        self,
        board: SimulatedBoard,
        loop: asyncio.AbstractEventLoop,
        seed: int | str = 1,
        person: Person | None = None,
        lux: float = 60.0,
        **habits: Habit,
    ) -> None:
        rng = Random(f"pupil {seed}")
        self.hand = Hand(rng, LightScene(rng, lux), person=person or Person.drawn(rng))
        self.steps: list[GuideStep] = []
        self._loop = loop
        self._habits: dict[str, Habit] = {**_USUAL, **habits}
        self._told: object = None
        board.acceleration = self.hand.acceleration
        board.illuminance = self.hand.illuminance

    def __call__(self, guide: Guide) -> None:
        """Plan what the guide's step asks for, unless step and complaints are as before."""
        now = (guide.step, guide.complaints)
        if now == self._told:
            return
        self._told = now
        self.do(guide.step)

    def do(self, step: GuideStep) -> None:
        """Plan what a step asks for."""
        self.steps.append(step)
        habit = self._habits.get(step.name.lower())
        if habit is not None:
            habit(self.hand, now_us(self._loop) + S)


def _put_down(hand: Hand, t_us: int) -> None:
    hand.lift(t_us)
    hand.put_down(t_us)


def _cover(hand: Hand, t_us: int) -> None:
    hand.cover(hand.take_up(t_us))


def _lift(hand: Hand, t_us: int) -> None:
    for turn in range(3):
        hand.lift(t_us + 3 * turn * S)
        hand.cover(t_us + 3 * turn * S + S)


def _shake(hand: Hand, t_us: int) -> None:
    for _ in range(3):
        t_us = hand.shake(t_us, 1.4) + 2 * S


_USUAL: dict[str, Habit] = {
    "put_down": _put_down,
    "uncover": Hand.lift,
    "cover": _cover,
    "lift": _lift,
    "shake": _shake,
    "tilt": lambda hand, t_us: hand.tilt(t_us, 40.0, 0.0),
}
