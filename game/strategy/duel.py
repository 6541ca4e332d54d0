"""A round of ``maxen`` or ``chicago`` between two, exactly, for whatever its end is worth to them.

What one gains the other loses. The second player throws against the first one's hand, and the first
one for what that leaves to him. Covered dice of ``maxen`` are known to nobody until they are lifted
in playing order, and turned for a bonus throw or not (T-5).
"""

from collections.abc import Callable
from functools import cache

from game.coaster.state import MOST_THROWS, Hand
from game.coaster.values import ONES, RANKS, WORTH
from game.dice import Dice
from game.strategy.turns import ASIDE, ASIDES, HANDS, Turn, Worths, throw

GENERAL = 0
"""What is at stake where the best hand is three ones: no number of coasters (R-MAX-4, R-CHI-2)."""


def at_stake(game: str, best: Dice) -> int:
    """Return how many coasters a round moves by its best hand, high to low; or ``GENERAL``."""
    if best == ONES:
        return GENERAL
    return WORTH[best] if game == "maxen" else 1


Price = Callable[[bool, int], float]
"""What the end of a round is worth to its second player: whether he won, and what was at stake.

To the first one it is the same with its sign turned, but for a constant.
"""


class Duel:
    """A round of two, with the best turn of each wherever it may stand."""

    def __init__(self, game: str, price: Price) -> None:
        self._game, self._price, self._ranks = game, price, RANKS[game]
        self._shows = {self._ranks[hand]: hand for hand in HANDS}
        self._stops = cache(self._settled)
        self._lifts = cache(lambda rank: self._lifted(self._stops(rank)))
        self._first_lifts = cache(self._first_lifted)
        self._answers = cache(self._answered)
        self.opening = cache(self._opened)

    def _opened(self, limit: int = 0) -> Turn:
        """The first player's turn; its ``worth`` is what the round is worth to him.

        ``limit`` is how often both may throw, 1 to 3; 0 where he leads and so sets that limit.
        """
        throws = limit or MOST_THROWS
        covers, covered = self._game == "maxen" and throws == MOST_THROWS, None
        ends = [self._left(limit or number + 1) for number in range(throws - covers)]
        if covers:
            ends.append(ends[-1])  # of no account: nobody stops at a covered throw
            hidden = (self.answer(Hand(aside, None, True), MOST_THROWS) for aside in ASIDES)
            covered = [-answer.worth for answer in hidden]
        return Turn(self._game, throws, ends, covered)

    def _left(self, limit: int) -> Worths:
        """What it is worth to the first player to stop and leave so many throws, by hand."""
        return [-self._answers(self._ranks[hand], limit).worth for hand in HANDS]

    def answer(self, first: Hand, limit: int) -> Turn:
        """The second player's turn against the first one's hand."""
        if not first.covered:
            return self._answers(self._rank(first), limit)
        aside = ASIDE[first.aside]
        ends = [self._first_lifts(self._ranks[hand], False)[aside] for hand in HANDS]
        covered = [self._first_lifts(place, True)[aside] for place in range(len(ASIDES))]
        return Turn(self._game, limit, [ends] * limit, covered)

    def bonus(self, second: Hand) -> Turn:
        """The first player's bonus throw in ``maxen``, once both have thrown."""
        known = ASIDE[second.aside] if second.covered else self._rank(second)
        return Turn(self._game, MOST_THROWS, [self._against(known, second.covered)] * MOST_THROWS)

    def _answered(self, first: int, limit: int) -> Turn:
        return Turn(self._game, limit, [self._stops(first)] * limit)

    def _settled(self, first: int) -> Worths:
        """What two open hands are worth to the second player, by his."""
        lost = self._price(False, at_stake(self._game, self._shows[first]))
        return [
            self._price(True, at_stake(self._game, hand)) if self._ranks[hand] > first else lost
            for hand in HANDS
        ]

    def _lifted(self, ends: Worths) -> Worths:
        """What a covered throw is worth, by what lies aside: lifted and, if best, turned."""
        last = throw(self._game, 1, 1).worths(ends, [])
        return throw(self._game, MOST_THROWS, MOST_THROWS).worths(ends, last)

    def _first_lifted(self, second: int, covered: bool) -> Worths:
        """What the first one's covered throw is worth to the second, by what lies aside there."""
        return [-worth for worth in self._lifted(self._against(second, covered))]

    def _against(self, second: int, covered: bool) -> Worths:
        """What the first one's lifted hands are worth to him.

        ``second`` is the rank of the other hand; if it is ``covered``, what of it lies aside.
        """
        if covered:
            return [-self._lifts(self._ranks[hand])[second] for hand in HANDS]
        place = HANDS.index(self._shows[second])
        return [-self._stops(self._ranks[hand])[place] for hand in HANDS]

    def _rank(self, hand: Hand) -> int:
        assert hand.dice is not None, "it lies open"
        return self._ranks[hand.aside + hand.dice]
