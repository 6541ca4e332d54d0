"""Which parts of the panel's memory to write, and in which pieces.

The SSD1306 takes any rectangle of columns and pages (rows of 8 pixels): six command bytes set it,
then its bytes follow page by page. On the wire a rectangle costs `OVERHEAD_BYTES` more than its
contents, 22.5 µs each at 400 kHz, so close changes are cheaper together and distant ones apart;
and none is longer than 2 ms, so that light and motion never wait long for the bus.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

WIDTH: Final = 128
HEIGHT: Final = 64
PAGES: Final = HEIGHT // 8
MEMORY_BYTES: Final = WIDTH * PAGES

OVERHEAD_BYTES: Final = 10
"""Two transfers: address, control byte and six commands; address and control byte."""

MOST_BYTES: Final = 76
"""Contents of the largest window: 86 bytes of 9 bits, STARTs and STOPs take 1.95 ms."""

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
        """Do to ``memory`` what the panel does to its own."""
        width = self.last_column - self.first_column + 1
        for row, page in enumerate(range(self.first_page, self.last_page + 1)):
            at = page * WIDTH + self.first_column
            memory[at : at + width] = self.data[row * width : (row + 1) * width]


def windows(old: bytes | bytearray, new: bytes, unsure: int = 0) -> list[Window]:
    """Find few small windows that turn the memory ``old`` into ``new`` (1024 bytes each).

    ``unsure``: a number of 1024 bytes, not 0 where ``old`` may be wrong. Empty if nothing differs.
    At worst the windows of a full frame: 1024 bytes in 16 of them.
    """
    changed = (int.from_bytes(old) ^ int.from_bytes(new)) | unsure
    if not changed:
        return []
    mask = changed.to_bytes(MEMORY_BYTES)
    found: list[_Rectangle] = []
    for page in range(PAGES):
        for first, last in _runs(mask[page * WIDTH : (page + 1) * WIDTH]):
            best = max(found, key=lambda it: it.saving(page, first, last), default=None)
            if best is not None and best.saving(page, first, last) >= 0:
                best.take_in(page, first, last)
            else:
                found.append(_Rectangle(page, first, last))
    return [it.cut_from(new) for it in found]


def spread(window: Window) -> int:
    """Return a number of 1024 bytes, FF where the window lies."""
    memory = bytearray(MEMORY_BYTES)
    window._replace(data=b"\xff" * len(window.data)).write_into(memory)
    return int.from_bytes(memory)


def _runs(mask: bytes) -> Iterator[tuple[int, int]]:
    for run in _RUN.finditer(mask):
        first, end = run.span()
        pieces = -(-(end - first) // MOST_BYTES)
        for piece in range(pieces):
            yield (
                first + (end - first) * piece // pieces,
                first + (end - first) * (piece + 1) // pieces - 1,
            )


class _Rectangle:
    """A window in the making."""

    __slots__ = ("first_column", "first_page", "last_column", "last_page")

    def __init__(self, page: int, first: int, last: int) -> None:
        self.first_page = self.last_page = page
        self.first_column = first
        self.last_column = last

    def area(self) -> int:
        return (self.last_page - self.first_page + 1) * (self.last_column - self.first_column + 1)

    def saving(self, page: int, first: int, last: int) -> int:
        """Bytes on the wire that taking in a run saves; negative if it costs or does not fit."""
        width = max(self.last_column, last) - min(self.first_column, first) + 1
        together = (page - self.first_page + 1) * width
        if together > MOST_BYTES:
            return -1
        return self.area() + OVERHEAD_BYTES + (last - first + 1) - together

    def take_in(self, page: int, first: int, last: int) -> None:
        self.last_page = page
        self.first_column = min(self.first_column, first)
        self.last_column = max(self.last_column, last)

    def cut_from(self, memory: bytes) -> Window:
        rows = range(self.first_page * WIDTH, (self.last_page + 1) * WIDTH, WIDTH)
        data = b"".join([memory[at + self.first_column : at + self.last_column + 1] for at in rows])
        return Window(self.first_page, self.last_page, self.first_column, self.last_column, data)
