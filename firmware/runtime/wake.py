"""Who may sleep: the display, by how long nobody was active, and with it the sensors.

Everything that concerns the player comes in here, his gestures and the screens for him; out of it
come the brightness of the display and two switches that the sensors follow.
"""

import asyncio
from collections.abc import Callable

from drivers.time import now_us
from firmware.display.screens import Screen
from firmware.input.gestures.gesture import Gesture
from firmware.runtime.idle import Brightness, Idle, concerns
from firmware.runtime.switch import Switch
from firmware.runtime.timer import Timer


class Wake:
    """Keeps display and sensors as awake as they should be.

    Args:
        loop: tells the time.
        set_brightness: is told how bright the display is to be.
        woken: is called as the handheld wakes, before its sensors do.

    Attributes:
        awake: off while the display is off because nobody looks; only waking is sensed then.
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

    def sense(self, fully: bool) -> None:
        """Sense at the full rate while awake, or only what wakes; the core decides."""
        self._wants_sensing = fully
        self.sensing.set(fully and self.awake.on)

    def add_gesture(self, gesture: Gesture) -> None:
        """Count what the player does as activity; call `settle` after the last one."""
        self._idle.add_gesture(gesture, now_us(self._loop))

    def add_screen(self, screen: Screen) -> None:
        """Wake for a screen that says something to the player."""
        if concerns(screen):
            self.wake()

    def wake(self) -> None:
        """Something happened that wants the display, or somebody who wants to see it."""
        self._idle.wake(now_us(self._loop))
        self.settle()

    def flash(self) -> None:
        """Brighten the display for a moment."""
        self._idle.flash(now_us(self._loop))
        self.settle()

    def settle(self) -> None:
        """Make display and sensors as awake as they should be now."""
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
        """Wait for nothing any more."""
        self._timer.set(None)
