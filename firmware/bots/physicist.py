"""Manners at ``physicist``: a second roll blind, and a lot of air."""

from random import Random

from firmware.bots import bluff
from firmware.bots.bluff import blindly, seen_value, values_of
from firmware.bots.personality import Personality, Sight
from firmware.input.controls.choice import Choice
from game.actions import Announce, Flourish, Look, Roll

AIRY = 0.3
"""The chance of a flourish (R-PHYS-6) …"""
MUCH = 0.3
"""… and that it is "mit viel Luft"."""


def before_rolling(traits: Personality, sight: Sight, rng: Random) -> Choice:
    """What to do with a cup that has not been rolled in this turn."""
    choice = bluff.before_rolling(traits, sight, rng)
    return _with_air(choice.value, rng) if isinstance(choice, Announce) else choice


def after_rolling(traits: Personality, sight: Sight, rng: Random) -> Choice:
    """What to do with a roll: whoever does not beat what stands, lies or rolls again (R-PHYS-1)."""
    options, seen = sight.options, seen_value(sight)
    values = values_of(options)
    if seen is None and Look() in options and rng.random() >= traits.lazy:
        return Look()
    if seen in values and rng.random() < 0.85:
        return _with_air(seen, rng)
    beaten = seen is not None and seen not in values
    if beaten and Roll() in options and rng.random() < 1.0 - traits.daring:
        return Roll()
    return _with_air(blindly(values, rng), rng)


def _with_air(value: int, rng: Random) -> Announce:
    if rng.random() >= AIRY:
        return Announce(value)
    return Announce(value, Flourish.MUCH_AIR if rng.random() < MUCH else Flourish.AIR)
