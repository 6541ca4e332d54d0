"""``maexchen record``: keep what the sensors feel, as ``maexchen-sim gestures`` judges it.

A folder of recordings has ``index.csv`` (one line a recording) and one gzip CSV for each:
``t_s,ax_mps2,ay_mps2,az_mps2`` for motion, ``t_s,lux`` for light. Motion is in m/s² with gravity,
and is not calibrated. Where samples were lost, more than 0.5 s is left out: a new clip begins.
"""

import argparse
import asyncio
import csv
import gzip
import re
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from drivers.adxl345 import COUNTS_PER_G
from drivers.bus import Priority
from drivers.errors import PartError
from drivers.light import LightKind
from firmware.board import Board, open_board
from firmware.console import DONE, CommandError, because
from firmware.fitted import add_settings, chosen_light
from firmware.inputs import SAMPLE_PERIOD_US

G_MPS2: Final = 9.80665
INDEX: Final = "index.csv"
INDEX_COLUMNS: Final = ("file", "label", "rate_hz", "use", "clips")
MOTION_COLUMNS: Final = ("t_s", "ax_mps2", "ay_mps2", "az_mps2")
LIGHT_COLUMNS: Final = ("t_s", "lux")
LOST_US: Final = 600_000
"""Left out where samples were lost."""
LONGEST_S: Final = 7200.0
SHAKE: Final = "shake"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")

_EXAMPLES = """\
examples:
  maexchen record shake-ana --label shake
  maexchen record bus-ride --label bus_ride --seconds 600 --folder recorded
"""


@dataclass
class Taken:
    """What was felt: motion in µs and counts, light in µs and lux. ``clips`` begin after losses."""

    motion: list[tuple[int, int, int, int]] = field(default_factory=list)
    light: list[tuple[int, float]] = field(default_factory=list)
    clips: int = 1


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
    with suppress(KeyboardInterrupt):
        asyncio.run(_on_this_pi(taken, args.seconds, light))
    print(keep(taken, args.folder, args.name, args.label))
    return DONE


async def _on_this_pi(taken: Taken, seconds: float, light: LightKind) -> None:
    me = asyncio.current_task()
    assert me is not None, "a coroutine runs in a task"
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
    async with open_board(light) as board:
        await record(board, taken, seconds)


async def record(board: Board, taken: Taken, seconds: float) -> None:
    """Take motion and light in for some seconds; what was taken stays when it is cancelled.

    Raises:
        CommandError: a part does not do its work.
    """
    loop = asyncio.get_running_loop()
    try:
        await board.bus.run(board.accelerometer.begin, Priority.MOTION)
        await board.bus.run(board.light.begin, Priority.LIGHT)
        await board.bus.run(board.light.fast, Priority.LIGHT)
        await asyncio.sleep(board.light.settle_us / 1e6)
        began_s = loop.time()
        await board.bus.run(board.accelerometer.drain, Priority.MOTION)
        shift_us = 0
        while (passed_s := loop.time() - began_s) < seconds:
            counts = await board.bus.run(board.light.read, Priority.LIGHT)
            taken.light.append((round(passed_s * 1e6) + shift_us, board.light.lux(counts)))
            drained = await board.bus.run(board.accelerometer.drain, Priority.MOTION)
            if drained.overrun:
                shift_us += LOST_US
                taken.clips += 1
            last_us = round((loop.time() - began_s) * 1e6) + shift_us
            first_us = last_us - (len(drained.xyz) - 1) * SAMPLE_PERIOD_US
            for number, (x, y, z) in enumerate(drained.xyz):
                t_us = first_us + number * SAMPLE_PERIOD_US
                if taken.motion:
                    t_us = max(t_us, taken.motion[-1][0] + 1)
                taken.motion.append((t_us, x, y, z))
            await asyncio.sleep(board.light.fresh_us / 1e6)
        await board.bus.run(board.light.shut_down, Priority.LIGHT)
        await board.bus.run(board.accelerometer.watch_for_motion, Priority.MOTION)
    except PartError as problem:
        raise CommandError(f"{problem}; maexchen doctor looks at everything") from problem


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
    path = folder / f"{name}.csv.gz"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(path, MOTION_COLUMNS, motion)
        _write(folder / f"{name}_light.csv.gz", LIGHT_COLUMNS, light)
        index = folder / INDEX
        fresh = not index.exists()
        with index.open("a", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if fresh:
                writer.writerow(INDEX_COLUMNS)
            writer.writerow((path.name, label, f"{rate_hz:g}", use, taken.clips))
            writer.writerow((f"{name}_light.csv.gz", f"lux_{label}", "30", "light", 1))
    except OSError as error:
        raise CommandError(
            f"recordings {folder}: {because(error)}: name a folder that can be written"
        ) from None
    return path


def _write(path: Path, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
