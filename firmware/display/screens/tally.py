"""Tallies of players: matches, drinks, points, glasses, coasters."""

from dataclasses import dataclass
from enum import Enum

from game.status import Status


class Unit(Enum):
    """The unit of a penalty."""

    MATCH = "match"
    """Matches that a player has left (R-CLASS-1)."""
    DRINK = "drink"
    """Drinks that the player owes (R-CLASS-3)."""
    POINT = "point"
    """Points against the player."""
    GLASS = "glass"
    """Small glasses that the player owes (R-PHYS-4)."""
    COASTER = "coaster"
    """Coasters before the player (R-MAX-2, R-CHI-1, S-4)."""


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
