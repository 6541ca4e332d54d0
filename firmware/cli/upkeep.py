"""``maexchen doctor``, ``calibrate`` and ``record``: the commands, and the guide in a terminal."""

import argparse
import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, TextIO

from drivers.light_sensor import LightKind
from firmware.cli.arguments import OutputFile, add_locale_language, add_settings, between
from firmware.cli.console import DONE, WRONG, CommandError, sends_to_doctor
from firmware.display.text.language import Language, key_of, say
from firmware.input.gestures import Calibration
from firmware.runtime.board import open_board
from firmware.settings import Settings, chosen_light, usual_light
from firmware.upkeep.calibrate import (
    PLOT_COLUMNS,
    Guide,
    beside,
    calibrate,
    height,
    level_of,
    save,
    summary,
    terminal_line,
)
from firmware.upkeep.doctor import EVERYTHING, PARTS, CheckStatus, Finding
from firmware.upkeep.doctor.examine import examine
from firmware.upkeep.doctor.patient import Patient, Request, this_pi
from firmware.upkeep.recording import Cue, Take, keep, motion_file, record

_DOCTOR_EXAMPLES = """\
examples:
  maexchen doctor
  maexchen doctor --hands --lang de
  maexchen doctor --part display --hands
  maexchen doctor --json
"""


def add_doctor(commands: Any) -> None:
    """Add ``doctor`` to a command line."""
    parser = commands.add_parser(
        "doctor",
        help="find every part, say what is wrong and how to mend it",
        description="Look at every part, wire and permission, and say what is wrong and how to "
        "mend it. Exit status 1 if anything is wrong.",
        epilog=_DOCTOR_EXAMPLES,
    )
    add_examination(parser)
    parser.set_defaults(command=_doctor)


def add_examination(parser: argparse.ArgumentParser) -> None:
    """Add the options of the doctor."""
    parser.add_argument("--json", action="store_true", help="one JSON object, nothing else")
    parser.add_argument(
        "--hands", action="store_true", help="ask you to cover, uncover and tap, too"
    )
    parser.add_argument("--part", choices=PARTS, help="examine this part alone")
    add_settings(parser)
    add_locale_language(parser)


def _doctor(args: argparse.Namespace) -> int:
    ask = asking(args) if args.hands else None
    with this_pi(ask, chosen_light(args.settings)) as patient:
        return asyncio.run(report(patient, args.language, args.part, as_json=args.json))


def asking(args: argparse.Namespace) -> Callable[[Request], None]:
    """Return a function that asks for a hand on stdout; with ``--json`` it prints nothing."""

    def ask(request: Request) -> None:
        if not args.json:
            print("> " + say(request, args.language), flush=True)

    return ask


async def report(
    patient: Patient, language: Language, part: str | None = None, *, as_json: bool
) -> int:
    """Examine and print; return the exit status: 1 if anything is wrong, else 0.

    ``part``: a key of `PARTS` that is examined alone; None: everything.
    """

    def tell(finding: Finding) -> None:
        if not as_json:
            print("\n".join(finding.lines(language)), flush=True)

    wanted = EVERYTHING if part is None else PARTS[part]
    findings = await examine(replace(patient, language=language), tell, wanted)
    ill = sum(finding.status is CheckStatus.WRONG for finding in findings)
    notes = sum(finding.status is CheckStatus.NOTE for finding in findings)
    if as_json:
        told = {"well": not ill, "findings": [finding.as_json() for finding in findings]}
        print(json.dumps(told, ensure_ascii=False, indent=2))
    elif ill or notes:
        print(say("examined.SUMS", language, wrong=ill, notes=notes))
    else:
        print(say("examined.ALL_WELL", language))
    return WRONG if ill else DONE


_CALIBRATE_EXAMPLES = """\
examples:
  maexchen calibrate
  maexchen calibrate --store ana.json --lang de
"""


def add_calibrate(commands: Any) -> None:
    """Add ``calibrate`` to a command line."""
    parser = commands.add_parser(
        "calibrate",
        help="show the handheld how it lies, and how you lift and shake",
        description="Put it down, uncover, cover, lift, shake, tilt: the display and the terminal "
        "say when. Stores what is peculiar to this handheld; what cannot be true is refused.",
        epilog=_CALIBRATE_EXAMPLES,
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
    parser.set_defaults(command=_calibrate)


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


def _calibrate(args: argparse.Namespace) -> int:
    if not os.access(args.store.parent, os.W_OK):  # before anybody has shaken
        raise CommandError(
            f"{args.store}: its folder cannot be written to: sudo -u maexchen maexchen calibrate, "
            "or choose another with --store"
        )
    with sends_to_doctor():
        calibration = asyncio.run(_calibrate_here(args))
    save(calibration, args.store)
    tell(calibration, args)
    print(args.store, file=sys.stderr if args.json else sys.stdout)
    return DONE


async def _calibrate_here(args: argparse.Namespace) -> Calibration:
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


LONGEST_S: Final = 7200
"""The longest recording; chosen."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")

_RECORD_EXAMPLES = """\
examples:
  maexchen record shake-ana --label shake --cue shake
  maexchen record lift-dim --label lifting --cue lift --seconds 120
  maexchen record bus-ride --label bus_ride --seconds 600 --folder recorded
"""


def add_record(commands: Any) -> None:
    """Add ``record`` to a command line."""
    parser = commands.add_parser(
        "record",
        help="keep what the sensors feel, for maexchen-sim gestures",
        description="Keep motion and light of this handheld in a folder of recordings, until "
        "Ctrl-C or the time is over.",
        epilog=_RECORD_EXAMPLES,
    )
    parser.add_argument("name", metavar="NAME", help="of the recording: a-z, 0-9, - and _")
    parser.add_argument("--label", required=True, help="what is done: shake, walking, put_down …")
    parser.add_argument(
        "--folder", type=Path, default=Path("recorded"), help="default: %(default)s"
    )
    parser.add_argument(
        "--seconds",
        type=between(float, 1, LONGEST_S),
        default=300.0,
        metavar="S",
        help="default: %(default)g",
    )
    parser.add_argument(
        "--cue",
        choices=[cue.value for cue in Cue],
        help="say every few seconds when to do it, and keep that as what must be recognised",
    )
    add_locale_language(parser)
    add_settings(parser)
    parser.set_defaults(command=_record)


def _record(args: argparse.Namespace) -> int:
    for what, text in (("name", args.name), ("label", args.label)):
        if not _NAME.fullmatch(text):
            raise CommandError(f"{what} {text!r}: write a-z, 0-9, - and _ only")
    path = args.folder / motion_file(args.name)
    if path.exists():
        raise CommandError(f"{path} is there already: use another name")
    take = Take()
    light, cue = usual_light(args.settings), None if args.cue is None else Cue(args.cue)
    with sends_to_doctor(), suppress(KeyboardInterrupt):
        asyncio.run(_record_here(take, args.seconds, light, cue, args.language))
    print(keep(take, args.folder, args.name, args.label))
    return DONE


async def _record_here(
    take: Take, seconds: float, light: LightKind, cue: Cue | None, language: Language
) -> None:
    def tell(key: str) -> None:
        print(say(key, language), flush=True)

    me = asyncio.current_task()
    assert me is not None, "a coroutine runs in a task"
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
    async with open_board(light) as board:
        await record(board, take, seconds, cue, tell)
