"""A whole match of a bluff game: every round solved for what its ends mean for the match.

Penalties only grow, so a match is worked out backwards from its last rounds: what a round's end is
worth is the chance not to lose from the standing that follows, and with these the round is solved.
Where each round is in equilibrium, so is the match, whatever anybody remembers of earlier rounds.
"""

from game.bluff.position import playing_order
from game.bluff.rules import BluffRules
from game.bluff.state import Match
from game.strategy.bluff import Round
from game.strategy.ends import Ends, Worths, counted

Standing = tuple[tuple[int, ...], int]
"""The penalties of those who are in, from the opener in playing order, and how many are out."""


class Standings:
    """The rounds of a match, each solved when it is asked for, with all that can follow it."""

    def __init__(self, rules: BluffRules) -> None:
        self.rules = rules
        self._limit = rules.credit + 1 if rules.stakes == "matches" else rules.points
        self._rounds: dict[Standing, Round] = {}

    def round(self, standing: Standing) -> Round:
        """The round that is played from a standing; ``worths`` are chances not to lose."""
        found = self._rounds.get(standing)
        if found is None:
            found = Round(self.rules, len(standing[0]), self.ends(standing))
            self._rounds[standing] = found
        return found

    def ends(self, standing: Standing) -> Ends:
        """What each end of a round is worth: the chance not to lose the match, 0 to 1.

        In a match without an end of its own they count penalties.
        """
        if not self._limit:
            return counted(len(standing[0]))
        return lambda payer, cost, turned: self._after(standing, payer, cost, turned)

    def _after(self, standing: Standing, payer: int, cost: int, turned: bool) -> Worths:
        """As ``game.bluff.rounds`` books it (R-CLASS-1, R-CLASS-2, R-HF-4)."""
        rules, (before, out) = self.rules, standing
        tallies, seats = list(before), len(before)
        tallies[payer] += 1 if rules.credit else cost
        goes = tallies[payer] >= self._limit
        out += goes
        ends = rules.ends == "first_out" if rules.credit else out == rules.losers
        if goes and (ends or seats == 2):
            return tuple(float(place != payer) for place in range(seats))
        step = -1 if turned else 1
        order = [(payer + step * by) % seats for by in range(seats)][goes:]
        worths = [0.0] * seats
        following = self.round((tuple(tallies[place] for place in order), out)).worths
        for place, worth in zip(order, following):
            worths[place] = worth
        return tuple(worths)


def standing_of(match: Match) -> Standing:
    """The standing from which the round that runs is played."""
    return tuple(match.tally[seat] for seat in playing_order(match)), len(match.out)
