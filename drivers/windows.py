"""Which parts of the panel's memory to write, and in which pieces.

The SSD1306 takes any rectangle of columns and pages (rows of 8 pixels): six command bytes set it,
then its bytes follow page by page. A rectangle costs `OVERHEAD_BYTES` more than its contents, so
close changes are cheaper together and distant ones apart; and none is longer than 2 ms, so that
light and motion never wait long for the bus.

The changed bytes of each page are first taken in runs; then those two rectangles become one, again
and again, that save most. What has most lit pixels to lose is written first: dice that have to go
are the first to go.
"""

import re
from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple

WIDTH: Final = 128
HEIGHT: Final = 64
PAGES: Final = HEIGHT // 8
MEMORY_BYTES: Final = WIDTH * PAGES

OVERHEAD_BYTES: Final = 8
"""Sent with the contents: control byte and six commands; control byte."""

MOST_BYTES: Final = 76
"""Contents of the largest window: 86 bytes of 9 bits (two are addresses), STARTs and STOPs take
1.95 ms at 400 kHz."""

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
    found = [
        (page, page, first, last)
        for page in range(PAGES)
        for first, last in _runs(mask[page * WIDTH : (page + 1) * WIDTH])
    ]
    cut = [_cut(new, rectangle) for rectangle in _merged(found)]
    return sorted(cut, key=lambda window: _extinguished(old, window), reverse=True)


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


_Rectangle = tuple[int, int, int, int]
"""A window in the making: first and last page, first and last column."""


def _merged(found: list[_Rectangle]) -> list[_Rectangle]:
    """Merge two rectangles into one as long as that costs no more bytes, best first."""
    alive = dict(enumerate(found))
    offers = [offer for key in alive for offer in _offers(alive, key, range(key))]
    heapify(offers)
    while offers:
        _, one, other, around = heappop(offers)
        if one in alive and other in alive:
            del alive[one], alive[other]
            key = len(found)
            found.append(around)
            for offer in _offers({**alive, key: around}, key, alive):
                heappush(offers, offer)
            alive[key] = around
    return list(alive.values())


def _offers(
    alive: dict[int, _Rectangle], key: int, others: Iterable[int]
) -> Iterator[tuple[int, int, int, _Rectangle]]:
    """Yield what may be merged with a rectangle: bytes lost by it, the two, and their hull."""
    first_page, last_page, first_column, last_column = alive[key]
    area = (last_page - first_page + 1) * (last_column - first_column + 1)
    for other in others:
        top, bottom, left, right = alive[other]
        hull = (
            first_page if first_page < top else top,
            last_page if last_page > bottom else bottom,
            first_column if first_column < left else left,
            last_column if last_column > right else right,
        )
        together = (hull[1] - hull[0] + 1) * (hull[3] - hull[2] + 1)
        if together <= MOST_BYTES:
            apart = area + (bottom - top + 1) * (right - left + 1) + OVERHEAD_BYTES
            if together <= apart:
                yield together - apart, key, other, hull


def _cut(memory: bytes, rectangle: _Rectangle) -> Window:
    first_page, last_page, first, last = rectangle
    rows = range(first_page * WIDTH, (last_page + 1) * WIDTH, WIDTH)
    return Window(*rectangle, b"".join([memory[at + first : at + last + 1] for at in rows]))


def _extinguished(old: bytes | bytearray, window: Window) -> int:
    """Count the lit pixels that a window puts out."""
    before = _cut(bytes(old), window[:4]).data
    return (int.from_bytes(before) & ~int.from_bytes(window.data)).bit_count()
