"""Which link carries the frames, by the settings."""

import sys
from collections.abc import Callable
from functools import partial

from firmware.display.text.alerts import Alert
from firmware.journal.sqlite import JournalError
from firmware.link.bluetooth.hci import OpenController, open_hci
from firmware.link.infrared.link import Port
from firmware.link.infrared.lirc import InfraredError, open_port
from firmware.settings.model import Newcomer, Settings
from firmware.settings.toml import SettingsError

PROGRAM = "maexchen"


def open_media(
    settings: Settings | Newcomer, infrared: Callable[[], Port] = open_port
) -> tuple[OpenController | None, Port | None]:
    """Return what opens the Bluetooth controller, and the infrared port, by ``settings.link``.

    None stands for what is not wanted. Of both, one is enough: why there is no infrared goes to
    stderr. ``infrared`` opens the port.

    Raises:
        InfraredError: infrared alone is wanted, and there is none.
    """
    controller = None if settings.link == "ir" else partial(open_hci, settings.bluetooth)
    port = None
    if settings.link != "bluetooth":
        try:
            port = infrared()
        except InfraredError as problem:
            if controller is None:
                raise
            tell_trouble(str(problem))
    return controller, port


def why_not(problem: JournalError | SettingsError) -> Alert:
    """The alert for a journal with which no match can go on."""
    if isinstance(problem, SettingsError):
        return Alert.OTHER_TABLE
    return Alert.JOURNAL_DAMAGED if problem.damaged else Alert.STORE


def tell_trouble(line: str) -> None:
    """Print a line on stderr, after the name of the program."""
    print(f"{PROGRAM}: {line}", file=sys.stderr, flush=True)
