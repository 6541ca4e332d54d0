"""Arguments that several commands have."""

import locale

from firmware.cli.console import CommandError
from game import parsed_option


def language_here() -> str:
    """The language of the locale, English where it is neither."""
    try:
        name = locale.setlocale(locale.LC_MESSAGES, "")
    except locale.Error:
        return "en"
    return "de" if name.lower().startswith("de") else "en"


def options(game: str, pairs: list[str]) -> dict[str, object]:
    """Read what ``--option`` gave; raises CommandError where it makes no sense."""
    found: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (name and equals and value):
            raise CommandError(f"--option {pair}: write it as NAME=VALUE, like ends=last_standing")
        if name in found:
            raise CommandError(f"--option {name} is given twice: give it once")
        found[name] = parsed_option(game, name, value)
    return found
