"""The final hands of players of ``maxen`` or ``chicago``, each against a hand to beat.

The worth of a throw depends on the hands that it may still bring. Two hands to beat with none of
these between them leave it the same, and it is worked out once. Players who make the same choices
share their final hands.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Hashable
from functools import cache
from itertools import accumulate, chain
from typing import NamedTuple

from game.coaster.customs import RANKS
from game.strategy.turns import ASIDES, HANDS, LIE_ASIDE, Worths, finals, throws


@cache
def ladder(game: str) -> tuple[int, ...]:
    """Return all ranks, the lowest first."""
    return tuple(sorted(set(RANKS[game].values())))


@cache
def ranks(game: str) -> tuple[int, ...]:
    """Return the ranks of ``HANDS``."""
    return tuple([RANKS[game][hand] for hand in HANDS])


class Facing:
    """The chances of a player's final hands, from those by number of throws and by hand."""

    def __init__(self, game: str, finals: list[list[float]]) -> None:
        self._ladder = ladder(game)
        each = dict.fromkeys(self._ladder, 0.0)
        for rank, chance in zip(ranks(game), map(sum, zip(*finals))):
            each[rank] += chance
        self._sums = [0.0, *accumulate(each.values())]

    def up_to(self, rank: float) -> float:
        """Return the chance that the hand ends with that rank, or a lower one."""
        return self._sums[bisect(self._ladder, rank)]


class _Way(NamedTuple):
    """The best choices after a throw: places by outcome, and the dice aside that they lead to."""

    places: tuple[int, ...]
    asides: tuple[int, ...]


_Solved = tuple[float, _Way]


class Replies:
    """The best turns of players who may throw ``limit`` times, 1 to 3."""

    def __init__(self, game: str, limit: int) -> None:
        self._game, self._throws = game, throws(game, limit)
        self._known: dict[Hashable, list[list[dict[int, _Solved]]]] = {}
        """Solved throws: by goal, number, dice aside, and how many hands do not beat the mark."""
        self._ways: dict[tuple[int, ...], _Way] = {}
        self._facings: dict[tuple[int, ...], Facing] = {}

    def facing(self, goal: Hashable, mark: float, ends: Worths) -> Facing:
        """Return the final hands of the best turn.

        Args:
            goal: names the worths of stopping. For one goal they depend on the hand, and on whether
                its rank is above ``mark``.
            mark: the rank of the hand to beat.
            ends: the worths of stopping, by hand.
        """
        known = self._known.get(goal)
        if known is None:
            known = self._known[goal] = [[{} for _ in ASIDES] for _ in self._throws]
        beaten, again, solved = _beaten(self._game, mark), list[float](), list[list[_Solved]]()
        for number in reversed(range(len(self._throws))):
            worths, found = [*ends, *again], list[_Solved]()
            for aside, (kept, at) in enumerate(zip(known[number][: LIE_ASIDE[number]], beaten)):
                each = kept.get(at)
                if each is None:
                    worth, best = self._throws[number].solve(aside, worths)
                    each = kept[at] = worth, self._way(best)
                found.append(each)
            again = [worth for worth, _ in found]
            solved.append(found)
        return self._followed([[way for _, way in found] for found in reversed(solved)])

    def _way(self, best: tuple[int, ...]) -> _Way:
        found = self._ways.get(best)
        if found is None:
            asides = (place - len(HANDS) for place in best if place >= len(HANDS))
            found = self._ways[best] = _Way(best, tuple(dict.fromkeys(asides)))
        return found

    def _followed(self, ways: list[list[_Way]]) -> Facing:
        """Return the final hands of players with the best choices by throw and dice aside."""
        asides, made = [0], list[int]()
        for by_aside in ways:
            reached = [by_aside[aside] for aside in asides]
            made += map(id, reached)
            asides = list(dict.fromkeys(chain.from_iterable([way.asides for way in reached])))
        key = tuple(made)
        found = self._facings.get(key)
        if found is None:
            chances = finals(self._throws, lambda number, aside: ways[number][aside].places)
            found = self._facings[key] = Facing(self._game, chances)
        return found


@cache
def _beaten(game: str, mark: float) -> tuple[int, ...]:
    """Return by dice aside how many ranks that may come of them are not above ``mark``."""
    return tuple([bisect(each, mark) for each in _to_come(game)])


@cache
def _to_come(game: str) -> tuple[list[int], ...]:
    """Return by dice aside the ranks of the hands that may come of them, the lowest first."""
    hands = [(Counter(hand), rank) for hand, rank in zip(HANDS, ranks(game))]
    return tuple(
        [sorted(rank for hand, rank in hands if Counter(aside) <= hand) for aside in ASIDES]
    )
