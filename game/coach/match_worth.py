"""What a bluff match is worth to everybody between two rounds, by the reference's play."""

from collections.abc import Callable, Sequence
from functools import cache
from operator import mul

from game.bluff.position import playing_order
from game.bluff.rules import BluffRules
from game.bluff.state import Match
from game.coach.analysis import Unit
from game.coach.reference import End, reference
from game.strategy import Standing, Standings, standing_of
from game.strategy.ends import Worths

MOST_POSITIONS = 70_000
MOST_ROUNDS = 150
"""Matches with more standings, or that may last longer, are judged by counted penalties."""


class MatchWorth(Standings):
    """Worths of one game for ``seats`` players who begin it; standings are worked out once."""

    def __init__(self, rules: BluffRules, seats: int) -> None:
        super().__init__(rules)
        ends = 0 < self.limit * seats <= MOST_ROUNDS and self.limit**seats <= MOST_POSITIONS
        self.unit: Unit = "chance" if ends else "penalties"
        self._known: dict[Standing, Worths] = {}

    def of_end(self, match: Match, order: tuple[int, ...]) -> Callable[[End, int], Worths]:
        """Return what each end of the round that runs is worth, by seat.

        ``order`` are the seats that play, from the opener in playing order; an end counts from the
        seat so many after him as it is asked for.
        """
        standing = tuple(match.tally[seat] for seat in order), len(match.out)

        @cache
        def worth(end: End, by: int) -> Worths:
            end = end.moved(by, len(order))
            if self.unit == "penalties":
                tally = list(match.tally)
                for place, cost in end.paid:
                    tally[order[place]] += cost
                return fewer(tally)
            by_seat = dict(zip(order, self.after(standing, end.paid, end.turned)))
            return tuple(by_seat.get(seat, 0.0) for seat in range(len(match.players)))

        return worth

    def between(self, match: Match) -> Worths:
        """Return what a match is worth by seat before a round begins, or when it is over."""
        if self.unit == "penalties":
            return fewer(match.tally)
        if match.outcome is not None:
            losers = match.outcome.losers
            left = (*losers, *match.outcome.left)
            return tuple(float(seat not in left) for seat in range(len(match.players)))
        by_seat = dict(zip(playing_order(match), self.worths(standing_of(match))))
        return tuple(by_seat.get(seat, 0.0) for seat in range(len(match.players)))

    def worths(self, standing: Standing) -> Worths:
        """The chances not to lose, 0 to 1, from a standing on."""
        found = self._known.get(standing)
        if found is None:
            opening = reference(self.rules, len(standing[0])).opening
            chances = tuple(opening.values())
            ends = [self.after(standing, end.paid, end.turned) for end in opening]
            found = tuple([sum(map(mul, chances, each)) for each in zip(*ends)])
            self._known[standing] = found
        return found


def fewer(tally: Sequence[float]) -> Worths:
    """Return how many fewer penalties each has than the others in the mean."""
    whole, others = sum(tally), max(1, len(tally) - 1)
    return tuple((whole - own) / others - own for own in tally)


@cache
def match_worth(rules: BluffRules, seats: int) -> MatchWorth:
    """Return the worths of a game; made once."""
    return MatchWorth(rules, seats)
