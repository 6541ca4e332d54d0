"""The rules of every game: which pieces, in which order, under which house rules."""

from collections.abc import Mapping
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


class GameTexts(NamedTuple):
    """The keys of the texts about a game.

    ``sentence`` says in one sentence what it is. ``rules`` are in the order of an explanation.
    """

    sentence: str
    rules: tuple[Rule, ...]


_VALUES: Final = ("V-1 V-2 V-3 V-5", "V-4")
_BLUFFING: Final = ("B-1 B-7", "B-2 B-3", "B-4 B-5", "B-6")
_THROWS: Final = ("T-1", "T-2", "T-3")
_RULES: Final[Mapping[str, tuple[str, ...]]] = {
    "class": (
        *(*_VALUES, *_BLUFFING, "R-CLASS-8", "R-CLASS-4", "R-CLASS-5", "R-CLASS-6", "R-CLASS-7"),
        *("R-CLASS-10", "R-CLASS-1 R-CLASS-2", "R-CLASS-3 B-8", "B-9", "R-CLASS-9", "B-10"),
    ),
    "physicist": (
        *(
            *_VALUES,
            *_BLUFFING,
            "B-6 physicist",
            "R-PHYS-1",
            "R-PHYS-2",
            "R-PHYS-3",
            "R-PHYS-4",
            "R-PHYS-6",
        ),
        *("R-PHYS-7", "R-PHYS-5", "B-8", "B-10"),
    ),
    "holy-family": (
        *(*_VALUES, *_BLUFFING, "R-HF-1", "R-HF-2", "R-HF-9", "R-HF-5", "R-HF-8", "R-HF-7"),
        *("R-HF-3", "R-HF-6", "R-HF-4", "R-HF-10", "B-10"),
    ),
    "maxen": (
        *("M-1 M-2", "M-3", "R-MAX-1", *_THROWS, "T-4", "T-5"),
        *("R-MAX-2", "R-MAX-3", "R-MAX-4", "R-MAX-5", "B-10"),
    ),
    "chicago": (
        *("C-1", "C-2", "R-CHI-5", *_THROWS, "T-4 chicago", "T-5 chicago"),
        *("R-CHI-1", "R-CHI-2", "R-CHI-3", "R-CHI-4", "B-10"),
    ),
    "sevens": ("S-1", "S-5", "S-2", "S-3", "S-4", "B-10"),
}
"""The ids of each piece; one that another game words otherwise ends with the game."""

_NUMBERS: Final[Mapping[str, str]] = {
    "R-HF-4": "points",
    "R-HF-5": "drop_on_maexchen",
    "R-MAX-2": "coasters",
    "R-CHI-1": "coasters",
}
"""The option whose value a piece has at its place ``{n}``."""


def _number(rules: AnyRules, piece: str) -> object:
    return getattr(rules, _NUMBERS[piece]) if piece in _NUMBERS else None


GAME_TEXTS: Final[Mapping[str, GameTexts]] = {
    game: GameTexts(
        f"game.{game}",
        tuple(
            Rule(
                tuple(each for each in piece.split() if each != game),
                f"rule.{piece}",
                _number(RULES[game], piece),
            )
            for piece in pieces
        ),
    )
    for game, pieces in _RULES.items()
}
"""The texts about each game in ``game.RULES``."""


_OF_THE_TABLE: Final = (("B-9",), ("B-10",))
_STICKS, _DRINKS = "R-CLASS-1 R-CLASS-2", "R-CLASS-3 B-8"
_TELLS: Final[Mapping[str, tuple[str, ...]]] = {
    "V-1 V-2 V-3 V-5": ("ranking",),
    "B-4 B-5": ("understating",),
    "B-6": ("opener",),
    "B-6 physicist": ("reverses",),
    "R-CLASS-8": ("reverses",),
    "R-CLASS-4": ("rolls", "looks"),
    "R-CLASS-5": ("hand_on",),
    "R-CLASS-6": ("show",),
    "R-CLASS-7": ("equal", "give_in"),
    "R-CLASS-10": ("own_up",),
    _STICKS: ("credit", "swim", "ends"),
    _DRINKS: ("stakes",),
    "R-PHYS-1": ("rolls", "looks"),
    "R-PHYS-2": ("equal",),
    "R-PHYS-3": ("hand_on",),
    "R-PHYS-4": ("maexchen_true", "maexchen_false"),
    "R-PHYS-6": ("air",),
    "R-PHYS-7": ("faults",),
    "R-HF-1": ("rolls", "looks"),
    "R-HF-2": ("equal", "hand_on"),
    "R-HF-7": ("reverses",),
    "R-HF-3": ("maexchen_true", "maexchen_false"),
    "T-3": ("six_stays",),
}
"""The options that a piece tells. If one differs, the sheet's words for each of them replace it."""


def rules_of(rules: AnyRules) -> tuple[Rule, ...]:
    """Return the pieces that tell the rules of a table, as a person would explain them.

    A piece about a custom that differs is told in the words of the sheet. Customs without a piece
    come before what mistakes cost and what the table may do.
    """
    usual, pieces = RULES[rules.game], GAME_TEXTS[rules.game].rules
    values = {option.name: getattr(rules, option.name) for option in OPTIONS[rules.game]}
    changed = {name for name, value in values.items() if value != getattr(usual, name)}

    def told(names: tuple[str, ...], ids: tuple[str, ...] = ()) -> list[Rule]:
        keys = {name: told_key(rules.family, name, values[name]) for name in names}
        if values.get("rolls") == 1:
            keys.pop("looks", None)  # the one throw may be seen
        return [Rule(ids, key, values[name]) for name, key in keys.items() if key is not None]

    found: list[Rule] = []
    within: set[str] = set()
    unplayed = _DRINKS if values.get("stakes") == "matches" else _STICKS
    for piece in pieces:
        name = piece.key.removeprefix("rule.")
        about = _TELLS.get(name, ())
        within.update((*about, _NUMBERS.get(name, "")))
        piece = piece._replace(n=_number(rules, name))
        if not (changed and name == unplayed):
            found += [piece] if changed.isdisjoint(about) else told(about, piece.ids)
    free = tuple(name for name in values if name in changed - within)
    end = next(place for place, rule in enumerate(found) if rule.ids in _OF_THE_TABLE)
    return (*found[:end], *told(free), *found[end:])


def sentence_of(rules: AnyRules) -> str:
    """Return the key of the sentence of the nearest game or preset."""
    return sentence_key(nearest_table(rules).table)


def sentence_key(table: str) -> str:
    """Return the key of the sentence that says what a game or a preset is."""
    return GAME_TEXTS[table].sentence if table in GAME_TEXTS else f"preset.{table}"


def option_key(option: str) -> str:
    """Return the key of the sentence about an option."""
    return f"option.{option}"


def value_key(value: object) -> str:
    """Return the key of the label of a value that is a word."""
    return f"choice.{value}"
