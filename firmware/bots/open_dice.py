"""The play of ``maxen``, ``chicago`` and ``sevens``: which dice to keep, and when to stop.

A player compares the throw with the mean of one more. That is sensible, not perfect: two more
throws can be worth more than one, and in the end the worst player counts.

Numbers without a source are chosen.
"""

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any, cast

from firmware.bots import Manner, Personality, Sight
from firmware.input.controls import Choice
from game import (
    CoasterMatch,
    CoasterRules,
    OpenMatch,
    Phase,
    SevensMatch,
    SevensRules,
    legal_actions,
)
from game.actions import GiveCoaster, Keep, Lift, Roll, Stop
from game.coaster.rules import CUP, RANKS
from game.dice import Dice, throws
from game.sevens import score

CONTENT = {Manner.MEAN: 9, Manner.SAFE: 10, Manner.EARLY: 13, Manner.CHASE: 7}
"""A player with a lower score in ``sevens`` stops; the mean of one throw is 11 to 12 (S-1)."""
FAIR = 0.6
"""A hand that beats or equals this share of all throws is enough for whoever is soon done."""
TURNS = 0.7
"""The chance to turn sixes if that is possible (T-3)."""
GIVES = 0.7
"""The chance to give a coaster away (R-CHI-4)."""


def decide(bot: Personality, sight: Sight, rng: Random) -> Choice:
    """Return Roll, Keep, Stop, Lift or GiveCoaster.

    With dice thrown, ``sight.seen`` must not be None.
    """
    match = cast(OpenMatch, sight.match)
    if match.phase is Phase.TO_LIFT:
        return Lift()
    if match.phase is Phase.LEVELLING:
        gifts = [choice for choice in sight.options if isinstance(choice, GiveCoaster)]
        generous = rng.random() < GIVES
        return rng.choice([gift for gift in gifts if (gift.to is not None) == generous])
    if match.phase is not Phase.THROWN:
        return Roll()
    assert sight.seen is not None, "he has looked at his throw"
    return _THROWN[match.rules.family](bot, match, sight.seen, rng)


def _sevens(bot: Personality, match: SevensMatch, dice: Dice, rng: Random) -> Choice:
    mine = score(dice, match.rules.seven_dice)
    others = [score(hand, match.rules.seven_dice) for hand in match.hands if hand is not None]
    content = mine < max((CONTENT[bot.manner], *others))
    tired = bot.manner is not Manner.CHASE and rng.random() < bot.lazy
    return Stop() if content or tired else Roll()


def _coasters(bot: Personality, match: CoasterMatch, dice: Dice, rng: Random) -> Choice:
    game, aside, manner = match.rules.game, match.aside, bot.manner
    have = goodness(game, aside + dice)
    others = [
        goodness(game, hand.aside + hand.dice)
        for hand in match.hands
        if hand is not None and hand.dice is not None
    ]
    hopes: list[tuple[float, Choice]] = []
    for action in legal_actions(match):
        if isinstance(action, Roll):
            hopes.append((hope(game, tuple(sorted(aside))), action))
        elif isinstance(action, Keep):
            kept = aside + action.aside + (1,) * action.turned
            hopes.append((hope(game, tuple(sorted(kept))), action))
    if manner is Manner.CHASE:
        face = _wished(match, aside, dice)
        done = aside + dice == (face,) * CUP or not hopes
        return Stop() if done else max(hopes, key=lambda hoped: _chased(hoped, face))[1]
    turning = [hoped for hoped in hopes if isinstance(hoped[1], Keep) and hoped[1].turned]
    if turning and rng.random() < TURNS:
        return max(turning, key=_hoped)[1]
    best, way = max(hopes, key=_hoped)
    if others and have <= min(others):
        return way
    soon = manner in (Manner.SAFE, Manner.EARLY) and bool(others)
    soon |= manner is Manner.EARLY and have >= FAIR
    return Stop() if soon or best <= have or rng.random() < bot.lazy else way


def _wished(match: CoasterMatch, aside: Dice, dice: Dice) -> int:
    """Return the face to get three times: the one with most dice, or one where points count."""
    if not match.rules.customs.halves:
        return 1
    return aside[0] if aside else max(dice, key=lambda face: (dice.count(face), face))


def _chased(hoped: tuple[float, Choice], face: int) -> tuple[int, int]:
    """Return how many dice with ``face`` a choice lays aside, then how many it throws.

    A choice that turns sixes comes last.
    """
    choice = hoped[1]
    if not isinstance(choice, Keep):
        return 0, CUP
    return -choice.turned or choice.aside.count(face), -len(choice.aside)


_THROWN: Mapping[str, Callable[[Personality, Any, Dice, Random], Choice]] = {
    CoasterRules.family: _coasters,
    SevensRules.family: _sevens,
}
"""By family: the choice of a player who has thrown."""


def _hoped(hoped: tuple[float, Choice]) -> float:
    return hoped[0]


@cache
def goodness(game: str, dice: Dice) -> float:
    """Return the share of all 216 throws of ``game`` that three dice beat or equal, 0 to 1."""
    rank = RANKS[game][dice]
    return sum(other <= rank for other in RANKS[game].values()) / len(RANKS[game])


@cache
def hope(game: str, kept: Dice) -> float:
    """Return the mean ``goodness`` of a throw with ``kept`` set aside: none to three dice."""
    return sum(
        goodness(game, kept + dice) * float(chance) for dice, chance in throws(CUP - len(kept))
    )
