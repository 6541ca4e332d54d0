"""A display's content, read from its memory alone.

Pictures of a panel and the dice on it come from the memory, never from the drawing code. The memory
has 8 pages of 128 columns, a byte for each, with the top row of the page in bit 0 (SSD1306 data
sheet, graphic display data RAM). The files are written here, byte by byte, so that a page can make
them, too.

Numbers without a source are chosen.

May import: firmware.display, game. ``prompts`` puts a screen into words.
"""

import re
import struct
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from steckbrett.traces import PALETTE

from firmware.display.oled.bitmap import Bitmap
from firmware.display.oled.marks import DIE_FACES, SMALL_DIE_FACES
from game.dice import Dice
from steckbrett import traces

COLUMNS = 128
PAGES = 8
PAGE_ROWS = 8
"""Pages of a panel, and rows of pixels in each, as in the sheet."""
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
"""The number of pictures that are remembered: a panel is often written with what it shows."""
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


_COLOUR_BITS = 3
"""A GIF has colours by powers of two: eight, of which five are used."""
_MOST_CODES = 4096
"""A GIF's dictionary begins anew when it has so many codes (GIF89a, appendix F)."""


class PanelPicture(NamedTuple):
    """A picture of a panel: its rows from the top, a byte a pixel, which counts in `PALETTE`."""

    rows: tuple[bytes, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return len(self.rows[0]), len(self.rows)


def panel(memory: bytes, scale: int = 4) -> PanelPicture:
    """Draw one panel with its bezel, ``scale`` picture pixels a panel pixel.

    Raises:
        ValueError: ``memory`` does not have 1024 bytes, or ``scale`` is below 1.
    """
    return PanelPicture(traces.framed(pixels(memory), scale))


def pixels(memory: bytes) -> list[bytes]:
    """Return what the memory lights: 64 rows of 128 bytes, 1 for a lit pixel.

    Raises:
        ValueError: ``memory`` does not have 1024 bytes.
    """
    _check(memory)
    pages = [memory[at : at + COLUMNS] for at in range(0, MEMORY_BYTES, COLUMNS)]
    return [
        bytes([column >> bit & 1 for column in page]) for page in pages for bit in range(PAGE_ROWS)
    ]


def png(picture: PanelPicture) -> bytes:
    """Return a picture as the bytes of a PNG file without date or other asides."""
    return traces.png(picture.rows)


def gif(shots: Sequence[tuple[int, bytes]], end_us: int, scale: int = 4) -> bytes:
    """Return what a panel showed as the bytes of a moving GIF file that begins anew at its end.

    Args:
        shots: since when in µs it showed what, oldest first; the memory as everywhere here.
        end_us: until when the last one stood.
        scale: picture pixels a panel pixel.

    Raises:
        ValueError: there is no picture, or a memory does not have 1024 bytes.
    """
    if not shots:
        raise ValueError("a moving picture needs pictures")
    frames = [panel(memory, scale) for _, memory in shots]
    times_us = [t_us for t_us, _ in shots] + [end_us]
    width, height = frames[0].size
    colours = b"".join(map(bytes, PALETTE)).ljust(3 * 2**_COLOUR_BITS, b"\0")
    film = [
        b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80 | _COLOUR_BITS - 1, 0, 0) + colours,
        b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0",  # again and again
    ]
    shown: tuple[bytes, ...] = (b"",) * height
    for frame, (t_us, then_us) in zip(frames, pairwise(times_us)):
        changed = [at for at in range(height) if frame.rows[at] != shown[at]] or [0]
        rows = frame.rows[changed[0] : changed[-1] + 1]
        lasts = max(2, (then_us - t_us) // 10_000)  # in 1/100 s; viewers take 1 for 10
        film.append(b"\x21\xf9\x04\x04" + struct.pack("<HBB", min(lasts, 0xFFFF), 0, 0))
        film.append(b"\x2c" + struct.pack("<HHHHB", 0, changed[0], width, len(rows), 0))
        film.append(bytes((_COLOUR_BITS,)) + _in_blocks(_compressed(b"".join(rows))) + b"\0")
        shown = frame.rows
    return b"".join(film) + b"\x3b"


def _compressed(indices: bytes) -> bytes:
    """Compress the pixels of a GIF by codes that grow from four bits to twelve (appendix F)."""
    packed = count = 0  # bits that wait, the first one lowest
    out = bytearray()
    for code, bits in _codes(indices):
        packed |= code << count
        count += bits
        while count >= 8:
            out.append(packed & 0xFF)
            packed >>= 8
            count -= 8
    return bytes(out) + bytes((packed,))


def _codes(indices: bytes) -> Iterator[tuple[int, int]]:
    """Return each code, and the number of its bits."""
    clear = 2**_COLOUR_BITS
    fresh = {bytes((colour,)): colour for colour in range(clear)}
    known, bits, word = dict(fresh), _COLOUR_BITS + 1, b""
    yield clear, bits
    for at in range(len(indices)):
        longer = word + indices[at : at + 1]
        if longer in known:
            word = longer
            continue
        yield known[word], bits
        number = len(known) + 2  # after those that clear and end
        if number == _MOST_CODES:
            yield clear, bits
            known, bits = dict(fresh), _COLOUR_BITS + 1
        else:
            known[longer] = number
            bits = max(bits, number.bit_length())
        word = indices[at : at + 1]
    yield known[word], bits
    number = len(known) + 2  # the reader has learned one more by now
    yield clear + 1, min(12, max(bits, number.bit_length()))


def _in_blocks(data: bytes) -> bytes:
    return b"".join(
        bytes((len(block),)) + block
        for block in (data[at : at + 255] for at in range(0, len(data), 255))
    )


def terminal(memory: bytes) -> list[str]:
    """Draw a panel as 16 lines of 64 Braille characters, 2×4 pixels each.

    Raises:
        ValueError: ``memory`` does not have 1024 bytes.
    """
    _check(memory)
    lines = []
    for page in range(PAGES):
        for shift in (0, 4):
            at = page * COLUMNS
            lines.append(
                "".join(
                    _BRAILLE[(memory[i] >> shift & 15) | (memory[i + 1] >> shift & 15) << 4]
                    for i in range(at, at + COLUMNS, 2)
                )
            )
    return lines


def _braille(cell: int) -> str:
    # Unicode, Braille Patterns: dots 1 2 3 7 are the left column downwards, 4 5 6 8 the right one.
    dots = (0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80)
    return chr(0x2800 + sum(dot for bit, dot in enumerate(dots) if cell >> bit & 1))


_BRAILLE = "".join(_braille(cell) for cell in range(256))
"""By a cell's four left pixels (low bits, top first) and its four right ones."""


def _check(memory: bytes) -> None:
    if len(memory) != MEMORY_BYTES:
        raise ValueError(f"display memory has {MEMORY_BYTES} bytes, not {len(memory)}")
