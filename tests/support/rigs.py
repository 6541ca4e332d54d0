"""One seat on a simulated board with its hand and its journal, for tests of the runtime."""

import asyncio
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager
from random import Random

from drivers.light_sensor import LightKind
from drivers.panel import pack
from drivers.pins import PIEZO
from firmware.device.open import open_device
from firmware.display.oled.draw import draw
from firmware.input.gestures.recognizer import Recognizer
from firmware.journal.sqlite import Journal, JournalError
from firmware.runtime.board import Board, assemble
from firmware.runtime.runtime import Observers, Ports, Runtime
from firmware.settings import Settings
from firmware.table.seat.cup_custody import Position
from hw_sim.air import bluetooth_address
from hw_sim.board import SimulatedBoard
from hw_sim.clock import run
from hw_sim.hand.control import HandheldInHand
from hw_sim.hand.signals.hand import Hand
from hw_sim.hand.signals.light import LightScene
from hw_sim.secrecy import DiceWatch
from tests.support.tables import fixed

NAMES = ("Ana", "Ben", "Cem")
AIR_S = 0.03
POWER_UP_S = 1.5
"""Parts are set up, the touch pad has its baseline, and the cup has been seen to be covered."""


class Rig:
    """One seat with its board, its hand and its journal; frames go to ``send``."""

    def __init__(
        self, folder, seat=0, seed=1, scene=LightScene.pub, light="veml7700", volume=2,
        profile="rpi-gpio",
    ):  # fmt: skip
        loop = asyncio.get_running_loop()
        settings = Settings(
            journal=folder / f"seat{seat}.sqlite",
            volume=volume,
            address=bluetooth_address(seat),
            standing=fixed(NAMES, seat),
        )
        self.loop = loop
        self.board = SimulatedBoard(f"{seed}/{seat}", loop, profile, light)
        self.hand = Hand(Random(f"hand {seed}/{seat}"), scene(Random(f"light {seed}")))
        self.board.acceleration = self.hand.acceleration
        self.board.illuminance = self.hand.illuminance
        self.journal = Journal(settings.journal)
        chance = Random(f"dice {seed}/{seat}").randbytes
        self.device = open_device(settings, self.journal, chance, begin=True)
        self.core = self.device.core
        self.recognizer = Recognizer()
        self.disk_is_full = False
        self.send = lambda device, frame: None
        self.shown = []
        self.gestures = []
        self.parts = assemble(self.board.bus, self.board.bus.execute, self.board.gpio, loop, light)
        self.troubles = []
        observers = Observers([self._on_show], [self.gestures.append], [self.troubles.append])
        ports = Ports(self._write, lambda to, frame: self.send(to, frame), observers=observers)
        self.runtime = Runtime(self.parts, self.device, self.recognizer, ports, "en")
        self.watch = DiceWatch(
            self.board.display, self.core.own_seat, self.hand, self.recognizer,
            lambda t_us, call: loop.call_at(t_us / 1e6, call),
            self.parts.light.hidden_after_us,
        )  # fmt: skip
        self.held = HandheldInHand(self.hand, self.touch, self.watch, [])

    def _on_show(self, screen):
        self.shown.append(screen)
        self.watch.showing(screen, self.runtime.now_us)

    async def _write(self, batch):
        await asyncio.sleep(0.01)
        if self.disk_is_full:
            raise JournalError("journal: disk is full: free some space, nothing was lost")
        self.journal.write(batch)

    async def run(self):
        try:
            await self.runtime.run()
        finally:
            self.journal.close()
            self.board.close()

    @property
    def waves(self):
        """Return the sounds: the pulses on the pin of the piezo."""
        return [wave for wave in self.board.gpio.pulses.trace if wave.pin == PIEZO]

    @property
    def on_glass(self):
        """Whether the panel is lit and shows the screen the core wants."""
        picture = pack(draw(self.device.screen, "en").columns)
        return self.board.display.is_lit and self.board.display.memory == picture

    def touch(self, down):
        self.watch.touching(down, self.runtime.now_us)
        self.board.touch(down)

    async def touched_for(self, duration_s):
        self.touch(True)
        await asyncio.sleep(duration_s)
        self.touch(False)
        await asyncio.sleep(0.3)

    async def until(self, t_us):
        await asyncio.sleep(max(0, t_us - self.runtime.now_us) / 1e6)

    async def tilt(self, roll_deg):
        await self.until(self.hand.tilt(self.runtime.now_us, roll_deg, 0.0))

    async def tilt_and_back(self, roll_deg, tilted_s, level_s):
        """Tilt for ``tilted_s``, and then lie level for ``level_s``."""
        await self.tilt(roll_deg)
        await asyncio.sleep(tilted_s)
        await self.until(self.hand.level(self.runtime.now_us))
        await asyncio.sleep(level_s)

    async def shake(self):
        """Shake for 1.5 s, and wait for a second more; returns when the shake ended."""
        ends_us = self.hand.shake(self.runtime.now_us, 1.5)
        await self.until(ends_us)
        await asyncio.sleep(1.0)
        return ends_us

    async def lift(self):
        await self.until(self.held.lift(self.runtime.now_us))
        await asyncio.sleep(0.3)

    async def cover(self):
        await self.until(self.held.cover(self.runtime.now_us))
        await asyncio.sleep(0.4)


@asynccontextmanager
async def switched_on(rig):
    """Keep a rig running until what is done here has ended; begins once it can be played."""
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(rig.run())
        await asyncio.sleep(POWER_UP_S)
        yield
        running.cancel()


def alone(folder, scenario, limit_s=600, prepare=lambda rig: None, **how):
    """Run a scenario with one seat, that of the cup unless ``how`` says another.

    ``prepare`` is done before it is switched on. Returns the rig as it was left.
    """

    async def main():
        rig = Rig(folder, **how)
        prepare(rig)
        async with switched_on(rig):
            await scenario(rig)
        assert rig.watch.leaks == []
        return rig

    return run(main(), limit_s=limit_s)


def join(*rigs):
    """Let frames travel between rigs."""
    by_device = {rig.device.device: rig for rig in rigs}
    for rig in rigs:

        def send(to, data, rig=rig):
            other = by_device.get(to)
            if other is not None:
                rig.loop.call_later(AIR_S, other.runtime.receive, data)

        rig.send = send


async def offer(rig, before_tap):
    """Throw, and announce the lowest value with the dial."""
    await rig.shake()
    await asyncio.sleep(0.8)
    await rig.tilt_and_back(26.0, 0.2, 0.4)
    before_tap()
    await rig.touched_for(0.25)
    await asyncio.sleep(1.5)
    assert rig.core.position is Position.PASSING


@contextmanager
def assembled(
    seed: int | str, light: LightKind = "veml7700", profile: str = "rpi-lgpio"
) -> Iterator[tuple[SimulatedBoard, Board]]:
    """A board and its drivers; ``light``: which sensor, ``profile``: which library of pins."""
    loop = asyncio.get_running_loop()
    board = SimulatedBoard(seed, loop, profile, light)
    parts = assemble(board.bus, board.bus.execute, board.gpio, loop, light)
    try:
        yield board, parts
    finally:
        parts.motion_pin.close()
        board.close()
