"""The rules of every game: which pieces, in which order, under which house rules."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Final, NamedTuple

from firmware.display.text.language import Language, say
from game import OPTIONS, RULES, AnyRules, nearest_table
from game.sheet import told_key


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


_BLUFFING: Final = (
    *("V-1 V-2 V-3 V-5: ranking", "V-4", "B-1 B-7", "B-2"),
    *("B-3 R-PHYS-2 R-HF-2: equal free_maexchen", "B-4 B-5: understating free_doubt mexican"),
    *("B-6 R-HF-6: opener", "R-CLASS-8 R-HF-7: reverses"),
    *("R-CLASS-4 R-PHYS-1 R-HF-1: rolls looks", "R-CLASS-5 R-PHYS-3 R-HF-2: hand_on"),
)
_THROWS: Final = ("T-1", "T-2", "T-3: six_stays turns_one")
_RULES: Final[Mapping[str, tuple[str, ...]]] = {
    "class": (
        *(*_BLUFFING, "R-CLASS-6: show", "R-CLASS-7: give_in", "R-CLASS-10: own_up"),
        *("R-CLASS-1 R-CLASS-2: credit swim ends", "R-CLASS-3 B-8: stakes"),
        *(":maexchen_true maexchen_false", "B-9", "R-CLASS-9", "B-10"),
    ),
    "physicist": (
        *(*_BLUFFING, ":give_in", "R-PHYS-4", "R-PHYS-4: maexchen_true maexchen_false"),
        *("R-PHYS-6: air", "R-PHYS-7: faults", "R-PHYS-5", "B-8", "B-10"),
    ),
    "holy-family": (
        *(*_BLUFFING, ":give_in", "R-HF-9", "R-HF-5", "R-HF-5: drop_on_maexchen", "R-HF-8"),
        *("R-HF-8: tower_one_in", "R-HF-3", "R-HF-3: maexchen_true maexchen_false"),
        *("R-HF-4: points losers", "R-HF-10", "B-10"),
    ),
    "maxen": (
        *("M-1 M-2", "M-3", "R-MAX-1", *_THROWS, "T-4", "T-5"),
        *("R-MAX-2 R-MAX-3: coasters", "R-MAX-4", "R-MAX-5", "B-10"),
    ),
    "chicago": (
        *("C-1", "C-2", "R-CHI-5", *_THROWS, "T-4 chicago", "T-5 chicago", "R-CHI-1: coasters"),
        *("R-CHI-2", "R-CHI-3: may_give", "R-CHI-4: levelling", "B-10 chicago"),
    ),
    "sevens": ("S-1 S-2 S-3: seven_dice", "S-5", "S-4: rounds", "B-10"),
}
"""The pieces of each game, by the ids of their rules.

Behind a colon stand the options that a piece tells, in the words of the sheet. Without one the
words are fixed; a piece that another game words otherwise ends with the game.
"""
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
    for piece in _RULES[rules.game]:
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
    """Return the key of the sentence of the nearest game or preset."""
    return sentence_key(nearest_table(rules).table)


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
