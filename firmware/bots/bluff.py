"""The play of ``class`` and ``physicist``, and the common parts of all three bluff games.

``physicist`` is played as ``class``, as far as its dial goes (R-PHYS-1), and with air.
"""

from collections.abc import Sequence
from random import Random
from typing import cast

from firmware.bots import Personality, Sight
from firmware.input.controls import Choice
from game import Match
from game import actions as do
from game.bluff.rules import MAEXCHEN, RANKING, is_pair, rank, value_of

_PAIR = 2
"""Number of dice in a bluff game."""
AIRY = 0.3
"""The chance of a flourish (R-PHYS-6); chosen …"""
MUCH = 0.3
"""… and that it is "mit viel Luft"."""


def chance_of_at_least(value: int) -> float:
    """Return the chance, 0 to 1, that one roll of two dice is worth ``value`` or more (V-4).

    Raises ValueError for a number no two dice show.
    """
    return sum(1 if is_pair(other) else 2 for other in RANKING[rank(value) :]) / 36


def answer(bot: Personality, sight: Sight, rng: Random) -> Choice:
    """Return Doubt, or Believe or GiveIn if they are among ``sight.options``.

    The cup is offered. A doubt is rarer the likelier the value and the more trusting the bot.
    """
    if do.GiveIn() in sight.options and rng.random() < 0.3 * bot.daring:
        return do.GiveIn()
    unlikely = (1.0 - chance_of_at_least(announced(sight))) ** 2
    if do.Believe() not in sight.options or rng.random() < unlikely * (1.0 - bot.trust):
        return do.Doubt()
    return do.Believe()


def before_rolling(bot: Personality, sight: Sight, rng: Random) -> Choice:
    """Return Roll, an Announce of the lowest value without rolling, or EndMatch (B-8)."""
    if do.EndMatch() in sight.options and sight.match.round > bot.rounds:
        return do.EndMatch()
    values = values_of(sight.options)
    if values and rng.random() < bot.lazy:
        return do.Announce(values[0])
    return do.Roll()


def after_rolling(bot: Personality, sight: Sight, rng: Random) -> Choice:
    """Return what to do with a roll: Look, Announce, Roll again, OwnUp or ShowMaexchen."""
    options, seen = sight.options, seen_value(sight)
    values = values_of(options)
    if seen is None:
        if do.Look() in options and rng.random() >= bot.lazy:
            return do.Look()
        return do.Announce(blindly(values, rng))
    if seen == MAEXCHEN and do.ShowMaexchen() in options and rng.random() < 0.7:
        return do.ShowMaexchen()
    if seen in values and rng.random() < 0.85:
        return do.Announce(seen)
    if seen not in values:
        if do.OwnUp() in options and rng.random() < 0.15 * (1.0 - bot.daring):
            return do.OwnUp()
        if do.Roll() in options and rng.random() < 1.0 - bot.daring:
            return do.Roll()
    return do.Announce(blindly(values, rng))


def before_rolling_with_air(bot: Personality, sight: Sight, rng: Random) -> Choice:
    """Choose as ``before_rolling``; an announcement may come with air (R-PHYS-6)."""
    return _with_air(before_rolling(bot, sight, rng), rng)


def after_rolling_with_air(bot: Personality, sight: Sight, rng: Random) -> Choice:
    """Choose as ``after_rolling``; an announcement may come with air (R-PHYS-6)."""
    choice = after_rolling(bot, sight, rng)
    return _with_air(choice, rng) if match_of(sight).rules.air else choice


def _with_air(choice: Choice, rng: Random) -> Choice:
    if not isinstance(choice, do.Announce) or rng.random() >= AIRY:
        return choice
    return do.Announce(
        choice.value, do.Flourish.MUCH_AIR if rng.random() < MUCH else do.Flourish.AIR
    )


def announced(sight: Sight) -> int:
    """Return the announced value; there must be one."""
    value = match_of(sight).announced
    assert value is not None, "something is announced"
    return value


def match_of(sight: Sight) -> Match:
    """Return the match, which must be one of a bluff game."""
    return cast(Match, sight.match)


def seen_value(sight: Sight) -> int | None:
    """Return the value of the two dice that the bot has seen, None if it has not looked."""
    return None if sight.seen is None or len(sight.seen) != _PAIR else value_of(sight.seen)


def values_of(options: Sequence[Choice]) -> list[int]:
    """Return the values that the dial offers to announce, low to high; often none."""
    return sorted((choice.value for choice in options if isinstance(choice, do.Announce)), key=rank)


def blindly(values: Sequence[int], rng: Random) -> int:
    """Draw one of ``values``, which are low to high and not empty: half of the time the lowest."""
    return values[min(int(rng.expovariate(0.7)), len(values) - 1)]
