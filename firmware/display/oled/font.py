"""Bitmap fonts, read from BDF files: the same pixels on every machine.

Letters that no font has are drawn as a picture, which their reader can point at. The files lie in
``fonts`` beside this one, with their licences. BDF is the X11 bitmap format (Adobe, version 2.1);
this reader knows only the parts that these files use.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from firmware.display.oled.bitmap import Bitmap
from game.names import clusters

PICTURE_SIZE = 7
"""The columns and the rows of the picture for letters without shapes; chosen, as high as the small
letters."""
_TWINS = str.maketrans(
    "АВГЕЅІЇКМНОПРСТФХЁЈаеѕіїорсухёјΑΒΕΖΗΙΚΜΝΟΡΤΥΧκμνορυχίόϊύϋ\u05be\u05f3\u05f4",
    "ABΓESIÏKMHOΠPCTΦXËJaesiïopcyxëjABEZHIKMNOPTYXк\u00b5vopuxíóïúü-'\"",
)
"""Cyrillic and Greek letters, and signs of Hebrew, that are drawn as another one is."""
_HEBREW = re.compile("[\u05d0-\u05ea](?:[\u0591-\u05ea '-]*[\u0591-\u05ea])?")
"""Words that are read from the right; accents and the sign for a hyphen are among their letters."""
NO_BREAK_SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
"""They are drawn as blanks."""


class Glyph(NamedTuple):
    """One character.

    ``left`` and ``top`` place its mask: columns right of the pen, rows above the baseline.
    ``advance`` moves the pen. ``mask`` is None for a blank.
    """

    advance: int
    left: int
    top: int
    mask: Bitmap | None


class Ink(NamedTuple):
    """A rendered text: ``mask`` begins ``top`` rows above the baseline.

    ``left`` is the number of columns from the pen to the first lit one; digits of one width stand
    in cells.
    """

    mask: Bitmap
    top: int
    left: int = 0

    @property
    def width(self) -> int:
        """The columns from the first to the last lit one."""
        return self.mask.width


class Font:
    """The glyphs of one size.

    Args:
        name: file name in ``fonts`` without its ending.
        shapes: as `_glyph` reads them, by character.
    """

    def __init__(self, name: str, shapes: dict[str, str]) -> None:
        self.name = name
        self._shapes = shapes

    def has(self, character: str) -> bool:
        """Return whether the font has a shape of its own for the character."""
        return character in self._shapes

    @lru_cache(maxsize=512)  # noqa: B019 - fonts live as long as the program
    def render(self, text: str) -> Ink:
        """Return the ink of a text, its first lit column at 0. It is shared: do not draw on it.

        A blank text has ink of no columns.
        """
        placed = []
        pen = 0
        for glyph in self._glyphs(text):
            if glyph.mask is not None:
                placed.append((pen + glyph.left, glyph.top, glyph.mask))
            pen += glyph.advance
        if not placed:
            return Ink(Bitmap(0, 1), 1)
        left = min(x for x, _, _ in placed)
        right = max(x + mask.width for x, _, mask in placed)
        top = max(above for _, above, _ in placed)
        bottom = max(mask.height - above for _, above, mask in placed)
        ink = Bitmap(right - left, top + bottom)
        for x, above, mask in placed:
            ink.paste(mask, x - left, top - above)
        return Ink(ink, top, left)

    def width(self, text: str) -> int:
        """Count the columns of ink of a text."""
        return self.render(text).width

    @lru_cache(maxsize=512)  # noqa: B019 - fonts live as long as the program
    def draws(self, text: str) -> bool:
        """Return whether the font has all letters of a text, except those that `SMALL` lacks."""
        return all(self.shape(each) or not load(SMALL).shape(each) for each in clusters(text))

    @lru_cache(maxsize=512)  # noqa: B019 - fonts live as long as the program
    def shape(self, cluster: str) -> str | None:
        """Return the shape of a letter, or of the same without accents; None without either."""
        letter = unicodedata.normalize("NFC", cluster)
        base = unicodedata.normalize("NFD", letter)[0]
        known = (each.translate(_TWINS) for each in (letter, letter[0], base))
        return next(filter(None, map(self._shapes.get, known)), None)

    def _glyphs(self, text: str) -> Iterator[Glyph]:
        for letter in letters(_HEBREW.sub(_turned, text)):
            shape = self.shape(letter)
            yield _picture(letter) if shape is None else _glyph(shape)


@cache
def load(name: str) -> Font:
    """Read ``fonts/<name>.bdf``; each glyph is read when it is first drawn.

    Raises:
        FileNotFoundError: there is no such font.
        ValueError: the file is not BDF as written by this project.
    """
    text = (Path(__file__).parent / "fonts" / f"{name}.bdf").read_text(encoding="ascii")
    _, *shapes = text.split("\nSTARTCHAR ")
    if not shapes:
        raise ValueError(f"font {name}: no glyphs: restore fonts/{name}.bdf")
    found = {chr(int(shape.split(maxsplit=3)[2])): shape for shape in shapes}
    if " " in found:
        found |= dict.fromkeys(NO_BREAK_SPACES, found[" "])
    return Font(name, found)


def known_letters() -> str:
    """Return the characters of which `SMALL` has a shape, in the order of Unicode."""
    return "".join(sorted({*load(SMALL)._shapes, *map(chr, _TWINS)}))


@lru_cache(maxsize=512)
def letters(text: str) -> tuple[str, ...]:
    """Split a text into what is drawn as one: letters, and each run of those without shapes."""
    found: list[str] = []
    for has_shape, run in groupby(clusters(text), lambda each: bool(load(SMALL).shape(each))):
        joined = "".join(run)
        found += clusters(joined) if has_shape else (joined,)
    return tuple(found)


def _turned(words: re.Match[str]) -> str:
    return "".join(reversed(clusters(words[0])))


def _picture(run: str) -> Glyph:
    """Return the picture of letters without shapes: a mirrored pattern of their checksum."""
    pattern, half = crc32(run.encode(errors="replace")), range(PICTURE_SIZE // 2 + 1)
    columns = (*half, *reversed(half[:-1]))
    rows = [
        sum((pattern >> y * len(half) + from_ & 1) << x for x, from_ in enumerate(columns))
        for y in range(PICTURE_SIZE)
    ]
    return Glyph(PICTURE_SIZE + 2, 1, PICTURE_SIZE - 1, Bitmap.of_rows(PICTURE_SIZE, rows))


@cache
def _glyph(shape: str) -> Glyph:
    """Read a glyph: its name, lines of a keyword and numbers, and rows of bits in base 16."""
    head, _, bits = shape.partition("\nBITMAP\n")
    _, *lines = head.splitlines()
    entries = {keyword: list(map(int, numbers)) for keyword, *numbers in map(str.split, lines)}
    width, height, left, bottom = entries["BBX"]
    spare = -width % 8  # bits at the right of a row
    rows = [int(row, 16) >> spare for row in bits.split()[:height]]
    mask = Bitmap.of_rows(width, rows) if rows else None
    return Glyph(entries["DWIDTH"][0], left, bottom + height, mask)


SMALL = "small"
"""Capitals 6 px high; hints and running text."""
STRONG = "strong"
"""Capitals 6 px high and bold, 8 rows with descenders: highlighted words, lines over dice."""
BOLD = "bold"
"""Capitals 8 px high; headlines."""
HEADING = "heading"
"""Capitals 11 px high."""
DIGITS = "digits"
"""Digits 32 px high, in cells of one width: announcements and values."""
