"""Reading dice off a panel, from the display's memory, as a person reads them off the glass."""

import re

from firmware.screens import DIE_FACES
from game.values import Dice
from hw_sim.picture import COLUMNS, PAGES

_STRIPS_PER_FACE = 4
_WIDTH = 32


def _strips(pips: int) -> tuple[bytes, ...]:
    """A face as four strips of 32 columns, each byte eight rows, the top one in bit 0."""
    face = DIE_FACES[pips]
    return tuple(
        bytes(
            sum(bool(face.getpixel((x, 8 * strip + bit))) << bit for bit in range(8))
            for x in range(_WIDTH)
        )
        for strip in range(_STRIPS_PER_FACE)
    )


_FACES = {pips: _strips(pips) for pips in DIE_FACES}
_TELLING = sorted(
    {strip for strips in _FACES.values() for strip in strips} - {_FACES[1][0], _FACES[1][3]}
)
"""Strips with pips in them. The upper and lower one of a one have none, like an empty frame."""
_ANY_PIPS = re.compile(b"|".join(re.escape(strip) for strip in _TELLING))


def shows_pips(memory: bytes) -> bool:
    """Whether any strip of a die with pips is in the memory, be the rest of it there or not."""
    return _ANY_PIPS.search(memory) is not None


def read_dice(memory: bytes) -> Dice | None:
    """The two dice on the panel, higher first, or None if there are not two whole ones."""
    found: list[tuple[int, int]] = []
    for page in range(PAGES - _STRIPS_PER_FACE + 1):
        rows = [
            memory[(page + strip) * COLUMNS : (page + strip + 1) * COLUMNS]
            for strip in range(_STRIPS_PER_FACE)
        ]
        for pips, strips in _FACES.items():
            column = rows[1].find(strips[1])
            while column >= 0:
                if all(row[column : column + _WIDTH] == strip for row, strip in zip(rows, strips)):
                    found.append((column, pips))
                column = rows[1].find(strips[1], column + 1)
    if len(found) != 2:
        return None
    pips_found = sorted((pips for _, pips in found), reverse=True)
    return (pips_found[0], pips_found[1])
