"""Worths of every decision of a match, its luck and skill, and the handicap for the next one.

``analyse`` judges a record. ``suggested_handicap`` evens the chances of the next match. Positions
are measured by ``reference`` players: a position's worth is the expected result if everybody goes
on as these play.

May import: the rest of game.
Begin with ``judged`` for what comes out, then ``bluff``.
"""

from game.coach.analyse import (
    Played,
    Suggestion,
    advice_on,
    analyse,
    basis,
    judge_open,
    suggested_handicap,
)
from game.coach.judged import Account, Analysis, CoachError, Judged

__all__ = [
    "Account",
    "Analysis",
    "CoachError",
    "Judged",
    "Played",
    "Suggestion",
    "advice_on",
    "analyse",
    "basis",
    "judge_open",
    "suggested_handicap",
]
