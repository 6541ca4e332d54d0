"""Judging a record of any game."""

from game.bluff.rules import BluffRules
from game.coach.analysis import Analysis
from game.coach.bluff import analyse_bluff
from game.coach.open_games import analyse_open
from game.record import Record


def analyse(record: Record) -> Analysis:
    """Judge a match that was played; it need not have ended.

    Raises:
        CoachError: some of its dice are unknown, or no reference plays by such rules.
    """
    return _COACHES.get(record.rules.family, analyse_open)(record)


_COACHES = {BluffRules.family: analyse_bluff}
"""By family, if its dice are not open."""
