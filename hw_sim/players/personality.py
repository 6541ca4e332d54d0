"""How simulated people play: by the manners of ``firmware.bots.bot``, and with hands."""

from dataclasses import dataclass, field
from random import Random
from typing import Self

from firmware.bots.bot import Bot as Deciding
from firmware.bots.personality import Sight

__all__ = ["PlayerPersonality", "Sight"]


@dataclass(frozen=True)
class PlayerPersonality(Deciding):
    """How a person plays; both values are chances from 0 to 1.

    Attributes:
        physical: to shake and lift rather than choose on the dial.
        nosy: to lift the cup where no look is due.
    """

    physical: float = field(kw_only=True)
    nosy: float = field(kw_only=True)

    @classmethod
    def drawn(cls, rng: Random) -> Self:
        """Draw somebody."""
        mind = Deciding.drawn(rng)
        return cls(
            mind.trust,
            mind.daring,
            mind.lazy,
            physical=rng.uniform(0.8, 1.0),
            nosy=rng.uniform(0.0, 0.2),
        )
