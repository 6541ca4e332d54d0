"""The simulated board: four parts, one bus, the pins, and the faults that can befall them."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from hw_sim.bus import I2CPart, SimulatedSMBus
from hw_sim.parts.adxl345 import ADXL345
from hw_sim.parts.ssd1306 import SSD1306
from hw_sim.parts.ttp223 import TTP223
from hw_sim.parts.veml7700 import VEML7700
from hw_sim.pins import Profile, SimulatedGPIO

Vector = tuple[float, float, float]


class Net(NamedTuple):
    """One wire: what it carries, the part's pin at its end, the BCM pin at the other."""

    signal: str
    part: str
    part_pin: str
    bcm: int


NETLIST = (
    Net("SDA", "ADXL345", "SDA", 2),
    Net("SCL", "ADXL345", "SCL", 3),
    Net("INT1", "ADXL345", "INT1", 17),
    Net("SDA", "SSD1306", "SDA", 2),
    Net("SCL", "SSD1306", "SCL", 3),
    Net("SDA", "VEML7700", "SDA", 2),
    Net("SCL", "VEML7700", "SCL", 3),
    Net("touch", "TTP223", "Q", 22),
    Net("IR receive", "TSOP38238", "OUT", 23),
    Net("IR transmit", "IR LED", "driver", 18),
    Net("piezo", "piezo", "+", 13),
)
"""Every wire from a part to the Pi, power aside."""

ADDRESSES = {
    "accelerometer": ADXL345.address,
    "display": SSD1306.address,
    "light": VEML7700.address,
}
"""7-bit I2C addresses by what the part is for."""

INT1_BCM = next(net.bcm for net in NETLIST if net.signal == "INT1")
TOUCH_BCM = next(net.bcm for net in NETLIST if net.signal == "touch")

WRONG_ACCELEROMETER_ID = 0xE6
WRONG_LIGHT_ID = 0xD481


class SimulatedBoard:
    """One handheld's electronics, powered up at the loop's present time.

    ``seed`` decides what differs from part to part (clocks, offsets, noise, response times);
    ``profile`` how the GPIO library behaves. Drivers use ``bus`` (as ``smbus2.SMBus``) and ``gpio``
    (as ``RPi.GPIO``); the world uses ``acceleration``, ``illuminance`` and ``touch``.
    """

    def __init__(
        self,
        seed: int | str,
        loop: asyncio.AbstractEventLoop,
        profile: Profile = "rpi-gpio",
    ) -> None:
        self._loop = loop
        now_us = self.now_us()
        self.accelerometer = ADXL345(seed, now_us)
        self.display = SSD1306(seed, now_us)
        self.light = VEML7700(seed, now_us)
        self.touch_pad = TTP223(seed, now_us)
        self.gpio = SimulatedGPIO(loop, profile)
        self._on_bus: dict[str, ADXL345 | SSD1306 | VEML7700] = {
            "accelerometer": self.accelerometer,
            "display": self.display,
            "light": self.light,
        }
        self._address = dict(ADDRESSES)
        wired: dict[int, I2CPart] = {
            self._address[part]: model for part, model in self._on_bus.items()
        }
        self.bus = SimulatedSMBus(wired, self.now_us)
        self.bus.after_job = self._follow_motion
        self._unplugged: set[str] = set()
        self._motion_due_us: int | None = None
        self._motion_timer: asyncio.TimerHandle | None = None
        self._touch_timer: asyncio.TimerHandle | None = None
        self.gpio.drive(TOUCH_BCM, self.touch_pad.level)
        self._follow_motion()

    def now_us(self) -> int:
        """Return the board's clock, which is the loop's, in µs."""
        return round(self._loop.time() * 1e6)

    def close(self) -> None:
        """Take the board's timers off the loop."""
        for timer in (self._motion_timer, self._touch_timer):
            if timer is not None:
                timer.cancel()
        self._motion_timer = self._touch_timer = None
        self._motion_due_us = None

    @property
    def violations(self) -> list[str]:
        """What was done to the parts and pins against their sheets, part by part."""
        parts = (self.accelerometer, self.display, self.light, self.touch_pad)
        return [line for part in parts for line in part.violations] + self.gpio.violations

    # ---- the world ---------------------------------------------------------------------------

    @property
    def acceleration(self) -> Callable[[int], Vector]:
        """What the accelerometer feels at ``t_us``: m/s², x right, y far edge, z up, with gravity.

        The function is asked for times up to about a sample batch in the past, and up to one bus
        job (a few ms) in the future.
        """
        return self.accelerometer.acceleration

    @acceleration.setter
    def acceleration(self, world: Callable[[int], Vector]) -> None:
        if "accelerometer" not in self._unplugged:
            self.accelerometer.advance(self.now_us())
        self.accelerometer.acceleration = world

    @property
    def illuminance(self) -> Callable[[int], float]:
        """What falls on the light sensor at ``t_us``, in lx."""
        return self.light.illuminance

    @illuminance.setter
    def illuminance(self, world: Callable[[int], float]) -> None:
        self.light.illuminance = world

    def touch(self, down: bool) -> None:
        """Put a finger on the touch pad, or lift it, now."""
        self.touch_pad.touch(down, self.now_us())
        self._follow_touch()

    # ---- faults ------------------------------------------------------------------------------

    def unplug(self, part: str) -> None:
        """Take ``part`` off the board: accelerometer, display or light.

        It loses its power, and with it whatever it held.
        """
        self.bus.unplug(self._address_of(part))
        self._unplugged.add(part)
        self._on_bus[part].power_up(self.now_us())
        if part == "accelerometer":
            self._follow_motion()

    def replug(self, part: str) -> None:
        """Put ``part`` back; it powers up anew."""
        address = self._address_of(part)
        model = self._on_bus[part]
        model.power_up(self.now_us())
        self.bus.attach(address, model)
        self._unplugged.discard(part)
        self._follow_motion()

    def swap(self, part: str, other: str) -> None:
        """Let two parts answer at each other's address."""
        first, second = self._address_of(part), self._address_of(other)
        self._address[part], self._address[other] = second, first
        self.bus.unplug(first)
        self.bus.unplug(second)
        for name in (part, other):
            if name not in self._unplugged:
                self.bus.attach(self._address[name], self._on_bus[name])

    def wrong_chip(self, part: str) -> None:
        """Let ``part`` (accelerometer, light) answer with the identity of another chip."""
        if part == "accelerometer":
            self.accelerometer.device_id = WRONG_ACCELEROMETER_ID
        elif part == "light":
            self.light.identity = WRONG_LIGHT_ID
        else:
            raise ValueError(f"no identity to falsify in {part!r}: choose accelerometer or light")

    def bus_error(self, count: int = 1, error: int = 121, part: str | None = None) -> None:
        """Let the next ``count`` transactions (with ``part``, if given) fail with ``error``."""
        self.bus.fail_next(count, error, None if part is None else self._address_of(part))

    def stick_bus(self, stuck: bool = True) -> None:
        """Hold the bus low, so that every transaction times out, or let it go."""
        self.bus.stuck = stuck

    def _address_of(self, part: str) -> int:
        if part not in self._address:
            known = ", ".join(self._address)
            raise ValueError(f"no part {part!r} on the bus: choose one of {known}")
        return self._address[part]

    # ---- following the parts -----------------------------------------------------------------

    def _follow_motion(self) -> None:
        """Bring INT1 to where the part has it, and come back when it may change by itself."""
        if "accelerometer" in self._unplugged:
            self.gpio.release(INT1_BCM)
            due_us = None
        else:
            part = self.accelerometer
            now_us = self.now_us()
            part.advance(now_us)
            self.gpio.drive(INT1_BCM, part.int1_level)
            due_us = part.next_event_us()
        if due_us == self._motion_due_us:
            return
        self._motion_due_us = due_us
        if self._motion_timer is not None:
            self._motion_timer.cancel()
            self._motion_timer = None
        if due_us is not None:
            self._motion_timer = self._loop.call_at(due_us / 1e6, self._motion_came_due)

    def _motion_came_due(self) -> None:
        self._motion_timer = None
        self._motion_due_us = None
        self._follow_motion()

    def _follow_touch(self) -> None:
        pad = self.touch_pad
        pad.advance(self.now_us())
        self.gpio.drive(TOUCH_BCM, pad.level)
        if self._touch_timer is not None:
            self._touch_timer.cancel()
            self._touch_timer = None
        due_us = pad.next_event_us()
        if due_us is not None:
            self._touch_timer = self._loop.call_at(due_us / 1e6, self._follow_touch)
