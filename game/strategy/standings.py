"""A whole match of a bluff game: every round solved for what its ends mean for the match.

Penalties only grow, so a match is worked out backwards from its last rounds. The worth of a round's
end is the chance not to lose from the standing that follows; with these worths the round is solved.
If each round is in equilibrium, so is the match, whatever players remember of earlier rounds.

A large table has too many standings for that. ``FromTable`` then solves only the round that is
played, from known worths of the standings that follow. ``ByLot`` solves it without them.

``told`` has the worths of ``class`` and ``holy-family`` that ``SHIPPED`` names. Solving a match of
``class`` backwards takes 2 s among four and twenty minutes among eight on a desk computer,
``holy-family`` one minute among three and 20 among four. ``python -m tests.game.strategy.shipped``
did it; a test checks it against the rules. The solver rounds each worth when it finds it, so that
all later ones follow from the rounded ones. Among three and more an equilibrium can hang on a
preference smaller than any rounding.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import factorial, fsum
from struct import Struct
from typing import NamedTuple

from game.bluff.legality import playing_order
from game.bluff.rules import BLUFF_GAMES, BluffRules, Match
from game.strategy.bluff import Round
from game.strategy.ends import Ends, Worths, counted, is_here, results, shifted, table

_KEPT = 4096
"""The number of standings by lot, the last ones asked for, that are kept."""
Standing = tuple[tuple[int, ...], int]
"""The penalties of the players who are in, from the opener in playing order, and how many are
out."""


class Standings:
    """The worths of the standings of a match, and the rounds that are played from them.

    A round is solved with all that can follow it, and kept.
    """

    def __init__(self, rules: BluffRules) -> None:
        self.rules = rules
        self.limit = rules.credit + 1 if rules.stakes == "matches" else rules.points
        """The number of penalties that loses; 0 for a match without an end of its own."""
        self._rounds: dict[Standing, Round] = {}

    def round(self, standing: Standing) -> Round:
        """Return the round that is played from a standing, to be solved for ``ends``."""
        found = self._rounds.get(standing)
        if found is None:
            found = Round(self.rules, len(standing[0]), self.ends(standing), at_once=False)
            self._rounds[standing] = found
        return found

    def worths(self, standing: Standing) -> Worths:
        """Return the chances not to lose, 0 to 1, from a standing on."""
        return self.round(standing).worths

    def ends(self, standing: Standing) -> Ends:
        """Return the worth of each end of a round: the chance not to lose the match, 0 to 1.

        In a match without an end of its own it counts penalties.
        """
        if not self.limit:
            return counted(len(standing[0]))
        return lambda payer, cost, turned: self.after(standing, ((payer, cost),), turned)

    def after(self, standing: Standing, paid: Sequence[tuple[int, int]], turned: bool) -> Worths:
        """Return the worths of a round's end to the players of that round, from its opener on.

        ``paid`` are places with the 1 or 2 that they pay; the first of them opens next. ``turned``
        is as in ``Ends``. The booking is that of ``game.bluff.moves`` (R-CLASS-1, R-CLASS-2,
        R-HF-4).
        """
        rules, (before, out) = self.rules, standing
        tallies, seats = list(before), len(before)
        gone: list[int] = []
        for place, cost in paid:
            tallies[place] += 1 if rules.credit else cost
            if tallies[place] >= self.limit and (rules.credit or out < rules.losers):
                gone.append(place)
                out += 1
        ends = rules.ends == "first_out" and gone if rules.credit else out == rules.losers
        if ends or len(gone) == seats - 1:
            return tuple(float(place not in gone) for place in range(seats))
        first, step = paid[0][0], -1 if turned else 1
        if not gone and not turned:  # the usual case
            following = self.worths((tuple(tallies[first:] + tallies[:first]), out))
            return shifted(following, -first)
        order = [p for by in range(seats) if (p := (first + step * by) % seats) not in gone]
        following = self.worths((tuple([tallies[place] for place in order]), out))
        worths = dict(zip(order, following))
        return tuple([worths.get(place, 0.0) for place in range(seats)])


class ByLot(Standings):
    """The same, with each later penalty, of 1, equally likely for every seat.

    Each round is therefore solved alone, on demand. Two players who play for points have exact
    worths instead, though for towers as rare as usual.
    """

    def __init__(self, rules: BluffRules) -> None:
        super().__init__(rules)
        self._lots: dict[Standing, Worths] = {}

    def round(self, standing: Standing) -> Round:
        """Return the round that is played from a standing: see ``Standings``."""
        return Round(self.rules, len(standing[0]), self.ends(standing), at_once=False)

    def worths(self, standing: Standing) -> Worths:
        """Return the chances not to lose, 0 to 1, from a standing on."""
        tallies, out = standing
        if self.rules.points and len(tallies) == 2:
            own, other = (self.limit - tally for tally in tallies)
            opener: float = results()["points"][own - 1][other - 1]
            return opener, 1 - opener
        if self.rules.points and out == self.rules.losers - 1:
            left = [self.limit - tally for tally in tallies]
            chances = _last_loser(tuple(sorted(left)))
            return tuple([chances[own] for own in left])
        order = sorted(range(len(tallies)), key=tallies.__getitem__)  # by lot, seats do not matter
        key = tuple(tallies[place] for place in order), out
        found = self._lots.get(key)
        if found is None:
            ends = [self.after(key, ((payer, 1),), False) for payer in range(len(order))]
            found = tuple(fsum(each) / len(order) for each in zip(*ends))
            self._lots[key] = found
        return tuple(found[order.index(place)] for place in range(len(order)))


@lru_cache(_KEPT)
def _last_loser(left: tuple[int, ...]) -> Mapping[int, float]:
    """Return the chances not to be the first to pay what is ``left``, from 1, to each; by that.

    If all pay by lot, the payments of each player are a Poisson process of rate 1, and all are
    independent. The chance that one is the first is the integral, over the time of its last
    payment, of the chances that the others have paid less by then.
    """
    chances: dict[int, float] = {}
    for own in set(left):
        others = list(left)
        others.remove(own)
        terms = [0.0] * (own - 1) + [1 / factorial(own - 1)]  # of a polynomial in the time
        for other in others:
            less = [1 / factorial(paid) for paid in range(other)]
            product = [0.0] * (len(terms) + other - 1)
            for power, term in enumerate(terms[own - 1 :], start=own - 1):
                for paid, each in enumerate(less):
                    product[power + paid] += term * each
            terms = product
        rates = float(len(left))
        chances[own] = 1 - fsum(
            term * factorial(power) / rates ** (power + 1) for power, term in enumerate(terms)
        )
    return chances


class ByOpener(ByLot):
    """The same, with the payer of the first round told by its place after the opener.

    Players who play for points share the payments of a round as they do in the solved round for
    penalties. The later rounds go by lot.
    """

    def __init__(self, rules: BluffRules) -> None:
        super().__init__(rules)
        self._later = ByLot(rules)

    def worths(self, standing: Standing) -> Worths:
        """Return the chances not to lose, 0 to 1, from a standing on."""
        seats = len(standing[0])
        if seats == 2 or not self.rules.points:
            return super().worths(standing)
        shares: list[list[float]] = results()["payers"][str(seats)]
        ends = [
            (share, self._later.after(standing, ((place, cost),), False))
            for place, costs in enumerate(shares)
            for cost, share in enumerate(costs, start=1)
        ]
        whole = fsum(share for share, _ in ends)  # 1 but for rounding
        return tuple([fsum(share * each[p] for share, each in ends) / whole for p in range(seats)])


class FromTable(ByOpener):
    """The same with worths from ``known``, and as ``ByOpener`` where that returns None.

    The match is solved if ``known`` has every standing that follows a round, and agrees with the
    result.
    """

    def __init__(self, rules: BluffRules, known: Callable[[Standing], Worths | None]) -> None:
        super().__init__(rules)
        self._told = known

    def worths(self, standing: Standing) -> Worths:
        """Return the chances not to lose, 0 to 1, from a standing on."""
        return self._told(standing) or super().worths(standing)


def standing_of(match: Match) -> Standing:
    """Return the standing from which the running round is played."""
    return tuple(match.tally[seat] for seat in playing_order(match)), len(match.out)


class ShippedGame(NamedTuple):
    """The shipped tables of a game.

    Attributes:
        rules: of the matches that were solved.
        tallies: the number of possible tallies of a player who is in, from 0.
        players: the numbers of players that have a table.
    """

    rules: BluffRules
    tallies: int
    players: range

    def place(self, tallies: tuple[int, ...]) -> int:
        """Return the index of a standing, from 0."""
        found = 0
        for tally in tallies:
            found = self.tallies * found + tally
        return found


_USUAL = {rules.game: rules for rules in BLUFF_GAMES}
SHIPPED = {
    "class": ShippedGame(_USUAL["class"], 4, range(3, 9)),
    "holy-family": ShippedGame(_USUAL["holy-family"], 10, range(3, 5)),
}
"""By game."""


def is_told(rules: BluffRules, players: int) -> bool:
    """Return whether there is a table for so many who are in, with the usual options.

    A match for fewer points, or that two players lose, ends in such a match. Towers of another
    chance change little.
    """
    game = SHIPPED.get(rules.game)
    if game is None or players not in game.players or not is_here(rules.game, players):
        return False
    usual = replace(game.rules, fewest_players=rules.fewest_players)
    if rules.points:
        usual = replace(
            usual, points=rules.points, losers=rules.losers, tower_one_in=rules.tower_one_in
        )
    return rules == usual and rules.points <= game.rules.points


def told(rules: BluffRules, players: int) -> Callable[[Standing], Worths | None]:
    """Return the function from a standing of ``players`` to its worths, or to None if it has none.

    In ``class`` a standing has none if its opener has paid nothing and others have: that follows
    from no round. Before the last loser of ``holy-family`` only the last match is solved.
    """
    game = SHIPPED[rules.game]
    kept, row = table(rules.game, players), Struct(f">{players}e")
    spared, out_before = game.rules.points - rules.points, rules.losers - 1 if rules.points else 0

    def worths(standing: Standing) -> Worths | None:
        tallies, out = standing
        if len(tallies) != players or out != out_before:
            return None
        spent = tuple([tally + spared for tally in tallies]) if spared else tallies
        loses = row.unpack_from(kept, row.size * game.place(spent))
        return tuple([1.0 - each for each in loses]) if any(loses) else None

    return worths
