"""The parser of both command lines and the locale's language: both load before the rest.

The parser complains in one line, and prints shell completions and a manual.
"""

import argparse
import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final, NoReturn

from firmware.cli.console import REFUSED
from firmware.display.text.language import ENGLISH, Language, preferred

LANGUAGE_OPTIONS: Final = ("--lang", "--language")


def locale_language(environment: Mapping[str, str] = os.environ) -> Language:
    """Return the locale's language of messages; English if there are no texts in it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if spoken := environment.get(name):
            return preferred(spoken)
    return ENGLISH


class LineParser(argparse.ArgumentParser):
    """A parser with one-line complaints: what is wrong, and where help is."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        kwargs.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.set_defaults(parser=self)

    def error(self, message: str) -> NoReturn:
        """Print what is wrong with the arguments and exit with status 2."""
        unknown = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)$", message)
        near = unknown and get_close_matches(unknown[1], re.findall(r"[\w-]+", unknown[2]), 1)
        meant = f"; did you mean {near[0]}?" if near else ""
        self.exit(REFUSED, f"{self.prog}: {message}{meant}; see {self.prog} --help\n")


SHELLS = ("bash", "zsh", "tcsh", "fish")


class _Printed(argparse.Action):
    """Prints what sets up a shell or a manual, and exits."""

    def __call__(
        self, parser: argparse.ArgumentParser, _space: object, shell: object, *_: object
    ) -> NoReturn:
        if shell:
            import shtab

            print(shtab.complete(parser, str(shell)))
        else:
            from argparse_manpage.manpage import Manpage

            print(Manpage(parser, format="single-commands-section"))
        parser.exit()


def add_manuals(parser: argparse.ArgumentParser) -> None:
    """Add the options that print shell completions and a manual page."""
    parser.add_argument(
        "--print-completion",
        action=_Printed,
        choices=SHELLS,
        help="print what completes arguments in a shell, and end",
    )
    parser.add_argument(
        "--print-manual", action=_Printed, nargs=0, help="print the manual page, and end"
    )
