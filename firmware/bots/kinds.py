"""The built-in opponents by name, from the usual one to those that follow the solved games."""

from collections.abc import Mapping
from random import Random
from typing import Any

from firmware.bots.bot import Bot
from firmware.bots.expert import Expert
from firmware.bots.shark import Shark
from firmware.settings.model import Opponents

STRENGTHS: Mapping[str, float] = {"learner": 0.4, "skilled": 0.8, "expert": 1.0, "shark": 1.0}
"""The share of decisions that follow the solved games, 0 to 1."""
LAPSES: Mapping[str, Any] = {"trust": 0.2, "daring": 0.5, "lazy": 0.0}
"""The personality of solved players in their lapses."""

HONEST: Mapping[str, Any] = {"trust": 0.25, "daring": 0.0, "lazy": 0.0}
"""The personality of a player who lies only if there is no other way."""


def drawn(kind: Opponents, rng: Random) -> Bot:
    """Return an opponent of a kind; only the usual one's personality is drawn from ``rng``."""
    if kind == "usual":
        return Bot.drawn(rng)
    if kind == "honest":
        return Bot(**HONEST)
    own = Shark if kind == "shark" else Expert
    return own(**LAPSES, strength=STRENGTHS[kind])
