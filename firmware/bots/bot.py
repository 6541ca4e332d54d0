"""A bot's decision in every phase of every game, by its knowledge and its personality."""

from collections.abc import Callable
from random import Random

from firmware.bots import bluff, holy_family, open_dice, physicist
from firmware.bots.personality import Personality, Sight
from firmware.input.controls.choice import Choice
from game import AnyMatch, AnyRules, Phase, hides_dice
from game.actions import Lift

_Way = Callable[[Personality, Sight, Random], Choice]

_CLASS: tuple[_Way, _Way, _Way] = (bluff.answer, bluff.before_rolling, bluff.after_rolling)
_BLUFFS = {
    "physicist": (bluff.answer, physicist.before_rolling, physicist.after_rolling),
    "holy-family": (holy_family.answer, holy_family.before_rolling, holy_family.after_rolling),
}
"""The play of a bluff game: with an offered cup, before a roll, and after it; others are played
as ``class``."""


class Bot(Personality):
    """A personality that plays any game in ``game.RULES``."""

    def prepare(self, rules: AnyRules, players: int) -> None:
        """Build the tables for the decisions of such a match beforehand; takes up to seconds."""

    def prepare_round(self, match: AnyMatch) -> None:
        """Do the same for the running round, if there is one."""

    def decide(self, sight: Sight, rng: Random) -> Choice:
        """Return the next choice, in any phase in which this seat is to act.

        ``rng`` is the only source of chance. An announcement has its flourish and direction.
        ``Keep`` means: set these dice aside and throw the rest. Everything else is one of
        ``sight.options``.
        """
        match = sight.match
        if not hides_dice(match):
            return open_dice.decide(self, sight, rng)
        answer, before_rolling, after_rolling = _BLUFFS.get(match.rules.game, _CLASS)
        match match.phase:
            case Phase.OFFERED:
                return answer(self, sight, rng)
            case Phase.DOUBTED:
                return Lift()
            case Phase.THROWN:
                return after_rolling(self, sight, rng)
            case _:
                return before_rolling(self, sight, rng)
