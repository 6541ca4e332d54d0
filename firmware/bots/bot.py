"""How somebody without hands plays: from what a player sees, and from manners of his own."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from firmware.bots import bluff, holy_family, physicist
from firmware.bots import open_dice as throwing
from firmware.bots.personality import Personality, Sight
from firmware.input.controls.choice import Choice
from game import Match, Phase

__all__ = ["Bot", "Sight"]

_Way = Callable[[Personality, Sight, Random], Choice]


class _Ways(NamedTuple):
    """How a bluff game is played: with a cup that is offered, before a roll, and after it."""

    answer: _Way
    before_rolling: _Way
    after_rolling: _Way


_BLUFFS = {
    "class": _Ways(bluff.answer, bluff.before_rolling, bluff.after_rolling),
    "physicist": _Ways(bluff.answer, physicist.before_rolling, physicist.after_rolling),
    "holy-family": _Ways(holy_family.answer, holy_family.before_rolling, holy_family.after_rolling),
}


class Bot(Personality):
    """How somebody plays any game."""

    def decide(self, sight: Sight, rng: Random) -> Choice:
        """What he does next. An announcement is told with all that is to be added to it.

        ``Keep`` means to set these dice aside and throw the rest.
        """
        match = sight.match
        if not isinstance(match, Match):
            return throwing.decide(self, sight, rng)
        ways = _BLUFFS[match.rules.game]
        if match.phase is Phase.OFFERED:
            return ways.answer(self, sight, rng)
        if match.phase is Phase.DOUBTED:
            return bluff.LIFT
        if match.phase is Phase.THROWN:
            return ways.after_rolling(self, sight, rng)
        return ways.before_rolling(self, sight, rng)
