"""How the games are played best, worked out exactly; and what any way of playing loses by it.

A round of a bluff game is solved by ``Round``, a match of them by ``Standings``; ``Equilibrium``
plays it, and ``BestResponse`` finds, through the rules alone, the most that can be made of any
``Strategy``.

Games of open dice are played by ``open_games``; ``odds`` tells what they offer to who plays for one
thing alone.

May import: engines, rules, and the rooms of the games.
Begin with ``bluff``, then ``signal``: one stage of a round; of open games with ``turns``.
"""

from game.strategy.bluff import Round
from game.strategy.ends import counted
from game.strategy.equilibrium import Equilibrium
from game.strategy.known import Known, Strategy
from game.strategy.response import BestResponse
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
