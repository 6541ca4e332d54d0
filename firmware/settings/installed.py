"""The path of the installed settings, and the light sensor that they name."""

from pathlib import Path
from typing import Final

from drivers.light_sensor import LightKind
from firmware.settings.model import Settings
from firmware.settings.toml import load

INSTALLED: Final = Path("/etc/maexchen/settings.toml")
"""The file that the service reads."""


def chosen_light(path: Path | None) -> LightKind | None:
    """Return the light sensor that a settings file names; ``path`` None: the installed file.

    Without an installed file it is the usual sensor; None: only the service's user may read it.

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
    """Return `chosen_light`, or the usual sensor if that is unknown."""
    return chosen_light(path) or Settings.light
