"""Judging a record of any game: the whole match, or one decision."""

from game.actions import Leave
from game.bluff.rules import BluffRules
from game.coach.analysis import Analysis, Judged, Model, WorthUnit
from game.coach.bluff import analyse_bluff, basis_of_bluff, judge_bluff
from game.coach.open_games import analyse_open, basis_of_open, judge_open
from game.reach import Reach, reach_of, unsolved
from game.record import Record
from game.rules import AnyRules
from game.sevens.rules import SevensRules


def analyse(record: Record) -> Analysis:
    """Judge a match that was played; it need not have ended.

    Raises:
        CoachError: some of its dice are unknown, or no reference plays by such rules.
    """
    found = (analyse_bluff if _is_bluff(record.rules) else analyse_open)(record)
    model = found.model._replace(caveat="BY_LOT")
    return found._replace(model=model) if _goes_beyond_tables(found, record) else found


def _goes_beyond_tables(found: Analysis, record: Record) -> bool:
    """Return whether a player has left a match that is judged by tables of its standings.

    The standing then follows from no round: tables do not have it, and its worth is an estimate.
    """
    has_tables = record.rules.family != SevensRules.family and len(record.players) > 2
    is_sure = found.unit == "chance" and found.model.caveat is None
    return is_sure and has_tables and any(isinstance(each, Leave) for each in record.actions)


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


def advice_on(rules: AnyRules, players: int) -> Reach:
    """Return how well the coach advises so many players, 2 or more.

    It is none beside solved rules: bots play by the nearest solved ones, a judge does not. It is
    exact if the match of so many is solved, or has no end of its own that a round could be for.

    Raises:
        CoachError: the game is not for so many.
    """
    if unsolved(rules):
        return Reach.NONE
    reach = reach_of(rules)
    _, model = basis(rules, players)
    is_endless = getattr(rules, "stakes", None) == "drinks"
    is_known = model.caveat is None or is_endless
    return Reach.APPROXIMATE if reach is Reach.EXACT and not is_known else reach


def _is_bluff(rules: AnyRules) -> bool:
    return rules.family == BluffRules.family
