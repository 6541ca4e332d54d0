"""The reach of the solved games: how well anybody can advise at a table with some house rules.

Solvers know some options of the sheet. At a table with others they play and judge the nearest rules
that they know, or none at all.
"""

from dataclasses import replace
from enum import StrEnum
from typing import Final, TypeVar

from game.bluff.state import Match
from game.rules import OPTIONS, RULES, AnyRules
from game.sheet import Option

R = TypeVar("R", bound=AnyRules)


class Reach(StrEnum):
    """How well the best play of some rules is known."""

    EXACT = "exact"
    """Solvers know every option."""
    APPROXIMATE = "approximate"
    """The best play of the nearest rules that solvers know is good play here, too."""
    NONE = "none"
    """Other values, rolls or equal announcements make it another game."""


_UNSOLVED: Final = ("near", "none")


def unsolved(rules: AnyRules) -> tuple[str, ...]:
    """Return the options that no solver knows and that differ from the usual ones; often none."""
    return tuple(option.name for option in _changed(rules) if option.reach in _UNSOLVED)


def reach_of(rules: AnyRules) -> Reach:
    """Return how well the best play of some rules is known."""
    found = {option.reach for option in _changed(rules)}
    if "none" in found:
        return Reach.NONE
    return Reach.EXACT if found <= {"exact"} else Reach.APPROXIMATE


def nearest_solved(rules: R) -> R:
    """Return the rules with the usual value of every option that no solver knows.

    A player who goes out without swimming has one match less than one who swims first.
    """
    usual = RULES[rules.game]
    changes = {name: getattr(usual, name) for name in unsolved(rules)}
    if "swim" in changes:
        changes["credit"] = max(1, getattr(rules, "credit", 1) - 1)
    return replace(rules, **changes) if changes else rules


def as_solved(match: Match) -> Match:
    """Return a match under the nearest rules that solvers know."""
    rules = nearest_solved(match.rules)
    return match if rules is match.rules else match.replace(rules=rules)


def _changed(rules: AnyRules) -> tuple[Option, ...]:
    usual = RULES[rules.game]
    options = OPTIONS[rules.game]
    return tuple(each for each in options if getattr(rules, each.name) != getattr(usual, each.name))
