"""The simulated board: four parts, one bus, the pins, and the faults that can befall them."""

import asyncio
from collections.abc import Callable

from drivers.time import now_us
from hw_sim.board.netlist import (
    ADDRESSES,
    INT1_BCM,
    OTHER_ADDRESSES,
    SCL_BCM,
    SDA_BCM,
    TOUCH_BCM,
    Line,
)
from hw_sim.steckbrett.board.bus import SimulatedSMBus
from hw_sim.steckbrett.board.gpio import Profile, SimulatedGPIO
from hw_sim.steckbrett.parts.adxl345 import ADXL345
from hw_sim.steckbrett.parts.bh1750 import BH1750
from hw_sim.steckbrett.parts.sh1106 import SH1106
from hw_sim.steckbrett.parts.ssd1306 import SSD1306
from hw_sim.steckbrett.parts.ttp223 import TTP223
from hw_sim.steckbrett.parts.veml7700 import VEML7700

Vector = tuple[float, float, float]

WRONG_ACCELEROMETER_ID = 0xE6
WRONG_LIGHT_ID = 0xC482
_CAN_BE_CUT = {"INT1": INT1_BCM, "touch": TOUCH_BCM}


class SimulatedBoard:
    """One handheld's electronics, powered up at the loop's present time.

    ``seed`` decides what differs from part to part (clocks, offsets, noise, response times);
    ``profile`` how the GPIO library behaves. Drivers use ``bus`` (as ``smbus2.SMBus``) and ``gpio``
    (as ``RPi.GPIO``); the world uses ``acceleration``, ``illuminance`` and ``touch``.
    """

    def __init__(
        self, seed: int | str, loop: asyncio.AbstractEventLoop, profile: Profile = "rpi-gpio"
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
        self.bus = SimulatedSMBus(
            {self._address[part]: model for part, model in self._on_bus.items()}, self.now_us
        )
        self.bus.after_job = self._follow_host
        self._followed_accesses = 0
        self._unplugged: set[str] = set()
        self._cut: set[int] = set()
        self._frozen_lux: float | None = None
        self._held_low: tuple[int, ...] = ()
        self.foreign: list[BH1750 | SH1106] = []
        """Parts in the place of others, as a wrong purchase puts them there."""
        self._motion_due_us: int | None = None
        self._motion_timer: asyncio.TimerHandle | None = None
        self._touch_timer: asyncio.TimerHandle | None = None
        self.gpio.drive(TOUCH_BCM, self.touch_pad.level)
        self._follow_motion()

    def now_us(self) -> int:
        """Return the board's clock, which is the loop's, in µs."""
        return now_us(self._loop)

    def close(self) -> None:
        """Take the board's timers off the loop."""
        for timer in (self._motion_timer, self._touch_timer):
            if timer is not None:
                timer.cancel()
        self._motion_timer = self._touch_timer = self._motion_due_us = None

    @property
    def violations(self) -> list[str]:
        """Uses of the parts and pins that their data sheets forbid, part by part."""
        parts = (self.accelerometer, self.display, self.light, self.touch_pad)
        lines = [line for part in parts for line in part.violations]
        lines += [line for part in self.foreign for line in part.violations]
        return lines + self.gpio.violations

    # ---- the world ---------------------------------------------------------------------------

    @property
    def acceleration(self) -> Callable[[int], Vector]:
        """The acceleration at ``t_us`` in m/s²: x right, y far edge, z up, with gravity.

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
        """The light on the light sensor at ``t_us``, in lx."""
        return self.light.illuminance

    @illuminance.setter
    def illuminance(self, world: Callable[[int], float]) -> None:
        if self._frozen_lux is None:
            self.light.illuminance = world
            for part in self.foreign:
                if isinstance(part, BH1750):
                    part.illuminance = world

    def touch(self, down: bool) -> None:
        """Put a finger on the touch pad (``down``), or take it off, at the loop's present time."""
        self.touch_pad.touch(down, self.now_us())
        self._follow_touch()

    # ---- faults ------------------------------------------------------------------------------

    def unplug(self, part: str) -> None:
        """Take ``part`` off the board, with its power: accelerometer, display or light.

        Raises, as every fault of a ``part`` or ``signal`` below:
            ValueError: there is none of this name; the text has those there are.
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
        """Let two parts (accelerometer, display, light) answer at each other's address."""
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
        """Let the next ``count`` transactions (with ``part``; None: any) fail with this errno."""
        self.bus.fail_next(count, error, None if part is None else self._address_of(part))

    def stick_bus(self, stuck: bool = True, line: Line = "both") -> None:
        """Hold lines low, or let them go; while ``stuck`` transactions fail with errno 110."""
        self.bus.stuck = stuck
        held = {"SDA": (SDA_BCM,), "SCL": (SCL_BCM,), "both": (SDA_BCM, SCL_BCM)}[line]
        self._held_low = held if stuck else ()

    def line_level(self, bcm: int) -> int:
        """Return the level of the idle bus line at BCM ``bcm``: 1, or 0 while it is held."""
        return int(bcm not in self._held_low)

    def fit_foreign(self, part: str) -> None:
        """Fit another module in place of ``part``: an SH1106 for display, a BH1750 for light.

        There is no such fault for the accelerometer: an ADXL343 is the same on the bus.
        """
        foreign: SH1106 | BH1750
        if part == "display":
            foreign = SH1106(self.now_us())
        elif part == "light":
            foreign = BH1750(0, self.now_us())
            foreign.illuminance = self.light.illuminance
        else:
            raise ValueError(f"no other module for {part!r}: choose display or light")
        self.unplug(part)
        self.foreign.append(foreign)
        self.bus.attach(foreign.address, foreign)

    def strap_other(self, part: str) -> None:
        """Tie the select pin of ``part`` (accelerometer, display) the other way."""
        if part not in OTHER_ADDRESSES:
            raise ValueError(f"{part!r} has no select pin: choose accelerometer or display")
        self.bus.unplug(self._address[part])
        self._address[part] = OTHER_ADDRESSES[part]
        self.bus.attach(self._address[part], self._on_bus[part])

    def cut(self, signal: str) -> None:
        """Cut the wire of ``signal`` (INT1, touch): its pin is driven by nothing."""
        if signal not in _CAN_BE_CUT:
            raise ValueError(f"no wire {signal!r} to cut: choose INT1 or touch")
        self._cut.add(_CAN_BE_CUT[signal])
        self.gpio.release(_CAN_BE_CUT[signal])

    def tie(self, signal: str, level: int) -> None:
        """Short the wire of ``signal`` (INT1, touch) to 3.3 V (1) or to ground (0)."""
        self.cut(signal)
        self.gpio.drive(_CAN_BE_CUT[signal], level)

    def freeze_light(self, lux: float) -> None:
        """Let the light sensor measure ``lux``; setting ``illuminance`` has no effect any more."""
        self.illuminance = lambda _t_us: lux
        self._frozen_lux = lux

    def _address_of(self, part: str) -> int:
        if part not in self._address:
            known = ", ".join(self._address)
            raise ValueError(f"no part {part!r} on the bus: choose one of {known}")
        return self._address[part]

    # ---- following the parts -----------------------------------------------------------------

    def _follow_motion(self) -> None:
        """Bring INT1 to where the part has it, and come back when it may change by itself."""
        if "accelerometer" in self._unplugged:
            if INT1_BCM not in self._cut:
                self.gpio.release(INT1_BCM)
            due_us = None
        else:
            part = self.accelerometer
            now_us = self.now_us()
            part.advance(now_us)
            self._drive(INT1_BCM, part.int1_level)
            due_us = part.next_event_us()
        if due_us == self._motion_due_us:
            return
        self._motion_due_us = due_us
        if self._motion_timer is not None:
            self._motion_timer.cancel()
            self._motion_timer = None
        if due_us is not None:
            self._motion_timer = self._loop.call_at(due_us / 1e6, self._motion_came_due)

    def _follow_host(self) -> None:
        """Follow what the host did to the accelerometer, if anything; else it only samples on."""
        part = self.accelerometer
        if part.accesses != self._followed_accesses:
            self._followed_accesses = part.accesses
            self._follow_motion()
        elif "accelerometer" not in self._unplugged:
            part.advance(self.now_us())

    def _drive(self, bcm: int, level: int) -> None:
        if bcm not in self._cut:
            self.gpio.drive(bcm, level)

    def _motion_came_due(self) -> None:
        self._motion_timer = self._motion_due_us = None
        self._follow_motion()

    def _follow_touch(self) -> None:
        pad = self.touch_pad
        pad.advance(self.now_us())
        self._drive(TOUCH_BCM, pad.level)
        if self._touch_timer is not None:
            self._touch_timer.cancel()
            self._touch_timer = None
        due_us = pad.next_event_us()
        if due_us is not None:
            self._touch_timer = self._loop.call_at(due_us / 1e6, self._follow_touch)
