"""Pictures of one bit a pixel, each a single integer; small ones are in ``icons.toml``.

A picture is bytes in the order of the panel's memory but for its pages: column after column, the
top row of each in the lowest of its 64 bits.
"""

import tomllib
from pathlib import Path

STRIDE = 64
"""The bits of a column, as the panel has rows; no picture is higher (SSD1306, data sheet)."""
_COLUMN_BYTES = STRIDE // 8


class Bitmap:
    """A picture of ``width`` × ``height`` pixels, all dark at first; at most 64 rows.

    ``bits`` has pixel (x, y), counted from the top left, in bit ``x * STRIDE + y``.
    """

    def __init__(self, width: int, height: int, bits: int = 0) -> None:
        self.width = width
        self.height = height
        self.bits = bits

    @classmethod
    def of_rows(cls, width: int, rows: list[int]) -> "Bitmap":
        """Return the picture of rows from the top; the highest of ``width`` bits is the left."""
        bits = sum(
            (row >> (width - 1 - x) & 1) << x * STRIDE + y
            for y, row in enumerate(rows)
            for x in range(width)
        )
        return cls(width, len(rows), bits)

    @property
    def columns(self) -> bytes:
        """Eight bytes for each column from the left; bit 0 of the first is the top row."""
        return self.bits.to_bytes(self.width * _COLUMN_BYTES, "little")

    def is_lit(self, x: int, y: int) -> bool:
        """Return whether a pixel is lit."""
        return bool(self.bits >> x * STRIDE + y & 1)

    def mirrored(self) -> "Bitmap":
        """Return the picture with left and right exchanged."""
        columns = self.columns
        ends = range(len(columns) - _COLUMN_BYTES, -1, -_COLUMN_BYTES)
        turned = b"".join(columns[at : at + _COLUMN_BYTES] for at in ends)
        return Bitmap(self.width, self.height, int.from_bytes(turned, "little"))

    def paste(self, mask: "Bitmap", left: int, top: int) -> None:
        """Light the pixels that ``mask`` lights, from (left, top) on; others outside are lost."""
        bits = mask.bits
        first, behind = max(0, -top), min(mask.height, self.height - top)
        if first or behind < mask.height:
            bits &= _block(mask.width, first, behind)
        shift = left * STRIDE + top
        bits = bits << shift if shift >= 0 else bits >> -shift
        self.bits |= bits & _block(self.width, 0, self.height)

    def fill(self, left: int, top: int, right: int, bottom: int, lit: bool = True) -> None:
        """Light or darken a rectangle; ``right`` and ``bottom`` lie behind it.

        Pixels outside the picture are left out, and an empty rectangle has none.
        """
        left, top = max(0, left), max(0, top)
        right, bottom = min(self.width, right), min(self.height, bottom)
        if left < right and top < bottom:
            block = _block(right - left, top, bottom) << left * STRIDE
            self.bits = self.bits | block if lit else self.bits & ~block


def _block(width: int, top: int, bottom: int) -> int:
    """Return the bits of rows ``top`` to the one before ``bottom`` of the first columns."""
    if width <= 0 or top >= bottom:
        return 0
    each = ((1 << STRIDE * width) - 1) // ((1 << STRIDE) - 1)  # the lowest bit of each column
    return each * ((1 << bottom) - (1 << top))


_BITS = str.maketrans(".#", "01")
_DRAWN = tomllib.loads((Path(__file__).parent / "icons.toml").read_text(encoding="utf-8"))


def _picture(name: str) -> Bitmap:
    rows = _DRAWN[name].split()
    lit = [int(row.translate(_BITS), 2) for row in rows]
    return Bitmap.of_rows(len(rows[0]), lit)


TO_ONE = _picture("TO_ONE")
"""Beside the line of a six that is turned to a one."""
CUP = _picture("CUP")
"""The dice cup, upside down: 30×32 px."""
RATTLE = _picture("RATTLE")
"""Movement at the left of something, 7×16 px; mirrored it is movement at the right."""
RATTLE_RIGHT = RATTLE.mirrored()
MATCH = _picture("MATCH")
"""A match, 3×7 px."""
WAVES = _picture("WAVES")
"""Water, for a player who swims: 10×7 px."""
LEFTWARDS = _picture("LEFTWARDS")
"""A tilt to the left leads on, 4×7 px."""
RIGHTWARDS = LEFTWARDS.mirrored()
"""A tilt to the right leads on, 4×7 px."""
