"""The outcome of a simulated match, in numbers."""

from dataclasses import asdict, dataclass
from typing import Any

from game import AnyMatch
from game.actions import Action, Doubt, Look, Roll
from game.record import Record, replay
from game.statistics import statistics
from hw_sim.table.setup import TableSetup


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


def _count(actions: tuple[Action, ...], kind: type) -> int:
    return sum(isinstance(action, kind) for action in actions)
