"""The rules of every game in words: for the command line and help screens.

They are the rules as they are played here, in the order in which a person would explain them. Each
piece names its rules by the ids that code and tests cite.

Begin with ``model``; the language files have the words.
"""

from firmware.display.text.rulebook.model import (
    option_key,
    rules_of,
    sentence_key,
    sentence_of,
    short_key,
    value_key,
)

__all__ = ["option_key", "rules_of", "sentence_key", "sentence_of", "short_key", "value_key"]
