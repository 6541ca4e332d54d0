"""Arguments that several commands have, of both command lines."""

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from firmware.display.text.words import LANGUAGES
from firmware.settings.installed import INSTALLED
from game.spoken import Language

LANGUAGE_OPTIONS: Final = ("--lang", "--language")


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Let a command be told which settings say what is fitted: ``args.settings``, or None."""
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help=f"say which light sensor is fitted (default: {INSTALLED}, if it is there)",
    )


def add_language(
    parser: argparse.ArgumentParser,
    default: Language | None = None,
    help_text: str = "language, instead of the locale's",
) -> None:
    """Let a command be told its language: ``args.language``, ``default`` where nothing is said."""
    parser.add_argument(
        *LANGUAGE_OPTIONS, choices=LANGUAGES, dest="language", default=default, help=help_text
    )


def add_locale_language(parser: argparse.ArgumentParser) -> None:
    """The same, with the locale's language where nothing is said."""
    add_language(parser, locale_language())


def locale_language(environment: Mapping[str, str] = os.environ) -> Language:
    """The language of the messages of the locale, English where that is neither of ours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if spoken := environment.get(name):
            return "de" if spoken.lower().startswith("de") else "en"
    return "en"
