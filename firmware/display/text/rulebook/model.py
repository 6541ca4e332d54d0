"""What the rules in words are made of, and what is said of every game."""

from collections.abc import Mapping
from typing import NamedTuple

from firmware.display.text.words import Words


class Rule(NamedTuple):
    """A piece of the rules: ``ids`` of its rules, such as "R-HF-9", and its ``words``."""

    ids: tuple[str, ...]
    words: Words


class GameTexts(NamedTuple):
    """What is said of a game.

    ``sentence`` says in one sentence what it is. ``rules`` are told in order. ``options`` has a
    sentence for each option, by its name.
    """

    sentence: Words
    rules: tuple[Rule, ...]
    options: Mapping[str, Words]


def rule(ids: str, de: str, en: str) -> Rule:
    """Return a piece of the rules; ``ids`` is one string with blanks between."""
    return Rule(tuple(ids.split()), Words(de, en))


LEAVING = rule(
    "B-10",
    "Jeder kann gehen, und der Tisch kann eine Runde für ungültig erklären oder aufhören. Ist nur "
    "noch einer da, ist das Spiel ohne Verlierer aus, wenn das Spiel es nicht anders sagt.",
    "Anybody may leave, and the table may void a round or stop. When one player is left the match "
    "ends without a loser, unless the game says otherwise.",
)
