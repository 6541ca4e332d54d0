"""What every core is for the runtime: the lobby, a match, a table on one handheld.

A core knows no clock and does no I/O: gestures, reports and the time go in, effects come out. Its
parts that wait for time to pass are ``Timed``.
"""

from collections.abc import Iterable
from typing import Protocol

from firmware.display.screens import Screen
from firmware.effects.effects import Effect
from firmware.effects.part_alerts import PartAlerts
from firmware.effects.reports import Report
from firmware.input.gestures.gesture import Gesture


class Timed(Protocol):
    """A part with something to do at a time. Times in µs on the handheld's clock."""

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` has something to do; None while nothing waits for time to pass."""

    def tick(self, now_us: int) -> object:
        """Do what is due; what it returns are facts for the owner of the part."""


class Core(Protocol):
    """What a handheld is busy with."""

    @property
    def next_timer_us(self) -> int | None:
        """When a ``Tick`` is due, in µs; None while nothing waits for time to pass."""

    @property
    def screen(self) -> Screen | None:
        """What the display shows; None before ``start``."""

    @property
    def part_alerts(self) -> PartAlerts:
        """The parts that do not answer."""

    @property
    def volume(self) -> int:
        """How loud sounds are: 0, silence, to 3."""

    def start(self, now_us: int) -> list[Effect]:
        """Begin, or go on from where the journal left off; return the effects, in order."""

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """React to what happened; return the effects, in order.

        Args:
            what: a gesture or a report; one of a time that has passed counts as of now.
            now_us: the time, never smaller than in the call before.
        """


def earliest(times_us: Iterable[int | None]) -> int | None:
    """The smallest of some times; None if all are None."""
    return min((time_us for time_us in times_us if time_us is not None), default=None)
