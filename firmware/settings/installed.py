"""Where the installer puts the settings, and which light sensor they name."""

from pathlib import Path
from typing import Final

from drivers.light_sensor import LightKind
from firmware.settings.model import Settings
from firmware.settings.toml import load

INSTALLED: Final = Path("/etc/maexchen/settings.toml")
"""What the service reads."""


def chosen_light(path: Path | None) -> LightKind:
    """Return the light sensor that a settings file names; ``path`` None: the installed file.

    Where none is installed it is the usual one.

    Raises:
        SettingsError: the file cannot be used.
    """
    if path is None:
        path = INSTALLED
        if not path.exists():
            return Settings.light
    return load(path).light
