"""One turn with three dice, worked out backwards; and the final hands of players behind.

The possible throws, keeps and turns come from the rules' own ``rolls`` and ``legal_actions``, once
for each game. A turn is then about a hundred sums. Worths are floats, or Fractions for exact
chances.

Lists hold worths. A list by hand, as in ``HANDS``, is for ending a turn with three dice. A list by
the dice aside, as in ``ASIDES``, is for throwing the other dice.

The worth of a throw depends on the hands that it may still bring. Two hands to beat with none of
these between them leave it the same, and it is worked out once. Players who make the same choices
share their final hands.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, chain, combinations_with_replacement
from operator import itemgetter, mul
from typing import Any, NamedTuple

from game.actions import Keep, Roll, SeatAction
from game.coaster.rules import COASTER_GAMES, CUP, MOST_THROWS, RANKS, CoasterMatch
from game.dice import FACES, Dice, high_to_low
from game.engines import legal_actions, new_match, rolls
from game.status import Phase

Worths = list[Any]


def _dice(number: int) -> Iterator[Dice]:
    return map(high_to_low, combinations_with_replacement(FACES, number))


HANDS = tuple(_dice(CUP))
"""The throws of three dice, 56 hands, each sorted high to low."""
ASIDES = tuple(
    sorted(
        [dice for number in range(CUP) for dice in _dice(number)],
        key=lambda dice: bool(dice) and 1 not in dice,
    )
)
"""The dice that can lie aside when a throw is due, 28 cases; the first is none."""
TURNED = 1 + sum(1 in dice for dice in ASIDES)
"""The number of the first of ``ASIDES`` that hold all that can lie aside after a turn of sixes."""
HAND = {dice: place for place, dice in enumerate(HANDS)}
ASIDE = {dice: place for place, dice in enumerate(ASIDES)}
_RULES = {rules.game: rules for rules in COASTER_GAMES}
_THROWS = {1: (None,), 2: (1, None), MOST_THROWS: (1, 1, MOST_THROWS, None)}
"""By limit: what may follow each throw, the bonus throw included, as in ``throw``."""
LIE_ASIDE = 1, len(ASIDES), len(ASIDES), TURNED
"""By throw: how many of ``ASIDES`` can lie aside before it."""


def kept(aside: Dice, keep: Keep) -> Dice:
    """Return the dice aside after ``keep``, high to low."""
    return high_to_low(aside + keep.aside + (1,) * keep.turned)


class Throw:
    """One throw, by the dice aside: its outcomes, and the choices after each.

    Places count through ``HANDS``, to stop, and on through ``ASIDES``, to throw again.
    """

    def __init__(self, game: str, thrown: int | None, turning: bool, exact: bool) -> None:
        start = new_match(_RULES[game], ("first", "second"), 0)
        self.chances: list[Worths] = []
        rows: list[list[tuple[int, ...]]] = []
        for aside in ASIDES:
            match = start.replace(aside=aside)
            fallen = rolls(match)
            self.chances.append([c if exact else float(c) for _, c in fallen])
            match = match.replace(phase=Phase.THROWN, throws=thrown or 1, limit=MOST_THROWS)
            after = [match.replace(dice=roll.dice) for roll, _ in fallen]
            rows.append([_places(each, thrown is not None, turning) for each in after])
        self._first = [tuple([each[0] for each in row]) for row in rows]
        self._stops = [itemgetter(*first) for first in self._first]
        self._choices = [
            [(fell, itemgetter(*each), each) for fell, each in enumerate(row) if len(each) > 1]
            for row in rows
        ]

    def worths(self, ends: Worths, again: Worths, asides: int = len(ASIDES)) -> Worths:
        """Return the worth of the throw for the first of ``ASIDES``, if the best follows."""
        worths, found = [*ends, *again], []
        for chances, stops, choices in zip(self.chances[:asides], self._stops, self._choices):
            fallen = list(stops(worths))
            for fell, choice, _ in choices:
                fallen[fell] = max(choice(worths))
            found.append(sum(map(mul, chances, fallen)))
        return found

    def solve(self, aside: int, worths: Worths) -> tuple[Any, tuple[int, ...]]:
        """Return the worth of the throw, and the place of the best choice after each outcome.

        ``aside`` is a place in ``ASIDES``, and ``worths`` are those of the places.
        """
        fallen, best = list(self._stops[aside](worths)), list(self._first[aside])
        for fell, choice, places in self._choices[aside]:
            each = choice(worths)
            fallen[fell] = most = max(each)
            best[fell] = places[each.index(most)]
        return sum(map(mul, self.chances[aside], fallen)), tuple(best)


def _places(match: CoasterMatch, goes_on: bool, turning: bool) -> tuple[int, ...]:
    assert match.dice is not None, "they have fallen"
    places = [HAND[high_to_low(match.aside + match.dice)]]
    for action in legal_actions(match) if goes_on else ():
        if isinstance(action, Roll):
            places.append(len(HANDS) + ASIDE[match.aside])
        elif isinstance(action, Keep) and (turning or not action.turned):
            places.append(len(HANDS) + ASIDE[kept(match.aside, action)])
    return tuple(places)


@cache
def throw(game: str, thrown: int | None, turning: bool, exact: bool) -> Throw:
    """Return a throw after which another may follow.

    ``thrown`` is 1; or 3 if only a turn of sixes brings another one, and None if nothing does.
    """
    return Throw(game, thrown, turning, exact)


def throws(game: str, limit: int, turning: bool = True, exact: bool = False) -> list[Throw]:
    """Return the throws of a player who may throw ``limit`` times, 1 to 3; the bonus throw too."""
    return [throw(game, thrown, turning, exact) for thrown in _THROWS[limit]]


class CoasterTurn:
    """The best turn of a player who may throw ``limit`` times, 1 to 3.

    Args:
        ends: the worth of stopping, by the number of throws, from 1, and by hand.
        covered: the worth of a covered third throw, by the dice aside (T-5); None if it is open.
        turning: whether sixes may be turned (T-3).
        exact: whether worths are Fractions.
    """

    def __init__(
        self,
        game: str,
        limit: int,
        ends: Sequence[Worths],
        covered: Worths | None = None,
        *,
        turning: bool = True,
        exact: bool = False,
    ) -> None:
        self._limit, self._ends = limit, ends
        self._throws = throws(game, limit, turning, exact)
        again: Worths = []
        self._worths = [again]
        for number in reversed(range(len(self._throws))):
            if covered is not None and number == MOST_THROWS - 1:
                again = covered
            else:
                asides = LIE_ASIDE[number]
                again = self._throws[number].worths(ends[min(number, limit - 1)], again, asides)
            self._worths.insert(0, again)

    @property
    def worth(self) -> Any:
        """The worth of the turn."""
        return self._worths[0][0]

    def options(self, match: CoasterMatch) -> Mapping[SeatAction, Any]:
        """Return the worth of each legal action to a player who has thrown."""
        dice, aside, thrown = match.dice, match.aside, match.throws
        assert dice is not None, "he has thrown, and his dice lie open"
        hand = HAND[high_to_low(aside + dice)]
        again = self._worths[thrown]
        worths: dict[SeatAction, Any] = {}
        for action in legal_actions(match):
            if isinstance(action, Keep):
                worths[action] = again[ASIDE[kept(aside, action)]]
            elif isinstance(action, Roll):
                worths[action] = again[ASIDE[aside]]
            else:
                worths[action] = self._ends[thrown - 1][hand]
        return worths

    def finals(self, thrown: int = 0, aside: Dice = ()) -> list[list[float]]:
        """Return the chance of every final hand, if the rest of the turn is best.

        It is by the number of throws then, and by hand. ``thrown`` is the number of throws so far,
        and ``aside`` are the dice aside; the others are to be thrown.
        """

        def best(number: int, aside: int) -> tuple[int, ...]:
            worths = [*self._ends[min(number, self._limit - 1)], *self._worths[number + 1]]
            return self._throws[number].solve(aside, worths)[1]

        return finals(self._throws, best, thrown, ASIDE[aside])


def finals(
    throws: Sequence[Throw],
    best: Callable[[int, int], tuple[int, ...]],
    thrown: int = 0,
    aside: int = 0,
) -> list[list[float]]:
    """Return ``CoasterTurn.finals`` for choices ``best`` by throw and by place in ``ASIDES``."""
    found = [[0.0] * len(HANDS) for _ in throws]
    reached = {aside: 1.0}
    for number in range(thrown, len(throws)):
        chances, then = [0.0] * (len(HANDS) + len(ASIDES)), dict[int, None]()
        for aside_now, chance in reached.items():
            choices = best(number, aside_now)
            then.update(dict.fromkeys(choices))
            for choice, each in zip(choices, throws[number].chances[aside_now]):
                chances[choice] += chance * each
        found[number] = chances[: len(HANDS)]
        reached = {p - len(HANDS): chances[p] for p in then if p >= len(HANDS)}
    return found


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
