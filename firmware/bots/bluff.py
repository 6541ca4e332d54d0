"""How ``class`` is played, and what all three bluff games have in common."""

from collections.abc import Sequence
from random import Random

from firmware.bots.personality import Personality, Sight
from firmware.input.controls.choice import Choice
from game import Match
from game.actions import Announce, Believe, Doubt, EndMatch, GiveIn, Look, OwnUp, Roll, ShowMaexchen
from game.bluff.values import MAEXCHEN, RANKING, is_pair, rank, value_of

_PAIR = 2
"""Dice of a bluff game."""


def chance_of_at_least(value: int) -> float:
    """The chance that one roll is worth ``value`` or more (V-4)."""
    return sum(1 if is_pair(other) else 2 for other in RANKING[rank(value) :]) / 36


def answer(bot: Personality, sight: Sight, rng: Random) -> Choice:
    """Believe or doubt what is announced, or give in to a Mäxchen, as far as the dial has it."""
    if GiveIn() in sight.options and rng.random() < 0.3 * bot.daring:
        return GiveIn()
    unlikely = (1.0 - chance_of_at_least(announced(sight))) ** 2
    if Believe() not in sight.options or rng.random() < unlikely * (1.0 - bot.trust):
        return Doubt()
    return Believe()


def before_rolling(bot: Personality, sight: Sight, rng: Random) -> Choice:
    """What to do with a cup that has not been rolled in this turn."""
    if EndMatch() in sight.options and sight.match.round > bot.rounds:
        return EndMatch()
    values = values_of(sight.options)
    if values and rng.random() < bot.lazy:
        return Announce(values[0])
    return Roll()


def after_rolling(bot: Personality, sight: Sight, rng: Random) -> Choice:
    """What to do with a roll."""
    options, seen = sight.options, seen_value(sight)
    values = values_of(options)
    if seen is None:
        if Look() in options and rng.random() >= bot.lazy:
            return Look()
        return Announce(blindly(values, rng))
    if seen == MAEXCHEN and ShowMaexchen() in options and rng.random() < 0.7:
        return ShowMaexchen()
    if seen in values and rng.random() < 0.85:
        return Announce(seen)
    if seen not in values:
        if OwnUp() in options and rng.random() < 0.15 * (1.0 - bot.daring):
            return OwnUp()
        if Roll() in options and rng.random() < 1.0 - bot.daring:
            return Roll()
    return Announce(blindly(values, rng))


def announced(sight: Sight) -> int:
    """The value that is announced to him."""
    value = match_of(sight).announced
    assert value is not None, "something is announced"
    return value


def match_of(sight: Sight) -> Match:
    """The match, which is one of a bluff game."""
    assert isinstance(sight.match, Match), "this is a bluff game"
    return sight.match


def seen_value(sight: Sight) -> int | None:
    """What the dice are worth that he has seen, None if he has not."""
    return None if sight.seen is None or len(sight.seen) != _PAIR else value_of(sight.seen)


def values_of(options: Sequence[Choice]) -> list[int]:
    """The values that the dial offers to announce, low to high."""
    return sorted((choice.value for choice in options if isinstance(choice, Announce)), key=rank)


def blindly(values: Sequence[int], rng: Random) -> int:
    """Mostly the least that will do; seldom much more. ``values`` low to high."""
    return values[min(int(rng.expovariate(0.7)), len(values) - 1)]
