"""What is about to be said: chosen on one or two dials; before its time a tilt takes it back."""

from firmware.input.controls.announcements import variants
from firmware.input.controls.denial import Denial
from firmware.input.controls.dial import Dial
from firmware.input.gestures.gesture import Pose
from game import AnyMatch
from game.actions import Announce, Say

ANNOUNCING_US = 1_000_000
"""An announcement stands this long, and a tilt takes it back, before it is said."""


class Announcing:
    """An announcement on its way to be said. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.said: Announce | Say | None = None
        """What is about to be said; None for nothing."""
        self.choosing: Announce | Say | None = None
        """What is to be said, while a second dial asks for what can be added to it; else None."""
        self.next_timer_us: int | None = None
        self._denial = Denial()

    def choose(self, match: AnyMatch, said: Announce | Say, now_us: int) -> None:
        """Open the second dial where something can be added; else it is about to be said."""
        if self.choosing is None and len(variants(match, said)) > 1:
            self.choosing = said
            return
        self.said, self.next_timer_us = said, now_us + ANNOUNCING_US
        self._denial = Denial()

    def tilt(self, dial: Dial, pose: Pose, *, touched: bool) -> None:
        """Take it back by a still tilt, once the handheld has lain level since it was chosen."""
        if self._denial.by(dial, pose, touched=touched):
            self.cancel()
            dial.centre()

    def withdraw(self) -> None:
        """Say nothing; a second dial stays open."""
        self.said = self.next_timer_us = None

    def cancel(self) -> None:
        """Say nothing, and close the second dial."""
        self.withdraw()
        self.choosing = None

    def tick(self, now_us: int) -> Announce | Say | None:
        """Return what is to be said now; None for nothing."""
        if self.next_timer_us is None or now_us < self.next_timer_us:
            return None
        said = self.said
        self.withdraw()
        return said
