"""The differences between players, and their knowledge when they decide."""

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import NamedTuple, Self

from firmware.bots.tells import NO_TELLS, Tells
from firmware.input.controls.choice import Choice
from game import AnyMatch
from game.dice import Dice

ROUNDS_OF_DRINKS = 6
"""A match without an end of its own is ended after this many rounds (B-8)."""


class Sight(NamedTuple):
    """The knowledge of a player at a decision.

    Attributes:
        match: the match as everybody at the table may know it; covered dice are not in it.
        options: the choices of the dial, in its order.
        seen: the dice of the present throw as seen on the player's panel; None if not seen.
        tower: they lay on top of each other (R-HF-8).
        own: dice that the player rolled and saw and that lie under a cup that has come back; else
            None.
        stood: as ``game.strategy.Known`` has it.
        tells: the public play of the table so far.
    """

    match: AnyMatch
    options: tuple[Choice, ...]
    seen: Dice | None = None
    tower: bool = False
    own: Dice | None = None
    stood: int | None = None
    tells: Tells = NO_TELLS


class Manner(StrEnum):
    """The aim of a player of open dice."""

    MEAN = "mean"
    """The best mean of one more throw."""
    SAFE = "safe"
    """Not to be the lowest: a hand that beats another one is enough."""
    EARLY = "early"
    """To be done soon: a fair hand is enough, and holds the others to few throws."""
    CHASE = "chase"
    """The highest hand: it keeps ones alone, turns sixes, and throws as often as it may."""


@dataclass(frozen=True)
class Personality:
    """A way to play; every value but ``rounds`` and ``manner`` is a chance from 0 to 1.

    Attributes:
        trust: to believe an unlikely announcement.
        daring: to lie instead of rolling again or owning up.
        lazy: to hand on without rolling, or without looking.
        careless: to make a mistake in a game that allows it (R-HF-5).
        rounds: the number of rounds after which the player ends a match that has no end of its own.
        manner: of playing with open dice.
    """

    trust: float
    daring: float
    lazy: float
    careless: float = 0.03
    rounds: int = ROUNDS_OF_DRINKS
    manner: Manner = Manner.MEAN

    @classmethod
    def drawn(cls, rng: Random) -> Self:
        """Draw trust, daring and laziness; carelessness and rounds are the defaults."""
        return cls(
            trust=rng.uniform(0.0, 0.35),
            daring=rng.uniform(0.3, 0.8),
            lazy=rng.uniform(0.0, 0.2),
        )
