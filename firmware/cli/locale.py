"""The language of a command line; loads nothing, so that a first line needs no time."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from game.spoken import Language

LANGUAGE_OPTIONS: Final = ("--lang", "--language")


def locale_language(environment: Mapping[str, str] = os.environ) -> "Language":
    """The locale's language of messages: "de" for any German one, else "en"."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if spoken := environment.get(name):
            return "de" if spoken.lower().startswith("de") else "en"
    return "en"
