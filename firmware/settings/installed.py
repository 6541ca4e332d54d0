"""Where the installer puts the settings, and which light sensor they name."""

from pathlib import Path
from typing import Final

from drivers.light_sensor import LightKind
from firmware.settings.model import Settings
from firmware.settings.toml import load

INSTALLED: Final = Path("/etc/maexchen/settings.toml")
"""What the service reads."""


def chosen_light(path: Path | None) -> LightKind | None:
    """Return the light sensor that a settings file names; ``path`` None: the installed file.

    Where none is installed it is the usual one; None: only the service's user may read it.

    Raises:
        SettingsError: the file cannot be used.
    """
    if path is None:
        path = INSTALLED
        try:
            path.open("rb").close()
        except FileNotFoundError:
            return Settings.light
        except PermissionError:
            return None
    return load(path).light


def usual_light(path: Path | None) -> LightKind:
    """Return `chosen_light`, and where that cannot be told the usual one."""
    return chosen_light(path) or Settings.light
