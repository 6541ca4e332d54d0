"""The play of ``physicist``: as ``class``, as far as its dial goes (R-PHYS-1), and with air."""

from random import Random

from firmware.bots import Personality, Sight, bluff
from firmware.input.controls import Choice
from game.actions import Announce, Flourish

AIRY = 0.3
"""The chance of a flourish (R-PHYS-6) …"""
MUCH = 0.3
"""… and that it is "mit viel Luft"."""


def before_rolling(bot: Personality, sight: Sight, rng: Random) -> Choice:
    """Choose as ``bluff.before_rolling``; an announcement may come with air (R-PHYS-6)."""
    return _with_air(bluff.before_rolling(bot, sight, rng), rng)


def after_rolling(bot: Personality, sight: Sight, rng: Random) -> Choice:
    """Choose as ``bluff.after_rolling``; an announcement may come with air (R-PHYS-6)."""
    choice = bluff.after_rolling(bot, sight, rng)
    return _with_air(choice, rng) if bluff.match_of(sight).rules.air else choice


def _with_air(choice: Choice, rng: Random) -> Choice:
    if not isinstance(choice, Announce) or rng.random() >= AIRY:
        return choice
    return Announce(choice.value, Flourish.MUCH_AIR if rng.random() < MUCH else Flourish.AIR)
