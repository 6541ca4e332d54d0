"""When nobody looks: display and sensors go to sleep step by step, until something wakes them.

It is pure: whoever wakes it says when, and asks how bright the display is to be. What wakes is
decided here, too: what a player does, and what a screen says that concerns him. A cup on its way
between others does not.
"""

from enum import Enum, auto
from typing import Final

from firmware.display.screens import (
    OnItsWayPage,
    Screen,
    StandingsPage,
    StartingPage,
    ThrowOpenPage,
    WaitingPage,
    Way,
)
from firmware.input.gestures.gesture import Gesture, Pose, TooDark

DIM_US: Final = 20_000_000
OFF_US: Final = 60_000_000
FLASH_US: Final = 5_000_000
"""So long a nudge brightens the display."""
TURNED_DEG: Final = 10.0
"""A handheld that lies otherwise by so much was moved, however slowly."""


class Brightness(Enum):
    """How bright the display is to be."""

    FULL = auto()
    DIM = auto()
    OFF = auto()


class Idle:
    """How long nobody was active. Times in µs on the handheld's clock."""

    def __init__(self, now_us: int) -> None:
        self._active_us = now_us
        self._flash_until_us = now_us
        self._pose: Pose | None = None

    def wake(self, now_us: int) -> None:
        """Something happened that wants the display, or somebody who wants to see it."""
        self._active_us = max(self._active_us, now_us)

    def flash(self, now_us: int) -> None:
        """Brighten the display for `FLASH_US`; it sleeps no later for it."""
        self._flash_until_us = now_us + FLASH_US

    def add_gesture(self, gesture: Gesture, now_us: int) -> None:
        """Wake for what the player does; lying still, or in the dark, is nothing."""
        match gesture:
            case TooDark():
                return
            case Pose():
                if not self._moved(gesture):
                    return
                self._pose = gesture
            case _:
                pass
        self.wake(now_us)

    def brightness(self, now_us: int) -> Brightness:
        """How bright the display is to be now."""
        if now_us < self._flash_until_us:
            return Brightness.FULL
        since_us = now_us - self._active_us
        if since_us >= OFF_US:
            return Brightness.OFF
        return Brightness.DIM if since_us >= DIM_US else Brightness.FULL

    def next_timer_us(self, now_us: int) -> int | None:
        """When the brightness changes next, if nothing wakes it; None if it is off."""
        due_us = (self._flash_until_us, self._active_us + DIM_US, self._active_us + OFF_US)
        return min((us for us in due_us if us > now_us), default=None)

    def _moved(self, pose: Pose) -> bool:
        if not pose.still or self._pose is None:
            return True
        turned_deg = max(
            abs(pose.roll_deg - self._pose.roll_deg), abs(pose.pitch_deg - self._pose.pitch_deg)
        )
        return turned_deg >= TURNED_DEG


def concerns(screen: Screen) -> bool:
    """Whether a screen says something to its player, so that he should see it."""
    match screen:
        case WaitingPage(dial=dial):
            return dial is not None
        case OnItsWayPage(state=state):
            return state is Way.SILENT
        case ThrowOpenPage(who=who):
            return who is None
        case StartingPage() | StandingsPage():
            return False
        case _:
            return True
