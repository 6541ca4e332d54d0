"""When display and sensors sleep, and what wakes them.

An action of the player is activity, and so is a screen that concerns them; a cup between others is
not. The display of a player who is to act dims, but never turns off.

All numbers here are chosen.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from typing import Final

from drivers import US_PER_S, now_us
from firmware.display.screens import Screen, concerns_player
from firmware.input.gestures import Gesture, Pose, TooDark

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
        self._active_us = self._flash_until_us = now_us
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
        if isinstance(gesture, TooDark):
            return
        if isinstance(gesture, Pose):
            if not self._moved(gesture):
                return
            self._pose = gesture
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
        rolled_deg = abs(pose.roll_deg - self._pose.roll_deg)
        return max(rolled_deg, abs(pose.pitch_deg - self._pose.pitch_deg)) >= TURNED_DEG


class Switch:
    """On or off."""

    def __init__(self, on: bool = False) -> None:
        self._is_on = asyncio.Event()
        self.set(on)

    @property
    def on(self) -> bool:
        """Whether it is on."""
        return self._is_on.is_set()

    def set(self, on: bool) -> None:
        """Turn the switch on or off; turning it on ends every ``turned_on``."""
        if on:
            self._is_on.set()
        else:
            self._is_on.clear()

    async def turned_on(self, timeout_s: float | None = None) -> None:
        """Return when it is on, or after ``timeout_s`` (None: wait for ever)."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._is_on.wait()


class Timer:
    """Calls ``call`` once, at the latest set time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
        self._loop = loop
        self._call = call
        self._handle: asyncio.TimerHandle | None = None
        self._due_us: int | None = None

    def set(self, due_us: int | None) -> None:
        """Call at ``due_us`` (µs of the loop; soon, if passed); this replaces any earlier time.

        None: do not call.
        """
        if due_us == self._due_us:
            return
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self._due_us = due_us
        if due_us is not None:
            due_s = max(due_us, now_us(self._loop)) / US_PER_S
            self._handle = self._loop.call_at(due_s, self._came_due)

    def _came_due(self) -> None:
        self._handle = self._due_us = None
        self._call()


class Wake:
    """Brightness by ``Idle``, and the switches that the sensors follow.

    Args:
        loop: tells the time.
        set_brightness: gets the brightness at each ``settle``.
        woken: is called when the handheld wakes, before its sensors do.

    Attributes:
        awake: off while the display is off because nobody looks; then only waking is sensed.
        sensing: whether gestures matter now, so that the sensors run at full rate.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        set_brightness: Callable[[Brightness], None],
        woken: Callable[[], None],
    ) -> None:
        self.awake = Switch(on=True)
        self.sensing = Switch()
        self._loop = loop
        self._set_brightness = set_brightness
        self._woken = woken
        self._wants_sensing = False
        self._idle = Idle(now_us(loop))
        self._timer = Timer(loop, self.settle)

    def sense(self, fully: bool, *, asked: bool) -> None:
        """Set whether the core wants gestures, and whether the player is to act; and settle.

        The handheld senses gestures at the full rate while it is awake, and otherwise only what
        wakes it. It stays awake while the player is to act.
        """
        self._wants_sensing = fully
        self._idle.asked = asked
        self.settle()

    def add_gesture(self, gesture: Gesture) -> None:
        """Pass a gesture to ``Idle``; call ``settle`` after the last one."""
        self._idle.add_gesture(gesture, now_us(self._loop))

    def add_screen(self, screen: Screen) -> None:
        """Wake for a screen that concerns the player."""
        if concerns_player(screen):
            self.wake()

    def wake(self) -> None:
        """Count as active now, and settle."""
        self._idle.wake(now_us(self._loop))
        self.settle()

    def flash(self) -> None:
        """Make the display FULL for `FLASH_US`, and settle."""
        self._idle.flash(now_us(self._loop))
        self.settle()

    def settle(self) -> None:
        """Set brightness and switches by ``Idle``, and schedule its next change."""
        t_us = now_us(self._loop)
        self._timer.set(self._idle.next_timer_us(t_us))
        brightness = self._idle.brightness(t_us)
        awake = brightness is not Brightness.OFF
        if awake and not self.awake.on:
            self._woken()
        self._set_brightness(brightness)
        self.awake.set(awake)
        self.sensing.set(awake and self._wants_sensing)

    def stop(self) -> None:
        """Stop the timer."""
        self._timer.set(None)
