"""The display: the record of the fitted one, the interface of its driver, and its memory.

Board, first picture, doctor and simulator read `PANEL`. A display of another chip with 128×64
pixels, one bit each, takes its place there.

Three command bytes set the page (a row of 8 pixels) and the column at which the SSD1306 goes on
(data sheet Rev 1.1, 10.1.1). A window costs `OVERHEAD_BYTES` more than its contents, so close
changes are cheaper together and distant ones apart. No window takes longer than 2 ms, so that light
and motion never wait long for the bus.

The window that puts out most lit pixels is written first: dice that have to go are the first to go.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

WIDTH: Final = 128
"""Pixels in a row."""
HEIGHT: Final = 64
"""Pixels in a column."""
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


def pack(columns: bytes) -> bytes:
    """Pack a picture into the 1024 bytes of the panel's memory.

    ``columns`` are eight bytes for each column from the left; bit 0 of the first is its top.
    Raises ValueError for any other size.
    """
    if len(columns) != MEMORY_BYTES:
        raise ValueError(f"a picture has {MEMORY_BYTES} bytes, not {len(columns)}")
    return b"".join([columns[page::PAGES] for page in range(PAGES)])


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


CONTRASTS: Final = range(1, 256)
"""0 is not allowed on the SSD1315, which many modules carry."""


class Panel(Protocol):
    """A display's driver. Every method but `begin` (about 50 ms) is one job of at most 2 ms.

    `changes` does not touch the bus. The others raise PartError when the part does not answer as it
    should. ``is_on`` says whether the display was switched on; None if it may be either.
    """

    is_on: bool | None

    def begin(self) -> None:
        """Set the panel up, whatever its state; it is then off and its memory black."""

    def changes(self, picture: bytes) -> list[Window]:
        """Return the windows that turn the shown picture into ``picture``, packed; often none."""

    def write(self, window: Window) -> None:
        """Write one window. If it raises, `changes` counts the bytes of the window as unknown."""

    def blank(self) -> None:
        """Switch the display off: nothing is visible, the memory stays and can be written."""

    def light_up(self) -> None:
        """Switch the display on: it shows the memory."""

    def restore(self) -> None:
        """Send the set-up again, in case the part has lost it; an intact part shows no change.

        Contrast, picture and switch are then to be written again: ``is_on`` becomes None if it was
        on, and `changes` counts what may be lost as unknown.
        """

    def contrast(self, value: int) -> None:
        """Set the contrast; raises ValueError for what is not among `CONTRASTS`."""


class PanelPart(NamedTuple):
    """A display that may be fitted.

    Attributes:
        kind: the chip as the test bench calls it.
        driver: module and class of a `Panel`, for `make_driver`.
        address: 7-bit I2C address as it is wired.
        other_address: the address with its jumper the other way.
    """

    kind: str
    driver: str
    address: int
    other_address: int


PANEL: Final = PanelPart("ssd1306", "drivers.ssd1306:Ssd1306", 0x3C, 0x3D)
"""SA0 is low, so that it answers at 0x3C; high it would be 0x3D."""
