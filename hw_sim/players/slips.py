"""Slips: what players do by accident, and whether they admit it."""

from dataclasses import dataclass
from random import Random
from typing import Self


@dataclass(frozen=True)
class Slips:
    """A player's clumsiness and honesty; every value is a chance from 0 to 1.

    Attributes:
        drops: to drop the handheld, each time the player is to act with the cup.
        shakes: to shake it while the cup is on offer, each time the player glances at it.
        honest: to let a fault count that the handheld has noticed.
    """

    drops: float = 0.0
    shakes: float = 0.0
    honest: float = 0.8

    @classmethod
    def drawn(cls, rng: Random) -> Self:
        """Draw somebody; most are seldom clumsy."""
        return cls(
            drops=rng.uniform(0.0, 0.006),
            shakes=rng.uniform(0.0, 0.004),
            honest=rng.uniform(0.5, 1.0),
        )
