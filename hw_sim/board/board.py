"""The board of one handheld: four parts, and the wires of its netlist."""

import asyncio
from collections.abc import Callable

from drivers.light_sensor import LightKind
from hw_sim.board.netlist import INT1_BCM, TOUCH_BCM
from hw_sim.steckbrett.board.board import Board
from hw_sim.steckbrett.board.gpio import Profile
from hw_sim.steckbrett.parts.adxl345 import ADXL345
from hw_sim.steckbrett.parts.ssd1306 import SSD1306
from hw_sim.steckbrett.parts.ttp223 import TTP223

Vector = tuple[float, float, float]

_PARTS = ("accelerometer=adxl345", "display=ssd1306", "touch=ttp223")
_WIRES = {INT1_BCM: "accelerometer.int1", TOUCH_BCM: "touch.q"}


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
        profile: Profile = "rpi-gpio",
        light: LightKind = "veml7700",
    ) -> None:
        parts = (*_PARTS, f"light={light}")
        super().__init__(parts, _WIRES, clock=loop, seed=seed, profile=profile)
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
