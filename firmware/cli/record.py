"""``maexchen record``: keep what the sensors feel, as ``maexchen-sim gestures`` judges it.

A folder of recordings has ``index.csv`` (one line a recording) and one gzip CSV for each:
``t_s,ax_mps2,ay_mps2,az_mps2`` for motion; beside it, on the same clock, ``t_s,lux`` for light in
``NAME_light.csv.gz`` and ``t_s,down`` for the pad in ``NAME_touch.csv.gz``. Motion is in m/s² with
gravity, and is not calibrated. Where samples were lost, more than 0.5 s is left out: a new clip
begins. What was asked for by ``--cue`` stands in ``events.csv``: ``file,start_s,end_s,label``.
"""

import argparse
import asyncio
import csv
import gzip
import re
import signal
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from drivers.adxl345 import COUNTS_PER_G
from drivers.bus import Priority
from drivers.errors import PartError
from drivers.light_sensor import LightKind
from drivers.ttp223 import STABLE_S, TouchPad
from firmware.cli.arguments import add_settings
from firmware.cli.console import DONE, CommandError, because
from firmware.cli.doctor import language_of
from firmware.display.text.words import LANGUAGES
from firmware.input.gestures.samples import SAMPLE_PERIOD_US, Counts
from firmware.runtime.board import Board, open_board
from firmware.settings.installed import chosen_light
from firmware.upkeep.recording.cues import Cue, CuedGesture, asked_within, lines_for
from game.spoken import Language

G_MPS2: Final = 9.80665
INDEX: Final = "index.csv"
INDEX_COLUMNS: Final = ("file", "label", "rate_hz", "use", "clips")
MOTION_COLUMNS: Final = ("t_s", "ax_mps2", "ay_mps2", "az_mps2")
LIGHT_COLUMNS: Final = ("t_s", "lux")
TOUCH_COLUMNS: Final = ("t_s", "down")
EVENTS: Final = "events.csv"
EVENT_COLUMNS: Final = ("file", "start_s", "end_s", "label")
LOST_US: Final = 600_000
"""Left out where samples were lost."""
LONGEST_S: Final = 7200.0
SHAKE: Final = "shake"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")

_EXAMPLES = """\
examples:
  maexchen record shake-ana --label shake --cue shake
  maexchen record lift-dim --label lifting --cue lift --seconds 120
  maexchen record bus-ride --label bus_ride --seconds 600 --folder recorded
"""


@dataclass
class Taken:
    """What was felt: motion in µs and counts, light in µs and lux, touches in µs and whether down.

    The clock began at ``began_us`` of the loop's. ``clips`` begin after losses. ``asked``: what was
    to be done when, on the same clock.
    """

    motion: list[tuple[int, int, int, int]] = field(default_factory=list)
    light: list[tuple[int, float]] = field(default_factory=list)
    touches: list[tuple[int, bool]] = field(default_factory=list)
    asked: list[CuedGesture] = field(default_factory=list)
    clips: int = 1
    began_us: int = 0


def add_command(commands: Any) -> None:
    """Add ``record`` to a command line."""
    parser = commands.add_parser(
        "record",
        help="keep what the sensors feel, for maexchen-sim gestures",
        description="Keep motion and light of this handheld in a folder of recordings, until "
        "Ctrl-C or the time is over.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("name", metavar="NAME", help="of the recording: a-z, 0-9, - and _")
    parser.add_argument("--label", required=True, help="what is done: shake, walking, put_down …")
    parser.add_argument(
        "--folder", type=Path, default=Path("recorded"), help="default: %(default)s"
    )
    parser.add_argument(
        "--seconds", type=float, default=300.0, metavar="S", help="default: %(default)g"
    )
    parser.add_argument(
        "--cue",
        choices=[cue.value for cue in Cue],
        help="say every few seconds when to do it, and keep that as what must be recognised",
    )
    parser.add_argument("--lang", choices=LANGUAGES, help="language, instead of the locale's")
    add_settings(parser)
    parser.set_defaults(command=_command)


def _command(args: argparse.Namespace) -> int:
    for what, text in (("name", args.name), ("label", args.label)):
        if not _NAME.fullmatch(text):
            raise CommandError(f"{what} {text!r}: write a-z, 0-9, - and _ only")
    if not 1 <= args.seconds <= LONGEST_S:
        raise CommandError(f"--seconds {args.seconds:g}: write 1 to {LONGEST_S:g}")
    if (args.folder / f"{args.name}.csv.gz").exists():
        raise CommandError(f"{args.folder / args.name}.csv.gz is there already: use another name")
    light = chosen_light(args.settings)
    taken = Taken()
    cue = None if args.cue is None else Cue(args.cue)
    with suppress(KeyboardInterrupt):
        asyncio.run(_on_this_pi(taken, args.seconds, light, cue, language_of(args)))
    print(keep(taken, args.folder, args.name, args.label))
    return DONE


async def _on_this_pi(
    taken: Taken, seconds: float, light: LightKind, cue: Cue | None, language: Language
) -> None:
    me = asyncio.current_task()
    assert me is not None, "a coroutine runs in a task"
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
    async with open_board(light) as board:
        await record(board, taken, seconds, cue, language)


async def record(
    board: Board,
    taken: Taken,
    seconds: float,
    cue: Cue | None = None,
    language: Language = "en",
) -> None:
    """Take motion, light and touches in for some seconds; what was taken stays when cancelled.

    ``cue`` has a gesture asked for in the terminal, again and again.

    Raises:
        CommandError: a part does not do its work.
    """
    try:
        await board.bus.run(board.accelerometer.begin, Priority.MOTION)
        await board.bus.run(board.light.begin, Priority.LIGHT)
        await board.bus.run(board.light.fast, Priority.LIGHT)
        await asyncio.sleep(board.light.settle_us / 1e6)
        recorder = _Recorder(board, taken)
        try:
            await recorder.run(seconds, cue, language)
        finally:
            recorder.pad.close()
        await board.bus.run(board.light.shut_down, Priority.LIGHT)
        await board.bus.run(board.accelerometer.watch_for_motion, Priority.MOTION)
    except PartError as problem:
        raise CommandError(f"{problem}; maexchen doctor looks at everything") from problem


class _Recorder:
    """Takes a board in, on a clock that begins now and jumps where samples are lost."""

    def __init__(self, board: Board, taken: Taken) -> None:
        self._board = board
        self._taken = taken
        self._loop = asyncio.get_running_loop()
        self._began_us = taken.began_us = round(self._loop.time() * 1e6)
        self._lost_us = 0
        self.pad = TouchPad(board.gpio, board.touch_pin, self._touched, self._loop)

    async def run(self, seconds: float, cue: Cue | None, language: Language) -> None:
        bus, light, accelerometer = self._board.bus, self._board.light, self._board.accelerometer
        lines = deque(lines_for(cue, seconds) if cue is not None else ())
        asked = deque(asked_within(cue, seconds) if cue is not None else ())
        await bus.run(accelerometer.drain, Priority.MOTION)
        while (passed_us := self._passed_us()) < seconds * 1e6:
            if lines and lines[0].at_us <= passed_us:
                print(getattr(lines.popleft().words, language), flush=True)
            if asked and asked[0].start_us <= passed_us:
                start_us, end_us, label = asked.popleft()
                self._taken.asked.append(
                    CuedGesture(start_us + self._lost_us, end_us + self._lost_us, label)
                )
            counts = await bus.run(light.read, Priority.LIGHT)
            self._taken.light.append((passed_us + self._lost_us, light.lux(counts)))
            drained = await bus.run(accelerometer.drain, Priority.MOTION)
            if drained.overrun:
                self._lost_us += LOST_US
                self._taken.clips += 1
            self._feel(drained.xyz)
            await asyncio.sleep(light.fresh_us / 1e6)

    def _feel(self, xyz: tuple[Counts, ...]) -> None:
        motion = self._taken.motion
        first_us = self._passed_us() + self._lost_us - (len(xyz) - 1) * SAMPLE_PERIOD_US
        for number, (x, y, z) in enumerate(xyz):
            t_us = first_us + number * SAMPLE_PERIOD_US
            if motion:
                t_us = max(t_us, motion[-1][0] + 1)
            motion.append((t_us, x, y, z))

    def _touched(self, t_us: int, down: bool) -> None:
        self._taken.touches.append((t_us - self._began_us + self._lost_us, down))

    def _passed_us(self) -> int:
        return round(self._loop.time() * 1e6) - self._began_us


def keep(taken: Taken, folder: Path, name: str, label: str) -> Path:
    """Write what was taken into a folder of recordings; returns the file of the motion.

    Raises:
        CommandError: the folder cannot be written.
    """
    use = "missed-shake" if SHAKE in label else "false-roll"
    rate_hz = 1e6 / SAMPLE_PERIOD_US
    scale = G_MPS2 / COUNTS_PER_G
    start_us = taken.motion[0][0] if taken.motion else 0
    motion = [
        (f"{(t_us - start_us) / 1e6:.6f}", *(f"{value * scale:.3f}" for value in xyz))
        for t_us, *xyz in taken.motion
    ]
    light = [
        (f"{(t_us - start_us) / 1e6:.6f}", f"{lux:.2f}")
        for t_us, lux in taken.light
        if t_us >= start_us
    ]
    touches = [
        (f"{(t_us - start_us) / 1e6:.6f}", str(int(down)))
        for t_us, down in taken.touches
        if t_us >= start_us
    ]
    path = folder / f"{name}.csv.gz"
    asked = [
        (path.name, f"{(start - start_us) / 1e6:.3f}", f"{(end - start_us) / 1e6:.3f}", label)
        for start, end, label in taken.asked
    ]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, MOTION_COLUMNS, motion)
        _write(folder / f"{name}_light.csv.gz", LIGHT_COLUMNS, light)
        _write(folder / f"{name}_touch.csv.gz", TOUCH_COLUMNS, touches)
        listed = [
            (path.name, label, f"{rate_hz:g}", use, str(taken.clips)),
            (f"{name}_light.csv.gz", f"lux_{label}", f"{_rate_hz(taken.light):.0f}", "light", "1"),
            (f"{name}_touch.csv.gz", f"touch_{label}", f"{1 / STABLE_S:.0f}", "touch", "1"),
        ]
        _append(folder / INDEX, INDEX_COLUMNS, listed)
        if asked:
            _append(folder / EVENTS, EVENT_COLUMNS, asked)
    except OSError as error:
        raise CommandError(
            f"recordings {folder}: {because(error)}: name a folder that can be written"
        ) from None
    return path


def _rate_hz(light: Sequence[tuple[int, float]]) -> float:
    lasted_us = light[-1][0] - light[0][0] if light else 0
    return 1e6 * (len(light) - 1) / lasted_us if lasted_us else 0.0


def _write(path: Path, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def _append(path: Path, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    fresh = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if fresh:
            writer.writerow(columns)
        writer.writerows(rows)
