"""A round of ``maxen`` or ``chicago`` between two, solved exactly, for any worth of its end.

One player gains what the other loses. The second player throws against the first one's hand, and
the first one against the best answer. Covered dice of ``maxen`` are known to nobody. They are
lifted in playing order, and turned for a bonus throw or not (T-5).
"""

from collections.abc import Callable
from functools import cache

from game.coaster.customs import CUSTOMS, RANKS
from game.coaster.state import MOST_THROWS, CoasterHand
from game.coaster.values import ONES
from game.dice import Dice
from game.strategy.turns import ASIDE, ASIDES, HANDS, TURNED, CoasterTurn, Worths, throws

GENERAL = 0
"""The stake if the best hand is three ones: no number of coasters (R-MAX-4, R-CHI-2)."""


def at_stake(game: str, best: Dice) -> int:
    """Return how many coasters a round moves by its best hand, high to low; or ``GENERAL``."""
    return GENERAL if best == ONES else CUSTOMS[game].worths[best]


Price = Callable[[bool, int], float]
"""The worth of a round's end to its second player, by whether they won, and by the stake.

The first player's worth is its negative, up to a constant."""


class Duel:
    """A round of two, with the best turn of each player from any position."""

    def __init__(self, game: str, price: Price) -> None:
        self._game, self._price, self._ranks = game, price, RANKS[game]
        self._shows = {self._ranks[hand]: hand for hand in HANDS}
        self._stops = cache(self._settled)
        self._lifts = cache(lambda rank: self._lifted(self._stops(rank)))
        self._first_lifts = cache(self._first_lifted)
        self._answers = cache(self._answered)
        self.opening = cache(self._opened)

    def _opened(self, limit: int = 0) -> CoasterTurn:
        """Return the first player's turn; its ``worth`` is the worth of the round to that player.

        ``limit`` is how often both may throw, 1 to 3; 0 if the player leads and so sets that limit.
        """
        throws = limit or MOST_THROWS
        covers, covered = CUSTOMS[self._game].third_covered and throws == MOST_THROWS, None
        ends = [self._left(limit or number + 1) for number in range(throws - covers)]
        if covers:
            ends.append(ends[-1])  # not used: nobody stops at a covered throw
            hidden = (self.answer(CoasterHand(aside, None, True), MOST_THROWS) for aside in ASIDES)
            covered = [-answer.worth for answer in hidden]
        return CoasterTurn(self._game, throws, ends, covered)

    def _left(self, limit: int) -> Worths:
        """Return the worth to the first player of stopping with ``limit`` throws, by hand."""
        return [-self._answers(self._ranks[hand], limit).worth for hand in HANDS]

    def answer(self, first: CoasterHand, limit: int) -> CoasterTurn:
        """Return the second player's turn against the first one's hand."""
        if not first.covered:
            return self._answers(self._rank(first), limit)
        aside = ASIDE[first.aside]
        ends = [self._first_lifts(self._ranks[hand], False)[aside] for hand in HANDS]
        covered = [self._first_lifts(place, True)[aside] for place in range(len(ASIDES))]
        return CoasterTurn(self._game, limit, [ends] * limit, covered)

    def bonus(self, second: CoasterHand) -> CoasterTurn:
        """Return the first player's bonus throw in ``maxen``, once both have thrown."""
        known = ASIDE[second.aside] if second.covered else self._rank(second)
        return CoasterTurn(
            self._game, MOST_THROWS, [self._against(known, second.covered)] * MOST_THROWS
        )

    def _answered(self, first: int, limit: int) -> CoasterTurn:
        return CoasterTurn(self._game, limit, [self._stops(first)] * limit)

    def _settled(self, first: int) -> Worths:
        """Return the worth of two open hands to the second player, by the second hand."""
        lost = self._price(False, at_stake(self._game, self._shows[first]))
        return [
            self._price(True, at_stake(self._game, hand)) if self._ranks[hand] > first else lost
            for hand in HANDS
        ]

    def _lifted(self, ends: Worths) -> Worths:
        """Return the worth of a covered throw by the dice aside: lifted and, if best, turned."""
        *_, third, bonus = throws(self._game, MOST_THROWS)
        return third.worths(ends, bonus.worths(ends, [], TURNED))

    def _first_lifted(self, second: int, covered: bool) -> Worths:
        """Return the worth of the first player's covered throw to the second, by the dice aside."""
        return [-worth for worth in self._lifted(self._against(second, covered))]

    def _against(self, second: int, covered: bool) -> Worths:
        """Return the worth of the first player's lifted hands to that player.

        ``second`` is the rank of the other hand; if that is ``covered``, the place of its dice
        aside.
        """
        if covered:
            return [-self._lifts(self._ranks[hand])[second] for hand in HANDS]
        place = HANDS.index(self._shows[second])
        return [-self._stops(self._ranks[hand])[place] for hand in HANDS]

    def _rank(self, hand: CoasterHand) -> int:
        assert hand.dice is not None, "it lies open"
        return self._ranks[hand.aside + hand.dice]
