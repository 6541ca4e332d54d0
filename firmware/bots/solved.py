"""Tables that solved players decide by: made once for a game, then only looked up.

They take 0.01 s for ``physicist``, 0.1 s for ``class``, up to 0.6 s for ``holy-family``, 0.3 s for
a match of ``sevens`` among three, 0.2 s for games of three dice on a desk; see docs/LIMITS.md for a
Pi. They are made anew for each round in a match of ``class`` among three and more, in 0.01 to 0.03
s, and in one between two of ``holy-family`` in 0.07 s; of ``maxen`` and ``chicago`` in 0.01 s, and
in 0.1 s where somebody has left.
"""

from functools import cache, lru_cache

from firmware.bots import class_chances
from game import AnyMatch, AnyRules, BluffRules, Match
from game.actions import SeatAction
from game.strategy import (
    ByLot,
    Equilibrium,
    FromTable,
    Round,
    Standing,
    Standings,
    open_games,
    standing_of,
)

SMALL = 64
"""A match of ``class`` with other options is solved whole if it has no more standings; else the
round alone."""
KEPT = 64
"""So many rounds that were played last need not be solved again."""


@cache
def counted(rules: BluffRules, players: int) -> Equilibrium:
    """The equilibrium of a round of so many players, for penalties."""
    return Equilibrium(Round(rules, players))


@cache
def _standings(rules: BluffRules, players: int) -> Standings:
    if class_chances.is_told(rules, players):
        return FromTable(rules, class_chances.told(players))
    is_small = rules.credit and (rules.credit + 1) ** players <= SMALL
    return Standings(rules) if is_small else ByLot(rules)


@lru_cache(KEPT)
def of_standing(rules: BluffRules, standing: Standing) -> Equilibrium:
    """The equilibrium of the round that is played from a standing, for the match."""
    return Equilibrium(_standings(rules, len(standing[0])).round(standing))


def equilibrium(match: Match) -> Equilibrium:
    """The equilibrium of the round that runs, for the match where the score counts."""
    if _score_counts(match.rules, len(match.playing)):
        return of_standing(match.rules, standing_of(match))
    return counted(match.rules, len(match.playing))


def _score_counts(rules: BluffRules, players: int) -> bool:
    """Whether a round is solved for the match, and not for penalties.

    Between two each penalty of ``class`` counts the same at every score; among more who play for
    points it would take too long.
    """
    return rules.points > 0 if players == 2 else rules.stakes == "matches"


def prepare(rules: AnyRules, players: int) -> None:
    """Make the tables of a game now, for so many players; see also ``prepare_round``."""
    if not isinstance(rules, BluffRules):
        open_games.prepare(rules, players)
    else:
        for left in range(2, players + 1):
            if not _score_counts(rules, left):
                counted(rules, left)
            elif not rules.points:
                of_standing(rules, ((0,) * left, players - left))


def prepare_round(match: AnyMatch) -> None:
    """Make the tables of the round that runs, where each has its own."""
    if match.outcome is not None:
        return
    if isinstance(match, Match):
        equilibrium(match)
    else:
        open_games.prepare_round(match)


def best(match: AnyMatch) -> SeatAction:
    """The best that a seat can do with an open throw, or with a coaster it may give away."""
    assert not isinstance(match, Match), "this is no bluff game"
    worths = open_games.worths(match)
    return max(worths, key=lambda action: worths[action])
