"""A whole table: simulated handhelds, their air, the players' hands, and what became of it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random

from firmware.display.screens import MatchOverPage
from firmware.settings.model import Settings
from firmware.settings.table import TablePlayer, TableTerms
from firmware.settings.toml import KEY_BYTES
from firmware.table.log.entries import decode_entries
from firmware.table.seat.position import Position
from game import AnyMatch, apply, new_match, public
from game.actions import Action
from game.record import Record, write
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.air.digest import AirDigest
from hw_sim.air.infrared import InfraredAir
from hw_sim.hand.signals.room_light import LightScene
from hw_sim.players.player import Player
from hw_sim.table.handheld import SimulatedHandheld, Surroundings
from hw_sim.table.outcome import FULL_FRAME_BYTES, MatchReport
from hw_sim.table.setup import SEEDS_APART, TableSetup

STUCK_AFTER_S = 4 * 3600.0
"""A match that has not ended after this much virtual time is stuck."""
WATCH_S = 0.25


@dataclass
class SimulatedTable:
    """The seats of a table, on the running loop.

    Args:
        setup: what is to be played.
        folder: where the journals go. Where it is not empty, the match goes on that is in them.
        boot: how often the table was set up before, with these journals: dice differ.

    ``said`` is the digest of all that crossed the air.
    """

    setup: TableSetup
    folder: Path
    boot: int = 0
    seats: list[SimulatedHandheld] = field(init=False)

    def __post_init__(self) -> None:
        setup = self.setup
        loop = asyncio.get_running_loop()
        self.air = BluetoothAir(setup.seed, loop)
        self.said = AirDigest()
        self.air.observe = self.said.packet
        self.infrared = InfraredAir(setup.seed, loop)
        self.infrared.observe = self.said.transmission
        scene_of: Callable[[Random], LightScene] = getattr(LightScene, setup.scene)
        self._around = Surroundings(
            self.air, self.infrared, scene_of(Random(f"light {setup.seed}")), setup.shakes
        )
        self._table = TableTerms(
            key=Random(f"table key {setup.seed}").randbytes(KEY_BYTES),
            rules=setup.rules,
            seats=tuple(
                TablePlayer(name, BluetoothAir.address(seat))
                for seat, name in enumerate(setup.names)
            ),
            first=self.first,
            faults=setup.faults,
        )
        self.seats = [self._seat(seat) for seat in range(setup.players)]
        self.players = [self._player(seat) for seat in self.seats]

    def reboot(self, seat: int) -> SimulatedHandheld:
        """Set up a seat anew after its power was cut, from its journal; run it, and its player."""
        self.boot += 1
        self.seats[seat] = self._seat(seat)
        self.players[seat] = self._player(self.seats[seat])
        return self.seats[seat]

    def _seat(self, seat: int) -> SimulatedHandheld:
        setup = self.setup
        journal = self.folder / f"seat{seat}.sqlite"
        return SimulatedHandheld(
            Settings(self._table, seat, setup.language, journal, link=setup.link),
            setup.seed + self.boot * SEEDS_APART,
            self._around,
        )

    def _player(self, seat: SimulatedHandheld) -> Player:
        name = f"{self.setup.seed}/{seat.seat}"
        return Player(
            seat.handheld,
            seat.read_dice,
            seat.touch,
            seat.hand,
            Random(f"player {name}"),
            seat.watch,
            clumsiness=Random(f"clumsy {name}"),
        )

    async def play(self) -> MatchReport:
        """Run all handhelds, and the simulated players, until every panel shows the end."""
        loop = asyncio.get_running_loop()
        started_s = loop.time()
        async with asyncio.TaskGroup() as tasks:
            running = [tasks.create_task(seat.run()) for seat in self.seats]
            running += [
                tasks.create_task(player.play())
                for player in self.players
                if player.seat != self.setup.person
            ]
            while not self.is_over and loop.time() - started_s < STUCK_AFTER_S:
                await asyncio.sleep(WATCH_S)
            ended_s = loop.time()
            await asyncio.sleep(WATCH_S)
            for task in running:
                task.cancel()
        return self._outcome(ended_s - started_s)

    @property
    def is_over(self) -> bool:
        """Whether every panel shows the end of the match, or that its handheld has stopped."""
        return all(
            isinstance(seat.handheld.screen, MatchOverPage)
            or seat.handheld.position is Position.STOPPED
            for seat in self.seats
        )

    def _outcome(self, virtual_s: float) -> MatchReport:
        record, violations = self._merged_record()
        match = self.seats[0].handheld.match
        for seat in self.seats:
            violations += [f"seat {seat.seat}: {line}" for line in seat.board.violations]
            if seat.handheld.position is not Position.OVER:
                violations.append(f"seat {seat.seat}: {seat.handheld.position.name} at the end")
        holders = [seat.seat for seat in self.seats if seat.handheld.passing.holding]
        if len(holders) != 1:
            violations.append(f"the cup is held by seats {holders}")
        watches = [seat.watch for seat in self.seats]
        digest = sha256(write(record).encode() + self.said.hex.encode())
        for seat in self.seats:
            digest.update(seat.board.bus.digest.encode())
            digest.update(seat.watch.digest.encode())
        return MatchReport(
            match=match,
            record=record,
            virtual_s=virtual_s,
            hops=max(seat.handheld.passing.hop for seat in self.seats),
            violations=violations,
            leaks=[leak for watch in watches for leak in watch.leaks],
            look_latency_us=[us for watch in watches for us in watch.look_latency_us],
            hide_latency_us=[us for watch in watches for us in watch.hide_latency_us],
            panel_bytes=sum(seat.board.display.received_bytes for seat in self.seats),
            full_frame_bytes=sum(
                (1 + seat.runtime.shows) * FULL_FRAME_BYTES for seat in self.seats
            ),
            i2c_transactions=sum(seat.board.bus.transactions for seat in self.seats),
            i2c_bytes=sum(seat.board.bus.bytes for seat in self.seats),
            digest=digest.hexdigest(),
        )

    def _merged_record(self) -> tuple[Record, list[str]]:
        """All actions, every roll as the handheld that rolled knows it; and what does not agree."""
        logs = [seat.handheld.passing.log for seat in self.seats]
        told = [decode_entries(b"".join(log.since(0))) for log in logs]
        longest = max(told, key=len)
        differing = set[int]()
        merged: list[Action] = []
        match: AnyMatch = new_match(self.setup.rules, self.setup.names, self.first)
        for place, action in enumerate(longest):
            heard = known = public(action, match)
            for seat, actions in enumerate(told):
                if place >= len(actions) or public(actions[place], match) != heard:
                    differing.add(seat)
                elif actions[place] != heard:
                    known = actions[place]
            merged.append(known)
            match = apply(match, known).match
        violations = [
            f"seat {seat}: its record is not the same as the others'" for seat in sorted(differing)
        ]
        return Record(self.setup.rules, self.setup.names, self.first, tuple(merged)), violations

    @property
    def first(self) -> int:
        """The seat that opened the match, or threw first for the lead."""
        return Random(f"first {self.setup.seed}").randrange(self.setup.players)
