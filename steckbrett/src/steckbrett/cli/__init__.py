"""The command ``steckbrett``: run a program on a board that the options describe.

Its subcommand ``run`` runs an unchanged program in virtual time.

May import: host, board, parts, clock.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import get_args

from .. import __version__
from ..board.board import Board
from ..board.bus import BAUD
from ..board.gpio import Profile
from ..board.plan import PlanError, baud_of, pulls_of, read_plan, seconds_of, seed_of, wires_of
from ..clock import ClockError
from ..host.pi import hints
from ..host.program import Outcome, ProgramError, module, own_traceback, run, script
from ..parts import FAILING, Offence
from ..traces import drawn
from ..traces.compare import Captured, CaptureError, difference, of_run, read_capture
from ..traces.recording import MissingLibraryError, Recording, waveforms
from ..traces.timeline import timeline

REFUSED_EXIT, DIFFERS_EXIT = 3, 4
"""The exit codes under ``--strict`` where a chip refused something, or a model lacks it, and where
captures differ; chosen."""


def main(words: Sequence[str]) -> int:
    """Run the command with its options; return its exit code."""
    arguments = _parser().parse_args(words)
    try:
        return _run(arguments) if hasattr(arguments, "program") else _compare(arguments)
    except (CaptureError, PlanError, ProgramError, ClockError, MissingLibraryError) as problem:
        _complain(str(problem))
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="steckbrett", description="A test bench for programs of a Raspberry Pi."
    )
    parser.add_argument("--version", action="version", version=f"steckbrett {__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")
    one = commands.add_parser(
        "run", help="run an unchanged program on a board of simulated parts, in virtual time"
    )
    add = one.add_argument
    add("--for", dest="until_s", metavar="S", help="end it after S virtual seconds")
    add("--board", metavar="TOML", help="a file that describes the board")
    add("--part", action="append", default=[], help="adxl345, adxl345@0x53, left=adxl345@0x1d")
    add("--wire", action="append", default=[], help="17=adxl345.int1, or two pins: 17=27")
    add("--pull", action="append", default=[], help="a resistor: 4=up or 4=down")
    add("--press", action="append", default=[], help="17=2.0+0.3: at 2 s, for 0.3 s; ttp223=2.0")
    add(
        "--world",
        action="append",
        default=[],
        help="light=300@2.0, shake=2.0+1.0, bme280.humidity=60",
    )
    add("--recording", metavar="CSV", help="motion of every accelerometer: moved.csv, or .csv.gz")
    add("--unit", help="that of the recording, if no name tells it: mps2, g, mg, counts of 1 g")
    add("--seed", help="decides noise, and chance in the program (default: 0)")
    add("--dialect", choices=get_args(Profile), default="rpi-gpio", help="how RPi.GPIO behaves")
    add("--baud", help="bits a second on the I2C bus (default: 100000)")
    add(
        "--strict",
        action="store_true",
        help=f"exit code {REFUSED_EXIT} if a chip refuses, or a model lacks what it asks",
    )
    add(
        "--allow", action="append", default=[], metavar="TEXT", help="offences that --strict admits"
    )
    add("--picture", metavar="PNG", help="write what displays show at the end")
    add("--timeline", metavar="SVG", help="write what happened as one picture")
    add("--vcd", metavar="FILE", help="write what happened for waveform viewers")
    add("-m", dest="module", action="store_true", help="the program is the name of a module")
    add(
        "--compare",
        metavar="CAPTURE",
        help="exit code 4 if the bus of a real board had other messages",
    )
    add("program", help="a Python file")
    add("arguments", nargs=argparse.REMAINDER, help="arguments of the program")
    two = commands.add_parser(
        "compare", help="compare two captures of an I2C bus: VCD, sigrok's or Saleae's tables"
    )
    two.add_argument("first", metavar="CAPTURE", help="such as what run --vcd wrote")
    two.add_argument("second", metavar="CAPTURE")
    return parser


def _run(arguments: argparse.Namespace) -> int:
    until_s = None if arguments.until_s is None else seconds_of(arguments.until_s)
    plan = read_plan(arguments.board) if arguments.board else {}
    seed = plan.pop("seed", 0) if arguments.seed is None else seed_of(arguments.seed)
    plan.pop("seed", None)
    baud = plan.get("baud", BAUD) if arguments.baud is None else baud_of(arguments.baud)
    board = Board(
        [*plan.get("parts", ()), *arguments.part],
        wires_of(
            [*(f"{pin}={end}" for pin, end in plan.get("wires", {}).items()), *arguments.wire]
        ),
        plan.get("pulls", {}) | pulls_of(arguments.pull),
        [*plan.get("presses", ()), *arguments.press],
        [*plan.get("worlds", ()), *arguments.world],
        seed=seed,
        profile=arguments.dialect,
        baud=baud,
    )
    if arguments.recording:
        guessed = board.worlds.motion.recording(arguments.recording, unit=arguments.unit)
        if guessed:
            _complain(guessed)
    elif arguments.unit:
        raise PlanError("--unit is that of a recording: give --recording, too")
    capture = read_capture(arguments.compare) if arguments.compare else None
    wanted = arguments.picture or arguments.timeline or arguments.vcd or arguments.compare
    recording = Recording(board) if wanted else None
    program: Callable[[], object] = (module if arguments.module else script)(arguments.program)
    argv = [arguments.program, *arguments.arguments]
    looks = _Looks(board)
    outcome = run(program, board, until_s=until_s, seed=seed, argv=argv, look=looks.take)
    code = _report(outcome, board, arguments)
    if arguments.picture:
        looks.save(Path(arguments.picture))
    if recording is not None and arguments.timeline:
        _write(arguments.timeline, timeline(recording).encode())
    if recording is not None and arguments.vcd:
        _write(arguments.vcd, waveforms(recording).encode())
    if recording is not None and capture is not None:
        ours = of_run(recording.transfers)
        code = code or _differ(ours, capture, "the run", arguments.compare)
    sys.stdout.flush()
    sys.stderr.flush()
    if outcome.left:
        os._exit(code)
    return code


def _compare(arguments: argparse.Namespace) -> int:
    first, second = read_capture(arguments.first), read_capture(arguments.second)
    return _differ(first, second, arguments.first, arguments.second)


def _differ(first: Sequence[Captured], second: Sequence[Captured], name: str, other: str) -> int:
    """Report the first difference; return the exit code."""
    told = difference(first, second, name, other)
    if told is None:
        print(f"{len(first)} messages of {name} and {other} are equal", file=sys.stderr)
        return 0
    _complain(told)
    return DIFFERS_EXIT


class _Looks:
    """The pictures of the displays at the program's end, before it cleans up."""

    def __init__(self, board: Board) -> None:
        self._parts = {name: part for name, part in board.parts.items() if hasattr(part, "pixels")}
        self._seen: dict[str, bytes] = {}

    def take(self) -> None:
        self._seen = {name: drawn(part.pixels()) for name, part in self._parts.items()}

    def save(self, path: Path) -> None:
        if not self._seen:
            raise ProgramError("no picture: the board has no display of pixels")
        for name, picture in self._seen.items():
            many = len(self._seen) > 1
            _write(path.with_stem(f"{path.stem}-{name}") if many else path, picture)


def _write(path: Path | str, content: bytes) -> None:
    """Write a file as a whole; a link stays, and a device or a pipe is written into."""
    target = Path(path)
    draft = target.resolve().with_name(f".{os.getpid()}.new")
    try:
        if target.exists() and not target.is_file():
            with open(os.open(target, os.O_WRONLY | os.O_NONBLOCK), "wb") as file:
                os.set_blocking(file.fileno(), True)
                file.write(content)
            return
        draft.write_bytes(content)
        if target.exists():
            before = target.stat()
            os.chown(draft, before.st_uid, before.st_gid)
            draft.chmod(before.st_mode & 0o7777)
        draft.replace(target.resolve())
    except OSError as problem:
        draft.unlink(missing_ok=True)
        raise ProgramError(f"cannot write {path}: {problem.strerror}") from None


def _report(outcome: Outcome, board: Board, arguments: argparse.Namespace) -> int:
    error = outcome.error
    at = f"at {board.clock.time():.3f} s of virtual time"
    if isinstance(error, SystemExit):
        print(error.code, file=sys.stderr)
    elif isinstance(error, ClockError):
        _complain(str(error))
    elif outcome.interrupted and isinstance(error, KeyboardInterrupt):
        _complain(f"stopped by Ctrl-C {at}")
    elif error is not None:
        sys.stderr.write(own_traceback(error, arguments.program))
    if outcome.left:
        _complain(f"{outcome.left} threads did not end {at}")
    for line in hints(error, board):
        _complain(line)
    for kind in (Offence.REFUSED, Offence.UNMODELLED, Offence.TORN, Offence.UNLISTED):
        for line in board.offences(kind):
            _complain(f"{kind}: {line}")
    failing = [
        line
        for line in board.offences(*FAILING)
        if not any(text in line for text in arguments.allow)
    ]
    if failing and arguments.strict and not outcome.exit_code:
        return REFUSED_EXIT
    return outcome.exit_code


def _complain(line: str) -> None:
    print(f"steckbrett: {line}", file=sys.stderr)
