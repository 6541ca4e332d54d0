"""``maexchen-sim gestures`` and ``scenes``."""

import argparse
import json
from pathlib import Path

from firmware.cli.console import DONE, WRONG, CommandError, because
from firmware.input.gestures.calibration import UNCALIBRATED, Calibration, load
from hw_sim.trials.gestures.film import film
from hw_sim.trials.gestures.made_up import run_scenes, table
from hw_sim.trials.gestures.recorded import run_trial

MOST_TAKES = 1000


def judge_scenes(args: argparse.Namespace) -> int:
    if not 1 <= args.takes <= MOST_TAKES:
        raise CommandError(f"--takes {args.takes}: write 1 to {MOST_TAKES}")
    if args.film is not None:
        if args.film.exists():
            raise CommandError(f"--film {args.film} is there already: name a new folder")
        files = film(args.film, args.takes, args.seed)
        print(f"{args.film}: {len(files)}")
        return DONE
    results = run_scenes(args.takes, args.seed)
    if args.json:
        print(json.dumps({name: result.as_json() for name, result in results.items()}))
    else:
        print(table(results))
    return WRONG if any(result.violations for result in results.values()) else DONE


def _calibration(path: Path | None) -> Calibration:
    if path is None:
        return UNCALIBRATED
    if not path.is_file():
        raise CommandError(f"--calibration {path}: not found: name what maexchen calibrate stored")
    return load(path)


def judge_gestures(args: argparse.Namespace) -> int:
    try:
        report = run_trial(args.folder, calibration=_calibration(args.calibration))
    except OSError as error:
        raise CommandError(
            f"recordings {error.filename or args.folder}: {because(error)}: give a folder that can "
            "be read"
        ) from None
    print(json.dumps(report.as_json()) if args.json else report.table())
    return WRONG if report.violations else DONE
