"""Pictures of a panel, made from the display's memory and never from the drawing code."""

import io
from collections.abc import Sequence
from itertools import pairwise

from PIL import Image

from hw_sim.panel.memory_layout import COLUMNS, MEMORY_BYTES, PAGE_ROWS, PAGES, ROWS

_BEZEL, _EDGE, _GLASS, _DARK, _LIT = range(5)
_PALETTE = (
    (44, 47, 54),
    (70, 74, 84),
    (4, 8, 18),
    (8, 15, 30),
    (150, 238, 255),
)
"""Colours of the bezel, its edge, the glass, a dark and a lit pixel."""

GAPS_FROM_SCALE = 4
"""From this scale on pixels keep a dark gap of one, as on the glass."""
_BEZEL_WIDTH = 4
"""Around the panel, in panel pixels, its edge included."""


def panel(memory: bytes, scale: int = 4) -> Image.Image:
    """Draw one panel with its bezel. Palette image; ``scale`` picture pixels a panel pixel.

    Raises:
        ValueError: ``memory`` does not have 1024 bytes, or ``scale`` is below 1.
    """
    if scale < 1:
        raise ValueError(f"scale {scale}: use 1 or more")
    width, height = COLUMNS + 2 * _BEZEL_WIDTH, ROWS + 2 * _BEZEL_WIDTH
    picture = _blank(width * scale, height * scale, _EDGE)
    picture.paste(_BEZEL, (1, 1, width * scale - 1, height * scale - 1))
    glass = (_BEZEL_WIDTH - 1) * scale
    picture.paste(_GLASS, (glass, glass, width * scale - glass, height * scale - glass))
    left = top = _BEZEL_WIDTH * scale
    right, bottom = left + COLUMNS * scale, top + ROWS * scale
    picture.paste(_DARK, (left, top, right, bottom))
    lit = pixels(memory).resize((COLUMNS * scale, ROWS * scale), Image.Resampling.NEAREST)
    picture.paste(_LIT, (left, top), lit)
    if scale >= GAPS_FROM_SCALE:
        for column in range(left + scale - 1, right, scale):
            picture.paste(_GLASS, (column, top, column + 1, bottom))
        for row in range(top + scale - 1, bottom, scale):
            picture.paste(_GLASS, (left, row, right, row + 1))
    return picture


def pixels(memory: bytes) -> Image.Image:
    """Return what the memory lights, mode "1", 128×64.

    Raises:
        ValueError: ``memory`` does not have 1024 bytes.
    """
    _check(memory)
    # One byte a row of eight pixels, the lowest bit leftmost: every page lies on its side.
    turned = Image.frombytes("1", (PAGE_ROWS, MEMORY_BYTES), memory, "raw", "1;R")
    upright = Image.new("1", (COLUMNS, ROWS))
    for page in range(PAGES):
        side = turned.crop((0, page * COLUMNS, PAGE_ROWS, (page + 1) * COLUMNS))
        upright.paste(side.transpose(Image.Transpose.TRANSPOSE), (0, page * PAGE_ROWS))
    return upright


def png(picture: Image.Image) -> bytes:
    """Return a picture as the bytes of a PNG file, without date or other asides."""
    stream = io.BytesIO()
    picture.save(stream, format="PNG", compress_level=9)
    return stream.getvalue()


def gif(pictures: Sequence[tuple[int, bytes]], end_us: int, scale: int = 4) -> bytes:
    """Return what a panel showed as the bytes of a moving GIF file that begins anew at its end.

    Args:
        pictures: since when in µs it showed what, oldest first; the memory as everywhere here.
        end_us: until when the last one stood.
        scale: picture pixels a panel pixel.

    Raises:
        ValueError: there is no picture, or a memory does not have 1024 bytes.
    """
    if not pictures:
        raise ValueError("a moving picture needs pictures")
    frames = [panel(memory, scale) for _, memory in pictures]
    times_us = [t_us for t_us, _ in pictures] + [end_us]
    # A GIF counts hundredths of a second, and viewers take less than two for ten.
    lasts_ms = [max(20, (then - t) // 10_000 * 10) for t, then in pairwise(times_us)]
    stream = io.BytesIO()
    frames[0].save(
        stream, format="GIF", save_all=True, append_images=frames[1:], duration=lasts_ms, loop=0
    )
    return stream.getvalue()


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


def _blank(width: int, height: int, colour: int) -> Image.Image:
    picture = Image.new("P", (width, height), colour)
    picture.putpalette([level for colours in _PALETTE for level in colours])
    return picture
