"""The electronics of one handheld: its parts on a bus, its pins, the netlist.

`PARTS` says what is bought and which legs it has; `NETS` says which legs are joined. The drawing of
the wiring, its tables, the currents that a test works out and the simulated board all read them.

May import: steckbrett, drivers.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple

from steckbrett.board.board import Board
from steckbrett.board.gpio import SimulatedGPIO
from steckbrett.board.pins import Pins
from steckbrett.parts.adxl345 import ADXL345
from steckbrett.parts.on_pins import TTP223
from steckbrett.parts.ssd1306 import SSD1306

from drivers.light_sensor import LightKind
from drivers.panel import PANEL

Kind = Literal[
    "header", "module", "receiver", "resistor", "capacitor", "transistor", "led", "piezo"
]


class NetlistPart(NamedTuple):
    """One part that is bought and soldered.

    Attributes:
        legs: names of its legs, in the order in which they stand.
        what: what it is called in a shop; of a resistor or capacitor without its value.
        value: ohms of a resistor, farads of a capacitor; None of everything else.
        free: legs that nothing is soldered to.
    """

    kind: Kind
    legs: tuple[str, ...]
    what: str
    value: float | None = None
    free: tuple[str, ...] = ()


HEADER_PINS: Final = 40
"""The pins of a Pi's header; see wiring.md."""
HEADER_BCM: Final[Mapping[int, int]] = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10,
    21: 9, 22: 25, 23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19,
    36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""Place on the 40-pin header to BCM number (Raspberry Pi, 40-pin header)."""
HEADER_POWER: Final[Mapping[int, str]] = {
    1: "3V3", 2: "5V", 4: "5V", 6: "GND", 9: "GND", 14: "GND", 17: "3V3", 20: "GND", 25: "GND",
    30: "GND", 34: "GND", 39: "GND",
}  # fmt: skip
"""Place on the 40-pin header to the supply that it carries."""

_I2C = ("VCC", "GND", "SCL", "SDA")
_PINS = tuple(str(place) for place in range(1, HEADER_PINS + 1))

PARTS: Final[Mapping[str, NetlistPart]] = {
    "Pi": NetlistPart("header", _PINS, "Raspberry Pi"),
    "ADXL345": NetlistPart(
        "module", (*_I2C, "CS", "SDO", "INT1", "INT2"), "accelerometer", free=("INT2",)
    ),
    "SSD1306": NetlistPart("module", _I2C, "display"),
    "VEML7700": NetlistPart("module", _I2C, "light sensor"),
    "TTP223": NetlistPart("module", ("VCC", "GND", "Q"), "touch pad"),
    "TSOP38238": NetlistPart("receiver", ("OUT", "GND", "VS"), "infrared receiver"),
    "R4": NetlistPart("resistor", ("1", "2"), "¼ W", 100),
    "C1": NetlistPart("capacitor", ("+", "-"), "10 V", 4.7e-6),
    "D1": NetlistPart("led", ("A", "K"), "infrared LED"),
    "R1": NetlistPart("resistor", ("1", "2"), "½ W", 47),
    "Q1": NetlistPart("transistor", ("C", "B", "E"), "NPN"),
    "R2": NetlistPart("resistor", ("1", "2"), "¼ W", 1_000),
    "R3": NetlistPart("resistor", ("1", "2"), "¼ W", 10_000),
    "piezo": NetlistPart("piezo", ("+", "-"), "passive piezo"),
    "R5": NetlistPart("resistor", ("1", "2"), "¼ W", 1_000),
}
"""Every part by the name that drawing and text give it."""
TOLERANCE: Final = 0.05
"""A resistor may be off by this share: the coarsest that shops sell, with a golden band; chosen."""

TRANSISTOR_LEGS: Final[Mapping[str, tuple[str, ...]]] = {
    "BC337": ("C", "B", "E"),
    "PN2222A": ("E", "B", "C"),
}
"""Legs of the transistors that will do, from left to right, flat side towards you (sheets)."""

NETS: Final[Mapping[str, tuple[str, ...]]] = {
    "3V3": (
        "Pi.1", "ADXL345.VCC", "ADXL345.CS", "SSD1306.VCC", "VEML7700.VCC", "TTP223.VCC", "R4.1",
    ),
    "5V": ("Pi.2", "R1.1"),
    "GND": (
        "Pi.39", "ADXL345.GND", "ADXL345.SDO", "SSD1306.GND", "VEML7700.GND", "TTP223.GND",
        "TSOP38238.GND", "C1.-", "Q1.E", "R3.2", "piezo.-",
    ),
    "SDA": ("Pi.3", "ADXL345.SDA", "SSD1306.SDA", "VEML7700.SDA"),
    "SCL": ("Pi.5", "ADXL345.SCL", "SSD1306.SCL", "VEML7700.SCL"),
    "INT1": ("Pi.11", "ADXL345.INT1"),
    "touch": ("Pi.15", "TTP223.Q"),
    "IR receive": ("Pi.16", "TSOP38238.OUT"),
    "IR supply": ("R4.2", "C1.+", "TSOP38238.VS"),
    "IR transmit": ("Pi.12", "R2.1"),
    "base": ("R2.2", "R3.1", "Q1.B"),
    "anode": ("R1.2", "D1.A"),
    "cathode": ("D1.K", "Q1.C"),
    "piezo": ("Pi.33", "R5.1"),
    "piezo +": ("R5.2", "piezo.+"),
}  # fmt: skip
"""Every net by its signal: the legs that it joins, as ``part.leg``. A strap joins a supply."""

ON_PI_5: Final[Mapping[str, str]] = {"Pi.12": "Pi.32"}
"""Header pins that a Pi 5 uses in place of others: its ``pwm-ir-tx`` drives PWM channel 0."""


def header_of(signal: str) -> int:
    """Return the header pin, 1 to 40, that ``signal`` has on every Pi but a 5."""
    return next(int(leg[3:]) for leg in NETS[signal] if leg.startswith("Pi."))


def bcm_of(signal: str) -> int:
    """Return the BCM number of ``signal`` on every Pi but a 5; `KeyError` for a supply."""
    return HEADER_BCM[header_of(signal)]


INT1_BCM = bcm_of("INT1")
TOUCH_BCM = bcm_of("touch")


Vector = tuple[float, float, float]

_PARTS = ("accelerometer=adxl345", f"display={PANEL.kind}", "touch=ttp223")
_BAUD = 400_000  # as install/setup-pi writes it into config.txt
_WIRES = {INT1_BCM: "accelerometer.int1", TOUCH_BCM: "touch.q"}


GPIO = Literal["rpi-gpio", "rpi-lgpio", "no-edges"]
"""How the library of the pins behaves: as the bench has it, or as `WithoutEdges`."""


class WithoutEdges(SimulatedGPIO):
    """RPi.GPIO on current kernels: adding an edge detection fails, polling works (reports)."""

    def add_event_detect(self, channel: int, *options: Any, **named: Any) -> None:
        """Check the words as the library does, and fail."""
        super().add_event_detect(channel, *options, **named)
        self.remove_event_detect(channel)
        raise RuntimeError("Failed to add edge detection")


def library(
    profile: GPIO, loop: asyncio.AbstractEventLoop, pins: Pins | None = None
) -> SimulatedGPIO:
    """Return what stands for ``RPi.GPIO``, on these pins or on its own."""
    if profile == "no-edges":
        return WithoutEdges(loop, pins=pins)
    return SimulatedGPIO(loop, profile, pins)


class SimulatedBoard(Board):
    """One handheld's electronics, powered up at the loop's present time.

    ``seed`` decides what differs from part to part (clocks, offsets, noise, response times);
    ``profile`` how the GPIO library behaves; ``light`` is the fitted sensor. Drivers use
    ``bus`` (as ``smbus2.SMBus``) and ``gpio`` (as ``RPi.GPIO``); the world uses ``acceleration``,
    ``illuminance`` and ``touch``. Its parts are called accelerometer, display, light and touch.
    """

    def __init__(
        self,
        seed: int | str,
        loop: asyncio.AbstractEventLoop,
        profile: GPIO = "rpi-gpio",
        light: LightKind = "veml7700",
    ) -> None:
        parts = (*_PARTS, f"light={light}")
        super().__init__(parts, _WIRES, clock=loop, seed=seed, baud=_BAUD)
        self.gpio = library(profile, loop, self.pins)
        self.accelerometer: ADXL345 = self.parts["accelerometer"]
        self.display: SSD1306 = self.parts["display"]
        self.touch_pad: TTP223 = self.parts["touch"]

    @property
    def violations(self) -> list[str]:
        """Uses of the parts and pins that their data sheets forbid, part by part."""
        return self.offences()

    @property
    def acceleration(self) -> Callable[[int], Vector]:
        """The acceleration at ``t_us`` in m/s²: x right, y far edge, z up, with gravity.

        The function is asked for times up to about a sample batch in the past, and up to one bus
        job (a few ms) in the future.
        """
        return self.accelerometer.acceleration

    @acceleration.setter
    def acceleration(self, world: Callable[[int], Vector]) -> None:
        self.world("accelerometer", acceleration=world)

    @property
    def illuminance(self) -> Callable[[int], float]:
        """The light on the light sensor at ``t_us``, in lx."""
        world: Callable[[int], float] = self.parts["light"].illuminance
        return world

    @illuminance.setter
    def illuminance(self, world: Callable[[int], float]) -> None:
        self.world("light", illuminance=world)

    def touch(self, down: bool) -> None:
        """Put a finger on the touch pad (``down``), or take it off, at the loop's present time."""
        self.act("touch", "touch", down)
