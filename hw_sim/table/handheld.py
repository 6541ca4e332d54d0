"""One simulated handheld: the real firmware on a simulated board, in a hand."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Self

from firmware.device.device import Device
from firmware.device.feed import Publisher
from firmware.device.open import open_device
from firmware.display.screens import Screen
from firmware.effects import Core
from firmware.input.gestures.light import (
    COUNT_OFF,
    FADED_TIMES,
    LX_PER_COUNT,
    OPEN_SHARE,
    LightWatch,
)
from firmware.input.gestures.recognizer import Recognizer
from firmware.journal import Survived, Write
from firmware.journal.sqlite import Journal
from firmware.link.broker import Session
from firmware.link.several import link_over
from firmware.play.handheld import Handheld
from firmware.runtime.board import assemble
from firmware.runtime.runtime import Observers, Ports, Runtime
from firmware.settings import Settings
from firmware.table.log.public_log import PublicLog
from firmware.table.pairing.standing import StandingTable
from game.dice import Dice
from hw_sim.air import Air, AirDigest, ControllerProfile, InfraredAir, NoAir
from hw_sim.air.broker import BridgedSession, MemoryBroker
from hw_sim.board import SimulatedBoard
from hw_sim.clock import PacedLoop
from hw_sim.hand.control import HandheldInHand
from hw_sim.hand.signals.hand import Hand
from hw_sim.hand.signals.light import LightScene
from hw_sim.hand.signals.shakes import ShakeLibrary
from hw_sim.panel import read_dice
from hw_sim.secrecy import DiceWatch
from hw_sim.table import TableSetup


def air_of(
    seed: int,
    loop: asyncio.AbstractEventLoop,
    profile: ControllerProfile,
    media: Iterable[tuple[str, ...]],
) -> Air:
    """Make the air around a table. ``media`` are those of each seat, or those of all.

    Raises:
        ModuleNotFoundError: a seat has Bluetooth, and the extra ``bluetooth`` is not installed.
    """
    if not any("bluetooth" in each for each in media):
        return NoAir()
    from hw_sim.air.bluetooth import BluetoothAir

    return BluetoothAir(seed, loop, profile=profile)


class MemoryJournal(Journal):
    """A journal in this process alone; it outlives a loss of power, and ends with its shelf.

    Args:
        path: its name.
        shelf: what the journals of a table hold, by name.
    """

    def __init__(self, path: Path, shelf: dict[Path, Survived]) -> None:
        self.path = path
        self._shelf = shelf
        self.survived = self._now = shelf.get(path, Survived.nothing())

    def write(self, batch: tuple[Write, ...]) -> None:
        """Write a batch, in order.

        Raises:
            ValueError: an entry is not the next one of the current match; nothing was written.
        """
        now = self._now
        for item in batch:
            now = now.after(item)
        self._now = self._shelf[self.path] = now

    def close(self) -> None:
        """Do nothing: there is no file."""


WRITE_S = (0.004, 0.025)
"""The least and the most time of one synchronous write on a memory card; chosen."""
LIT_BITS = 8 * 1024
"""The bits of a whole picture (SSD1306, data sheet)."""


@dataclass(frozen=True)
class SharedServices:
    """The objects that all handhelds of a table share, on the running loop.

    Attributes:
        air, infrared: what carries their frames.
        new_session: makes a session at their broker.
        broker: the broker, where it is one in memory.
        air_digest: the running digest of all that has crossed either.
        entropy: makes a handheld's source of chance from its name.
        journal: opens a journal.
        scene: the light of the room.
        shakes: recorded shakes for the hands; None makes shakes up.
        core: puts something between a handheld's device and its runtime.
        agreed_tables: tables that a lobby has just formed, by place, each for one new match.
        flushed: waits until what was written to a journal is safe; None where it is at once.
    """

    air: Air
    infrared: InfraredAir
    new_session: Callable[[], Session]
    broker: MemoryBroker | None
    air_digest: AirDigest
    entropy: Callable[[str], Callable[[int], bytes]]
    journal: Callable[[Path], Journal]
    scene: LightScene
    shakes: ShakeLibrary | None
    core: Callable[[Device], Core] = lambda device: device
    agreed_tables: dict[int, StandingTable] = field(default_factory=dict)
    flushed: Callable[[], Awaitable[None]] | None = None

    @classmethod
    def of(cls, setup: TableSetup) -> Self:
        """Make those of a setup; its seed decides all chance in them."""
        loop = asyncio.get_running_loop()
        carriage, conditions = setup.carriage, setup.conditions
        air = air_of(setup.seed, loop, carriage.controller, carriage.links or [setup.link])
        infrared = InfraredAir(setup.seed, loop)
        digest = AirDigest()
        broker = MemoryBroker(setup.seed) if carriage.broker is None else None
        if broker is not None:
            broker.observers.append(digest.message)
        new_session = _real_sessions(setup) if broker is None else broker.session
        air.observers.append(digest.packet)
        infrared.observers.append(digest.transmission)
        scene_of: Callable[[Random], LightScene] = getattr(LightScene, conditions.scene)
        return cls(
            air,
            infrared,
            new_session,
            broker,
            digest,
            setup.entropy,
            Journal if setup.on_disk else partial(MemoryJournal, shelf={}),
            scene_of(Random(f"light {setup.seed}")),
            conditions.shakes,
        )


def _real_sessions(setup: TableSetup) -> Callable[[], Session]:
    from firmware.cli.console import tell_trouble
    from firmware.link.broker.mqtt import MqttSession  # needs the extra broker

    address, chance = setup.carriage.broker, Random(f"broker {setup.seed}").random
    assert address is not None, "there is a real broker"
    loop = asyncio.get_running_loop()

    def new_session() -> Session:
        session = MqttSession(address, tell_trouble, chance)
        return BridgedSession(loop, session) if isinstance(loop, PacedLoop) else session

    return new_session


class SimulatedHandheld:
    """Board, hand, journal, core, recognizer, runtime and link of one handheld, switched on.

    Args:
        seat: its place at the table, or among those who come to one.
        seed: with ``seat``, seeds its parts, its hand and its source of chance.
        settings: with a fixed table, or without: then it begins in the lobby.
        services: what it shares with the others.
        public: it tells anybody how the match stands.

    ``on_show`` are called with every screen that the core wants shown, in their order.
    """

    def __init__(
        self,
        seat: int,
        seed: int,
        settings: Settings,
        services: SharedServices,
        *,
        public: bool = False,
    ) -> None:
        loop = asyncio.get_running_loop()
        name = f"{seed}/{seat}"
        self.seat = seat
        self.name = name
        self.on_show: list[Callable[[Screen], None]] = [self._watch_screen]
        self._loop = loop
        self._flushed = services.flushed
        self._disk = Random(f"disk {name}")
        self._lit_share = 0.0
        self.board = SimulatedBoard(f"board {name}", loop, light=settings.light)
        self.hand = Hand(
            Random(f"hand {name}"), services.scene, shakes=services.shakes, glow=self._glow
        )
        self.board.display.on_write.append(self._measure_glow)
        self.board.acceleration = self.hand.acceleration
        self.board.illuminance = self.hand.illuminance
        self.journal = services.journal(settings.journal)
        self.device = open_device(settings, self.journal, services.entropy(name), begin=True)
        self.recognizer = Recognizer()
        self._first: Handheld | None = None
        self._watched: Handheld | None = None
        self._watch: DiceWatch | None = None
        session = services.new_session() if "mqtt" in settings.link else None
        self.link = link_over(
            services.air.opener(seat) if "bluetooth" in settings.link else None,
            services.infrared.port(seat) if "ir" in settings.link else None,
            self.device.device,
            lambda frame: self.runtime.receive(frame),
            Random(f"manners {name}").random,
            settings.others,
            session,
            lambda seat, is_here: self.runtime.present(seat, is_here),
        )
        self._publisher = (
            Publisher(self.device, session.publish) if public and session is not None else None
        )
        bus = self.board.bus
        parts = assemble(bus, bus.execute, self.board.gpio, loop, settings.light)
        self._hidden_after_us = parts.light.hidden_after_us
        self.runtime = Runtime(
            parts,
            services.core(self.device),
            self.recognizer,
            Ports(self._write, self.link.send, self.link.listen_at, Observers(self.on_show)),
            settings.language,
        )
        self._follow()

    def _follow(self) -> None:
        """Watch the panel during the match that is played, in place of the one before."""
        core = self.device.core
        if isinstance(core, Handheld) and core is not self._watched:
            self._first, self._watched = self._first or core, core
            self.watch_dice(core)

    def watch_dice(self, core: Handheld) -> DiceWatch:
        """Watch the panel during a match of ``core``, in place of the earlier watcher."""
        self._watch = DiceWatch(
            self.board.display,
            core.own_seat,
            self.hand,
            self.recognizer,
            lambda t_us, call: self._loop.call_at(t_us / 1e6, call),
            self._hidden_after_us,
        )
        return self._watch

    async def run(self) -> None:
        """Run it until cancelled; then its power is off for good."""
        await self.link.start()
        try:
            await self.runtime.run()
        finally:
            self.link.abandon()
            self.journal.close()
            self.board.close()

    def calibrate(self) -> None:
        """Let it know the light under the thumb and of the room, as ``maexchen calibrate`` does."""
        room = self.hand.sensor.scene.ambient(self.runtime.now_us) / LX_PER_COUNT
        dark = room * self.hand.person.leak_share
        faded = FADED_TIMES * (dark + COUNT_OFF) / OPEN_SHARE  # as of a cup that was long closed
        bright = min(room * self.hand.person.open_share, faded)
        self.recognizer.light = LightWatch(dark, bright)

    def read_dice(self) -> Dice | None:
        """The dice that a person reads off the panel now; None if it shows none or is off."""
        display = self.board.display
        return read_dice(display.memory) if display.is_lit else None

    def touch(self, down: bool) -> None:
        """Put a finger on the pad (``down``), or take it off, now."""
        if self._watch is not None:
            self._watch.touching(down, self.runtime.now_us)
        self.board.touch(down)

    def _watch_screen(self, screen: Screen) -> None:
        self._follow()
        if self._watch is not None:
            self._watch.showing(screen, self.runtime.now_us)
        self._tell_anybody()

    async def _write(self, batch: tuple[Write, ...]) -> None:
        self.journal.write(batch)
        await asyncio.sleep(self._disk.uniform(*WRITE_S))
        if self._flushed is not None:
            await self._flushed()
        self._tell_anybody()

    def _tell_anybody(self) -> None:
        if self._publisher is not None:
            self._publisher.update(self.journal.length)

    def _glow(self, _t_us: int) -> float:
        display = self.board.display
        return self._lit_share * display.contrast / 255 if display.is_lit else 0.0

    def _measure_glow(self, _t_us: int) -> None:
        self._lit_share = int.from_bytes(self.board.display.memory).bit_count() / LIT_BITS

    @property
    def handheld(self) -> Handheld:
        """The core of the first match; from power on in the lobby there is none before it."""
        assert self._first is not None, "it is at a table"
        return self._first

    @property
    def watch(self) -> DiceWatch:
        """The watcher of the match that is played, or was played last."""
        self._follow()
        assert self._watch is not None, "it is at a table"
        return self._watch

    @property
    def log(self) -> PublicLog:
        """The public log as this seat knows it."""
        return self.handheld.own_seat.log

    @property
    def holds_cup(self) -> bool:
        """Whether the cup is here."""
        return self.handheld.own_seat.holding

    @property
    def hop(self) -> int:
        """How often the cup has been passed, as far as this seat knows."""
        return self.handheld.own_seat.hop

    @property
    def held(self) -> HandheldInHand:
        """The handheld in a steered hand."""
        self._follow()
        return HandheldInHand(self.hand, self.touch, self._watch, self.on_show)
