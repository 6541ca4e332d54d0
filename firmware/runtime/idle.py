"""The display's brightness, by the time since the last activity. Pure.

An action of the player is activity, and so is a screen that concerns them; a cup between others is
not. The display of a player who is to act dims, but never turns off.
"""

from enum import Enum, auto
from typing import Final

from firmware.input.gestures.gesture import Gesture, Pose, TooDark

DIM_US: Final = 20_000_000
"""The display is dimmed after this long without activity …"""
OFF_US: Final = 60_000_000
"""… and off after this long."""
FLASH_US: Final = 5_000_000
"""A nudge brightens the display for so long."""
TURNED_DEG: Final = 10.0
"""A pose that differs by this much in roll or pitch from the last counts as moved."""


class Brightness(Enum):
    """Brightness levels of the display."""

    FULL = auto()
    DIM = auto()
    OFF = auto()


class Idle:
    """The time of the last activity. Times in µs on the handheld's clock."""

    def __init__(self, now_us: int) -> None:
        self._active_us = now_us
        self._flash_until_us = now_us
        self._pose: Pose | None = None
        self.asked = False
        """Whether the player is to act: then the display is dimmed at most."""

    def wake(self, now_us: int) -> None:
        """Count as active at ``now_us``."""
        self._active_us = max(self._active_us, now_us)

    def flash(self, now_us: int) -> None:
        """Make the display FULL for `FLASH_US`, without counting as active."""
        self._flash_until_us = now_us + FLASH_US

    def add_gesture(self, gesture: Gesture, now_us: int) -> None:
        """Wake for any gesture except ``TooDark`` and a pose within `TURNED_DEG` of the last."""
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
        """Return the brightness of the display now."""
        if now_us < self._flash_until_us:
            return Brightness.FULL
        since_us = now_us - self._active_us
        if since_us >= OFF_US and not self.asked:
            return Brightness.OFF
        return Brightness.DIM if since_us >= DIM_US else Brightness.FULL

    def next_timer_us(self, now_us: int) -> int | None:
        """Return when the brightness changes next, without activity; None if it stays."""
        due_us = [self._flash_until_us, self._active_us + DIM_US]
        if not self.asked:
            due_us.append(self._active_us + OFF_US)
        return min((us for us in due_us if us > now_us), default=None)

    def _moved(self, pose: Pose) -> bool:
        if not pose.still or self._pose is None:
            return True
        turned_deg = max(
            abs(pose.roll_deg - self._pose.roll_deg), abs(pose.pitch_deg - self._pose.pitch_deg)
        )
        return turned_deg >= TURNED_DEG
