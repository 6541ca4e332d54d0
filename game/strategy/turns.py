"""One turn with three dice, worked out backwards from what its end is worth.

What can fall, and what may be kept, turned and thrown again, is asked of the rules' own ``rolls``
and ``legal_actions``, once for each game; a turn is then some hundred sums. Worths are floats, or
Fractions where chances are asked for as these: then all of it is exact.

Lists say what something is worth: by hand, as in ``HANDS``, to end a turn with three dice; by what
lies aside, as in ``ASIDES``, to throw the other dice.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from operator import itemgetter, mul
from typing import Any

from game.actions import Keep, Roll, SeatAction
from game.coaster.state import MOST_THROWS, CoasterMatch
from game.coaster.values import CUP
from game.dice import FACES, Dice, high_to_low
from game.engines import legal_actions, new_match, rolls
from game.rules import RULES
from game.status import Phase

Worths = list[Any]


def _dice(number: int) -> Iterator[Dice]:
    return map(high_to_low, combinations_with_replacement(FACES, number))


HANDS = tuple(_dice(CUP))
"""What three dice can show, 56 hands, each sorted high to low."""
ASIDES = tuple(dice for number in range(CUP) for dice in _dice(number))
"""What can lie aside when a throw is due, 28 of them; the first is nothing."""
HAND = {dice: place for place, dice in enumerate(HANDS)}
ASIDE = {dice: place for place, dice in enumerate(ASIDES)}


def kept(aside: Dice, keep: Keep) -> Dice:
    """Return what lies aside after ``keep``, high to low."""
    return high_to_low(aside + keep.aside + (1,) * keep.turned)


class _Throw:
    """One throw, by what lies aside: what it can show, and what may follow that.

    Places count through ``HANDS``, to stop, and on through ``ASIDES``, to throw again.
    """

    def __init__(self, game: str, thrown: int, limit: int, turning: bool, exact: bool) -> None:
        start = new_match(RULES[game], ("first", "second"), 0)
        assert isinstance(start, CoasterMatch), "a game of three dice"
        goes_on = thrown < limit or thrown == MOST_THROWS
        self.chances: list[Worths] = []
        self.places: list[list[tuple[int, ...]]] = []
        for aside in ASIDES:
            match = start.replace(aside=aside)
            fallen = rolls(match)
            self.chances.append([c if exact else float(c) for _, c in fallen])
            match = match.replace(phase=Phase.THROWN, throws=thrown, limit=limit)
            self.places.append(
                [_places(match.replace(dice=roll.dice), goes_on, turning) for roll, _ in fallen]
            )
        self._stops = [itemgetter(*(each[0] for each in row)) for row in self.places]
        self._choices = [
            [(fell, itemgetter(*each)) for fell, each in enumerate(row) if len(each) > 1]
            for row in self.places
        ]

    def worths(self, ends: Worths, again: Worths, asides: int = len(ASIDES)) -> Worths:
        """What the throw is worth by what lies aside, so many of it, if the best follows it."""
        worths, found = [*ends, *again], []
        for chances, stops, choices in zip(self.chances[:asides], self._stops, self._choices):
            fallen = list(stops(worths))
            for fell, choice in choices:
                fallen[fell] = max(choice(worths))
            found.append(sum(map(mul, chances, fallen)))
        return found


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
def throw(game: str, thrown: int, limit: int, turning: bool = True, exact: bool = False) -> _Throw:
    return _Throw(game, thrown, limit, turning, exact)


class Turn:
    """The best turn of somebody who may throw ``limit`` times, 1 to 3.

    Args:
        ends: by how often was thrown, from once on, what it is worth to stop, by hand.
        covered: what a covered third throw is worth, by what lies aside (T-5); None where it is
            open.
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
        self._throws = [throw(game, n + 1, limit, turning, exact) for n in range(limit)]
        again: Worths = []
        self._worths = [again]
        if limit == MOST_THROWS:
            self._throws.append(throw(game, 1, 1, turning, exact))  # the bonus throw
            again = self._throws[-1].worths(ends[-1], again)
            self._worths.insert(0, again)
        for number in reversed(range(limit)):
            if covered is not None and number == MOST_THROWS - 1:
                again = covered
            else:
                asides = len(ASIDES) if number else 1  # nothing lies aside at first
                again = self._throws[number].worths(ends[number], again, asides)
            self._worths.insert(0, again)

    @property
    def worth(self) -> Any:
        """What the turn is worth."""
        return self._worths[0][0]

    def options(self, match: CoasterMatch) -> Mapping[SeatAction, Any]:
        """What each legal action is worth to somebody who has thrown."""
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
        """The chance of every hand to end with, if all that is still done is best.

        That is by how often was thrown then, and by hand. ``thrown`` is how often he has thrown so
        far, ``aside`` what lies aside, his other dice to be thrown.
        """
        finals = [[0.0] * len(HANDS) for _ in self._throws]
        reached = {ASIDE[aside]: 1.0}
        for number in range(thrown, len(self._throws)):
            one, ended = self._throws[number], finals[number]
            worths = [*self._ends[min(number, self._limit - 1)], *self._worths[number + 1]]
            then: dict[int, float] = {}
            for place, chance in reached.items():
                for each, places in zip(one.chances[place], one.places[place]):
                    best = max(places, key=worths.__getitem__)
                    if best < len(HANDS):
                        ended[best] += chance * each
                    else:
                        best -= len(HANDS)
                        then[best] = then.get(best, 0.0) + chance * each
            reached = then
        return finals
