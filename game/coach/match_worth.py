"""What a bluff match is worth to everybody between two rounds, by the reference's play."""

from collections.abc import Callable, Sequence
from functools import cache

from game.bluff.position import playing_order
from game.bluff.rules import BluffRules
from game.bluff.state import Match
from game.coach.analysis import Unit
from game.coach.reference import End, reference

MOST_POSITIONS = 70_000
"""Matches with more standings are judged by counted penalties."""


class MatchWorth:
    """Worths of one game for ``seats`` players who begin it; standings are worked out once."""

    def __init__(self, rules: BluffRules, seats: int) -> None:
        self._rules = rules
        self._limit = rules.credit + 1 if rules.stakes == "matches" else rules.points
        ends = self._limit and self._limit**seats <= MOST_POSITIONS
        self.unit: Unit = "chance" if ends else "penalties"
        self._known: dict[tuple[tuple[int, ...], int], tuple[float, ...]] = {}

    def of_end(self, match: Match, order: tuple[int, ...]) -> Callable[[End], tuple[float, ...]]:
        """Return what each end of the round that runs is worth, by seat.

        ``order`` are the seats that play, from the opener in playing order.
        """
        out = len(match.out)
        tallies = tuple(match.tally[seat] for seat in order)

        @cache
        def worth(end: End) -> tuple[float, ...]:
            if self.unit == "penalties":
                tally = list(match.tally)
                for place, cost in end.paid:
                    tally[order[place]] += cost
                return fewer(tally)
            worths = [0.0] * len(match.players)
            for seat, chance in zip(order, self._followed(tallies, out, end)):
                worths[seat] = chance
            return tuple(worths)

        return worth

    def between(self, match: Match) -> tuple[float, ...]:
        """Return what a match is worth by seat before a round begins, or when it is over."""
        if self.unit == "penalties":
            return fewer(match.tally)
        if match.outcome is not None:
            losers = match.outcome.losers
            left = (*losers, *match.outcome.left)
            return tuple(float(seat not in left) for seat in range(len(match.players)))
        order = playing_order(match)
        chances = self._chances(tuple(match.tally[seat] for seat in order), len(match.out))
        by_seat = dict(zip(order, chances))
        return tuple(by_seat.get(seat, 0.0) for seat in range(len(match.players)))

    def _chances(self, tallies: tuple[int, ...], out: int) -> tuple[float, ...]:
        """The chances not to lose, from the opener in playing order."""
        key = tallies, out
        found = self._known.get(key)
        if found is None:
            play = reference(self._rules, len(tallies))
            sums = [0.0] * len(tallies)
            for end, chance in play.opening.items():
                followed = self._followed(tallies, out, end)
                sums = [total + chance * each for total, each in zip(sums, followed)]
            found = self._known[key] = tuple(sums)
        return found

    def _followed(self, tallies: tuple[int, ...], out: int, end: End) -> tuple[float, ...]:
        """The chances not to lose after a round, in the order that it was played in.

        As ``game.bluff.rounds`` books it (R-CLASS-1, R-CLASS-2, R-HF-4).
        """
        rules, after = self._rules, list(tallies)
        alive = [True] * len(after)
        for place, cost in end.paid:
            after[place] += 1 if rules.credit else cost
            if after[place] >= self._limit and (rules.credit or out < rules.losers):
                alive[place], out = False, out + 1
        over = rules.ends == "first_out" if rules.credit else out == rules.losers
        if (
            sum(alive) == 1
            or (over and not all(alive))
            or (out == rules.losers and not rules.credit)
        ):
            return tuple(map(float, alive))
        step = -1 if end.turned else 1
        opener = end.paid[0][0]
        places = [(opener + step * k) % len(after) for k in range(len(after))]
        order = [place for place in places if alive[place]]
        chances = dict(zip(order, self._chances(tuple(after[p] for p in order), out)))
        return tuple(chances.get(place, 0.0) for place in range(len(after)))


def fewer(tally: Sequence[float]) -> tuple[float, ...]:
    """Return how many fewer penalties each has than the others in the mean."""
    whole, others = sum(tally), max(1, len(tally) - 1)
    return tuple((whole - own) / others - own for own in tally)


@cache
def match_worth(rules: BluffRules, seats: int) -> MatchWorth:
    """Return the worths of a game; made once."""
    return MatchWorth(rules, seats)
