"""Tables that solved players decide by: made once for a game, then only looked up.

They take 0.01 s for ``class`` and ``physicist``, 0.05 s for ``holy-family``, 0.5 s for a match of
``class`` or ``sevens`` among three and for coaster games on a desk; see docs/LIMITS.md for a Pi.
"""

from functools import cache, lru_cache

from game import AnyMatch, AnyRules, BluffRules, CoasterMatch, Match
from game.actions import SeatAction
from game.coaster.rules import CoasterRules
from game.sevens.rules import SevensRules
from game.strategy import (
    ByLot,
    Equilibrium,
    Round,
    Standing,
    Standings,
    sevens,
    standing_of,
    three_dice,
)

SMALL = 64
"""A match with no more standings is solved whole; in others the round alone, and what follows goes
by lot."""
KEPT = 64
"""So many rounds that were played last need not be solved again."""


@cache
def counted(rules: BluffRules, players: int) -> Equilibrium:
    """The equilibrium of a round of so many players, for penalties."""
    return Equilibrium(Round(rules, players))


@cache
def _standings(rules: BluffRules, players: int) -> Standings:
    standings: int = (rules.credit + 1) ** players
    return Standings(rules) if standings <= SMALL else ByLot(rules)


@lru_cache(KEPT)
def _from_standing(rules: BluffRules, standing: Standing) -> Equilibrium:
    return Equilibrium(_standings(rules, len(standing[0])).round(standing))


def equilibrium(match: Match) -> Equilibrium:
    """The equilibrium of the round that runs.

    Two play it alike at every score of ``class`` and ``physicist``; where more do, the standing
    counts in a match of ``class``.
    """
    rules, players = match.rules, len(match.playing)
    if rules.stakes == "matches" and players > 2:
        return _from_standing(rules, standing_of(match))
    return counted(rules, players)


def prepare(rules: AnyRules, players: int) -> None:
    """Make the tables of a game now, for so many players."""
    if isinstance(rules, CoasterRules):
        three_dice.prepare(rules.game, players)
    elif isinstance(rules, SevensRules):
        sevens.prepare(rules, players)
    else:
        for left in range(2, players + 1):
            if rules.stakes != "matches" or left == 2:
                counted(rules, left)
            else:
                _from_standing(rules, ((0,) * left, players - left))


def best(match: AnyMatch) -> SeatAction:
    """The best that a seat can do with an open throw."""
    assert not isinstance(match, Match), "this is no bluff game"
    if isinstance(match, CoasterMatch):
        worths = three_dice.worths(match)
    else:
        worths = sevens.match_worths(match)
    return max(worths, key=lambda action: worths[action])
