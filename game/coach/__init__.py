"""Worths of every decision of a match, and its result divided into luck and skill.

``analyse`` judges a record, ``judge`` one decision. Positions are measured by ``reference``
players: a position's worth is the expected result if everybody goes on as these play.

May import: engines, record, strategy, and the rooms of the games.
Begin with ``analysis`` for what comes out, then ``bluff``.
"""

from game.coach.analyse import advice_on, analyse, basis, judge
from game.coach.analysis import Account, Analysis, CoachError, Judged

__all__ = ["Account", "Analysis", "CoachError", "Judged", "advice_on", "analyse", "basis", "judge"]
