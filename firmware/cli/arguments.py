"""Arguments that several commands of both command lines share."""

import argparse
import os
from collections.abc import Callable
from pathlib import PosixPath
from typing import TypeVar

from firmware.cli.console import OTHER_FILE, CommandError, because
from firmware.cli.parser import LANGUAGE_OPTIONS, locale_language
from firmware.display.text.language import LANGUAGES, Language, name_of
from firmware.journal import target_of, who_may_read
from firmware.settings import INSTALLED

Number = TypeVar("Number", int, float)
MOST_SEED = 2**63 - 1
"""The highest seed; chosen: a whole number of 64 bits."""
MOST_PORT = 65_535
"""The highest port of TCP (RFC 9293)."""


def between(kind: type[Number], least: Number, most: Number) -> Callable[[str], Number]:
    """Return what reads a number of this kind within two bounds, in argparse's way."""

    def read(text: str) -> Number:
        try:
            number = kind(text if text.isascii() else "")
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text!r}: write a number from {least} to {most}")
        return number

    return read


class OutputFile(PosixPath):
    """The path of a file that a command writes."""


class InputFile(PosixPath):
    """The path of a file that a command reads."""


def check_files(args: argparse.Namespace) -> None:
    """Look whether given files can be written and read, before a command begins.

    Raises:
        CommandError: one of them cannot.
    """
    for name, path in vars(args).items():
        try:
            if isinstance(path, OutputFile):
                target_of(path)
            elif isinstance(path, InputFile) and (path.is_dir() or not os.access(path, os.R_OK)):
                path.open("rb").close()  # raises the reason
        except OSError as error:
            to_do = OTHER_FILE if isinstance(path, OutputFile) else "name a file that can be read"
            if isinstance(path, InputFile) and isinstance(error, PermissionError):
                to_do = who_may_read(path)
            raise CommandError(f"{name} {path}: {because(error)}: {to_do}") from None


def refuse_idle(args: argparse.Namespace, options: str, why: str) -> None:
    """Refuse the first of these options that was given: it would have no effect.

    Args:
        args: what a `LineParser` has read.
        options: long options with spaces between; those that the command lacks are left out.
        why: the rest of the sentence, such as "does nothing without a real broker".

    Raises:
        CommandError: one of them was given.
    """
    for option in options.split():
        name = option.removeprefix("--").replace("-", "_")
        if getattr(args, name, None) != args.parser.get_default(name):
            raise CommandError(f"{option} {why}: leave it out")


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add ``--settings FILE``: ``args.settings`` is a Path, None without it."""
    parser.add_argument(
        "--settings",
        type=InputFile,
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
