"""A match of ``chicago`` between two: the coasters that are left decide how to throw.

Coasters are dealt, and then handed back: a match comes to no standing again, and is worked out
backwards, each round solved for what its ends lead to. Not so ``maxen``, where they go to and fro.
"""

from game.strategy.three_dice import SIX, Price, clear, opening


class Chicago:
    """The chances of two players not to lose a match.

    A standing is the ``pile`` that is not dealt yet, and how many coasters the leader of the round
    has, and the other one. Nobody gives one away (R-CHI-4). All 31 take some seconds.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, int, int], float] = {}

    def chance(self, pile: int, own: int, other: int) -> float:
        """Return the chance of the leader not to lose, from 0 to 1."""
        key = pile, own, other
        found = self._known.get(key)
        if found is None:
            price = self.price(pile, own, other)
            found = self._known[key] = opening("chicago", price).worth()
            clear()
        return found

    def price(self, pile: int, own: int, other: int) -> Price:
        """Return what the ends of a round are worth to its second player, for ``three_dice``.

        That is minus the chance of its leader not to lose the match.
        """
        ends: dict[tuple[bool, int], float] = {}
        for stake in (1, SIX):
            ends[True, stake] = -self._lost(pile, own, other, stake == SIX)
            ends[False, stake] = self._lost(pile, other, own, stake == SIX) - 1
        return lambda won, stake: ends[won, stake]

    def _lost(self, pile: int, loser: int, winner: int, safe: bool) -> float:
        """The chance of who has lost a round, and leads the next; ``safe``: to a Chicago (R-CHI-2).

        Both players' coasters are those before the round (R-CHI-1, R-CHI-3).
        """
        if pile:
            pile, loser = pile - 1, loser + 1
        else:
            winner -= 1
        return 0.0 if safe or not (pile or winner) else self.chance(pile, loser, winner)
