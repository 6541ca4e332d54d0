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
        CoachError: some of its dice are unknown, or no reference plays by such rules.
    """
    rules = record.rules
    usual = RULES[rules.game]
    if not isinstance(rules, BluffRules):
        if len(record.players) > usual.most_players:
            raise CoachError(
                f"line 1: nobody can judge {rules.game} of {len(record.players)} players: it is a "
                f"game for {usual.most_players} at most"
            )
        return analyse_open(record)
    assert isinstance(usual, BluffRules), "it has its game's name"
    if (rules.rolls, rules.looks) != (usual.rolls, usual.looks):
        raise CoachError(
            f"line 1: nobody can judge {rules.game} of {rules.rolls} rolls, {rules.looks} of them "
            "to be looked at"
        )
    return analyse_bluff(record)
