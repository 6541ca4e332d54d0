"""How simulated players decide: from what they can see, and from their own manners."""

from dataclasses import dataclass
from random import Random
from typing import Self

from firmware.dial import Choice
from game import Match
from game.actions import Announce, Believe, Doubt, EndMatch, GiveIn, Look, OwnUp, Roll, ShowMaexchen
from game.values import MAEXCHEN, RANKING, is_pair, rank

ROUNDS_OF_DRINKS = 6
"""A match without an end of its own is ended after this many rounds."""


def chance_of_at_least(value: int) -> float:
    """The chance that one roll is worth ``value`` or more (V-4)."""
    return sum(1 if is_pair(other) else 2 for other in RANKING[rank(value) :]) / 36


@dataclass(frozen=True)
class Manners:
    """How somebody plays; every value is a chance from 0 to 1.

    Attributes:
        trust: to believe what is unlikely.
        daring: to lie instead of rolling again or owning up.
        lazy: to hand on without rolling, or without looking.
        physical: to shake and lift rather than choose on the dial.
        nosy: to lift the cup where no look is due.
    """

    trust: float
    daring: float
    lazy: float
    physical: float
    nosy: float

    @classmethod
    def drawn(cls, rng: Random) -> Self:
        """Draw somebody."""
        return cls(
            trust=rng.uniform(0.0, 0.35),
            daring=rng.uniform(0.3, 0.8),
            lazy=rng.uniform(0.0, 0.2),
            physical=rng.uniform(0.8, 1.0),
            nosy=rng.uniform(0.0, 0.2),
        )

    def answer(self, announced: int, options: list[Choice], rng: Random) -> Choice:
        """Believe or doubt what is announced, as far as that is possible."""
        if GiveIn() in options and rng.random() < 0.3 * self.daring:
            return GiveIn()
        unlikely = (1.0 - chance_of_at_least(announced)) ** 2
        if Believe() not in options or rng.random() < unlikely * (1.0 - self.trust):
            return Doubt()
        return Believe()

    def before_rolling(self, match: Match, options: list[Choice], rng: Random) -> Choice:
        """What to do with a cup that has not been rolled in this turn."""
        if EndMatch() in options and match.round > ROUNDS_OF_DRINKS:
            return EndMatch()
        values = _values(options)
        if values and rng.random() < self.lazy:
            return Announce(values[0])
        return Roll()

    def after_rolling(self, seen: int | None, options: list[Choice], rng: Random) -> Choice:
        """What to do with a roll. ``seen`` is its value, None if it has not been seen."""
        values = _values(options)
        if seen is None:
            if Look() in options and rng.random() >= self.lazy:
                return Look()
            return Announce(self._blind(values, rng))
        if seen == MAEXCHEN and rng.random() < 0.7:
            return ShowMaexchen()
        if seen in values and rng.random() < 0.85:
            return Announce(seen)
        if seen not in values:
            if OwnUp() in options and rng.random() < 0.15 * (1.0 - self.daring):
                return OwnUp()
            if Roll() in options and rng.random() < 1.0 - self.daring:
                return Roll()
        return Announce(self._blind(values, rng))

    def _blind(self, values: list[int], rng: Random) -> int:
        """Mostly the least that will do; seldom much more."""
        return values[min(int(rng.expovariate(0.7)), len(values) - 1)]


def _values(options: list[Choice]) -> list[int]:
    return sorted((choice.value for choice in options if isinstance(choice, Announce)), key=rank)
