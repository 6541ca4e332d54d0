"""Judging a record of any game: the whole match, or one decision."""

from game.bluff.rules import BluffRules
from game.coach.analysis import Analysis, Judged, Model, WorthUnit
from game.coach.bluff import analyse_bluff, basis_of_bluff, judge_bluff
from game.coach.open_games import analyse_open, basis_of_open, judge_open
from game.record import Record
from game.rules import AnyRules


def analyse(record: Record) -> Analysis:
    """Judge a match that was played; it need not have ended.

    Raises:
        CoachError: some of its dice are unknown, or no reference plays by such rules.
    """
    return (analyse_bluff if _is_bluff(record.rules) else analyse_open)(record)


def judge(record: Record) -> Judged | None:
    """Judge the last action of a record alone, as if the match began with its round.

    Return None for an action that was no decision.

    Raises:
        CoachError: as ``analyse``.
    """
    return (judge_bluff if _is_bluff(record.rules) else judge_open)(record)


def basis(rules: AnyRules, players: int) -> tuple[WorthUnit, Model]:
    """Return the unit in which matches of so many players are judged, and the reference's play.

    Raises:
        CoachError: nobody can judge them.
    """
    return (basis_of_bluff if _is_bluff(rules) else basis_of_open)(rules, players)


def _is_bluff(rules: AnyRules) -> bool:
    return rules.family == BluffRules.family
