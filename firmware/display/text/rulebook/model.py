"""The rules of every game: which pieces, in which order."""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Rule(NamedTuple):
    """A piece of the rules: ``ids`` of its rules, such as "R-HF-9", and the ``key`` of its text."""

    ids: tuple[str, ...]
    key: str


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
        *(*_VALUES, *_BLUFFING, "R-PHYS-1", "R-PHYS-2", "R-PHYS-3", "R-PHYS-4", "R-PHYS-6"),
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

GAME_TEXTS: Final[Mapping[str, GameTexts]] = {
    game: GameTexts(
        f"game.{game}",
        tuple(
            Rule(tuple(each for each in piece.split() if each != game), f"rule.{piece}")
            for piece in pieces
        ),
    )
    for game, pieces in _RULES.items()
}
"""The texts about each game in ``game.RULES``."""


def option_key(game: str, option: str) -> str:
    """Return the key of the sentence about an option of a game."""
    return f"option.{game}.{option}"
