"""A whole table: simulated handhelds, their air, the players' hands, and what became of it."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from firmware.display.screens import MatchOver
from firmware.play.turn.offers import Position
from firmware.settings.toml import KEY_BYTES, Faults, Media, Seat, Settings, Table
from firmware.table.log.entries import decode
from game import AnyMatch, AnyRules, SetupError, apply, new_match, public
from game.actions import Action, Doubt, Look, Roll
from game.record import Record, write
from game.statistics import statistics
from hw_sim.air.bluetooth import BluetoothAir
from hw_sim.air.digest import AirDigest
from hw_sim.air.infrared import InfraredAir
from hw_sim.hand.signals.light import LightScene
from hw_sim.hand.signals.shakes import ShakeLibrary
from hw_sim.players.player import Player
from hw_sim.table.handheld import SimulatedSeat, Surroundings

NAMES = ("Ana", "Ben", "Cem", "Dea", "Eli", "Fay", "Gus", "Hal")
FULL_FRAME_BYTES = 1037
"""What the Adafruit class sends for one ``show()``: six commands of two bytes, and 1 + 1024."""
STUCK_AFTER_S = 4 * 3600.0
"""A match that has not ended after this much virtual time is stuck."""
WATCH_S = 0.25
SEEDS_APART = 1_000_003
"""Between the seeds of a seat before and after its power was cut."""


@dataclass(frozen=True)
class TableSetup:
    """What is to be played.

    Attributes:
        rules: the game with its options.
        players: how many; each game says how many it is for.
        seed: decides everything that is chance.
        shakes: recorded shakes for the hands; None makes shakes up.
        scene: "pub" or "day".
        language: of the panels.
        person: the seat that no simulated player plays; None for none.
        faults: what becomes of a fault that the sensors notice, as in ``Table``.
        link: what carries frames between the handhelds.
    """

    rules: AnyRules
    players: int = 3
    seed: int = 1
    shakes: ShakeLibrary | None = None
    scene: str = "pub"
    language: str = "en"
    person: int | None = None
    faults: Faults = "ask"
    link: Media = "bluetooth"

    def __post_init__(self) -> None:
        if not 0 < self.players <= len(NAMES):
            raise SetupError(f"this table seats 1 to {len(NAMES)} players, not {self.players}")
        new_match(self.rules, self.names, 0)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return NAMES[: self.players]


@dataclass
class Outcome:
    """What became of a match; `summary` is what the command line prints.

    Attributes:
        match: the match at its end, as the first seat knows it.
        record: all actions with the dice that were rolled, put together from all journals.
        violations: what was done against a data sheet, or went wrong at the table.
        leaks: instants at which dice were where nobody may see them.
        look_latency_us, hide_latency_us: see ``hw_sim.secrecy.dice_watch``.
        panel_bytes: all that the displays were sent, commands and data.
        full_frame_bytes: what one ``show()`` for every picture and one to start would have sent.
    """

    match: AnyMatch
    record: Record
    virtual_s: float
    hops: int
    violations: list[str]
    leaks: list[str]
    look_latency_us: list[int]
    hide_latency_us: list[int]
    panel_bytes: int
    full_frame_bytes: int
    i2c_transactions: int
    i2c_bytes: int
    digest: str

    def summary(self, setup: TableSetup, wall_s: float) -> dict[str, Any]:
        """Put the match into numbers, ready for JSON."""
        actions = self.record.actions
        ended = self.match.outcome
        losers = [self.match.players[seat] for seat in ended.losers] if ended else []
        counted = statistics(self.record)
        return {
            "game": setup.rules.game,
            "players": setup.players,
            "seed": setup.seed,
            "loser": losers[0] if losers else None,
            "losers": losers,
            "ended_by": ended.rule if ended else None,
            "rounds": self.match.round,
            "rolls": _count(actions, Roll),
            "peeks": _count(actions, Look),
            "handovers": self.hops,
            "doubts": _count(actions, Doubt),
            "faults": sum(one.faults for one in counted),
            "statistics": {name: asdict(one) for name, one in zip(self.match.players, counted)},
            "virtual_s": round(self.virtual_s, 3),
            "wall_s": round(wall_s, 3),
            "i2c_transactions": self.i2c_transactions,
            "i2c_bytes": self.i2c_bytes,
            "panel_bytes": self.panel_bytes,
            "full_frame_bytes": self.full_frame_bytes,
            "look_latency_ms": [us / 1000 for us in self.look_latency_us],
            "hide_latency_ms": [us / 1000 for us in self.hide_latency_us],
            "violations": self.violations,
            "secret_leaks": len(self.leaks),
            "leaks": self.leaks,
            "digest": self.digest,
        }


def _count(actions: tuple[Action, ...], kind: type) -> int:
    return sum(isinstance(action, kind) for action in actions)


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
    seats: list[SimulatedSeat] = field(init=False)

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
        self._table = Table(
            key=Random(f"table key {setup.seed}").randbytes(KEY_BYTES),
            rules=setup.rules,
            seats=tuple(
                Seat(name, BluetoothAir.address(seat)) for seat, name in enumerate(setup.names)
            ),
            first=self.first,
            faults=setup.faults,
        )
        self.seats = [self._seat(seat) for seat in range(setup.players)]
        self.players = [self._player(seat) for seat in self.seats]

    def reboot(self, seat: int) -> SimulatedSeat:
        """Set up a seat anew after its power was cut, from its journal; run it, and its player."""
        self.boot += 1
        self.seats[seat] = self._seat(seat)
        self.players[seat] = self._player(self.seats[seat])
        return self.seats[seat]

    def _seat(self, seat: int) -> SimulatedSeat:
        setup = self.setup
        journal = self.folder / f"seat{seat}.sqlite"
        return SimulatedSeat(
            Settings(self._table, seat, setup.language, journal, link=setup.link),
            setup.seed + self.boot * SEEDS_APART,
            self._around,
        )

    def _player(self, seat: SimulatedSeat) -> Player:
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

    async def play(self) -> Outcome:
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
            isinstance(seat.handheld.screen, MatchOver)
            or seat.handheld.position is Position.STOPPED
            for seat in self.seats
        )

    def _outcome(self, virtual_s: float) -> Outcome:
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
        return Outcome(
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
                (1 + seat.runtime.counters.shows) * FULL_FRAME_BYTES for seat in self.seats
            ),
            i2c_transactions=sum(seat.board.bus.transactions for seat in self.seats),
            i2c_bytes=sum(seat.board.bus.bytes for seat in self.seats),
            digest=digest.hexdigest(),
        )

    def _merged_record(self) -> tuple[Record, list[str]]:
        """All actions, every roll as the handheld that rolled knows it; and what does not agree."""
        logs = [seat.handheld.passing.log for seat in self.seats]
        told = [decode(b"".join(log.since(0))) for log in logs]
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
