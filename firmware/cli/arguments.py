"""Arguments that several commands of both command lines share."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from firmware.cli.locale import LANGUAGE_OPTIONS, locale_language
from firmware.display.text.language import LANGUAGES, Language, name_of
from firmware.settings.installed import INSTALLED

Number = TypeVar("Number", int, float)


def between(kind: type[Number], least: Number, most: Number) -> Callable[[str], Number]:
    """Return what reads a number of this kind within two bounds, in argparse's way."""

    def read(text: str) -> Number:
        try:
            number = kind(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text!r}: write a number from {least} to {most}")
        return number

    return read


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add ``--settings FILE``: ``args.settings`` is a Path, None without it."""
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
    """Add ``--lang``: ``args.language`` is one of `LANGUAGES`, ``default`` without it."""
    names = ", ".join(f"{each} {name_of(each)}" for each in LANGUAGES)
    parser.add_argument(
        *LANGUAGE_OPTIONS,
        choices=LANGUAGES,
        dest="language",
        default=default,
        help=f"{help_text}: {names}",
    )


def add_locale_language(parser: argparse.ArgumentParser) -> None:
    """Add ``--lang`` with the locale's language as its default."""
    add_language(parser, locale_language())
