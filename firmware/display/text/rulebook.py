"""The rules of every game in words: for the command line and help screens.

They are the rules as they are played here, in the order in which a person would explain them. Each
piece names its rules by the ids that code and tests cite; the language files have the words.
"""

from collections.abc import Iterable
from dataclasses import fields
from typing import Final, NamedTuple

from firmware.display.text.language import Language, say
from game import OPTIONS, RULES, AnyRules, nearest_table
from game.options import told_key


class Rule(NamedTuple):
    """A piece of the rules.

    ``ids`` are those of its rules, such as "R-HF-9"; a custom of the table may have none. ``key``
    is that of its text, and ``n`` the value of its option, if it has one.
    """

    ids: tuple[str, ...]
    key: str
    n: object = None

    def text(self, language: Language) -> str:
        """Return the piece in words."""
        return say(self.key, language, n=self.n)


_OF_A_GAME: Final = {"class": "R-CLASS", "physicist": "R-PHYS", "holy-family": "R-HF"}
_OF_THE_TABLE: Final = (("B-9",), ("B-10",))


def rules_of(rules: AnyRules) -> tuple[Rule, ...]:
    """Return the pieces that tell the rules of a table, as a person would explain them.

    A piece about customs has the words of the sheet for what is agreed, often none. Customs without
    a piece that differ come before what mistakes cost and what the table may do.
    """
    values = {each.name: getattr(rules, each.name) for each in fields(rules)}
    other = tuple(ids for game, ids in _OF_A_GAME.items() if game != rules.game)

    def told(names: Iterable[str], ids: tuple[str, ...] = ()) -> list[Rule]:
        keys = {name: told_key(rules.family, name, values) for name in names}
        return [Rule(ids, key, values[name]) for name, key in keys.items() if key is not None]

    found: list[Rule] = []
    within: set[str] = set()
    for piece in rules.pieces:
        named, colon, about = piece.partition(":")
        ids = tuple(each for each in named.split() if each != rules.game)
        ids = tuple(each for each in ids if not each.startswith(other))
        within.update(about.split())
        found += told(about.split(), ids) if colon else [Rule(ids, f"rule.{named}")]
    usual = RULES[rules.game]
    names = [option.name for option in OPTIONS[rules.game] if option.name not in within]
    free = [name for name in names if values[name] != getattr(usual, name)]
    end = next(place for place, rule in enumerate(found) if rule.ids in _OF_THE_TABLE)
    return (*found[:end], *told(free), *found[end:])


def sentence_of(rules: AnyRules) -> str:
    """Return the key of the sentence of the known table; of other rules, that they are agreed."""
    known = nearest_table(rules)
    return "listing.HOUSE_RULES" if known.changes else sentence_key(known.table)


def sentence_key(table: str) -> str:
    """Return the key of the sentence that says what a game or a preset is."""
    return f"{'game' if table in RULES else 'preset'}.{table}"


def option_key(option: str) -> str:
    """Return the key of the sentence about an option."""
    return f"option.{option}"


def short_key(option: str) -> str:
    """Return the key of a line about the value of an option; its place ``{name}`` is for it."""
    return f"short.{option}"


def value_key(value: object) -> str:
    """Return the key of the label of a value that is a word."""
    return f"choice.{value}"
