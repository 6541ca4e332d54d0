"""Judging a record of any game."""

from game.bluff.rules import BluffRules
from game.coach.analysis import Analysis
from game.coach.bluff import analyse_bluff
from game.coach.open_games import analyse_open
from game.record import Record


def analyse(record: Record) -> Analysis:
    """Judge a match that was played; it need not have ended.

    Raises:
        CoachError: not all of its dice are known.
    """
    bluff = isinstance(record.rules, BluffRules)
    return analyse_bluff(record) if bluff else analyse_open(record)
