"""The panel, kept in step with the newest screen and its brightness.

A blank precedes everything else on the bus, so that dice leave in time. The panel's memory follows
the screen even while it is off, so that waking shows the newest at once.

Numbers without a source are chosen.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from drivers.bus import I2CBus, Priority, Superseded
from drivers.errors import PartError
from drivers.panel import CONTRASTS, Panel, Window, pack
from firmware.display.oled.draw import readable
from firmware.display.screens import Screen, shows_dice
from firmware.display.text.language import Language
from firmware.effects import Show
from firmware.runtime.sleep import Brightness
from firmware.runtime.splash import DARK_CONTRAST

RESTORE_S = 1.5
"""A lit panel is set up this often, and rewritten as far as `Panel.restore` asks, which repairs a
broken transfer or a moment without power."""
BLANK_TRIES = 6
"""Number of tries for a blank, without a pause."""
BRIGHT_CONTRAST = 0xCF
"""Contrast with dice, of 255; chosen. Without them it is `DARK_CONTRAST`."""
DIM_CONTRAST = CONTRASTS[0]


async def show_alone(bus: I2CBus, panel: Panel, screen: Screen, language: Language) -> None:
    """Show one screen without a runtime; it stays after the call.

    Raises:
        PartError: the display does not answer.
    """
    await bus.run(panel.begin, Priority.PICTURE)
    for window in panel.changes(pack(readable(screen, language).image.columns)):
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
        self._drawn = screen, pack(drawing.image.columns)
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
