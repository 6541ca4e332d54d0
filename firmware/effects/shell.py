"""A handheld's interface to the runtime, and its global state: volume, failed parts, screen.

A core knows no clock and does no I/O: gestures, reports and the time go in, effects come out. Parts
of it with a deadline are ``Timed``. A handheld's lobby and its match have cores of their own: they
get its shell when they start, and it shows their screens.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

from firmware.display.screens import AlertPage, Screen
from firmware.display.screens.pages import shows_dice
from firmware.display.text.labels import Alert
from firmware.effects.effects import (
    USUAL_VOLUME,
    VOLUMES,
    Blank,
    Effect,
    KeepChoice,
    Part,
    PartFailed,
    PartWell,
    Report,
    Show,
)
from firmware.input.gestures.gesture import Gesture
from firmware.journal.writes import RULES_KEY, VOLUME_KEY, Put

_MISSING: dict[Part, Alert] = {
    Part.ACCELEROMETER: Alert.ACCELEROMETER,
    Part.PANEL: Alert.DISPLAY,
    Part.LIGHT: Alert.LIGHT_SENSOR,
}


class PartAlerts:
    """The failed parts, in the order in which they failed; false while all answer."""

    def __init__(self) -> None:
        self._alerts: dict[Part, AlertPage] = {}

    def __iter__(self) -> Iterator[Part]:
        return iter(self._alerts)

    def __len__(self) -> int:
        return len(self._alerts)

    @property
    def screen(self) -> AlertPage | None:
        """The alert of the part that failed first; None while all answer."""
        return next(iter(self._alerts.values()), None)

    def report(self, report: PartFailed | PartWell) -> None:
        """Remember that a part failed, or forget it when it answers again."""
        match report:
            case PartFailed(part, str(wrong)):
                self._alerts[part] = AlertPage(Alert.WRONG_PART, wrong)
            case PartFailed(part):
                self._alerts[part] = AlertPage(_MISSING[part])
            case PartWell(part):
                self._alerts.pop(part, None)


class Shell:
    """Cores read it and change what a player chose; their owner reports parts and shows screens.

    ``volume``: of the sounds, 0, silence, to 3, as the journal or the settings have it. ``rules``:
    the player's own house rules as the journal has them; empty before any were kept.
    """

    def __init__(self, volume: int = USUAL_VOLUME, rules: bytes = b"") -> None:
        self.part_alerts = PartAlerts()
        """The parts that do not answer."""
        self.volume = volume
        self.rules = rules
        self.screen: Screen | None = None
        """The screen on the panel; None before the first one."""
        self._kept = self._chosen()
        self._generation = 0

    def raise_volume(self) -> None:
        """Make the sounds louder by one step; silence follows the loudest."""
        self.volume = (self.volume + 1) % len(VOLUMES)

    def _chosen(self) -> tuple[Put, ...]:
        return Put(VOLUME_KEY, bytes([self.volume])), Put(RULES_KEY, self.rules)

    def show(self, screen: Screen, effects: Iterable[Effect] = ()) -> list[Effect]:
        """Keep what was chosen anew, and put ``screen`` on the panel, unless it is there already.

        Returns ``effects``, and after them each ``KeepChoice`` and a ``Show``. If dice leave the
        panel, a ``Blank`` of a new generation comes first.
        """
        effects = [*effects]
        before_it, self._kept = self._kept, self._chosen()
        effects += [KeepChoice(new) for new, old in zip(self._kept, before_it) if new != old]
        before, self.screen = self.screen, screen
        if screen == before:
            return effects
        if before is not None and shows_dice(before) and not shows_dice(screen):
            self._generation += 1
            effects.insert(0, Blank(self._generation))
        return [*effects, Show(screen, self._generation)]


class Timed(Protocol):
    """A part with a deadline. Times in µs on the handheld's clock."""

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` is due; None while nothing waits for time to pass."""

    def tick(self, now_us: int) -> object:
        """Do what is due and return the results to the owner of the part."""


class Core(Protocol):
    """A handheld, in whichever state."""

    @property
    def next_timer_us(self) -> int | None:
        """When a ``Tick`` is due, in µs; None while nothing waits for time to pass."""

    @property
    def screen(self) -> Screen | None:
        """The screen on the display; None before ``start``."""

    @property
    def shell(self) -> Shell:
        """The volume, and the parts that do not answer."""

    def start(self, now_us: int) -> list[Effect]:
        """Begin, or continue from the journal; return the effects, in order."""

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """React to an event; return the effects, in order.

        Args:
            what: a gesture or a report; one of a time that has passed counts as of now.
            now_us: the time, never smaller than in the call before.
        """


def earliest(times_us: Iterable[int | None]) -> int | None:
    """Return the smallest of some times; None if all are None."""
    return min((time_us for time_us in times_us if time_us is not None), default=None)
