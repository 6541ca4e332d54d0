"""An evening from power on: handhelds that know nobody come together, play, and play again.

Everything is what people do with their hands and see on their displays; the air is Bluetooth.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from firmware.device.open import open_device
from firmware.display.screens import Item, MatchOverPage, Phrase, QuestionPage, Screen
from firmware.display.text.games import GAME_NAMES
from firmware.display.text.labels import Text
from firmware.input.gestures.recognizer import Recognizer
from firmware.journal.sqlite import Journal
from firmware.journal.writes import Write
from firmware.link.dual import Once
from firmware.link.nearby import NearbyBoth, NearbyInfrared, NearbyLink
from firmware.play.handheld import Handheld
from firmware.runtime.board import assemble
from firmware.runtime.ports import Ports
from firmware.runtime.runtime import Runtime
from firmware.table.protocol.invitations import device_of
from game import OPTIONS, AnyMatch
from game.dice import Dice
from game.spoken import Language
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.air.digest import AirDigest
from hw_sim.air.infrared import InfraredAir
from hw_sim.board.board import SimulatedBoard
from hw_sim.hand.signals.hand import Hand
from hw_sim.hand.signals.room_light import LightScene
from hw_sim.panel.dice_reader import read_dice
from hw_sim.players.handling import Handling
from hw_sim.players.player import Player
from hw_sim.secrecy.dice_watch import DiceWatch
from hw_sim.table.handheld import WRITE_S
from hw_sim.table.setup import TableSetup

PATIENCE_S = 120.0
"""Nobody waits longer than this for the others."""
GLANCE_S = 0.2
READING_S = (1.0, 2.5)


class GatheringError(Exception):
    """The evening got stuck; the text says where."""


@dataclass(frozen=True)
class Evening:
    """What became of it: every match at its end, and what went wrong."""

    matches: tuple[AnyMatch, ...]
    lost: tuple[int, ...]
    """Matches lost by seat, as the handhelds count them."""
    virtual_s: float
    gathered_s: float
    """From power on to the first match on every handheld."""
    violations: tuple[str, ...]
    leaks: tuple[str, ...]
    digest: str

    def summary(self) -> dict[str, Any]:
        """Put the evening into numbers, ready for JSON."""
        return {
            "players": list(self.matches[0].players),
            "matches": [
                {
                    "ended_by": match.outcome.rule if match.outcome else None,
                    "losers": [match.players[s] for s in match.outcome.losers]
                    if match.outcome
                    else [],
                    "rounds": match.round,
                }
                for match in self.matches
            ],
            "lost": list(self.lost),
            "gathered_s": round(self.gathered_s, 3),
            "virtual_s": round(self.virtual_s, 3),
            "violations": list(self.violations),
            "secret_leaks": len(self.leaks),
            "digest": self.digest,
        }

    def in_words(self) -> str:
        """Put the evening into lines."""
        names = self.matches[0].players
        lines = [f"{', '.join(names)} sat down after {self.gathered_s:.0f} s."]
        for number, match in enumerate(self.matches, start=1):
            losers = [names[seat] for seat in _losers(match)]
            lines.append(f"Match {number}: {', '.join(losers) or 'nobody'} lost.")
        lines.append(f"All of it took {self.virtual_s:.0f} s at the table.")
        return "\n".join([*lines, *self.violations, *self.leaks])


class Airs(NamedTuple):
    """What carries what handhelds say."""

    bluetooth: BluetoothAir
    infrared: InfraredAir


class Guest:
    """One person with a handheld that has just been switched on."""

    def __init__(
        self,
        at: int,
        name: str,
        setup: TableSetup,
        airs: Airs,
        scene: LightScene,
        path: Path,
    ) -> None:
        loop = asyncio.get_running_loop()
        seeded = f"{setup.seed}/{at}"
        self.at, self.name = at, name
        self.leaks: list[str] = []
        self.over: list[AnyMatch] = []
        self._seed = seeded
        self._disk = Random(f"disk {seeded}")
        self.board = SimulatedBoard(f"board {seeded}", loop)
        self.hand = Hand(Random(f"hand {seeded}"), scene, shakes=setup.shakes, glow=lambda _: 0.0)
        self.board.acceleration = self.hand.acceleration
        self.board.illuminance = self.hand.illuminance
        self.journal = Journal(path)
        own = device_of(BluetoothAir.address(at))
        self.device = open_device(own, name, self.journal, Random(f"dice {seeded}").randbytes)
        self.recognizer = Recognizer()
        language: Language = "en" if setup.language == "en" else "de"
        take = Once(self._receive, loop.time).take
        bluetooth = NearbyLink(airs.bluetooth.transport(at), own, take)
        chance = Random(f"manners {seeded}").random
        infrared = NearbyInfrared(airs.infrared.port(at), take, chance)
        self.link: NearbyLink | NearbyInfrared | NearbyBoth = bluetooth
        if setup.link != "bluetooth":
            self.link = infrared if setup.link == "ir" else NearbyBoth(bluetooth, infrared)
        self.runtime = Runtime(
            assemble(self.board.bus, self.board.bus.execute, self.board.gpio, loop),
            self.device,
            self.recognizer,
            Ports(self._write, self.link.send, self.link.tell, self.link.listen),
            language,
        )
        self._rng = Random(f"guest {seeded}")
        self._watch: DiceWatch | None = None
        self._seen_by: Callable[[Screen], None] | None = None
        self.runtime.observers.screens.append(self._shown)

    def _receive(self, seat: int, frame: bytes) -> None:
        self.runtime.receive(seat, frame)

    async def run(self) -> None:
        """Switch it on and run it until cancelled."""
        await self.link.start()
        try:
            await self.runtime.run()
        finally:
            self.link.abandon()
            self.journal.close()
            self.board.close()

    # What the person does

    async def invite(self, setup: TableSetup, names: tuple[str, ...], first: str) -> None:
        """Open a table and wait until all are there."""
        await self.choose(Text.OPEN_TABLE)
        await self.choose(GAME_NAMES[setup.rules.game])
        if OPTIONS[setup.rules.game]:
            await self.choose(Text.GO_ON)
        await self.until(lambda: sorted(self._lines) == sorted(names))
        await self.choose(Text.ALL_HERE)
        await self._seat(names)
        await self.choose(Text.GO_ON)
        await self.choose(first)
        await self.compare()

    async def join(self, host: str, *, watches: bool = False) -> None:
        """Find the host's table and take a place there, to play or to watch."""
        await self.choose(Text.WATCH_TABLE if watches else Text.JOIN_TABLE)
        await self.choose(Phrase(Text.TABLE_OF, name=host))
        await self.compare()

    async def compare(self) -> None:
        """Look at the dice, and tap. (The table reads them aloud; nobody sits in between here.)."""
        await self.until(lambda: self._hint is Text.HINT_SAME_DICE)
        await self._pause()
        await self._handling().tap()
        await self.until(lambda: isinstance(self.device.core, Handheld))

    async def play(self, clumsy: bool) -> None:
        """Play the match that has begun, to its end."""
        core = self.device.core
        assert isinstance(core, Handheld), "a match has begun"
        watch = self._watch = self._watching(core)
        seeded = f"{self._seed}/{len(self.over)}"
        player = Player(
            core,
            self.read_dice,
            self._touch,
            self.hand,
            Random(f"player {seeded}"),
            watch,
            clumsiness=Random(f"clumsy {seeded}") if clumsy else None,
        )
        await player.play()
        await self.until(lambda: isinstance(self.device.screen, MatchOverPage))
        self.leaks += watch.leaks
        self.over.append(core.match)

    async def again(self) -> None:
        """Read how it ended, and want another match."""
        before = self.device.core
        await self._pause()
        await self._handling().tap()
        await self.choose(Text.AGAIN)
        await self.until(lambda: self.device.core is not before)

    async def choose(self, item: Item) -> None:
        """Wait until ``item`` is on the dial, tilt to it, and tap or hold."""
        for _ in range(5):
            await self.until(lambda: self.device.pick(item) is not None)
            pick = self.device.pick(item)
            await self._pause()
            if pick is not None and await self._handling().choose(pick):
                return
        raise GatheringError(f"{self.name} cannot choose {item}: {self.device.screen}")

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait for the display to change, with patience."""
        for _ in range(round(PATIENCE_S / GLANCE_S)):
            if done():
                return
            await asyncio.sleep(GLANCE_S)
        raise GatheringError(f"{self.name} waits in vain before {self.device.screen}")

    async def _seat(self, names: tuple[str, ...]) -> None:
        """Move people until they sit in the order of ``names``."""
        for place, name in enumerate(names):
            while self._lines.index(name) != place:
                await self.choose(self._lines[self._lines.index(name) - 1])
                await asyncio.sleep(GLANCE_S)

    @property
    def _lines(self) -> tuple[str, ...]:
        screen = self.device.screen
        lines = screen.lines if isinstance(screen, QuestionPage) else ()
        return tuple(line for line in lines if isinstance(line, str))

    @property
    def _hint(self) -> Text | None:
        screen = self.device.screen
        return screen.hint if isinstance(screen, QuestionPage) else None

    # His hand, his handheld and his eyes

    def read_dice(self) -> Dice | None:
        """The dice that a person reads off the panel now; None if it shows none or is off."""
        display = self.board.display
        return read_dice(display.memory) if display.is_lit else None

    def _handling(self) -> Handling:
        return Handling(self.device, self._touch, self.hand, self._rng, None)

    def _watching(self, core: Handheld) -> DiceWatch:
        loop = asyncio.get_running_loop()
        return DiceWatch(
            self.board.display,
            core,
            self.hand,
            self.recognizer,
            lambda t_us, call: loop.call_at(t_us / 1e6, call),
        )

    def _shown(self, screen: Screen) -> None:
        if self._watch is not None:
            self._watch.showing(screen, self.runtime.now_us)

    def _touch(self, down: bool) -> None:
        if self._watch is not None:
            self._watch.touching(down, self.runtime.now_us)
        self.board.touch(down)

    async def _pause(self) -> None:
        await asyncio.sleep(self._rng.uniform(*READING_S))

    async def _write(self, batch: tuple[Write, ...]) -> None:
        self.journal.write(batch)
        await asyncio.sleep(self._disk.uniform(*WRITE_S))


async def gather(setup: TableSetup, folder: Path, matches: int = 2) -> Evening:
    """Let people come together, play so many matches, and tell what became of it.

    Raises:
        GatheringError: somebody waited in vain.
    """
    loop = asyncio.get_running_loop()
    airs = Airs(BluetoothAir(setup.seed, loop), InfraredAir(setup.seed, loop))
    said = AirDigest()
    airs.bluetooth.observe, airs.infrared.observe = said.packet, said.transmission
    scene_of: Callable[[Random], LightScene] = getattr(LightScene, setup.scene)
    scene = scene_of(Random(f"light {setup.seed}"))
    guests = [
        Guest(at, name, setup, airs, scene, folder / f"{name}.sqlite")
        for at, name in enumerate(setup.names)
    ]
    host, others = guests[0], guests[1:]
    gathered_s = 0.0
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(guest.run()) for guest in guests]
        try:
            async with asyncio.TaskGroup() as lobby:
                first = Random(f"first {setup.seed}").choice(setup.names)
                lobby.create_task(host.invite(setup, setup.names, first))
                for guest in others:
                    lobby.create_task(guest.join(host.name))
            gathered_s = loop.time()
            for number in range(matches):
                async with asyncio.TaskGroup() as match:
                    for guest in guests:
                        match.create_task(guest.play(clumsy=True))
                if number + 1 < matches:
                    async with asyncio.TaskGroup() as rematch:
                        for guest in guests:
                            rematch.create_task(guest.again())
        finally:
            for task in running:
                task.cancel()
    digest = sha256(said.hex.encode())
    for guest in guests:
        digest.update(guest.board.bus.digest.encode())
    standing = host.device.standing
    return Evening(
        matches=tuple(host.over),
        lost=() if standing is None else standing.after(_losers(host.over[-1])).lost,
        virtual_s=loop.time(),
        gathered_s=gathered_s,
        violations=tuple(_violations(guests)),
        leaks=tuple(leak for guest in guests for leak in guest.leaks),
        digest=digest.hexdigest(),
    )


def _losers(match: AnyMatch) -> tuple[int, ...]:
    return tuple(match.outcome.losers) if match.outcome else ()


def _violations(guests: list[Guest]) -> list[str]:
    lines = [f"{guest.name}: {line}" for guest in guests for line in guest.board.violations]
    for guest in guests[1:]:
        if [match.outcome for match in guest.over] != [match.outcome for match in guests[0].over]:
            lines.append(f"{guest.name}: matches ended otherwise than {guests[0].name} knows")
    return lines
