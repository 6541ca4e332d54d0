"""How simulated people play: they decide as ``firmware.bots.bot`` does, and they have hands."""

from dataclasses import dataclass, field
from random import Random
from typing import Self

from firmware.bots.bot import Bot


@dataclass(frozen=True)
class PlayerPersonality(Bot):
    """How a person plays; both values are chances from 0 to 1.

    Attributes:
        physical: to shake and lift rather than choose on the dial.
        nosy: to lift the cup when no peek is due.
    """

    physical: float = field(kw_only=True)
    nosy: float = field(kw_only=True)

    @classmethod
    def drawn(cls, rng: Random) -> Self:
        """Draw every value, from ``rng`` alone."""
        bot = Bot.drawn(rng)
        return cls(
            bot.trust,
            bot.daring,
            bot.lazy,
            physical=rng.uniform(0.8, 1.0),
            nosy=rng.uniform(0.0, 0.2),
        )
