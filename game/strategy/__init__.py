"""How the games are played best, worked out exactly.

``Round`` solves a round of a bluff game, ``Standings`` a match of them. ``Equilibrium`` plays the
solved round. ``Against`` finds the best answer to players whose ways are tables, in milliseconds.

``open_games`` plays the games of open dice.

May import: the rest of game.
Begin with ``bluff``, then ``signal``: one stage of a round; for open games with ``turns``.
"""

from game.strategy.bluff import Round
from game.strategy.equilibrium import Equilibrium
from game.strategy.position import Known, Strategy
from game.strategy.standings import Standing, Standings, standing_of

__all__ = [
    "Equilibrium",
    "Known",
    "Round",
    "Standing",
    "Standings",
    "Strategy",
    "standing_of",
]
