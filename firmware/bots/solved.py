"""Tables that solved players decide by: made once for a game, then only looked up.

They take 0.01 s for ``class`` and ``physicist``, 0.1 s for ``holy-family`` and 0.5 s for the
coaster games on a desk, and 0.1, 0.4 and 10 MB; see docs/LIMITS.md for a Pi.
"""

from functools import cache

from game import AnyMatch, AnyRules, BluffRules, CoasterMatch, Match
from game.actions import SeatAction
from game.coaster.rules import CoasterRules
from game.strategy import Equilibrium, Round, sevens, three_dice


@cache
def equilibrium(rules: BluffRules) -> Equilibrium:
    """The equilibrium of a round for two players."""
    return Equilibrium(Round(rules))


def prepare(rules: AnyRules, players: int) -> None:
    """Make the tables of a game now, for so many players."""
    if isinstance(rules, BluffRules):
        equilibrium(rules)
    elif isinstance(rules, CoasterRules):
        three_dice.prepare(rules.game, players)


def best(match: AnyMatch) -> SeatAction:
    """The best that a seat can do with an open throw."""
    assert not isinstance(match, Match), "this is no bluff game"
    worths = three_dice.worths(match) if isinstance(match, CoasterMatch) else sevens.worths(match)
    return max(worths, key=lambda action: worths[action])
