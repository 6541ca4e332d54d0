"""Rule sets: a game is data, and its options are fields.

``RULES["class"]`` is a game with its default options, and
``dataclasses.replace(RULES["class"], stakes="drinks")`` a variant of it. Every rule set is checked
when it is built. A preset is a known variant of a game with a name of its own.

Solvers know some options of the sheet. At a table with others they play and judge the nearest rules
that they know, or none at all: `reach_of` tells how well anybody can advise there.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

from game.bluff.moves import BLUFF_FAMILY
from game.bluff.rules import BluffRules, Match
from game.coaster.moves import COASTER_FAMILY
from game.family import Family
from game.open_dice import OpenRules
from game.options import PRESETS, Option, SetupError, level
from game.sevens import SEVENS_FAMILY

AnyRules = BluffRules | OpenRules
"""The rule set of any game."""

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {family.games[0].family: family for family in (BLUFF_FAMILY, COASTER_FAMILY, SEVENS_FAMILY)}
)
"""The families by name."""

RULES: Mapping[str, AnyRules] = MappingProxyType(
    {rules.game: rules for family in FAMILIES.values() for rules in family.games}
)
"""The games by name, each with its default options."""


OPTIONS: Mapping[str, tuple[Option, ...]] = MappingProxyType(
    {game: rules.options for game, rules in RULES.items()}
)
"""The options of every game in ``RULES``, in the order displays show them."""

TABLES: tuple[str, ...] = (*RULES, *PRESETS)
"""The names that ``rule_set`` knows: the games, then the presets."""

HANDICAP = "handicap"
"""Stands among the options of a match without being one of the sheet."""
_YES_OR_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def rule_set(game: str, options: Mapping[str, object]) -> AnyRules:
    """Return the rules of a game or a preset; ``options`` are those that differ from it.

    The handicap stands among them, as a text such as "0,2"; see ``options.Rules.check_handicap``.

    Raises:
        SetupError: for an unknown game, an unknown option, a value that the option does not take,
            or two options that contradict each other.
    """
    preset = PRESETS.get(game)
    if preset is not None:
        return rule_set(preset.game, {**preset.options, **options})
    rules = RULES.get(game)
    if rules is None:
        raise SetupError(f"unknown game {game!r}: choose one of {', '.join(TABLES)}")
    known = [option.name for option in OPTIONS[game]]
    unknown = sorted(set(options) - {*known, HANDICAP})
    if unknown:
        raise SetupError(
            f"game {game!r} has no option {unknown[0]!r}: it has {', '.join(known) or 'none'}"
        )
    return replace(rules, **options)  # type: ignore[arg-type]


def to_plain(rules: AnyRules) -> dict[str, Any]:
    """Return ``{"game": …, "options": {…}}``, ready for JSON; ``rule_set`` takes both back."""
    options = {option.name: getattr(rules, option.name) for option in OPTIONS[rules.game]}
    if rules.handicap:
        options[HANDICAP] = ",".join(map(str, rules.handicap))
    return {"game": rules.game, "options": options}


def parsed_option(game: str, name: str, text: str) -> object:
    """Return the value of an option that was written as text: yes or no, a number, or a word.

    A text that is unknown or unreadable stays text; ``rule_set`` refuses it.
    """
    options = OPTIONS.get(game_of(game), ())
    default = next((option.default for option in options if option.name == name), None)
    if isinstance(default, bool):
        return _YES_OR_NO.get(text.lower(), text)
    if isinstance(default, int):
        return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text
    return text


def game_of(table: str) -> str:
    """Return the game of a preset; any other name as it is."""
    return PRESETS[table].game if table in PRESETS else table


class NearestTable(NamedTuple):
    """The known table that is nearest to some rules: a name in ``TABLES``, and what differs."""

    table: str
    changes: Mapping[str, object]


def nearest_table(rules: AnyRules) -> NearestTable:
    """Return the game or preset from which the fewest options of ``rules`` differ.

    If two are equally near, it is the first in ``TABLES``.
    """
    options = to_plain(level(rules))["options"]
    found = []
    for table in TABLES:
        if game_of(table) == rules.game:
            usual = to_plain(rule_set(table, {}))["options"]
            changes = {name: each for name, each in options.items() if each != usual[name]}
            found.append(NearestTable(table, changes))
    return min(found, key=lambda known: len(known.changes))


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
