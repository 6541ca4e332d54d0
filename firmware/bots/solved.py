"""Tables that solved players decide by: made once for a game, then only looked up.

They take 0.01 s for ``class`` and ``physicist``, 0.05 s for ``holy-family``, 0.5 s for a match of
``class`` or ``sevens`` among three and for coaster games on a desk; see docs/LIMITS.md for a Pi.
"""

from functools import cache

from game import AnyMatch, AnyRules, BluffRules, Match
from game.actions import SeatAction
from game.strategy import Equilibrium, Round, Standings, open_games, standing_of

SMALL = 64
"""A match with no more standings is solved whole; in others each round is, for penalties."""


@cache
def counted(rules: BluffRules, players: int) -> Equilibrium:
    """The equilibrium of a round of so many players, for penalties."""
    return Equilibrium(Round(rules, players))


@cache
def _standings(rules: BluffRules) -> Standings:
    return Standings(rules)


def equilibrium(match: Match) -> Equilibrium:
    """The equilibrium of the round that runs.

    Two play it alike at every score of ``class`` and ``physicist``; where more do, the standing
    counts in a small match.
    """
    rules, players = match.rules, len(match.playing)
    if _is_small(rules, players):
        return Equilibrium(_standings(rules).round(standing_of(match)))
    return counted(rules, players)


def _is_small(rules: BluffRules, players: int) -> bool:
    ends = rules.stakes == "matches" and (rules.credit + 1) ** players <= SMALL
    return ends and players > 2


def prepare(rules: AnyRules, players: int) -> None:
    """Make the tables of a game now, for so many players."""
    if not isinstance(rules, BluffRules):
        open_games.prepare(rules, players)
    else:
        for left in range(2, players + 1):
            counted(rules, left)
            if _is_small(rules, left):
                _standings(rules).round(((0,) * left, players - left))


def best(match: AnyMatch) -> SeatAction:
    """The best that a seat can do with an open throw, or with a coaster it may give away."""
    assert not isinstance(match, Match), "this is no bluff game"
    worths = open_games.worths(match)
    return max(worths, key=lambda action: worths[action])
