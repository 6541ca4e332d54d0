"""A chosen announcement: from one or two dials; a tilt takes it back in time."""

from firmware.input.controls.announcements import variants
from firmware.input.controls.denial import Denial
from firmware.input.controls.dial import Dial
from firmware.input.gestures.gesture import Pose
from game import AnyMatch
from game.actions import Announce, Say

ANNOUNCING_US = 1_000_000
"""An announcement is made this long after it was chosen; until then a tilt takes it back."""


class Announcing:
    """An announcement chosen but not made yet. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.announcement: Announce | Say | None = None
        """The announcement that ``tick`` returns at ``next_timer_us``; None for none."""
        self.choosing: Announce | Say | None = None
        """The announcement while a second dial asks for an addition to it; else None."""
        self.next_timer_us: int | None = None
        """When ``announcement`` is due; None without one."""
        self._denial = Denial()

    def choose(self, match: AnyMatch, announcement: Announce | Say, now_us: int) -> None:
        """Choose an announcement; it is due `ANNOUNCING_US` later.

        The first choice that has more than one variant only sets ``choosing``: the second dial.
        """
        if self.choosing is None and len(variants(match, announcement)) > 1:
            self.choosing = announcement
            return
        self.announcement, self.next_timer_us = announcement, now_us + ANNOUNCING_US
        self._denial = Denial()

    def tilt(self, dial: Dial, pose: Pose, *, touched: bool) -> bool:
        """Cancel by a still tilt of ``ON_DEG``, after the handheld has lain within ``OFF_DEG``.

        Return whether it was one. ``dial`` knows the neutral pose, and goes back to its neutral
        entry. ``touched``: a finger is on the pad, and no pose counts.
        """
        denied = self._denial.by(dial, pose, touched=touched)
        if denied:
            self.cancel()
            dial.centre()
        return denied

    def withdraw(self) -> None:
        """Drop the due announcement; a second dial stays open."""
        self.announcement = self.next_timer_us = None

    def cancel(self) -> None:
        """Drop the due announcement, and close the second dial."""
        self.withdraw()
        self.choosing = None

    def tick(self, now_us: int) -> Announce | Say | None:
        """Return the announcement that is due, and drop it; None while none is."""
        if self.next_timer_us is None or now_us < self.next_timer_us:
            return None
        announcement = self.announcement
        self.withdraw()
        return announcement
