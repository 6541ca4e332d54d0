"""Every error that the person can fix: its text is one line that says how."""

from typing import Final

from drivers.gpio import PinError
from firmware.cli.console import CommandError
from firmware.display.text.language import LanguageError
from firmware.input.gestures.gesture import CalibrationError
from firmware.journal.sqlite import JournalError
from firmware.link.bluetooth.controller import RadioError
from firmware.link.broker.session import BrokerError
from firmware.link.infrared.modulation import InfraredError
from firmware.runtime.board import BoardError
from firmware.settings.toml import SettingsError
from firmware.upkeep.recording.recorder import RecordingError
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
