"""``maexchen calibrate``: the command, and the guide in a terminal."""

import argparse
import asyncio
import json
import os
import sys
from dataclasses import asdict
from typing import Any, TextIO

from firmware.cli.arguments import OutputFile, add_locale_language, add_settings
from firmware.cli.console import DONE, CommandError, sends_to_doctor
from firmware.display.text.language import Language, key_of, say
from firmware.input.gestures.gesture import Calibration
from firmware.runtime.board import open_board
from firmware.settings.model import Settings
from firmware.settings.toml import usual_light
from firmware.upkeep.calibrate.calibrate import (
    PLOT_COLUMNS,
    calibrate,
    height,
    level_of,
    terminal_line,
)
from firmware.upkeep.calibrate.guide import Guide, beside, save, summary

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
        type=OutputFile,
        default=beside(Settings.journal),
        metavar="FILE",
        help="where to store it (default: beside the journal, %(default)s)",
    )
    add_settings(parser)
    add_told(parser)
    parser.set_defaults(command=_command)


def add_told(parser: argparse.ArgumentParser) -> None:
    """Add the output options of a calibration: ``args.language, json``."""
    add_locale_language(parser)
    parser.add_argument(
        "--json", action="store_true", help="print what was measured as one JSON object"
    )


def listener(args: argparse.Namespace) -> "Terminal":
    """Return what prints instructions; on stderr if stdout is for the measured values."""
    return Terminal(args.language, sys.stderr if args.json else sys.stdout)


def tell(calibration: Calibration, args: argparse.Namespace) -> None:
    """Print the measured values."""
    if args.json:
        print(json.dumps(asdict(calibration)))
    else:
        print("\n".join(summary(calibration, args.language)))


def _command(args: argparse.Namespace) -> int:
    if not os.access(args.store.parent, os.W_OK):  # before anybody has shaken
        raise CommandError(
            f"{args.store}: its folder cannot be written to: sudo -u maexchen maexchen calibrate, "
            "or choose another with --store"
        )
    with sends_to_doctor():
        calibration = asyncio.run(_on_this_pi(args))
    save(calibration, args.store)
    tell(calibration, args)
    print(args.store, file=sys.stderr if args.json else sys.stdout)
    return DONE


async def _on_this_pi(args: argparse.Namespace) -> Calibration:
    async with open_board(usual_light(args.settings)) as board:
        return await calibrate(board, args.language, listener(args))


class Terminal:
    """Prints each step once, and on a terminal the level, on one line that is overwritten."""

    def __init__(self, language: Language, stream: TextIO) -> None:
        self._language = language
        self._stream = stream
        self._said: object = None
        self._heights: list[float] = []

    def __call__(self, guide: Guide) -> None:
        """Print the step if it is new, and the current level."""
        live = self._stream.isatty()
        now = (guide.step, guide.complaint, guide.complaints)
        if now != self._said:
            self._said = now
            self._heights.clear()
            if live:
                self._print("\r\x1b[K", end="")
            if guide.complaint is not None:
                self._print(f"! {say(guide.complaint, self._language)}")
            title, body = (
                say(key_of(guide.step, part), self._language) for part in ("title", "body")
            )
            self._print("> " + say("calibration.STEP", self._language, title=title, body=body))
        if guide.over:
            return
        self._heights.append(height(guide.step, level_of(guide, guide.level)))
        del self._heights[:-PLOT_COLUMNS]
        if live:
            self._print(f"\r{terminal_line(guide, self._heights)}\x1b[K", end="")

    def _print(self, text: str, end: str = "\n") -> None:
        print(text, end=end, file=self._stream, flush=True)
