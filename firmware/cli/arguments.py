"""Which light sensor is fitted, for commands that work on the board beside the handheld."""

import argparse
from pathlib import Path
from typing import Final

from drivers.light_sensor import LightKind
from firmware.settings.toml import Settings, load

INSTALLED: Final = Path("/etc/maexchen/settings.toml")
"""What the service reads."""


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Let a command be told which settings say what is fitted."""
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help=f"say which light sensor is fitted (default: {INSTALLED}, if it is there)",
    )


def chosen_light(path: Path | None) -> LightKind:
    """The light sensor that a settings file names; None is the installed one, if there is one.

    Raises:
        SettingsError: the file cannot be used.
    """
    if path is None:
        path = INSTALLED
        if not path.exists():
            return Settings.light
    return load(path).light
