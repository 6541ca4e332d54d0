"""Tables of the solved players: made once for a game, then only looked up.

They take 0.01 s for ``physicist``, 0.1 s for ``class`` and up to 0.6 s for ``holy-family`` on a
desk computer. A match of ``sevens`` among three takes 0.3 s, games of three dice 0.2 s.
docs/LIMITS.md has the times of a Pi.

Some matches need new tables for each round. ``class`` among three and more takes 0.01 to 0.03 s,
``holy-family`` between two 0.07 s. ``maxen`` and ``chicago`` take 0.01 s, or 0.1 s once a player
has left.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, cast

from firmware.bots import class_chances
from game import AnyMatch, AnyRules, BluffRules, Match, OpenMatch, Phase, hides_dice
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

DECIDES = (Phase.THROWN, Phase.LEVELLING)
"""The phases of an open game in which there is a choice."""
SMALL = 64
"""The most standings of a match of ``class`` with other options that is solved whole; others are
solved by round."""
KEPT = 64
"""The number of solved rounds, the last ones played, that are kept."""


@cache
def counted(rules: BluffRules, players: int) -> Equilibrium:
    """Return the equilibrium of a round of ``players``, for penalties."""
    return Equilibrium(Round(rules, players))


@cache
def _standings(rules: BluffRules, players: int) -> Standings:
    if class_chances.is_told(rules, players):
        return FromTable(rules, class_chances.told(players))
    is_small = rules.credit and (rules.credit + 1) ** players <= SMALL
    return Standings(rules) if is_small else ByLot(rules)


@lru_cache(KEPT)
def of_standing(rules: BluffRules, standing: Standing) -> Equilibrium:
    """Return the equilibrium of the round that is played from a standing, for the match."""
    return Equilibrium(_standings(rules, len(standing[0])).round(standing))


def equilibrium(match: Match) -> Equilibrium:
    """Return the equilibrium of the running round, for the match if the score counts."""
    if _score_counts(match.rules, len(match.playing)):
        return of_standing(match.rules, standing_of(match))
    return counted(match.rules, len(match.playing))


def _score_counts(rules: BluffRules, players: int) -> bool:
    """Return whether a round is solved for the match, and not for penalties.

    Between two, each penalty of ``class`` counts the same at every score. Among more who play for
    points, it would take too long.
    """
    return rules.points > 0 if players == 2 else rules.stakes == "matches"


def prepare(rules: AnyRules, players: int) -> None:
    """Make the tables of a game now, for ``players`` seats; see also ``prepare_round``."""
    _PREPARE.get(rules.family, open_games.prepare)(rules, players)


def _prepare_bluff(rules: BluffRules, players: int) -> None:
    for left in range(2, players + 1):
        if not _score_counts(rules, left):
            counted(rules, left)
        elif not rules.points:
            of_standing(rules, ((0,) * left, players - left))


_PREPARE: Mapping[str, Callable[[Any, int], None]] = {BluffRules.family: _prepare_bluff}
"""By family, if its dice are not open."""


def prepare_round(match: AnyMatch) -> None:
    """Make the tables of the running round, if it has its own."""
    if match.outcome is not None:
        return
    if hides_dice(match):
        equilibrium(match)
    else:
        open_games.prepare_round(cast(OpenMatch, match))


def best(match: AnyMatch) -> SeatAction | None:
    """Return the best action of a seat with an open throw, or with a coaster to give away.

    None if there is nothing to decide, or if nobody has solved the game.
    """
    if match.phase not in DECIDES or match.rules.family not in open_games.SOLVERS:
        return None
    worths = open_games.worths(cast(OpenMatch, match))
    return max(worths, key=lambda action: worths[action])
