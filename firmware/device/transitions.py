"""States without decisions: a match is being written, or could not be."""

from firmware.device.hot_seat import HotSeat
from firmware.device.table_match import TableMatch
from firmware.display.screens import AlertPage, Screen
from firmware.display.text.alerts import Alert
from firmware.effects.effects import Effect
from firmware.effects.reports import PartFailed, PartWell, Report, Stored
from firmware.input.gestures.gesture import Gesture
from firmware.lobby.lobby import Lobby


class Beginning:
    """A match is being written to the journal; the display shows the screen of ``before``.

    Nothing else is decided meanwhile: a frame for the earlier match would overwrite the write, and
    a gesture could choose something else.
    """

    def __init__(self, before: Lobby | TableMatch, match: TableMatch | HotSeat) -> None:
        self.before = before
        self.match = match
        self.dial = before.dial

    next_timer_us: int | None = None

    @property
    def screen(self) -> Screen | None:
        """The screen of ``before``, which may be the alert of a part."""
        return self.before.screen

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """Pass on reports of stores and parts; drop the rest, as if frames were lost."""
        follows = isinstance(what, Stored | PartFailed | PartWell)
        return self.before.handle(what, now_us) if follows else []


class Stopped:
    """The journal did not take a write that must be on the disk: only a restart helps."""

    def __init__(self, before: Lobby | TableMatch | HotSeat) -> None:
        self.before = before

    screen: Screen = AlertPage(Alert.STORE)
    dial: None = None
    next_timer_us: None = None

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """Do nothing."""
        del what, now_us
        return []
