"""``maexchen-sim``: matches, records and recordings on simulated handhelds."""

import argparse
from collections.abc import Sequence
from functools import partial

from firmware.cli.console import LineParser, run_command
from firmware.input.gestures.calibration import CalibrationError
from firmware.journal.sqlite import JournalError
from firmware.settings.toml import SettingsError
from game import SetupError
from hw_sim.cli import doctor as examining
from hw_sim.cli import explain as explaining
from hw_sim.cli import match as playing
from hw_sim.cli import replay as retelling
from hw_sim.cli import soak as soaking
from hw_sim.cli import table as serving
from hw_sim.clock.errors import ClockError
from hw_sim.hand.recordings.csv_files import RecordingError

PROGRAM = "maexchen-sim"
SPOKEN = (
    SettingsError,
    SetupError,
    RecordingError,
    JournalError,
    ClockError,
    CalibrationError,
)
"""What these say is one line that tells what to do."""

_EXAMPLES = """\
examples:
  maexchen-sim table
  maexchen-sim play
  maexchen-sim play --game maxen
  maexchen-sim match --players 4 --seed 7 --json
  maexchen-sim match --game sevens --option rounds=3 --record match.jsonl --frames pictures
  maexchen-sim match --watch --players 5
  maexchen-sim replay match.jsonl
  maexchen-sim gestures recordings
  maexchen-sim soak --hops 1000 --loss 0.1
  maexchen-sim scenes --takes 12
  maexchen-sim doctor --fault "bus slow"
  maexchen-sim calibrate
  maexchen-sim games
  maexchen-sim rules class
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``maexchen-sim``; returns its exit status. ``argv`` None: what the shell gave."""
    return run_command(PROGRAM, partial(_command, argv), SPOKEN)


def _command(argv: Sequence[str] | None) -> int:
    args: argparse.Namespace = _parser().parse_args(argv)
    status: int = args.command(args)
    return status


def _parser() -> LineParser:
    parser = LineParser(
        prog=PROGRAM,
        description="Mäxchen and its relatives on simulated handhelds: below the drivers nothing "
        "is real, above them everything is.",
        epilog=_EXAMPLES,
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in (serving, playing, retelling, explaining, soaking, examining):
        module.add_commands(commands)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
