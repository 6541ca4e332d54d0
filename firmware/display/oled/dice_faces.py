"""The faces of a die as the panel shows them."""

from firmware.display.oled.bitmap import Bitmap
from firmware.display.oled.canvas import Canvas
from game.dice import Dice

FACE = 32
"""A face is 32×32 px; its top row is the first of a page of 8, wherever it is drawn."""
DICE_GAP = 3
"""Columns between two dice."""

_BORDER = 2
_ROUNDING = (5, 3, 2, 1, 1)
"""How many columns the five outermost rows are set back at their ends."""
_PIP = 6
_LOW, _MIDDLE, _HIGH = 5, 13, 21
"""First column or row of a pip, so that the face is symmetrical."""
_CORNERS = ((_LOW, _LOW), (_HIGH, _HIGH))
_OTHER_CORNERS = ((_HIGH, _LOW), (_LOW, _HIGH))
_SIDES = ((_LOW, _MIDDLE), (_HIGH, _MIDDLE))
_CENTRE = ((_MIDDLE, _MIDDLE),)
_PIPS = {
    1: _CENTRE,
    2: _OTHER_CORNERS,
    3: (*_OTHER_CORNERS, *_CENTRE),
    4: (*_CORNERS, *_OTHER_CORNERS),
    5: (*_CORNERS, *_OTHER_CORNERS, *_CENTRE),
    6: (*_CORNERS, *_OTHER_CORNERS, *_SIDES),
}


def _face(pips: int) -> Bitmap:
    face = Bitmap(FACE, FACE)
    inner = FACE - 2 * _BORDER
    _block(face, FACE, 0, _ROUNDING, lit=True)
    _block(face, inner, _BORDER, tuple(max(0, back - 1) for back in _ROUNDING[:3]), lit=False)
    for left, top in _PIPS[pips]:
        face.fill(left + 1, top, left + _PIP - 1, top + _PIP)
        face.fill(left, top + 1, left + _PIP, top + _PIP - 1)
    return face


def _block(face: Bitmap, size: int, margin: int, rounding: tuple[int, ...], lit: bool) -> None:
    for row in range(size):
        from_edge = min(row, size - 1 - row)
        back = rounding[from_edge] if from_edge < len(rounding) else 0
        face.fill(margin + back, margin + row, margin + size - back, margin + row + 1, lit)


DIE_FACES: dict[int, Bitmap] = {pips: _face(pips) for pips in range(1, 7)}
"""The six faces, 32×32: lit pips on a dark die with a lit border. Do not draw on them."""


SMALL_FACE = 16
"""A small face is 16×16 px, for games of six and seven dice; its top row begins a page too."""
_SMALL_ROUNDING = (2, 1)
_SMALL_PIP = 2
_SMALL_PLACES = {_LOW: 3, _MIDDLE: 7, _HIGH: 11}
_SMALL_PER_ROW = 4
_SMALL_PITCH = 19


def _small_face(pips: int) -> Bitmap:
    face = Bitmap(SMALL_FACE, SMALL_FACE)
    _block(face, SMALL_FACE, 0, _SMALL_ROUNDING, lit=True)
    _block(face, SMALL_FACE - 2, 1, (1,), lit=False)
    for column, row in _PIPS[pips]:
        left, top = _SMALL_PLACES[column], _SMALL_PLACES[row]
        face.fill(left, top, left + _SMALL_PIP, top + _SMALL_PIP)
    return face


SMALL_DIE_FACES: dict[int, Bitmap] = {pips: _small_face(pips) for pips in range(1, 7)}
"""The six small faces, 16×16. Do not draw on them."""


def die_left(place: int, left: int) -> int:
    """Return the first column of die ``place``, from 0, of a row of large dice at ``left``."""
    return left + place * (FACE + DICE_GAP)


def draw_small_dice(canvas: Canvas, dice: Dice, left: int, page: int) -> None:
    """Draw up to eight dice of 16 px in two rows of four; ``page`` (0 to 7) is the top row's."""
    for place, pips in enumerate(dice):
        row, column = divmod(place, _SMALL_PER_ROW)
        canvas.paste(
            SMALL_DIE_FACES[pips],
            left + column * _SMALL_PITCH,
            8 * page + row * SMALL_FACE,
        )


def draw_dice(canvas: Canvas, dice: Dice, left: int, page: int) -> None:
    """Draw two or three dice of 32 px side by side; ``page``, 0 to 7, is the top row's."""
    for place, pips in enumerate(dice):
        canvas.paste(DIE_FACES[pips], die_left(place, left), 8 * page)
