"""Sleep of display and sensors: gestures and screens in, brightness and two switches out."""

import asyncio
from collections.abc import Callable

from drivers.time import now_us
from firmware.display.screens import Screen
from firmware.input.gestures.gesture import Gesture
from firmware.runtime.idle import Brightness, Idle
from firmware.runtime.switch import Switch
from firmware.runtime.timer import Timer


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
        if screen.concerns_player:
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
