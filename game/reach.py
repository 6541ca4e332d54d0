"""The reach of the solved games: how well anybody can advise at a table with some house rules.

Solvers know some options of the sheet. At a table with others they play and judge the nearest rules
that they know, or none at all.
"""

from dataclasses import replace
from enum import StrEnum
from typing import Final, TypeVar

from game.bluff.rules import BluffRules
from game.bluff.state import Match
from game.rules import OPTIONS, RULES, AnyRules

R = TypeVar("R", bound=AnyRules)


class Reach(StrEnum):
    """How well the best play of some rules is known."""

    EXACT = "exact"
    """Solvers know every option."""
    APPROXIMATE = "approximate"
    """The best play of the nearest rules that solvers know is good play here, too."""
    NONE = "none"
    """Other values, rolls or equal announcements make it another game."""


_SOLVED: Final = (
    *("ends", "stakes", "points", "losers", "tower_one_in", "faults", "air", "drop_on_maexchen"),
    *("levelling", "seven_dice", "rounds"),
)
"""The options that solvers know, or that change no decision."""
_JUDGED: Final = ("credit", "coasters")
"""The options that solvers take, but whose worths are known for few values."""
_OTHER_GAME: Final = ("equal", "rolls", "looks", "ranking")


def unsolved(rules: AnyRules) -> tuple[str, ...]:
    """Return the options that no solver knows and that differ from the usual ones; often none."""
    known = (*_SOLVED, *_JUDGED, *(("understating",) if rules.game == "class" else ()))
    return tuple(name for name in _changed(rules) if name not in known)


def reach_of(rules: AnyRules) -> Reach:
    """Return how well the best play of some rules is known."""
    strange = unsolved(rules)
    if any(name in _OTHER_GAME for name in strange):
        return Reach.NONE
    if strange or any(name in _JUDGED for name in _changed(rules)):
        return Reach.APPROXIMATE
    return Reach.EXACT


def nearest_solved(rules: R) -> R:
    """Return the rules with the usual value of every option that no solver knows.

    A player who goes out without swimming has one match less than one who swims first.
    """
    usual = RULES[rules.game]
    changes = {name: getattr(usual, name) for name in unsolved(rules)}
    if "swim" in changes and isinstance(rules, BluffRules):
        changes["credit"] = max(1, rules.credit - 1)
    return replace(rules, **changes) if changes else rules


def as_solved(match: Match) -> Match:
    """Return a match under the nearest rules that solvers know."""
    rules = nearest_solved(match.rules)
    return match if rules is match.rules else match.replace(rules=rules)


def _changed(rules: AnyRules) -> tuple[str, ...]:
    usual = RULES[rules.game]
    names = (option.name for option in OPTIONS[rules.game])
    return tuple(name for name in names if getattr(rules, name) != getattr(usual, name))
