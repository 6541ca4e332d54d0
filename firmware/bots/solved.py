"""Tables of the solved players: made once for a game, then only looked up.

They take 0.01 s for ``physicist``, 0.1 s for ``class`` and up to 0.6 s for ``holy-family`` on a
desk computer. A match of ``sevens`` among three takes 0.3 s, games of three dice 0.2 s.
docs/LIMITS.md has the times of a Pi.

Some matches need new tables for each round. ``class`` among three and more takes 0.01 to 0.03 s,
``holy-family`` between two 0.07 s. ``maxen`` and ``chicago`` take 0.01 s, or 0.1 s once a player
has left.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

from game import AnyMatch, AnyRules, BluffRules, OpenMatch, Phase, hides_dice
from game.actions import SeatAction
from game.strategy import open_games
from game.strategy.book import PlaysFor, counted, equilibrium, goal, of_standing

DECIDES = (Phase.THROWN, Phase.LEVELLING)
"""The phases of an open game in which there is a choice."""


def prepare(rules: AnyRules, players: int) -> None:
    """Make the tables of a game now, for ``players`` seats; see also ``prepare_round``."""
    _PREPARE.get(rules.family, open_games.prepare)(rules, players)


def _prepare_bluff(rules: BluffRules, players: int) -> None:
    for left in range(2, players + 1):
        if goal(rules, players, left) is PlaysFor.PENALTIES:
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
