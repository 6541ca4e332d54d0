"""The outcome of a simulated match, in numbers."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from firmware.table.log.merged_log import merged_log
from firmware.table.seat.position import Position
from game import AnyMatch
from game.actions import Action, Doubt, Look, Roll
from game.record import Record, replay, write
from game.statistics import statistics
from hw_sim.air.digest import AirDigest
from hw_sim.table.handheld import SimulatedHandheld
from hw_sim.table.setup import TableSetup

FULL_FRAME_BYTES = 1037
"""The bytes of one ``show()`` of the Adafruit class: six commands of two bytes, and 1 + 1024."""


@dataclass
class MatchReport:
    """The outcome of a match; the command line prints its `summary`.

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
        """Return the match in numbers, ready for JSON; ``wall_s``: real seconds it took."""
        actions = self.record.actions
        ended = self.match.outcome
        losers = [self.match.players[seat] for seat in ended.losers] if ended else []
        counted = statistics(len(self.match.players), replay(self.record))
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


def report(
    setup: TableSetup,
    first: int,
    seats: Sequence[SimulatedHandheld],
    said: AirDigest,
    virtual_s: float,
) -> MatchReport:
    """Look at all handhelds of a match that has ended, or is stuck.

    Args:
        setup: what was played.
        first: the seat that opened it.
        seats: the handhelds, by seat.
        said: what has crossed the air.
        virtual_s: how long it took.
    """
    logs = [seat.log for seat in seats]
    record, differing = merged_log(setup.rules, setup.names, first, logs)
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


def _count(actions: tuple[Action, ...], kind: type) -> int:
    return sum(isinstance(action, kind) for action in actions)
