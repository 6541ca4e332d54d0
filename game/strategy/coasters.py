"""A match of two at ``maxen`` or ``chicago``, worked out backwards, round by round.

One player gains what the other loses. The second player throws against the first one's hand, and
the first one against the best answer. Covered dice of ``maxen`` are known to nobody. They are
lifted in playing order, and turned for a bonus throw or not (T-5).

Two players compete for one loss: of a match of ``chicago`` (R-CHI-3), or of a half of ``maxen``
(R-MAX-3). Only chances not to lose count. ``chicago`` never comes back to a standing. In the second
phase of a half, coasters go to and fro, so its standings are solved together, by iteration until
they agree. That takes half a minute. ``two_players`` therefore has the results, and those of
``chicago``.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache

from game.coaster.rules import CUSTOMS, MOST_THROWS, ONES, RANKS, RICH, CoasterHand, CoasterRules
from game.dice import Dice
from game.strategy.ends import results
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


Standing = tuple[int, tuple[int, ...]]
"""The coasters in the pile, and those of the players in play, from the leader on."""

CLOSE = 1e-13
"""The iteration ends when no chance changes by more than this; chosen, above rounding."""
ROUND = 3
"""The number of sweeps after which the limit is extrapolated; chosen."""


def standings(rules: CoasterRules, players: int) -> Iterator[Standing]:
    """Yield those of ``players`` in play, without a pile first, the others' coasters ascending.

    Without halves, others may have left with some of the coasters (R-CHI-2).
    """
    most = rules.coasters
    for pile in range(most + 1):
        for held in range(0 if pile else players, most - pile + 1):
            if not rules.customs.halves or held == most - pile:
                for first in range(0 if pile else 1, held + 1):
                    for others in _shared(held - first, players - 1, 0 if pile else 1):
                        yield pile, (first, *others)


def _shared(coasters: int, players: int, least: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to share them out, ascending, each with ``least`` or more."""
    if players == 1:
        yield from [(coasters,)] * (coasters >= least)
        return
    for one in range(least, coasters // players + 1):
        for others in _shared(coasters - one, players - 1, one):
            yield (one, *others)


def booked(
    rules: CoasterRules, standing: Standing, best: int, worst: int, stake: int
) -> tuple[Standing, list[int]]:
    """Return the standing after a round, and the places of its players in that round.

    ``best`` and ``worst`` are the places of the round's highest and lowest hand, ``stake`` is that
    of ``at_stake``. With halves, a General ends the half, and is not booked here. The booking is
    that of ``game.coaster.moves``.
    """
    (pile, before), halves = standing, rules.customs.halves
    held, deals, moved = list(before), pile > 0, stake if halves else 1
    if deals:
        moved = min(moved, pile)
        held[worst], pile = held[worst] + moved, pile - moved
    else:
        moved = held[best] if stake == GENERAL else min(moved, held[best])
        held[best] -= moved
        held[worst] += moved * halves
    gone = {best} if deals and stake == GENERAL else set()
    turns = [(worst + by) % len(held) for by in range(len(held))]
    order = [place for place in turns if place not in gone and (pile or held[place])]
    return (pile, tuple(held[place] for place in order)), order


def are_solved(rules: CoasterRules) -> bool:
    """Return whether two play for the match: there are no more coasters than usual."""
    shipped = results()["coasters"]
    return any(rules.game == one["game"] and rules.coasters <= one["coasters"] for one in shipped)


@cache
def solved(rules: CoasterRules) -> "CoasterStandings":
    """Return the rounds of two, with the shipped results; made once."""
    key, chances = (rules.game, rules.coasters, rules.levelling), []
    for one in results()["coasters"]:
        if key == (one["game"], one["coasters"], one["levelling"]):
            chances = one["chances"]
    return CoasterStandings(rules, dict(zip(standings(rules, 2), chances)))


class CoasterStandings:
    """The rounds of two, each solved on demand, with all that can follow it."""

    def __init__(self, rules: CoasterRules, chances: Mapping[Standing, float]) -> None:
        self._rules, self._chances = rules, dict(chances)
        self.duel = lru_cache(1)(self._duel)

    def chance(self, standing: Standing) -> float:
        """Return the leader's chance, 0 to 1, not to lose; in ``maxen``, not to lose this half."""
        found = self._chances.get(standing)
        if found is None:
            if self._rules.customs.halves and not standing[0]:
                self._chances.update(self._second_phase(sum(standing[1])))
                return self._chances[standing]
            found = self._chances[standing] = self._duel(standing).opening().worth
        return found

    def _duel(self, standing: Standing) -> Duel:
        """Return the round that is played from a standing, in chances of its leader."""
        return Duel(self._rules.game, self.price(standing))

    def price(self, standing: Standing) -> Price:
        """Return the worth of the ends of a round to its second player.

        It is minus the leader's chance not to lose.
        """

        @cache
        def price(won: bool, stake: int) -> float:
            lost = self._lost(standing, int(not won), stake)
            return -lost if won else lost - 1

        return price

    def _lost(self, standing: Standing, worst: int, stake: int) -> float:
        """Return the chance of the player at the place ``worst``, who loses the round."""
        following, order = booked(self._rules, standing, 1 - worst, worst, stake)
        if stake == GENERAL or len(order) == 1:
            return 0.0
        chance = self.chance(following)
        if self._rules.levelling and standing[0] and not following[0]:
            loser, winner = following[1]
            if loser >= RICH and winner == 1:
                chance = max(chance, 1 - self.chance((0, (2, loser - 1))))
            elif winner >= RICH and loser == 1:
                chance = min(chance, self.chance((0, (2, winner - 1))))
        return chance

    def _second_phase(self, coasters: int) -> Mapping[Standing, float]:
        """Find the chances when no coasters are left to deal, which depend on each other."""
        found: dict[Standing, float]
        found = {(0, (n, coasters - n)): 1 - n / coasters for n in range(1, coasters)}
        before: list[float] = []
        sweeps = 0
        while True:
            self._chances.update(found)
            now = {standing: self._duel(standing).opening().worth for standing in found}
            change = [now[standing] - found[standing] for standing in found]
            found, sweeps = now, sweeps + 1
            if max(map(abs, change)) < CLOSE:
                return found
            if sweeps % ROUND == 0:
                fades = sum(a * b for a, b in zip(change, before)) / sum(b * b for b in before)
                ahead = fades / (1 - fades)
                found = {s: found[s] + each * ahead for s, each in zip(found, change)}
            before = change
