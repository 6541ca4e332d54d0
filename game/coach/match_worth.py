"""The worth of a bluff match to every seat between two rounds, by the reference's play."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from operator import mul

from game.bluff.position import playing_order
from game.bluff.rules import BLUFF_GAMES, BluffRules
from game.bluff.state import Match
from game.coach.analysis import WorthUnit
from game.coach.reference import End, Reference, Scored, Stood, reference
from game.strategy import ByLot, Standing, Standings, standing_of
from game.strategy.ends import Worths

MOST_POSITIONS = 70_000
MOST_ROUNDS = 150
"""A match with more rounds, or more than `MOST_POSITIONS`, is judged by counted penalties."""

_SMALL = 64
"""The most standings of a match that is solved whole."""
_PIECE = 64
"""The number of standings that ``prepared`` works out per step, if each is quick."""
_USUAL = {rules.game: rules for rules in BLUFF_GAMES}


class MatchWorth(Standings):
    """Worths of one game for ``seats`` players who begin it; each standing is worked out once.

    ``for_score`` says whether the reference players play every round for the match.
    """

    def __init__(self, rules: BluffRules, seats: int) -> None:
        super().__init__(rules)
        ends = 0 < self.limit * seats <= MOST_ROUNDS and self.limit**seats <= MOST_POSITIONS
        self.unit: WorthUnit = "chance" if ends else "penalties"
        self._known: dict[Standing, Worths] = {}
        self._seats = seats
        self._solved = _solved(rules, seats)
        self.for_score = self._solved is not None

    def prepared(self) -> Iterator[None]:
        """Work out all that the first round needs, piece by piece. Calling this is optional."""
        if self.unit == "chance":
            standings = product(range(self.limit), repeat=self._seats)
            for number, tallies in enumerate(sorted(standings, key=sum, reverse=True)):
                self.worths((tallies, 0))
                if self.for_score or not number % _PIECE:
                    yield

    def play(self, match: Match) -> Reference:
        """Return how the round that begins is played."""
        if self._solved is None:
            return reference(self.rules, len(match.playing))
        return Scored(self._solved.round(standing_of(match)))

    def of_end(self, match: Match, order: tuple[int, ...]) -> Callable[[End | Stood, int], Worths]:
        """Return the worth of each end of the running round, by seat.

        ``order`` are the seats that play, from the opener in playing order. The second argument of
        the returned function is the number of seats after the opener from which the end counts.
        """
        standing = tuple(match.tally[seat] for seat in order), len(match.out)

        @cache
        def worth(end: End | Stood, by: int) -> Worths:
            end = end.moved(by, len(order))
            if isinstance(end, Stood):
                return self._by_seat(order, end.worths)
            if self.unit == "penalties":
                tally = list(match.tally)
                for place, cost in end.paid:
                    tally[order[place]] += cost
                return fewer(tally)
            return self._by_seat(order, self.after(standing, end.paid, end.turned))

        return worth

    def between(self, match: Match) -> Worths:
        """Return the worth of a match by seat before a round begins, or when it is over."""
        if self.unit == "penalties":
            return fewer(match.tally)
        if match.outcome is not None:
            losers = match.outcome.losers
            left = (*losers, *match.outcome.left)
            return tuple(float(seat not in left) for seat in range(len(match.players)))
        return self._by_seat(playing_order(match), self.worths(standing_of(match)))

    def _by_seat(self, order: Sequence[int], worths: Worths) -> Worths:
        by_seat = dict(zip(order, worths))
        return tuple(by_seat.get(seat, 0.0) for seat in range(self._seats))

    def worths(self, standing: Standing) -> Worths:
        """Return the chances not to lose, 0 to 1, from a standing on."""
        if self._solved is not None:
            return self._solved.worths(standing)
        found = self._known.get(standing)
        if found is None:
            opening = reference(self.rules, len(standing[0])).opening
            chances = tuple(opening.values())
            ends = [self.after(standing, end.paid, end.turned) for end in opening]
            found = tuple([sum(map(mul, chances, each)) for each in zip(*ends)])
            self._known[standing] = found
        return found


def _solved(rules: BluffRules, seats: int) -> Standings | None:
    """Return every round solved for the match, if the score counts and that is quick; else None."""
    if rules.stakes == "matches" and seats == 3 and (rules.credit + 1) ** seats <= _SMALL:
        return Standings(rules)
    if rules.points and seats == 2 and rules.tower_one_in == _USUAL[rules.game].tower_one_in:
        return ByLot(rules)
    return None


def fewer(tally: Sequence[float]) -> Worths:
    """Return by seat how many fewer penalties it has than the mean of the others."""
    whole, others = sum(tally), max(1, len(tally) - 1)
    return tuple((whole - own) / others - own for own in tally)


@cache
def match_worth(rules: BluffRules, seats: int) -> MatchWorth:
    """Return the worths of a game; made once."""
    return MatchWorth(rules, seats)
