"""A recording of a board: its bus, its pins, and each settled picture of its displays."""

from collections import deque
from typing import Any, Final, NamedTuple

from ..board.board import Board
from ..board.bus import Transfer
from ..board.pins import KEPT, Change

SETTLED_US: Final = 4_000
"""A display that hears nothing for so long shows a whole picture."""
MOST_FRAMES: Final = 2_000
"""Pictures that are kept of one display: the last ones."""


class Frame(NamedTuple):
    """From ``t_us`` on a display shows ``rows``: lines of text, or of pixels."""

    t_us: int
    rows: tuple[Any, ...]


class Recording:
    """Records a board from now on.

    Attributes:
        board: the board.
        transfers, changes: what happened on the bus and at the pins, oldest first.
        frames: settled pictures by the name of the display, oldest first.
        began_us: the time of its beginning.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.began_us = board.now_us()
        self.transfers: list[Transfer] = []
        self.changes: deque[Change] = deque(maxlen=KEPT)
        board.bus.trace = self.transfers
        board.pins.trace = self.changes
        self.frames: dict[str, deque[Frame]] = {
            name: deque(maxlen=MOST_FRAMES)
            for name, part in board.parts.items()
            if _shown(part) is not None
        }
        self._busy_until_us = 0
        self._looks = False
        self.look()
        board.on_transaction.append(self._hear)

    def close(self) -> None:
        """Record no longer."""
        self.board.bus.trace = self.board.pins.trace = None
        self.board.on_transaction.remove(self._hear)

    def look(self) -> None:
        """Take the present pictures, settled or not."""
        self._take(self.board.now_us())

    def wired(self, pin: int) -> str:
        """Return which ends of wires are at a pin, such as ``adxl345.int1``; "" for none."""
        return ", ".join(self.board.links.wired_to(pin))

    def _hear(self) -> None:
        if not self.frames:
            return
        self._busy_until_us = self.board.now_us() + SETTLED_US
        if not self._looks:
            self._looks = True
            self.board.clock.call_at(self._busy_until_us / 1e6, self._settle)

    def _settle(self) -> None:
        if self.board.now_us() < self._busy_until_us:
            self.board.clock.call_at(self._busy_until_us / 1e6, self._settle)
            return
        self._looks = False
        self._take(self._busy_until_us - SETTLED_US)

    def _take(self, t_us: int) -> None:
        for name, frames in self.frames.items():
            rows = _shown(self.board.parts[name])
            if rows is not None and (not frames or frames[-1].rows != rows):
                frames.append(Frame(t_us, rows))


def _shown(part: Any) -> tuple[Any, ...] | None:
    """Return what a display shows: rows of pixels or lines of text; None for another part."""
    if hasattr(part, "pixels"):
        rows: tuple[Any, ...] = part.pixels()
        return rows
    return getattr(part, "lines", None)
