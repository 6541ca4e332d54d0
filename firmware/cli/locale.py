"""The language of a command line."""

import os
from collections.abc import Mapping
from typing import Final

from firmware.display.text.language import ENGLISH, Language, preferred

LANGUAGE_OPTIONS: Final = ("--lang", "--language")


def locale_language(environment: Mapping[str, str] = os.environ) -> Language:
    """Return the locale's language of messages; English if there are no texts in it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if spoken := environment.get(name):
            return preferred(spoken)
    return ENGLISH
