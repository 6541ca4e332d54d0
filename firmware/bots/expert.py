"""Players who follow the solved games, always or with lapses; and the tables of these games.

They take 0.01 s for ``physicist``, 0.1 s for ``class`` and up to 0.6 s for ``holy-family`` on a
desk computer. A match of ``sevens`` among three takes 0.3 s, games of three dice 0.2 s.
docs/LIMITS.md has the times of a Pi.

Some matches need new tables for each round. ``class`` among three and more takes 0.01 to 0.03 s,
``holy-family`` between two 0.07 s. ``maxen`` and ``chicago`` take 0.01 s, or 0.1 s once a player
has left.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, cast

from firmware.bots import Sight
from firmware.bots.bluff import match_of
from firmware.bots.bot import Bot
from firmware.input.controls import Choice, plain
from game import AnyMatch, AnyRules, BluffRules, OpenMatch, Phase, hides_dice
from game.actions import EndMatch, SeatAction
from game.rules import Reach, as_solved, nearest_solved, reach_of
from game.strategy import Known, open_games
from game.strategy.book import PlaysFor, counted, equilibrium, goal, of_standing

DECIDES = (Phase.THROWN, Phase.LEVELLING)
"""The phases of an open game in which there is a choice."""


def prepare(rules: AnyRules, players: int) -> None:
    """Make the tables of a game now, for ``players`` seats; see also ``prepare_round``."""
    if reach_of(rules) is Reach.NONE:
        return
    rules = nearest_solved(rules)
    _PREPARE.get(rules.family, open_games.prepare)(rules, players)


def _prepare_bluff(rules: BluffRules, players: int) -> None:
    for left in range(2, players + 1):
        if goal(rules, players, left) is PlaysFor.PENALTIES:
            _ = counted(rules, left).solved
        elif not rules.points:
            _ = of_standing(rules, ((0,) * left, players - left)).solved


_PREPARE: Mapping[str, Callable[[Any, int], None]] = {BluffRules.family: _prepare_bluff}
"""By family, if its dice are not open."""


def prepare_round(match: AnyMatch) -> None:
    """Make the tables of the running round, if it has its own."""
    if match.outcome is not None or reach_of(match.rules) is Reach.NONE:
        return
    if hides_dice(match):
        _ = equilibrium(as_solved(match)).solved
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


@dataclass(frozen=True)
class Expert(Bot):
    """Plays the equilibrium of ``solved``.

    Attributes:
        strength: the share of decisions by the equilibrium, 0 to 1; the others are those of its
            personality.
    """

    strength: float = 1.0

    def prepare(self, rules: AnyRules, players: int) -> None:
        """Build the tables, as ``Bot.prepare`` does."""
        prepare(rules, players)

    def prepare_round(self, match: AnyMatch) -> None:
        """Build the tables of the running round, as ``Bot.prepare_round`` does."""
        prepare_round(match)

    def decide(self, sight: Sight, rng: Random) -> Choice:
        """Return the equilibrium's choice, else that of its personality."""
        if self.strength < 1.0 and rng.random() >= self.strength:
            return super().decide(sight, rng)
        choice = self.by_the_book(sight, rng)
        return super().decide(sight, rng) if choice is None else choice

    def by_the_book(self, sight: Sight, rng: Random) -> Choice | None:
        """Return the choice of the solved game, or of the nearest one; None if it has none."""
        match = sight.match
        if not hides_dice(match):
            return best(match)
        if EndMatch() in sight.options and match.round > self.rounds:
            return EndMatch()
        reach = reach_of(match.rules)
        if reach is Reach.NONE:
            return None
        solved = as_solved(match)
        chosen = drawn_of(equilibrium(solved)(known_of(sight._replace(match=solved))), rng)
        return chosen if reach is Reach.EXACT or plain(chosen) in sight.options else None


def known_of(sight: Sight) -> Known:
    """Return the player's knowledge, as a solved game takes it."""
    match = match_of(sight)
    if match.phase is Phase.THROWN:
        return Known(match, sight.seen if match.seen else None, sight.tower, sight.stood)
    return Known(match, sight.own, stood=sight.stood)


def drawn_of(chances: Mapping[SeatAction, float], rng: Random) -> SeatAction:
    """Draw one of the actions by their chances, which add up to 1."""
    return rng.choices(tuple(chances), tuple(chances.values()))[0]
