"""How the games are played best, worked out exactly; and what any way of playing loses by it.

``Round`` solves a round of a bluff game, ``Standings`` a match of them. ``Equilibrium`` plays the
solved round. ``BestResponse`` finds the best answer to any ``Strategy``, through the rules alone.
``Against`` finds it in milliseconds, for players whose ways are tables.

``open_games`` plays the games of open dice. ``odds`` gives their best chances for a single goal.

May import: engines, rules, and the rooms of the games.
Begin with ``bluff``, then ``signal``: one stage of a round; for open games with ``turns``.
"""

from game.strategy.bluff import Round
from game.strategy.ends import counted
from game.strategy.equilibrium import Equilibrium
from game.strategy.response import BestResponse, Known, Strategy
from game.strategy.standings import ByLot, FromTable, Standing, Standings, standing_of

__all__ = [
    "BestResponse",
    "ByLot",
    "Equilibrium",
    "FromTable",
    "Known",
    "Round",
    "Standing",
    "Standings",
    "Strategy",
    "counted",
    "standing_of",
]
