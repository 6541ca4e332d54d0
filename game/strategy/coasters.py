"""A match of two, worked out backwards: the worth of a round by the coasters that are left.

Two players compete for one loss: of a match of ``chicago`` (R-CHI-3), or of a half of ``maxen``
(R-MAX-3). Only chances not to lose count. ``chicago`` never comes back to a standing. In the second
phase of a half, coasters go to and fro, so its standings are solved together, by iteration until
they agree. That takes half a minute. ``two_players`` therefore has the results, and those of
``chicago``.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from game.coaster.rules import CoasterRules
from game.coaster.state import RICH
from game.strategy.duel import GENERAL, Duel, Price
from game.strategy.two_players import results

Standing = tuple[int, int, int]
"""The coasters in the pile, those of the leader of the next round, and those of the other
player."""

CLOSE = 1e-13
"""The iteration ends when no chance changes by more than this."""
ROUND = 3
"""The number of sweeps after which the limit is extrapolated."""


def standings(rules: CoasterRules) -> Iterator[Standing]:
    """Yield every standing of two players, those without a pile first.

    Without halves, others may have left with some of the coasters (R-CHI-2).
    """
    most = rules.coasters
    for pile in range(most + 1):
        for held in range(most - pile + 1):
            if not rules.customs.halves or held == most - pile:
                some = 0 if pile else 1
                yield from ((pile, own, held - own) for own in range(some, held + 1 - some))


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
    return CoasterStandings(rules, dict(zip(standings(rules), chances)))


class CoasterStandings:
    """The rounds of two, each solved on demand, with all that can follow it."""

    def __init__(self, rules: CoasterRules, chances: Mapping[Standing, float]) -> None:
        self._rules, self._chances = rules, dict(chances)
        self._last: tuple[Standing, Duel] | None = None

    def chance(self, standing: Standing) -> float:
        """Return the leader's chance, 0 to 1, not to lose; in ``maxen``, not to lose this half."""
        found = self._chances.get(standing)
        if found is None:
            if self._rules.customs.halves and not standing[0]:
                self._chances.update(self._second_phase(sum(standing)))
                return self._chances[standing]
            found = self._chances[standing] = self._duel(standing).opening().worth
        return found

    def duel(self, standing: Standing) -> Duel:
        """Return the round that is played from a standing, in chances of its leader."""
        if self._last is None or self._last[0] != standing:
            self._last = standing, self._duel(standing)
        return self._last[1]

    def _duel(self, standing: Standing) -> Duel:
        return Duel(self._rules.game, self.price(standing))

    def price(self, standing: Standing) -> Price:
        """Return the worth of the ends of a round to its second player.

        It is minus the leader's chance not to lose.
        """
        pile, own, other = standing
        known: dict[tuple[bool, int], float] = {}

        def price(won: bool, stake: int) -> float:
            found = known.get((won, stake))
            if found is None:
                lost = self._lost(pile, *((own, other) if won else (other, own)), stake)
                found = known[won, stake] = -lost if won else lost - 1
            return found

        return price

    def _lost(self, pile: int, loser: int, winner: int, stake: int) -> float:
        """Return the chance of the loser of a round; both have the coasters from before it."""
        if stake == GENERAL:
            return 0.0
        moved = min(stake, pile or winner)
        begins = pile == moved
        if self._rules.customs.halves:
            loser += moved
        elif pile:
            loser += 1
        pile, winner = (pile - moved, winner) if pile else (0, winner - moved)
        if not (pile or winner):
            return 0.0
        chance = self.chance((pile, loser, winner))
        if self._rules.levelling and begins:
            if loser >= RICH and winner == 1:
                chance = max(chance, 1 - self.chance((0, 2, loser - 1)))
            elif winner >= RICH and loser == 1:
                chance = min(chance, self.chance((0, 2, winner - 1)))
        return chance

    def _second_phase(self, coasters: int) -> Mapping[Standing, float]:
        """Find the chances when no coasters are left to deal, which depend on each other."""
        found = {(0, n, coasters - n): 1 - n / coasters for n in range(1, coasters)}
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
