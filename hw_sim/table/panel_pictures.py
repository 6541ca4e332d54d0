"""Panels as PNG files: a picture whenever a panel has settled on something new.

The pictures are made from the SSD1306's memory. Their names sort by time::

    000123.456-seat1-ben.png

the panel of seat 1 as it was last written at 123.456 s of the loop's time.
"""

import asyncio
from pathlib import Path

from firmware.cli.console import CommandError, because
from firmware.journal.files import write_file
from hw_sim.panel.picture import panel, png
from hw_sim.table.handheld import SimulatedHandheld
from hw_sim.table.table import SimulatedTable

SETTLED_US = 150_000
"""A panel that is not written for this time has settled; a whole picture takes a third."""
MOST_FRAMES = 2000
"""No more pictures than this of one match."""


class FrameWriter:
    """Writes the pictures of a table's panels into a folder, which is made if need be.

    ``count`` are written. ``full_at_us`` is when the limit ``most`` was reached, in µs, and
    ``trouble`` why nothing can be written any more; both None as long as all is well.

    Raises:
        CommandError: the folder cannot be used.
    """

    def __init__(self, folder: Path, most: int = MOST_FRAMES) -> None:
        self.folder = folder
        self.count = 0
        self.full_at_us: int | None = None
        self.trouble: str | None = None
        self._most = most
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / ".writable"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise CommandError(
                f"frames {folder}: {because(error)}: name a folder that may be written to"
            ) from None

    def follow(self, table: SimulatedTable) -> None:
        """Write the pictures of all panels of a table from now on."""
        for seat in table.seats:
            _Panel(self, seat)

    def summary(self) -> str:
        """How many pictures were written and where, and whether the limit was met: a line."""
        told = f"frames: {self.count} pictures in {self.folder}"
        if self.full_at_us is not None:
            told += f", the limit; none after {self.full_at_us / 1e6:.3f} s"
        return told

    def keep(self, seat: SimulatedHandheld, memory: bytes, t_us: int) -> None:
        """Write a seat's panel as it was at ``t_us`` (µs), from its 1024 bytes.

        Beyond the limit it sets ``full_at_us``, after an error ``trouble``; it does not raise.
        """
        if self.trouble is not None or self.full_at_us is not None:
            return
        if self.count == self._most:
            self.full_at_us = t_us
            return
        name = seat.handheld.match.players[seat.seat].casefold()
        path = self.folder / f"{t_us / 1e6:010.3f}-seat{seat.seat}-{name}.png"
        try:
            write_file(path, png(panel(memory)))
        except OSError as error:
            self.trouble = f"frames {path}: {because(error)}: make room, or leave --frames out"
            return
        self.count += 1


class _Panel:
    """Waits for one panel to settle."""

    def __init__(self, writer: FrameWriter, seat: SimulatedHandheld) -> None:
        self._writer = writer
        self._seat = seat
        self._loop = asyncio.get_running_loop()
        self._changed_us = 0
        self._kept: bytes | None = None
        self._timer: asyncio.TimerHandle | None = None
        seat.board.display.on_write.append(self._changed)
        seat.board.display.on_switch.append(self._changed)

    def _changed(self, t_us: int) -> None:
        self._changed_us = t_us
        if self._timer is None:
            self._look_at(t_us + SETTLED_US)

    def _look_at(self, t_us: int) -> None:
        self._timer = self._loop.call_at(t_us / 1e6, self._look)

    def _look(self) -> None:
        self._timer = None
        settled_us = self._changed_us + SETTLED_US
        if self._seat.runtime.now_us < settled_us:
            self._look_at(settled_us)
            return
        display = self._seat.board.display
        if display.is_lit and display.memory != self._kept:
            self._kept = display.memory
            self._writer.keep(self._seat, display.memory, self._changed_us)
