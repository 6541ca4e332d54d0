"""``maexchen-sim gestures`` and ``scenes``: recorded and made-up motion, judged."""

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from firmware.cli.arguments import InputFile, between, refuse_idle
from firmware.cli.console import DONE, WRONG, CommandError, because
from firmware.input.gestures.gesture import UNCALIBRATED, Calibration
from firmware.upkeep.calibrate.guide import load
from hw_sim.cli.arguments import add_json
from hw_sim.trials.gestures.film import film
from hw_sim.trials.gestures.made_up import run_scenes
from hw_sim.trials.gestures.recorded import run_trial
from hw_sim.trials.gestures.results import TrialResult, table

MOST_TAKES = 1000


def add_commands(commands: Any) -> None:
    """Add ``gestures`` and ``scenes`` to what argparse calls subparsers."""
    trial = commands.add_parser(
        "gestures",
        help="recorded motion through the recognizer",
        description="Play a folder of recorded motion through the simulated accelerometer, the "
        "driver and the recognizer, with the light and the touches recorded beside it; without, "
        "as if the cup were covered.",
        epilog="example:\n  maexchen-sim gestures recordings --json\n",
    )
    trial.add_argument("folder", type=Path, metavar="DIR", help="with index.csv and events.csv")
    trial.add_argument(
        "--calibration",
        type=InputFile,
        metavar="FILE",
        help="of the handheld that recorded, as maexchen calibrate stores it",
    )
    trial.add_argument(
        "--unit", help="of the acceleration, whatever its column says: mps2, g, mg, counts of 1 g"
    )
    add_json(trial)
    trial.set_defaults(command=_judge_gestures)
    scenes = commands.add_parser(
        "scenes",
        help="made-up light and motion that no recording covers",
        description="Lift, cover, shake and tap in bad light, put down, walk, ride a bus: made up, "
        "through the simulated sensors, the drivers and the recognizer; false and missed gestures "
        "per hour with their 95 % intervals.",
        epilog="examples:\n  maexchen-sim scenes\n  maexchen-sim scenes --takes 12 --json\n"
        "  maexchen-sim scenes --film made-up && maexchen-sim gestures made-up\n",
    )
    scenes.add_argument(
        "--takes",
        type=between(int, 1, MOST_TAKES),
        default=2,
        metavar="N",
        help="of 5 minutes, of each scene (2; 12 = 1 h)",
    )
    scenes.add_argument("--seed", default="0", help="another one is another set of people")
    scenes.add_argument(
        "--film",
        type=Path,
        metavar="DIR",
        help="judge nothing, but record all takes there as maexchen record does, for gestures",
    )
    add_json(scenes)
    scenes.set_defaults(command=_judge_scenes)


def _judge_scenes(args: argparse.Namespace) -> int:
    if args.film is not None:
        refuse_idle(args, "--json", "does nothing with --film")
        if args.film.exists():
            raise CommandError(f"--film {args.film} is there already: name a new folder")
        files = film(args.film, args.takes, args.seed)
        print(f"{args.film}: {len(files)}")
        return DONE
    return _told(run_scenes(args.takes, args.seed), as_json=args.json)


def _told(results: dict[str, TrialResult], *, as_json: bool) -> int:
    if as_json:
        print(json.dumps({name: result.as_json() for name, result in results.items()}))
    else:
        print(table(results))
    return WRONG if any(result.violations for result in results.values()) else DONE


def _calibration(path: Path | None) -> Calibration:
    if path is None:
        return UNCALIBRATED
    return load(path)


def _judge_gestures(args: argparse.Namespace) -> int:
    try:
        calibration, tell = _calibration(args.calibration), partial(print, file=sys.stderr)
        results = run_trial(args.folder, calibration=calibration, unit=args.unit, tell=tell)
    except OSError as error:
        raise CommandError(
            f"recordings {error.filename or args.folder}: {because(error)}: give a folder that can "
            "be read"
        ) from None
    return _told(results, as_json=args.json)
