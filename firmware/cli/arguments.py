"""Which light sensor is fitted, for commands that work on the board beside the handheld."""

import argparse
from pathlib import Path

from firmware.settings.installed import INSTALLED


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Let a command be told which settings say what is fitted."""
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help=f"say which light sensor is fitted (default: {INSTALLED}, if it is there)",
    )
