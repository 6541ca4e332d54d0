"""The worth of a bluff match to every seat between two rounds, by the reference's play."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from operator import mul

from game.bluff.position import playing_order
from game.bluff.rules import BluffRules
from game.bluff.state import Match
from game.coach.analysis import WorthUnit
from game.coach.reference import End, Reference, Scored, Stood, reference
from game.strategy import Standing, Standings, standing_of
from game.strategy.book import MOST, PlaysFor, goal, of_standing, standings
from game.strategy.ends import Worths

MOST_ROUNDS = 150
"""A match of two with more rounds is judged by counted penalties."""
_PIECE = 64
"""The number of standings that ``prepared`` works out per step."""
_KEPT = 32
"""The number of rounds played for the match, the last ones asked for, that are kept."""


class MatchWorth(Standings):
    """Worths of one game for ``seats`` players who begin it, by the play of the book.

    ``goal`` is the goal of its first round. Two players who count penalties play for the match in
    ``class``: then each of their standings is worked out once.
    """

    def __init__(self, rules: BluffRules, seats: int) -> None:
        super().__init__(rules)
        self.goal = goal(rules, seats, seats)
        ends = self.goal is not PlaysFor.PENALTIES or (
            seats == 2 and 0 < self.limit * seats <= MOST_ROUNDS and self.limit**seats <= MOST
        )
        self.unit: WorthUnit = "chance" if ends else "penalties"
        self._known: dict[Standing, Worths] = {}
        self.seats = seats

    def prepared(self) -> Iterator[None]:
        """Work out all that the first round needs, piece by piece. Calling this is optional."""
        if self.unit == "chance" and self.goal is PlaysFor.PENALTIES:
            tallies = product(range(self.limit), repeat=self.seats)
            for number, each in enumerate(sorted(tallies, key=sum, reverse=True)):
                self.worths((each, 0))
                if not number % _PIECE:
                    yield

    def _goal(self, playing: int) -> PlaysFor:
        return goal(self.rules, self.seats, playing)

    def play(self, match: Match) -> Reference:
        """Return how the round that begins is played."""
        playing = len(match.playing)
        if self._goal(playing) is PlaysFor.PENALTIES:
            return reference(self.rules, playing)
        return _scored(self.rules, standing_of(match))

    def of_end(
        self, match: Match, order: tuple[int, ...], stood: Worths
    ) -> Callable[[End | Stood, int], Worths]:
        """Return the worth of each end of the running round, by seat.

        ``order`` are the seats that play, from the opener in playing order. The second argument of
        the returned function is the number of seats after the opener from which the end counts.
        ``stood`` are the counted penalties before the round, as worths.
        """
        standing = tuple(match.tally[seat] for seat in order), len(match.out)
        solved: Standings = self
        if self.unit == "chance" and self._goal(len(order)) is not PlaysFor.PENALTIES:
            solved = standings(self.rules, len(order))

        @cache
        def worth(end: End | Stood, by: int) -> Worths:
            end = end.moved(by, len(order))
            if isinstance(end, Stood):
                return self._by_seat(order, end.worths)  # its round is played for the match
            if self.unit == "penalties":
                paid = dict(end.paid)
                return self._counted(stood, order, [paid.get(p, 0) for p in range(len(order))])
            return self._by_seat(order, solved.after(standing, end.paid, end.turned))

        return worth

    def _counted(self, stood: Worths, order: Sequence[int], paid: Sequence[int]) -> Worths:
        """Return the worths after the seats of ``order`` have paid; the others are not compared."""
        less = dict(zip(order, fewer(paid)))
        return tuple([worth + less.get(seat, 0.0) for seat, worth in enumerate(stood)])

    def ended(self, before: Match, stood: Worths, match: Match) -> Worths:
        """Return the worth of a match after a round of ``before`` that is over."""
        if self.unit == "chance":
            return self.between(match)
        order = before.playing
        paid = [match.tally[seat] - before.tally[seat] for seat in order]
        return self._counted(stood, order, paid)

    def between(self, match: Match) -> Worths:
        """Return the chances not to lose, by seat, before a round begins or when it is over."""
        if match.outcome is not None:
            losers = match.outcome.losers
            left = (*losers, *match.outcome.left)
            return tuple(float(seat not in left) for seat in range(len(match.players)))
        return self._by_seat(playing_order(match), self.worths(standing_of(match)))

    def _by_seat(self, order: Sequence[int], worths: Worths) -> Worths:
        by_seat = dict(zip(order, worths))
        return tuple(by_seat.get(seat, 0.0) for seat in range(self.seats))

    def worths(self, standing: Standing) -> Worths:
        """Return the chances not to lose, 0 to 1, from a standing on."""
        playing = len(standing[0])
        if self._goal(playing) is not PlaysFor.PENALTIES:
            return standings(self.rules, playing).worths(standing)
        found = self._known.get(standing)
        if found is None:
            opening = reference(self.rules, playing).opening
            chances = tuple(opening.values())
            ends = [self.after(standing, end.paid, end.turned) for end in opening]
            found = tuple([sum(map(mul, chances, each)) for each in zip(*ends)])
            self._known[standing] = found
        return found


@lru_cache(_KEPT)
def _scored(rules: BluffRules, standing: Standing) -> Scored:
    """Return the round that is played for the match from a standing."""
    return Scored(of_standing(rules, standing).solved)


def fewer(tally: Sequence[float]) -> Worths:
    """Return by seat how many fewer penalties it has than the mean of the others."""
    whole, others = sum(tally), max(1, len(tally) - 1)
    return tuple((whole - own) / others - own for own in tally)


@cache
def match_worth(rules: BluffRules, seats: int) -> MatchWorth:
    """Return the worths of a game; made once."""
    return MatchWorth(rules, seats)
