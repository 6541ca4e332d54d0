"""A board's past, to look at: waveforms, pictures of displays, a timeline.

Pictures are PNG files, written here: no library is needed.

May import: board, parts, clock. Then read ``recording``.
"""

import zlib
from collections.abc import Sequence
from struct import pack, unpack
from typing import Any, Final

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_BEZEL, _EDGE, _GLASS, _DARK, _LIT = (bytes((colour,)) for colour in range(5))
PALETTE: Final = (
    (44, 47, 54),
    (70, 74, 84),
    (4, 8, 18),
    (8, 15, 30),
    (150, 238, 255),
)
"""Colours of the bezel, its edge, the glass, a dark and a lit pixel; chosen."""
_BEZEL_WIDTH: Final = 4
"""Around the glass, in its pixels, the edge included."""
GAPS_FROM_SCALE: Final = 4
"""From this scale on pixels keep a dark gap of one, as on the glass; chosen."""


def picture(display: Any, scale: int = 4) -> bytes:
    """Return what a display shows, with its bezel, as the bytes of a PNG file.

    ``display`` has ``pixels()``; ``scale``: picture pixels a pixel of the glass, 1 or more.

    Raises:
        ValueError: the part is no display of pixels, or the scale is below 1.
    """
    if not hasattr(display, "pixels"):
        raise ValueError(f"{display.name} shows no pixels")
    return drawn(display.pixels(), scale)


def drawn(rows: Sequence[bytes], scale: int = 4) -> bytes:
    """Return rows of pixels, 1 lit and 0 dark, with a bezel, as the bytes of a PNG file."""
    return png(framed(rows, scale))


def framed(rows: Sequence[bytes], scale: int = 4) -> tuple[bytes, ...]:
    """Return rows of pixels with a bezel: a byte a pixel of the picture, a number of `PALETTE`.

    Raises:
        ValueError: the scale is below 1.
    """
    if scale < 1:
        raise ValueError(f"scale {scale}: use 1 or more")
    width = (len(rows[0]) + 2 * _BEZEL_WIDTH) * scale
    rim = (_BEZEL_WIDTH - 1) * scale - 1
    bezel = _EDGE + _BEZEL * (width - 2) + _EDGE
    glass = _EDGE + _BEZEL * rim + _GLASS * (width - 2 * rim - 2) + _BEZEL * rim + _EDGE
    gap = int(scale >= GAPS_FROM_SCALE)
    cells = [colour * (scale - gap) + _GLASS * gap for colour in (_DARK, _LIT)]
    left, right = glass[: _BEZEL_WIDTH * scale], glass[-_BEZEL_WIDTH * scale :]
    top = (_EDGE * width, *(bezel,) * rim, *(glass,) * scale)
    middle: list[bytes] = []
    for row in rows:
        line = left + b"".join([cells[pixel] for pixel in row]) + right
        middle += [line] * (scale - gap) + [glass] * gap
    return (*top, *middle, *reversed(top))


def rows_of(file: bytes, scale: int = 4) -> tuple[bytes, ...]:
    """Return the rows of pixels that a PNG file of `drawn` shows.

    Raises:
        ValueError: it is another file.
    """
    content = dict(_content(file))
    if content.get(b"PLTE") != b"".join(bytes(colour) for colour in PALETTE):
        raise ValueError("no picture of this bench")
    width, height = unpack(">II", content[b"IHDR"][:8])
    lines, step, margin = content[b"IDAT"], width + 1, _BEZEL_WIDTH * scale
    return tuple(
        bytes(lines[y * step + 1 + x] == _LIT[0] for x in range(margin, width - margin, scale))
        for y in range(margin, height - margin, scale)
    )


def png(lines: Sequence[bytes]) -> bytes:
    """Return lines of numbers of `PALETTE` as a PNG file (ISO/IEC 15948), without a date."""
    header = pack(">IIBBBBB", len(lines[0]), len(lines), 8, 3, 0, 0, 0)  # 8 bits, by a palette
    palette = b"".join(bytes(colour) for colour in PALETTE)
    data = zlib.compress(b"".join(b"\0" + line for line in lines), 9)  # each after: no filter
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", data), (b"IEND", b""))
    return _SIGNATURE + b"".join(
        pack(">I", len(body)) + kind + body + pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


def _content(file: bytes) -> list[tuple[bytes, bytes]]:
    if not file.startswith(_SIGNATURE):
        raise ValueError("no PNG file")
    found = []
    at = len(_SIGNATURE)
    while at < len(file):
        (length,) = unpack(">I", file[at : at + 4])
        kind, body = file[at + 4 : at + 8], file[at + 8 : at + 8 + length]
        found.append((kind, zlib.decompress(body) if kind == b"IDAT" else body))
        at += 12 + length
    return found
