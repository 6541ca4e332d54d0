"""The rules of every game in words, German and English: for the command line and help screens.

They are the rules as they are played here, in the order in which a person would explain them. Each
piece names its rules by the ids that code and tests cite.

May import: text.words.
Begin with ``rules.toml``; ``model`` reads it.
"""

from firmware.display.text.rulebook.model import GAME_TEXTS

__all__ = ["GAME_TEXTS"]
