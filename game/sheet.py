"""The sheet of house rules as data: every custom that a table may agree on, and known tables.

``sheet.toml`` has the customs by family, with their values, sources and sentences, and the presets
by name. The record of a game says which of them it has. Rules, menus, links, settings and texts are
made from it.
"""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, NamedTuple

_DATA: Final[Mapping[str, Any]] = tomllib.loads((files("game") / "sheet.toml").read_text("utf-8"))
_FAMILIES: Final = ("bluff", "coaster", "sevens")
_YES_OR_NO: Final = (False, True)
_YES_OR_NO_WRITTEN: Final = ("no", "yes")


class Option(NamedTuple):
    """One option of a game. ``default`` holds unless the table agrees otherwise.

    Its values are ``choices``. If these are empty, it is a whole number from ``least`` to
    ``greatest``; ``greatest`` None means no upper bound. ``steps`` are the values that a dial
    offers of a wide range, often none. ``source`` says who plays so. ``reach`` is how far solvers
    know it: "exact", "taken", "near" or "none".
    """

    name: str
    default: object
    choices: tuple[object, ...] = ()
    least: int = 0
    greatest: int | None = None
    steps: tuple[int, ...] = ()
    source: str = ""
    reach: str = "exact"


class Preset(NamedTuple):
    """A known table: ``game`` with ``options`` that differ from its usual ones.

    ``name`` is a proper name, the same in every language. ``source`` says who plays so.
    """

    game: str
    name: str
    options: Mapping[str, object]
    source: str


PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(
    {
        key: Preset(each["game"], each["name"], MappingProxyType(each["options"]), each["source"])
        for key, each in _DATA["presets"].items()
    }
)
"""The known tables by key, besides the games as they are."""


def options_of(family: str, game: str, usual: Mapping[str, object]) -> tuple[Option, ...]:
    """Return the options of a game, in the order of the sheet; often none.

    ``usual`` are fields of its usual rules. Those that the sheet has under ``family`` are options.
    """
    return tuple(
        _option(name, game, usual[name], custom)
        for name, custom in _DATA[family].items()
        if name in usual
    )


def _option(name: str, game: str, usual: object, custom: Mapping[str, Any]) -> Option:
    reach = custom["reach"]
    return Option(
        name,
        usual,
        () if "least" in custom else tuple(custom.get("choices", _YES_OR_NO)),
        custom.get("least", 0),
        custom.get("greatest"),
        tuple(custom.get("steps", ())),
        custom["source"],
        reach if isinstance(reach, str) else reach.get(game, reach["any"]),
    )


def texts_of(language: str) -> dict[str, str]:
    """Return the sentences and the labels of values by dotted keys.

    A sentence is ``option.NAME`` or ``preset.KEY``, a label ``choice.VALUE``, a line about a value
    ``short.NAME``, and a rule with this value ``told.NAME.VALUE``. Raises KeyError for a
    language that the sheet does not have.
    """
    customs = [each for family in _FAMILIES for each in _DATA[family].items()]
    return {
        **{f"choice.{value}": each[language] for value, each in _DATA["values"].items()},
        **{f"option.{name}": custom[language] for name, custom in customs},
        **{f"short.{name}": custom["short"][language] for name, custom in customs},
        **{f"preset.{key}": each[language] for key, each in _DATA["presets"].items()},
        **{
            f"told.{name}.{value}": each[language]
            for name, custom in customs
            for value, each in custom.get("told", {}).items()
            if each
        },
    }


def idle_beside(family: str, name: str, values: Mapping[str, object]) -> str | None:
    """Return the other option whose value leaves this one without effect; None for none.

    ``values`` are all fields of the rules.
    """
    for conditions in _DATA[family][name].get("idle", ()):
        if _hold(conditions.split(), name, values):
            return str(conditions.partition("=")[0])
    return None


def told_key(family: str, name: str, values: Mapping[str, object]) -> str | None:
    """Return the key of the rule that an option makes; None if it needs no words.

    ``values`` are all fields of the rules, since another option may change the words. The place
    ``{n}`` of the rule is for the value.
    """
    if idle_beside(family, name, values):
        return None
    for key, words in _DATA[family][name].get("told", {}).items():
        value, *conditions = key.split()
        if value in (_written(values[name]), "any") and _hold(conditions, name, values):
            return f"told.{name}.{key}" if words else None
    return None


def _hold(conditions: list[str], name: str, values: Mapping[str, object]) -> bool:
    """Return whether all ``conditions`` of an option hold, such as "rolls=2" or "rolls=n"."""
    asked = (each.split("=") for each in conditions)
    return all(
        _written(values[other]) == (_written(values[name]) if wanted == "n" else wanted)
        for other, wanted in asked
    )


def _written(value: object) -> str:
    return _YES_OR_NO_WRITTEN[value] if isinstance(value, bool) else str(value)
