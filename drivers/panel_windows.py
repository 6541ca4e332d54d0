"""The parts of the panel's memory to write, and their pieces.

Three command bytes set the page (a row of 8 pixels) and the column at which the SSD1306 goes on. A
window costs `OVERHEAD_BYTES` more than its contents, so close changes are cheaper together and
distant ones apart. No window takes longer than 2 ms, so that light and motion never wait long for
the bus.

The window that puts out most lit pixels is written first: dice that have to go are the first to go.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

WIDTH: Final = 128
HEIGHT: Final = 64
PAGES: Final = HEIGHT // 8
MEMORY_BYTES: Final = WIDTH * PAGES

OVERHEAD_BYTES: Final = 5
"""Sent with the contents: control byte and three commands; control byte."""

MOST_BYTES: Final = 78
"""Contents of the largest window: 85 bytes of 9 bits (two are addresses), STARTs and STOPs take
1.93 ms at 400 kHz."""

# Changed bytes, together with unchanged ones between them that cost no more than a new window.
_RUN = re.compile(rb"[^\x00]+(?:\x00{1,%d}[^\x00]+)*" % OVERHEAD_BYTES)


class Window(NamedTuple):
    """A rectangle of the memory: pages 0–7 and columns 0–127, both ends included.

    ``data``: its bytes, page by page, each from left to right.
    """

    first_page: int
    last_page: int
    first_column: int
    last_column: int
    data: bytes

    def write_into(self, memory: bytearray) -> None:
        """Copy the window into ``memory``, 1024 bytes, as the panel does into its own."""
        width = self.last_column - self.first_column + 1
        for row, page in enumerate(range(self.first_page, self.last_page + 1)):
            at = page * WIDTH + self.first_column
            memory[at : at + width] = self.data[row * width : (row + 1) * width]


def windows(old: bytes | bytearray, new: bytes, unsure: int = 0) -> list[Window]:
    """Find few small windows that turn the memory ``old`` into ``new`` (1024 bytes each).

    ``unsure`` is a number of 1024 bytes, not 0 in bytes that may be wrong in ``old``. Return an
    empty list if nothing differs. The worst case is a full frame: 1024 bytes in 16 windows.
    """
    changed = (int.from_bytes(old) ^ int.from_bytes(new)) | unsure
    if not changed:
        return []
    mask = changed.to_bytes(MEMORY_BYTES)
    found = []
    for page in range(PAGES):
        at = page * WIDTH
        for first, last in _runs(mask[at : at + WIDTH]):
            found.append(Window(page, page, first, last, new[at + first : at + last + 1]))
    return sorted(found, key=lambda window: _extinguished(old, window), reverse=True)


def spread(window: Window) -> int:
    """Return a mask of the memory as a number of 1024 bytes: FF inside the window."""
    row = (1 << 8 * (window.last_column - window.first_column + 1)) - 1
    behind = MEMORY_BYTES - 1 - window.last_column
    pages = range(window.first_page, window.last_page + 1)
    return sum(row << 8 * (behind - page * WIDTH) for page in pages)


def _runs(mask: bytes) -> Iterator[tuple[int, int]]:
    for run in _RUN.finditer(mask):
        first, end = run.span()
        pieces = -(-(end - first) // MOST_BYTES)
        for piece in range(pieces):
            yield (
                first + (end - first) * piece // pieces,
                first + (end - first) * (piece + 1) // pieces - 1,
            )


def _extinguished(old: bytes | bytearray, window: Window) -> int:
    """Count the lit pixels that a window of one page puts out."""
    at = window.first_page * WIDTH + window.first_column
    before = old[at : at + len(window.data)]
    return (int.from_bytes(before) & ~int.from_bytes(window.data)).bit_count()
