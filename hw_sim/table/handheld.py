"""One simulated handheld: the real firmware on a simulated board, in a hand."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Generic, Self, TypeVar

from firmware.cli.links import tell_trouble
from firmware.device.device import Device
from firmware.device.feed import Publisher
from firmware.device.open import open_handheld
from firmware.display.screens import Screen
from firmware.display.text.language import Language
from firmware.input.gestures.recognizer import Recognizer
from firmware.journal.sqlite import Journal
from firmware.journal.writes import Write
from firmware.link.broker.session import Session
from firmware.link.link import Link
from firmware.link.several import link_over
from firmware.play.handheld import Handheld
from firmware.runtime.board import assemble
from firmware.runtime.ports import Observers, Ports
from firmware.runtime.runtime import Runtime
from firmware.settings.model import Media, Settings
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol.invitations import device_of
from game.dice import Dice
from hw_sim.air.air import Air, air_of, bluetooth_address
from hw_sim.air.bridged import BridgedSession
from hw_sim.air.broker import MemoryBroker
from hw_sim.air.digest import AirDigest
from hw_sim.air.infrared import InfraredAir
from hw_sim.board.board import SimulatedBoard
from hw_sim.clock.paced import PacedLoop
from hw_sim.hand.control.held import Held
from hw_sim.hand.signals.hand import Hand
from hw_sim.hand.signals.recorded_shakes import ShakeLibrary
from hw_sim.hand.signals.room_light import LightScene
from hw_sim.panel.dice_reader import read_dice
from hw_sim.secrecy.dice_watch import DiceWatch
from hw_sim.table.memory_journal import MemoryJournal
from hw_sim.table.setup import TableSetup

WRITE_S = (0.004, 0.025)
"""The least and the most time of one synchronous write on a memory card."""
LIT_BITS = 8 * 1024

C = TypeVar("C", Handheld, Device)
Opening = Callable[[Journal, Callable[[int], bytes]], C]
"""Makes the core of a handheld from its journal and its source of chance."""


@dataclass(frozen=True)
class Surroundings:
    """The objects that all handhelds of a table share, on the running loop.

    Attributes:
        air, infrared: what carries their frames.
        new_session: makes a session at their broker.
        broker: the broker, where it is one in memory.
        said: the running digest of all that has crossed either.
        entropy: makes a handheld's source of chance from its name.
        journal: opens a journal.
        scene: the light of the room.
        shakes: recorded shakes for the hands; None makes shakes up.
    """

    air: Air
    infrared: InfraredAir
    new_session: Callable[[], Session]
    broker: MemoryBroker | None
    said: AirDigest
    entropy: Callable[[str], Callable[[int], bytes]]
    journal: Callable[[Path], Journal]
    scene: LightScene
    shakes: ShakeLibrary | None

    @classmethod
    def of(cls, setup: TableSetup) -> Self:
        """Make those of a setup; its seed decides all chance in them."""
        loop = asyncio.get_running_loop()
        air = air_of(setup.seed, loop, setup.controller, setup.links or [setup.link])
        infrared = InfraredAir(setup.seed, loop)
        said = AirDigest()
        broker = MemoryBroker(setup.seed) if setup.broker is None else None
        if broker is not None:
            broker.observers.append(said.message)
        new_session = _real_sessions(setup) if broker is None else broker.session
        air.observers.append(said.packet)
        infrared.observers.append(said.transmission)
        scene_of: Callable[[Random], LightScene] = getattr(LightScene, setup.scene)
        return cls(
            air,
            infrared,
            new_session,
            broker,
            said,
            setup.entropy,
            Journal if setup.on_disk else partial(MemoryJournal, shelf={}),
            scene_of(Random(f"light {setup.seed}")),
            setup.shakes,
        )


def _real_sessions(setup: TableSetup) -> Callable[[], Session]:
    from firmware.link.broker.mqtt import MqttSession  # needs the extra broker

    address, chance = setup.broker, Random(f"broker {setup.seed}").random
    assert address is not None, "there is a real broker"
    loop = asyncio.get_running_loop()

    def new_session() -> Session:
        session = MqttSession(address, tell_trouble, chance)
        return BridgedSession(loop, session) if isinstance(loop, PacedLoop) else session

    return new_session


class SimulatedHandheld(Generic[C]):
    """Board, hand, journal, core, recognizer, runtime and link of one handheld, switched on.

    Args:
        seat: its place at the table, or among those who come to one.
        name: seeds its parts and its hand, and tells its source of chance from others.
        journal: the file of its journal.
        around: what it shares with the others.
        opening: makes its core.
        language: of its panel.
        glows: whether the panel's light reaches its own light sensor.

    `connect` has to be called before `run`. ``on_show`` are called with every screen that the core
    wants shown, in their order; `watch_dice` adds a watcher.
    """

    link: Link
    session: Session | None = None
    """At a broker, where it has one."""
    devices: tuple[bytes, ...] = ()
    """The owners of the seats of a table that is in the settings."""

    def __init__(
        self,
        seat: int,
        name: str,
        journal: Path,
        around: Surroundings,
        opening: Opening[C],
        language: Language,
        *,
        glows: bool = True,
    ) -> None:
        loop = asyncio.get_running_loop()
        self.seat = seat
        self.name = name
        self.on_show: list[Callable[[Screen], None]] = [self._watch_screen]
        self._loop = loop
        self._disk = Random(f"disk {name}")
        self._lit_share = 0.0
        self.board = SimulatedBoard(f"board {name}", loop)
        glow = self._glow if glows else None
        self.hand = Hand(Random(f"hand {name}"), around.scene, shakes=around.shakes, glow=glow)
        self.board.display.on_write.append(self._measure_glow)
        self.board.acceleration = self.hand.acceleration
        self.board.illuminance = self.hand.illuminance
        self.journal = around.journal(journal)
        self.handheld: C = opening(self.journal, around.entropy(name))
        self.recognizer = Recognizer()
        parts = assemble(self.board.bus, self.board.bus.execute, self.board.gpio, loop)
        ports = Ports(
            self._write,
            lambda seat, frame: self.link.send(self.devices[seat], frame),
            lambda device, frame: self.link.send(device, frame),
            lambda place: self.link.listen_at(place),
            Observers(self.on_show),
        )
        self.runtime = Runtime(parts, self.handheld, self.recognizer, ports, language)
        self.watch: DiceWatch | None = None
        self.publisher: Publisher | None = None

    def connect(
        self,
        around: Surroundings,
        media: Media,
        known: Iterable[bytes] | None = None,
    ) -> None:
        """Connect it by the link that ``media`` allow; ``known`` as `link_over` wants it."""
        controller = around.air.opener(self.seat) if "bluetooth" in media else None
        port = around.infrared.port(self.seat) if "ir" in media else None
        session = around.new_session() if "mqtt" in media else None
        self.session = session
        own = device_of(bluetooth_address(self.seat))
        chance = Random(f"manners {self.name}").random
        self.link = link_over(
            controller,
            port,
            own,
            lambda frame: self.runtime.receive(frame),
            chance,
            known,
            session,
            lambda seat, is_here: self.runtime.present(seat, is_here),
        )

    def watch_dice(self, core: Handheld) -> DiceWatch:
        """Watch the panel during a match of ``core``, in place of the earlier watcher."""
        self.watch = DiceWatch(
            self.board.display,
            core.own_seat,
            self.hand,
            self.recognizer,
            lambda t_us, call: self._loop.call_at(t_us / 1e6, call),
        )
        return self.watch

    async def run(self) -> None:
        """Run it until cancelled; then its power is off for good."""
        await self.link.start()
        try:
            await self.runtime.run()
        finally:
            self.link.abandon()
            self.journal.close()
            self.board.close()

    def read_dice(self) -> Dice | None:
        """The dice that a person reads off the panel now; None if it shows none or is off."""
        display = self.board.display
        return read_dice(display.memory) if display.is_lit else None

    def touch(self, down: bool) -> None:
        """Put a finger on the pad (``down``), or take it off, now."""
        if self.watch is not None:
            self.watch.touching(down, self.runtime.now_us)
        self.board.touch(down)

    def _watch_screen(self, screen: Screen) -> None:
        if self.watch is not None:
            self.watch.showing(screen, self.runtime.now_us)
        self._tell_anybody()

    async def _write(self, batch: tuple[Write, ...]) -> None:
        self.journal.write(batch)
        await asyncio.sleep(self._disk.uniform(*WRITE_S))
        self._tell_anybody()

    def _tell_anybody(self) -> None:
        if self.publisher is not None:
            self.publisher.update(self.journal.length)

    def _glow(self, _t_us: int) -> float:
        display = self.board.display
        return self._lit_share * display.contrast / 255 if display.is_lit else 0.0

    def _measure_glow(self, _t_us: int) -> None:
        self._lit_share = int.from_bytes(self.board.display.memory).bit_count() / LIT_BITS


class SeatedHandheld(SimulatedHandheld[Handheld]):
    """The handheld of one seat of a table that is in the settings.

    Args:
        settings: the handheld's settings.
        seed: decides its parts, its hand and its dice.
        around: what the table shares.
        public: it tells anybody how the match stands.
    """

    watch: DiceWatch

    def __init__(
        self, settings: Settings, seed: int, around: Surroundings, *, public: bool = False
    ) -> None:
        super().__init__(
            settings.seat,
            f"{seed}/{settings.seat}",
            settings.journal,
            around,
            lambda journal, entropy: open_handheld(settings, journal, entropy),
            settings.language,
        )
        self.watch_dice(self.handheld)
        self.devices = settings.table.devices
        own = self.devices[settings.seat]
        self.connect(around, settings.link, [device for device in self.devices if device != own])
        self.link.listen_at(settings.table.table_address(settings.seat))
        if public and self.session is not None:
            told = self.session.publish
            self.publisher = Publisher(self.handheld, settings.table, settings.seat, told)

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
    def held(self) -> Held:
        """The handheld in a steered hand."""
        return Held(self.hand, self.touch, self.watch, self.on_show)
