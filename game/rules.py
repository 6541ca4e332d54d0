"""Rule sets: a game is data, and its options are fields.

``RULES["class"]`` is a game with its default options, and
``dataclasses.replace(RULES["class"], stakes="drinks")`` a variant of it. Every rule set is checked
when it is built.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from game.bluff.family import BLUFF
from game.bluff.rules import BluffRules
from game.coaster.family import COASTER
from game.family import Family
from game.open_rules import OpenRules
from game.options import Option, SetupError
from game.sevens.family import SEVENS

AnyRules = BluffRules | OpenRules
"""The rule set of any game."""

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {family.games[0].family: family for family in (BLUFF, COASTER, SEVENS)}
)
"""The families by name."""

RULES: Mapping[str, AnyRules] = MappingProxyType(
    {rules.game: rules for family in FAMILIES.values() for rules in family.games}
)
"""The games by name, each with its default options."""


def _options(rules: AnyRules) -> tuple[Option, ...]:
    return (
        *(Option(name, getattr(rules, name), values) for name, values in rules.choices.items()),
        *(
            Option(name, getattr(rules, name), least=least, greatest=greatest)
            for name, (least, greatest) in rules.numbers.items()
        ),
    )


OPTIONS: Mapping[str, tuple[Option, ...]] = MappingProxyType(
    {game: _options(rules) for game, rules in RULES.items()}
)
"""The options of every game in ``RULES``, in the order displays show them; often none."""

_YES_OR_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def rule_set(game: str, options: Mapping[str, object]) -> AnyRules:
    """Return the rules of a game; an option that is not in ``options`` has its default.

    Raises:
        SetupError: for an unknown game, an unknown option, or a value that the option does not
            take.
    """
    rules = RULES.get(game)
    if rules is None:
        raise SetupError(f"unknown game {game!r}: choose one of {', '.join(RULES)}")
    known = [option.name for option in OPTIONS[game]]
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise SetupError(
            f"game {game!r} has no option {unknown[0]!r}: it has {', '.join(known) or 'none'}"
        )
    return replace(rules, **options)  # type: ignore[arg-type]


def to_plain(rules: AnyRules) -> dict[str, Any]:
    """Return ``{"game": …, "options": {…}}``, ready for JSON; ``rule_set`` takes both back."""
    options = {option.name: getattr(rules, option.name) for option in OPTIONS[rules.game]}
    return {"game": rules.game, "options": options}


def parsed_option(game: str, name: str, text: str) -> object:
    """Return the value of an option that was written as text: yes or no, a number, or a word.

    A text that is unknown or unreadable stays text; ``rule_set`` refuses it.
    """
    default = next((o.default for o in OPTIONS.get(game, ()) if o.name == name), None)
    if isinstance(default, bool):
        return _YES_OR_NO.get(text.lower(), text)
    if isinstance(default, int):
        return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text
    return text
