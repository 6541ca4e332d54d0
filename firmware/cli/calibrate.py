"""``maexchen calibrate``: the command, and the guide in a terminal."""

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from drivers.light_sensor import LightKind
from firmware.cli.arguments import add_locale_language, add_settings
from firmware.cli.console import DONE, CommandError, sends_to_doctor
from firmware.display.text.words import words
from firmware.input.gestures.calibration import Calibration
from firmware.runtime.board import open_board
from firmware.settings.installed import usual_light
from firmware.settings.model import Settings
from firmware.upkeep.calibrate.calibrate import calibrate
from firmware.upkeep.calibrate.file import beside, save
from firmware.upkeep.calibrate.guide import Guide
from firmware.upkeep.calibrate.picture import (
    PLOT_COLUMNS,
    height,
    level_of,
    terminal_line,
)
from firmware.upkeep.calibrate.texts import summary
from game.spoken import Language

_EXAMPLES = """\
examples:
  maexchen calibrate
  maexchen calibrate --store ana.json --lang de
"""


def add_command(commands: Any) -> None:
    """Add ``calibrate`` to a command line."""
    parser = commands.add_parser(
        "calibrate",
        help="show the handheld how it lies, and how you lift and shake",
        description="Put it down, uncover, cover, lift, shake, tilt: the display and the terminal "
        "say when. Stores what is peculiar to this handheld; what cannot be true is refused.",
        epilog=_EXAMPLES,
    )
    parser.add_argument(
        "--store",
        type=Path,
        default=beside(Settings.journal),
        metavar="FILE",
        help="where to store it (default: beside the journal, %(default)s)",
    )
    add_settings(parser)
    add_locale_language(parser)
    parser.set_defaults(command=_command)


def _command(args: argparse.Namespace) -> int:
    if not os.access(args.store.parent, os.W_OK):  # before anybody has shaken
        raise CommandError(
            f"{args.store}: its folder cannot be written to: sudo -u maexchen maexchen calibrate, "
            "or choose another with --store"
        )
    with sends_to_doctor():
        calibration = asyncio.run(_on_this_pi(args.language, usual_light(args.settings)))
    save(calibration, args.store)
    print("\n".join(summary(calibration, args.language)))
    print(args.store)
    return DONE


async def _on_this_pi(language: Language, light: LightKind) -> Calibration:
    async with open_board(light) as board:
        return await calibrate(board, language, Terminal(language))


class Terminal:
    """Prints each step once; on a terminal also the level, on one line that is written over."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._said: object = None
        self._heights: list[float] = []

    def __call__(self, guide: Guide) -> None:
        """Print the step, if it is another, and the level of now."""
        live = sys.stdout.isatty()
        now = (guide.step, guide.complaint, guide.complaints)
        if now != self._said:
            self._said = now
            self._heights.clear()
            if live:
                print("\r\x1b[K", end="")
            if guide.complaint is not None:
                print(f"! {words(guide.complaint.value, self._language)}")
            title, body = (words(text, self._language) for text in guide.step.value)
            print(f"> {title}: {body}", flush=True)
        if guide.over:
            return
        self._heights.append(height(guide.step, level_of(guide, guide.level)))
        del self._heights[:-PLOT_COLUMNS]
        if live:
            print(f"\r{terminal_line(guide, self._heights)}\x1b[K", end="", flush=True)
