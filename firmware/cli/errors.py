"""Every error that the person can fix: its text is one line that says how.

A page of a table knows them, too, and no command line.
"""

from typing import Final

from drivers.gpio import PinError
from firmware.cli.console import CommandError
from firmware.display.text.language import LanguageError
from firmware.input.gestures import CalibrationError
from firmware.journal.sqlite import JournalError
from firmware.link import RadioError
from firmware.link.broker import BrokerError
from firmware.link.infrared import InfraredError
from firmware.runtime.board import BoardError
from firmware.settings import SettingsError
from firmware.upkeep.recording import RecordingError
from game import SetupError

SPOKEN: Final[tuple[type[Exception], ...]] = (
    BoardError,
    BrokerError,
    CalibrationError,
    CommandError,
    InfraredError,
    JournalError,
    LanguageError,
    PinError,
    RadioError,
    RecordingError,
    SettingsError,
    SetupError,
)
