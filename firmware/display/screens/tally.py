"""Tallies of players: matches, drinks, points, glasses, coasters."""

from dataclasses import dataclass

from game.status import Status, Unit


@dataclass(frozen=True, slots=True)
class Tally:
    """The score of a player: ``count`` matches left, or how many ``unit`` they have collected.

    ``halves`` are the lost halves of ``maxen``, each marked with half a coaster (R-MAX-5).
    """

    count: int
    unit: Unit = Unit.MATCH
    status: Status = Status.IN
    halves: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One player in the standings. ``me`` marks the player of this handheld."""

    name: str
    tally: Tally
    me: bool = False
