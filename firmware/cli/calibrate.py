"""``maexchen calibrate``: a board led through the guide, on its display and in a terminal."""

import argparse
import asyncio
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from drivers.bus import Priority
from drivers.errors import PartError
from drivers.light_sensor import LightKind
from firmware.cli.arguments import add_settings
from firmware.cli.console import DONE, CommandError
from firmware.cli.doctor import language_of
from firmware.display.text.words import LANGUAGES
from firmware.input.gestures.calibration import Calibration, beside, save
from firmware.input.gestures.samples import AccelBatch, Light
from firmware.runtime.board import Board, open_board
from firmware.settings.installed import chosen_light
from firmware.settings.model import Settings
from firmware.upkeep.calibrate.guide import Guide
from firmware.upkeep.calibrate.picture import (
    PLOT_COLUMNS,
    height,
    level_of,
    panel_picture,
    terminal_line,
)
from firmware.upkeep.calibrate.texts import COMPLAINTS, STEPS, summary
from game.spoken import Language

MOST_FELT_US: Final = 90_000
"""What is felt for so long fits into one drain of the accelerometer."""

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
    parser.add_argument("--lang", choices=LANGUAGES, help="language, instead of the locale's")
    parser.set_defaults(command=_command)


def _command(args: argparse.Namespace) -> int:
    language = language_of(args)
    light = chosen_light(args.settings)
    calibration = asyncio.run(_on_this_pi(language, light))
    save(calibration, args.store)
    print("\n".join(summary(calibration, language)))
    print(args.store)
    return DONE


async def _on_this_pi(language: Language, light: LightKind) -> Calibration:
    async with open_board(light) as board:
        return await calibrate(board, language, Terminal(language))


class Terminal:
    """Says each step once, and draws what is felt on one line below where there is a terminal."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._said: object = None
        self._heights: list[float] = []

    def __call__(self, guide: Guide) -> None:
        """Tell how the guide stands."""
        live = sys.stdout.isatty()
        now = (guide.step, guide.complaint, guide.complaints)
        if now != self._said:
            self._said = now
            self._heights.clear()
            if live:
                print("\r\x1b[K", end="")
            if guide.complaint is not None:
                print(f"! {getattr(COMPLAINTS[guide.complaint], self._language)}")
            instruction = STEPS[guide.step]
            title, body = (getattr(words, self._language) for words in instruction)
            print(f"> {title}: {body}", flush=True)
        if guide.over:
            return
        self._heights.append(height(guide.step, level_of(guide, guide.level)))
        del self._heights[:-PLOT_COLUMNS]
        if live:
            print(f"\r{terminal_line(guide, self._heights)}\x1b[K", end="", flush=True)


async def calibrate(board: Board, language: Language, tell: Callable[[Guide], None]) -> Calibration:
    """Lead through a calibration on a board.

    Raises:
        PartError: a part does not do its work.
        CommandError: it was given up; nothing was measured that could be stored.
    """
    loop = asyncio.get_running_loop()
    guide = Guide(_now_us(loop))
    try:
        await board.bus.run(board.panel.begin, Priority.PICTURE)
        await board.bus.run(board.panel.light_up, Priority.PICTURE)
        await board.bus.run(board.accelerometer.begin, Priority.MOTION)
        await board.bus.run(board.light.begin, Priority.LIGHT)
        await board.bus.run(board.light.fast, Priority.LIGHT)
        await asyncio.sleep(board.light.settle_us / 1e6)
        while not guide.over:
            await _sense(board, guide, loop)
            tell(guide)
            await _show(board, guide, language)
        await board.bus.run(board.light.shut_down, Priority.LIGHT)
        await board.bus.run(board.panel.blank, Priority.BLANK)
    except PartError as problem:
        raise CommandError(f"{problem}; maexchen doctor looks at everything") from problem
    if guide.calibration is None:
        reason = COMPLAINTS[guide.complaint].en if guide.complaint is not None else ""
        raise CommandError(f"calibration given up, nothing was changed: {reason} Try it again")
    return guide.calibration


async def _sense(board: Board, guide: Guide, loop: asyncio.AbstractEventLoop) -> None:
    """Read light as often as it converts, then what has been felt meanwhile."""
    for _ in range(max(1, MOST_FELT_US // board.light.fresh_us)):
        await asyncio.sleep(board.light.fresh_us / 1e6)
        counts = await board.bus.run(board.light.read, Priority.LIGHT)
        guide.see(Light(_now_us(loop), counts))
    drained = await board.bus.run(board.accelerometer.drain, Priority.MOTION)
    guide.feel(AccelBatch(_now_us(loop), drained.xyz, overrun=drained.overrun))


async def _show(board: Board, guide: Guide, language: Language) -> None:
    picture = board.panel.pack(panel_picture(guide.step, guide.complaint, guide.progress, language))
    for window in board.panel.changes(picture):
        await board.bus.run(partial(board.panel.write, window), Priority.PICTURE)


def _now_us(loop: asyncio.AbstractEventLoop) -> int:
    return round(loop.time() * 1e6)
