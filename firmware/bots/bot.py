"""A bot's decision at every phase of every game, by what it knows and its personality."""

from collections.abc import Callable
from random import Random

from firmware.bots import bluff, holy_family, open_dice, physicist
from firmware.bots.personality import Personality, Sight
from firmware.input.controls.choice import Choice
from game import AnyMatch, AnyRules, Match, Phase
from game.actions import Lift

_Way = Callable[[Personality, Sight, Random], Choice]

_BLUFFS: dict[str, tuple[_Way, _Way, _Way]] = {
    "class": (bluff.answer, bluff.before_rolling, bluff.after_rolling),
    "physicist": (bluff.answer, physicist.before_rolling, physicist.after_rolling),
    "holy-family": (holy_family.answer, holy_family.before_rolling, holy_family.after_rolling),
}
"""How a bluff game is played: with a cup that is offered, before a roll, and after it."""


class Bot(Personality):
    """A personality that plays any game in ``game.RULES``."""

    def prepare(self, rules: AnyRules, players: int) -> None:
        """Make beforehand, in up to seconds, what its decisions in such a match look up."""

    def prepare_round(self, match: AnyMatch) -> None:
        """The same for the round that runs, if one does."""

    def decide(self, sight: Sight, rng: Random) -> Choice:
        """Return what to do next, at any phase in which this seat is to act.

        ``rng`` is the only source of chance. An announcement is returned with its flourish and
        direction, and ``Keep`` where these dice are to be set aside and the rest thrown; all else
        is one of ``sight.options``.
        """
        match = sight.match
        if not isinstance(match, Match):
            return open_dice.decide(self, sight, rng)
        answer, before_rolling, after_rolling = _BLUFFS[match.rules.game]
        match match.phase:
            case Phase.OFFERED:
                return answer(self, sight, rng)
            case Phase.DOUBTED:
                return Lift()
            case Phase.THROWN:
                return after_rolling(self, sight, rng)
            case _:
                return before_rolling(self, sight, rng)
