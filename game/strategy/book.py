"""The book: the solved round that bots, hints and the coach play at each point of a match.

A round is solved for the match if its score counts and the worths of the standings are known well
enough (`PlaysFor`). Else it is solved for penalties.
"""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache, lru_cache

from game.bluff.rules import BluffRules, Match
from game.strategy.bluff import Round
from game.strategy.equilibrium import Equilibrium
from game.strategy.standings import (
    ByOpener,
    FromTable,
    Standing,
    Standings,
    is_told,
    standing_of,
    told,
)

SMALL = 64
"""The most standings of a match of ``class`` with other options that is solved whole."""
MOST = 70_000
"""The most standings of a match that is played for the match at all; chosen."""
LEAST = 0.005
"""A choice is one of the book if the book makes it with this chance or more; chosen."""
KEPT = 64
"""The number of solved rounds, the last ones played, that are kept; chosen."""


class PlaysFor(StrEnum):
    """The aim of the players of a round."""

    PENALTIES = "penalties"
    """Fewer penalties in this round than the others."""
    MATCH = "match"
    """Not to lose the match; the worth of each standing is solved."""
    LOT = "lot"
    """The same, as if each later penalty were equally likely for every seat."""


def goal(rules: BluffRules, begun: int, playing: int) -> PlaysFor:
    """Return the goal of a round of ``playing`` players in a match that ``begun`` players began.

    Between two, each penalty of ``class`` counts the same at every score, so penalties will do.
    """
    if rules.points:
        is_last = begun - playing >= rules.losers - 1
        is_solved = playing == 2 or is_told(rules, playing)
        return PlaysFor.MATCH if is_last and is_solved else PlaysFor.LOT
    if rules.stakes != "matches" or playing == 2 or (rules.credit + 1) ** playing > MOST:
        return PlaysFor.PENALTIES
    return PlaysFor.LOT if type(standings(rules, playing)) is ByOpener else PlaysFor.MATCH


@cache
def counted(rules: BluffRules, players: int) -> Equilibrium:
    """Return the equilibrium of a round of ``players``, for penalties."""
    return Equilibrium(Round(rules, players, at_once=False))


@cache
def standings(rules: BluffRules, playing: int) -> Standings:
    """Return the standings whose worths rounds of ``playing`` players are solved for."""
    if is_told(rules, playing):
        return FromTable(rules, told(rules, playing))
    is_small = rules.credit and (rules.credit + 1) ** playing <= SMALL
    return Standings(rules) if is_small else ByOpener(rules)


@lru_cache(KEPT)
def of_standing(rules: BluffRules, standing: Standing) -> Equilibrium:
    """Return the equilibrium of the round that is played from a standing, for the match."""
    return Equilibrium(standings(rules, len(standing[0])).round(standing))


def equilibrium(match: Match) -> Equilibrium:
    """Return the equilibrium of the running round."""
    return book_of(match.rules, len(match.players), standing_of(match))


def book_of(rules: BluffRules, begun: int, standing: Standing, counts: bool = False) -> Equilibrium:
    """Return the equilibrium of the round of a standing, in a match that ``begun`` began.

    If it ``counts``, it is always that for penalties.
    """
    playing = len(standing[0])
    if counts or goal(rules, begun, playing) is PlaysFor.PENALTIES:
        return counted(rules, playing)
    return of_standing(rules, standing)


def solving(rules: BluffRules, begun: int, standing: Standing, counts: bool) -> Iterator[None]:
    """Solve the round of ``book_of`` piece by piece; going on to the end is optional."""
    # ``yield from`` would close it
    for _ in book_of(rules, begun, standing, counts).solving:
        yield
