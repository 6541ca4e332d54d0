"""The rules of every game in words, German and English: for the command line and help screens.

These are the rules as they are played here, in the order in which somebody would explain them. Each
piece names its rules by the ids that code and tests cite.

May import: text.words.
Begin with ``model``.
"""

from collections.abc import Mapping

from firmware.display.text.rulebook.bluff import CLASS, HOLY_FAMILY, PHYSICIST
from firmware.display.text.rulebook.model import GameTexts, Rule
from firmware.display.text.rulebook.open_dice import CHICAGO, MAXEN, SEVENS

__all__ = ["GAME_TEXTS", "GameTexts", "Rule"]

GAME_TEXTS: Mapping[str, GameTexts] = {
    "class": CLASS,
    "physicist": PHYSICIST,
    "holy-family": HOLY_FAMILY,
    "maxen": MAXEN,
    "chicago": CHICAGO,
    "sevens": SEVENS,
}
"""What is said of each game in ``game.RULES``."""
