"""Judging a record of any game."""

from game.bluff.rules import BluffRules
from game.coach.analysis import Analysis, CoachError
from game.coach.bluff import analyse_bluff
from game.coach.open_games import analyse_open
from game.record import Record
from game.rules import RULES


def analyse(record: Record) -> Analysis:
    """Judge a match that was played; it need not have ended.

    Raises:
        CoachError: not all of its dice are known, or nobody plays by such rules.
    """
    rules = record.rules
    if not isinstance(rules, BluffRules):
        return analyse_open(record)
    usual = RULES[rules.game]
    assert isinstance(usual, BluffRules), "it has its game's name"
    if (rules.rolls, rules.looks) != (usual.rolls, usual.looks):
        raise CoachError(
            f"line 1: with {rules.rolls} rolls and {rules.looks} looks nobody can judge"
        )
    return analyse_bluff(record)
