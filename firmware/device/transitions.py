"""States of a handheld in which it decides nothing: a match is being written, or could not be."""

from firmware.device.hot_seat import HotSeat
from firmware.device.table_match import TableMatch
from firmware.display.screens import AlertPage, Screen
from firmware.display.text.alerts import Alert
from firmware.effects.effects import Effect
from firmware.effects.reports import PartFailed, PartWell, Report, Stored
from firmware.input.gestures.gesture import Gesture
from firmware.lobby.lobby import Lobby


class Beginning:
    """A match is being written to the journal; the display shows what it showed ``before``.

    Nothing else is decided meanwhile: a frame for the match before would write over what is being
    written, and a gesture could choose something else.
    """

    def __init__(self, before: Lobby | TableMatch, match: TableMatch | HotSeat) -> None:
        self.before = before
        self.match = match
        self.dial = before.dial
        self.volume = before.volume
        self.part_alerts = before.part_alerts

    next_timer_us: int | None = None

    @property
    def screen(self) -> Screen | None:
        """The screen of ``before``, which may be the alert of a part."""
        return self.before.screen

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """Pass on reports of stores and parts; drop all else, as if frames were lost."""
        follows = isinstance(what, Stored | PartFailed | PartWell)
        return self.before.handle(what, now_us) if follows else []


class Stopped:
    """The journal did not take what must be on the disk: only a new start helps."""

    def __init__(self, before: Lobby | TableMatch | HotSeat) -> None:
        self.before = before
        self.volume = before.volume
        self.part_alerts = before.part_alerts

    screen: Screen = AlertPage(Alert.STORE)
    dial: None = None
    next_timer_us: None = None

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """Do nothing."""
        del what, now_us
        return []
