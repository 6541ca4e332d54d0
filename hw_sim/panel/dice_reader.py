"""Dice on a panel, found by their pixels in the display's memory.

It has 8 pages of 128 columns, a byte for each, with the top row of the page in bit 0 (SSD1306 data
sheet, graphic display data RAM).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from firmware.display.oled.bitmap import Bitmap
from firmware.display.oled.marks import DIE_FACES, SMALL_DIE_FACES
from game.dice import Dice

COLUMNS = 128
PAGES = 8
PAGE_ROWS = 8
ROWS = PAGES * PAGE_ROWS
MEMORY_BYTES = COLUMNS * PAGES


_Strips = tuple[bytes, ...]


def _strips(face: Bitmap) -> _Strips:
    """A face as strips of eight rows, a byte for each column, the top row in bit 0."""
    return tuple(
        bytes(
            sum(face.is_lit(x, PAGE_ROWS * strip + bit) << bit for bit in range(8))
            for x in range(face.width)
        )
        for strip in range(face.height // PAGE_ROWS)
    )


_SIZES = tuple(
    {pips: _strips(face) for pips, face in faces.items()} for faces in (DIE_FACES, SMALL_DIE_FACES)
)
"""The faces of either size."""
_LARGE_ONE = _SIZES[0][1]
_TELLING = sorted(
    {strip for faces in _SIZES for strips in faces.values() for strip in strips}
    - {_LARGE_ONE[0], _LARGE_ONE[3]}
)
"""Strips with pips in them. The upper and lower one of a large one have none, like an empty frame.
"""
SEEN = 64
"""The number of memories that are remembered: a panel is often written with what it shows."""
_ANY_PIPS = re.compile(b"|".join(re.escape(strip) for strip in _TELLING))


@lru_cache(SEEN)
def shows_pips(memory: bytes) -> bool:
    """Whether the 1024 bytes hold a strip (8 rows) of a die with pips, whole die or not."""
    return _ANY_PIPS.search(memory) is not None


@lru_cache(SEEN)
def read_dice(memory: bytes) -> Dice | None:
    """The whole dice in the 1024 bytes, row by row from the left; None if there are none."""
    found = sorted(place for faces in _SIZES for place in _found(memory, faces))
    return tuple(pips for *_, pips in found) or None


def _found(memory: bytes, faces: dict[int, _Strips]) -> Iterator[tuple[int, int, int]]:
    """Every whole face of one size: its first page, its first column, its pips."""
    high = len(faces[1])
    for page, (pips, strips) in product(range(PAGES - high + 1), faces.items()):
        rows = [memory[at * COLUMNS : (at + 1) * COLUMNS] for at in range(page, page + high)]
        column = rows[0].find(strips[0])
        while column >= 0:
            if all(row.startswith(strip, column) for row, strip in zip(rows, strips)):
                yield page, column, pips
            column = rows[0].find(strips[0], column + 1)
