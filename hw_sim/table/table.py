"""A whole table: simulated handhelds, their air, and the players' hands."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random

from firmware.effects import TableAddress
from firmware.settings import Settings
from firmware.table.log.public_log import merged_log
from firmware.table.pairing.standing import StandingTable
from firmware.table.protocol.invitations import device_of
from firmware.table.protocol.sealing import KEY_BYTES, keys_of_table
from firmware.table.seat.cup_custody import Position
from game.record import write
from hw_sim.air import AirDigest, bluetooth_address
from hw_sim.players.bot_kinds import personality_of
from hw_sim.players.player import Player
from hw_sim.players.player_hand import BRISK
from hw_sim.table import SEEDS_APART, MatchReport, TableSetup
from hw_sim.table.handheld import SharedServices, SimulatedHandheld

STUCK_AFTER_S = 4 * 3600.0
"""A match that has not ended after this much virtual time is stuck; chosen."""
WATCH_S = 0.25
"""The time between two looks whether the match is over; chosen."""
FULL_FRAME_BYTES = 1037
"""The bytes of one ``show()`` of the Adafruit class: six commands of two bytes, and 1 + 1024."""
FIRST_MATCH = 1
"""Matches of a fixed table are counted from this number; chosen, as in settings that name no
epoch."""


@dataclass
class SimulatedTable:
    """The seats of a table, on the running loop.

    Args:
        setup: the game, the players and the media.
        folder: for the journals. If it is not empty, the match in them goes on.
        boot: how often the table was set up before, with these journals: dice differ.
        customise: gets what the handhelds share, and returns what they use instead.

    The handhelds share ``services``. ``seats`` are those that are simulated here, in the order of
    their places, and ``players`` their players. A handheld elsewhere has no board here.
    """

    setup: TableSetup
    folder: Path
    boot: int = 0
    customise: Callable[[SharedServices], SharedServices] = lambda services: services
    seats: list[SimulatedHandheld] = field(init=False)

    def __post_init__(self) -> None:
        setup = self.setup
        self.services = self.customise(SharedServices.of(setup))
        self.air, self.infrared = self.services.air, self.services.infrared
        part = setup.part
        self.places = [*range(setup.players)] if part is None else sorted(part.local_seats)
        """Those of ``seats``."""
        self.seats = [self._seat(place) for place in self.places]
        self.players = [self._player(seat) for seat in self.seats if seat.seat < setup.players]

    def at(self, place: int) -> SimulatedHandheld:
        """Return the handheld of a place that is simulated here; raises ValueError for another."""
        return self.seats[self.places.index(place)]

    def player_at(self, place: int) -> Player:
        """Return the player of such a place."""
        return self.players[self.places.index(place)]

    def reboot(self, place: int) -> SimulatedHandheld:
        """Make a seat and its player anew, from its journal; the caller has to run both."""
        self.boot += 1
        at = self.places.index(place)
        seat = self.seats[at] = self._seat(place)
        if at < len(self.players):
            self.players[at] = self._player(seat)
        return seat

    def forget(self, before_us: int) -> None:
        """Let hands and room forget all motion and light before a time in µs."""
        self.services.scene.forget(before_us)
        for seat in self.seats:
            seat.hand.forget(before_us)

    def _seat(self, seat: int) -> SimulatedHandheld:
        return seated(self.setup, seat, self.boot, self.services, self.folder)

    def _player(self, seat: SimulatedHandheld) -> Player:
        name = f"{self.setup.seed}/{seat.seat}"
        rng, clumsiness = Random(f"player {name}"), Random(f"clumsy {name}")
        player = Player(seat.handheld, seat.held, seat.read_dice, rng, clumsiness)
        bot = self.setup.bot_of(seat.seat)
        if bot is not None:
            player.personality = personality_of(bot)
        if self.setup.person is not None:
            player.tempo = BRISK
        return player

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
        return report(self.seats, self.services.air_digest, ended_s - started_s)

    @property
    def is_over(self) -> bool:
        """Whether each player has read the end of the last round, or their handheld has stopped."""
        return all(
            (seat.handheld.position is Position.OVER and not seat.handheld.view().reads_end)
            or seat.handheld.position is Position.STOPPED
            for seat in self.seats
        )


def report(
    seats: Sequence[SimulatedHandheld],
    said: AirDigest,
    virtual_s: float,
) -> MatchReport:
    """Look at all handhelds of a match that has ended, or is stuck.

    Args:
        seats: the handhelds, by seat.
        said: what has crossed the air.
        virtual_s: how long it took.
    """
    record, differing = merged_log([seat.log for seat in seats])
    violations = [f"seat {seat}: its log is not the same as the others'" for seat in differing]
    for seat in seats:
        violations += [f"seat {seat.seat}: {line}" for line in seat.board.violations]
        if seat.handheld.position is not Position.OVER:
            violations.append(f"seat {seat.seat}: {seat.handheld.position.name} at the end")
    holders = [seat.seat for seat in seats if seat.holds_cup]
    if len(holders) != 1:
        violations.append(f"the cup is held by seats {holders}")
    digest = sha256(write(record).encode() + said.hex.encode())
    for seat in seats:
        digest.update(seat.board.bus.digest.encode())
        digest.update(seat.watch.digest.encode())
    watches = [seat.watch for seat in seats]
    shows = sum(1 + seat.runtime.shows for seat in seats)
    return MatchReport(
        match=seats[0].handheld.match,
        record=record,
        virtual_s=virtual_s,
        hops=max(seat.hop for seat in seats),
        violations=violations,
        leaks=[leak for watch in watches for leak in watch.leaks],
        look_latency_us=[us for watch in watches for us in watch.look_latency_us],
        hide_latency_us=[us for watch in watches for us in watch.hide_latency_us],
        panel_bytes=sum(seat.board.display.received_bytes for seat in seats),
        full_frame_bytes=shows * FULL_FRAME_BYTES,
        i2c_transactions=sum(seat.board.bus.transactions for seat in seats),
        i2c_bytes=sum(seat.board.bus.bytes for seat in seats),
        digest=digest.hexdigest(),
    )


def seated(
    setup: TableSetup, seat: int, boot: int, services: SharedServices, folder: Path
) -> SimulatedHandheld:
    """Make the handheld of a seat, with its journal in ``folder``.

    ``boot``: how often handhelds were made with this journal before.
    """
    is_met = setup.part is not None
    settings = Settings(
        language=setup.language,
        journal=folder / f"seat{seat}.sqlite",
        link=setup.link_of(seat),
        address=None if is_met else bluetooth_address(seat),
        faults=setup.conditions.faults,
        light=setup.conditions.light,
        standing=services.agreed_tables.pop(seat, None) if is_met else standing_of(setup, seat),
    )
    seed = setup.seed + boot * SEEDS_APART
    return SimulatedHandheld(seat, seed, settings, services, public=setup.carriage.public)


def key_of(setup: TableSetup) -> bytes:
    """Return the key that all seats of a setup's table share."""
    seeded = Random(f"table key {setup.seed}").randbytes
    return (setup.entropy("table key") if setup.chance else seeded)(KEY_BYTES)


def standing_of(setup: TableSetup, seat: int) -> StandingTable:
    """Return a setup's table as a seat knows it; all seats' keys come from that of the table."""
    key, names = key_of(setup), setup.names
    return StandingTable.fixed(
        key,
        keys_of_table(key, seat, range(len(names))),
        seat,
        [(name, device_of(bluetooth_address(at))) for at, name in enumerate(names)],
        setup.rules,
        setup.first,
        FIRST_MATCH,
        setup.carriage.carrier,
    )


def table_addresses_of(setup: TableSetup) -> list[TableAddress]:
    """Return the addresses of the table's seats at a broker."""
    return [standing_of(setup, seat).table_address for seat in range(setup.players)]
