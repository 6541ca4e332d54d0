"""The interface of a handheld to the runtime.

A core knows no clock and does no I/O: gestures, reports and the time go in, effects come out. Parts
of it with a deadline are ``Timed``. A handheld's lobby and its match have cores of their own: they
get its shell when they start, and it shows their screens.
"""

from collections.abc import Iterable
from typing import Protocol

from firmware.display.screens import Screen
from firmware.effects.effects import Effect
from firmware.effects.reports import Report
from firmware.effects.shell import Shell
from firmware.input.gestures.gesture import Gesture


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
