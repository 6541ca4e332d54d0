"""The panel, kept in step with the newest screen and its brightness; and when it sleeps.

A blank precedes everything else on the bus, so that dice leave in time. The panel's memory follows
the screen even while it is off, so that waking shows the newest at once.

An action of the player is activity, and so is a screen that concerns them; a cup between others is
not. The display of a player who is to act dims, but never turns off. The sensors sleep with it.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Final

from drivers.bus import I2CBus, Priority, Superseded
from drivers.errors import PartError
from drivers.panel_windows import Window
from drivers.ssd1306 import LOWEST_CONTRAST, Panel
from drivers.time import US_PER_S, now_us
from firmware.display.oled.draw import readable
from firmware.display.screens import Screen
from firmware.display.screens.pages import shows_dice
from firmware.display.text.language import Language
from firmware.effects.effects import Show
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


@dataclass
class Switch:
    """On or off; turning it on ends every ``turned_on``."""

    on: bool = False
    _waiters: list[asyncio.Future[None]] = field(default_factory=list)

    def set(self, on: bool) -> None:
        """Turn the switch on or off."""
        self.on = on
        if on:
            waiters, self._waiters = self._waiters, []
            for waiter in waiters:
                _wake(waiter)

    async def turned_on(self, timeout_s: float | None = None) -> None:
        """Return when it is on, or after ``timeout_s`` (None: wait for ever)."""
        if self.on:
            return
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[None] = loop.create_future()
        self._waiters.append(waiter)
        timer = None
        if timeout_s is not None:
            timer = loop.call_later(timeout_s, _wake, waiter)
        try:
            await waiter
        finally:
            if timer is not None:
                timer.cancel()
            if waiter in self._waiters:
                self._waiters.remove(waiter)


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


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


RESTORE_S = 1.5
"""A lit panel is set up this often, and rewritten as far as `Panel.restore` asks, which repairs a
broken transfer or a moment without power."""
BLANK_TRIES = 6
"""Number of tries for a blank, without a pause."""
DARK_CONTRAST = 0x30
"""Contrast without dice: the panel's own light must not look like a lift …"""
BRIGHT_CONTRAST = 0xCF
"""… and with dice."""
DIM_CONTRAST = LOWEST_CONTRAST


async def show_alone(bus: I2CBus, panel: Panel, screen: Screen, language: Language) -> None:
    """Show one screen without a runtime; it stays after the call.

    Raises:
        PartError: the display does not answer.
    """
    await bus.run(panel.begin, Priority.PICTURE)
    for window in panel.changes(panel.pack(readable(screen, language).image.columns)):
        await bus.run(_writing(panel.write, window), Priority.PICTURE)
    contrast = _contrast(screen, Brightness.FULL)
    await bus.run(_writing(panel.contrast, contrast), Priority.PICTURE)
    await bus.run(panel.light_up, Priority.PICTURE)


class PanelUpdater:
    """The wanted screen and brightness, and the task that brings them to the panel.

    ``tell`` gets one line on each screen that is not shown as it should be. ``shown`` is done as
    soon as a first screen is on the panel.
    """

    def __init__(
        self, bus: I2CBus, panel: Panel, language: Language, tell: Callable[[str], None]
    ) -> None:
        self._bus = bus
        self._panel = panel
        self._language = language
        self._tell = tell
        self._flaws: set[str] = set()
        self._drawn: tuple[Screen | None, bytes] = (None, b"")
        self._wanted: Show | None = None
        self._blanks = 0
        self._brightness = Brightness.FULL
        self._due = asyncio.Event()
        self.shown: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def show(self, show: Show) -> None:
        """Show a screen; it replaces any older one."""
        self._wanted = show
        self._due.set()

    def blank(self, generation: int) -> None:
        """Switch the display off before anything else; drop pictures of generations below this."""
        self._bus.void_pictures(generation)
        self._blanks += 1
        self._due.set()

    def speak(self, language: Language) -> None:
        """Draw screens in a language from now on, the current one too."""
        if language != self._language:
            self._language = language
            self._drawn = (None, b"")
            self._due.set()

    def set_brightness(self, brightness: Brightness) -> None:
        """Set the brightness, after the picture under way."""
        if brightness is not self._brightness:
            self._brightness = brightness
            self._due.set()

    async def serve(self, well: Callable[[], None]) -> None:
        """Set the panel up, call ``well``, and keep it in step until cancelled.

        Raises:
            PartError: the panel does not answer, or has lost its set-up.
        """
        bus, panel, loop = self._bus, self._panel, asyncio.get_running_loop()
        await bus.run(panel.begin, Priority.PICTURE)
        stale_s = loop.time() + RESTORE_S
        well()
        contrast, blanked = None, self._blanks
        self._due.set()
        while True:
            lit = self._brightness is not Brightness.OFF
            with suppress(TimeoutError):
                async with asyncio.timeout_at(stale_s if lit else None):
                    await self._due.wait()
            self._due.clear()
            if blanked != self._blanks:
                blanked = self._blanks
                await self._blank()
            if self._brightness is not Brightness.OFF and loop.time() >= stale_s:
                stale_s = loop.time() + RESTORE_S
                await bus.run(panel.restore, Priority.PICTURE)
                contrast = None
            wanted = self._wanted
            if wanted is None:
                continue
            try:
                for window in panel.changes(self._picture(wanted.screen)):
                    await bus.run(
                        _writing(panel.write, window), Priority.PICTURE, wanted.generation
                    )
                    if self._due.is_set():
                        break
                else:
                    if contrast != (contrast := _contrast(wanted.screen, self._brightness)):
                        await bus.run(_writing(panel.contrast, contrast), Priority.PICTURE)
                    await self._switch(wanted.generation)
                    if not self.shown.done():
                        self.shown.set_result(None)
            except Superseded:
                continue

    def _picture(self, screen: Screen) -> bytes:
        """Return the packed picture of a screen, drawn once; report its flaw once."""
        if screen is self._drawn[0]:
            return self._drawn[1]
        drawing = readable(screen, self._language)
        if drawing.flaw is not None and drawing.flaw not in self._flaws:
            self._flaws.add(drawing.flaw)
            self._tell(drawing.flaw)
        self._drawn = screen, self._panel.pack(drawing.image.columns)
        return self._drawn[1]

    async def _switch(self, generation: int) -> None:
        """Switch the display on, or off while nobody looks."""
        is_to_be_on = self._brightness is not Brightness.OFF
        if is_to_be_on and self._panel.is_on is not True:
            await self._bus.run(self._panel.light_up, Priority.PICTURE, generation)
        elif self._panel.is_on is not False and not is_to_be_on:
            await self._bus.run(self._panel.blank, Priority.PICTURE)

    async def _blank(self) -> None:
        """Switch the panel off; after `BLANK_TRIES` failures, raise the last PartError."""
        for _ in range(BLANK_TRIES - 1):
            try:
                await self._bus.run(self._panel.blank, Priority.BLANK)
            except PartError:
                continue
            return
        await self._bus.run(self._panel.blank, Priority.BLANK)


def _writing(job: Callable[[Any], None], argument: Window | int) -> Callable[[], None]:
    return lambda: job(argument)


def _contrast(screen: Screen, brightness: Brightness) -> int:
    if brightness is not Brightness.FULL:
        return DIM_CONTRAST
    return BRIGHT_CONTRAST if shows_dice(screen) else DARK_CONTRAST
