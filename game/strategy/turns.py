"""One turn with three dice, worked out backwards from the worth of its end.

The possible throws, keeps and turns come from the rules' own ``rolls`` and ``legal_actions``, once
for each game. A turn is then about a hundred sums. Worths are floats, or Fractions for exact
chances.

Lists hold worths. A list by hand, as in ``HANDS``, is for ending a turn with three dice. A list by
the dice aside, as in ``ASIDES``, is for throwing the other dice.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from operator import itemgetter, mul
from typing import Any

from game.actions import Keep, Roll, SeatAction
from game.coaster.moves import new_match
from game.coaster.rules import COASTER_GAMES
from game.coaster.state import MOST_THROWS, CoasterMatch
from game.coaster.values import CUP
from game.dice import FACES, Dice, high_to_low
from game.engines import legal_actions, rolls
from game.status import Phase

Worths = list[Any]


def _dice(number: int) -> Iterator[Dice]:
    return map(high_to_low, combinations_with_replacement(FACES, number))


HANDS = tuple(_dice(CUP))
"""The throws of three dice, 56 hands, each sorted high to low."""
ASIDES = tuple(dice for number in range(CUP) for dice in _dice(number))
"""The dice that can lie aside when a throw is due, 28 cases; the first is none."""
HAND = {dice: place for place, dice in enumerate(HANDS)}
ASIDE = {dice: place for place, dice in enumerate(ASIDES)}
_RULES = {rules.game: rules for rules in COASTER_GAMES}


def kept(aside: Dice, keep: Keep) -> Dice:
    """Return the dice aside after ``keep``, high to low."""
    return high_to_low(aside + keep.aside + (1,) * keep.turned)


class _Throw:
    """One throw, by the dice aside: its outcomes, and the choices after each.

    Places count through ``HANDS``, to stop, and on through ``ASIDES``, to throw again.
    """

    def __init__(self, game: str, thrown: int, limit: int, turning: bool, exact: bool) -> None:
        start = new_match(_RULES[game], ("first", "second"), 0)
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
        """Return the worth of the throw for the first of ``ASIDES``, if the best follows."""
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
